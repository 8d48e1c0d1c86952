// One step: what was done, and a panel for each artifact. Made when the step is chosen.

const OPEN_PANELS = 4;

function stepPane(comparison, step, kind) {
  const wanted = step.artifacts.filter((one) => !kind || one.artifact === kind);
  const different = wanted.filter(differs);
  const seen = wanted.filter(
    (one) => !differs(one) && one.artifact === "screenshot" && (step.before?.screenshot || step.after?.screenshot),
  );
  return element(
    "article",
    { class: "step", "aria-labelledby": "step-title" },
    element("h3", { id: "step-title", tabindex: "-1" }, captured(step.step_id), " ", badge(step.status)),
    step.failures.map((failure) => element("p", { class: "reason" }, longText(failure.reason, "words"))),
    guarded(() => stepFacts(step)),
    different.map((artifact, at) => artifactPanel(step, artifact, at < OPEN_PANELS)),
    kind && kind !== "events" ? null : guarded(() => eventPanels(comparison, step)),
    seen.map((artifact) => artifactPanel(step, artifact, false)),
    lonePictures(step),
    restWords(wanted),
  );
}

function stepFacts(step) {
  const [before, after] = [step.before_action, step.after_action];
  const actions =
    before === after || after === null || before === null
      ? actionWords(before ?? after)
      : `${actionWords(before)} before, ${actionWords(after)} after`;
  return facts([
    ["Action", actions === null ? null : captured(actions)],
    ...SIDES.map((side) => [side === "before" ? "Before" : "After", sideWords(step[side])]),
  ]);
}

// The name of an action as words; null stays null.
function actionWords(action) {
  if (action === null) return null;
  return action.replace(/^goto(?=_|$)/, "go to").replaceAll("_", " ");
}

function sideWords(side) {
  if (!side) return null;
  const sections = [
    ["missing", side.missing_sections],
    ["truncated", side.truncated_sections],
  ]
    .filter(([, names]) => names.length)
    .map(([word, names]) => `; ${word}: ${names.join(", ")}`);
  return [
    `${side.status} in ${number(side.elapsed_ms)} ms, at `,
    longText(side.after_url, "code"),
    sections,
    side.error === null ? null : [": ", longText(side.error, "words")],
  ];
}

function eventPanels(comparison, step) {
  const isOfStep = (one, side) => one.step_index === step[`${side}_step_index`];
  const transactions = SIDES.map(
    (side) => eventsOf(comparison, side)?.network.filter((one) => isOfStep(one, side)).length ?? 0,
  );
  const isConsole = (one) => CONSOLE_KINDS.has(one.kind);
  const lines = messagesOf(comparison, step, isConsole);
  const others = messagesOf(comparison, step, (one) => !isConsole(one));
  return [
    lines === null
      ? null
      : disclosure({
          level: 4,
          title: `Console and page errors: ${counts(lines)}`,
          key: "console",
          open: lines.some((rows) => rows?.some((row) => row.kind === "page-error" || row.level === "error")),
          make: () => messages(lines, "Console and page errors"),
        }),
    transactions.every((count) => !count)
      ? null
      : disclosure({
          level: 4,
          title: `Network: ${transactions[0]} before, ${transactions[1]} after`,
          key: "network",
          open: false,
          make: () => waterfall(comparison, isOfStep),
        }),
    others === null
      ? null
      : disclosure({
          level: 4,
          title: `Other events: ${counts(others)}`,
          key: "others",
          open: false,
          make: () => messages(others, "Other events"),
        }),
  ];
}

function counts(found) {
  return SIDES.map((side, at) => `${number(found[at]?.length ?? 0)} ${side}`).join(", ");
}

// A step that is on one side only may have a picture all the same.
function lonePictures(step) {
  if (step.status !== "not_aligned") return null;
  const shot = step.before?.screenshot ?? step.after?.screenshot ?? null;
  return shot === null
    ? null
    : disclosure({
        level: 4,
        title: "Screenshot",
        key: "screenshot",
        open: false,
        make: () => screenshots(step.before?.screenshot ?? null, step.after?.screenshot ?? null, null),
      });
}

const REST_WORDS = {
  unchanged: "Unchanged",
  not_requested: "Not requested",
  not_compared: "Not compared",
  untold: "No difference told (unchanged, or not requested)",
};

function restWords(artifacts) {
  return Object.entries(REST_WORDS).map(([status, words]) => {
    const names = artifacts.filter((one) => one.status === status).map((one) => ARTIFACT_NAMES[one.artifact]);
    return names.length ? note(`${words}: ${listed(names).join("")}.`) : null;
  });
}
