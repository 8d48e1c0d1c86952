"""How often a page that did not change is said to have changed. Not part of the suite."""
