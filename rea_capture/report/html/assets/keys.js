// The keys, the window that tells them, and the switch that turns them off.

const KEYS = [
  ["j", "Next step"],
  ["k", "Previous step"],
  ["n", "Next difference"],
  ["p", "Previous difference"],
  ["1", "Screenshots side by side"],
  ["2", "Screenshots with a slider"],
  ["3", "Screenshots blinking"],
  ["4", "Screenshots overlaid"],
  ["f", "To the filters"],
  ["s", "Steps"],
  ["w", "Network"],
  ["u", "What is unknown"],
  ["l", "Limitations"],
  ["o", "Provenance"],
  ["]", "Next comparison"],
  ["[", "Previous comparison"],
  ["i", "All comparisons"],
  ["t", "Light or dark"],
  ["?", "This window"],
];
const TAB_KEYS = { s: "steps", w: "network", u: "unknown", l: "limitations", o: "provenance" };

const keys = { on: true };

function helpWindow() {
  const on = element("input", { type: "checkbox", id: "keys-on" });
  on.checked = true;
  on.addEventListener("change", () => {
    keys.on = on.checked;
  });
  const box = element(
    "dialog",
    { id: "help", "aria-labelledby": "help-title" },
    element("h2", { id: "help-title" }, "Keys"),
    element(
      "p",
      { class: "ends" },
      element("label", {}, on, " Single keys do this"),
      button("Close", () => box.close()),
    ),
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element("tr", {}, element("th", { scope: "col" }, "Key"), element("th", { scope: "col" }, "Does")),
      ),
      element(
        "tbody",
        {},
        KEYS.map(([key, words]) =>
          element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, words)),
        ),
      ),
    ),
    note(
      "In the list of steps and in the tabs, the arrow keys move; Home and End go to the ends. Escape closes this window.",
    ),
  );
  return box;
}

function listen(report) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input:not([type=range], [type=checkbox]), select, textarea, dialog")) return;
    if (!keys.on) return;
    if (report.pressed(event.key)) event.preventDefault();
  });
}
