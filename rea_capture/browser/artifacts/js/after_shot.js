const afterShot = () => {
  // Finished, not cancelled: a page that awaits every animation must not see a rejection.
  for (const animation of globalThis.hiddenCarets ?? []) animation.finish();
  globalThis.hiddenCarets = [];
};
