// One artifact of a step: its verdict, why, and what the difference looks like.

const ARTIFACT_NAMES = {
  action_state: "Action",
  screenshot: "Screenshot",
  dom: "DOM",
  accessibility: "Accessibility",
  url: "URL",
  history: "History",
  storage: "Storage",
  events: "Events",
};
const SHORT_NAMES = {
  action_state: "Act",
  screenshot: "Shot",
  dom: "DOM",
  accessibility: "A11y",
  url: "URL",
  history: "Hist",
  storage: "Store",
  events: "Event",
};

function differs(artifact) {
  return artifact.status === "changed" || artifact.status === "unknown";
}

function artifactPanel(step, artifact, open) {
  return disclosure({
    level: 4,
    className: `artifact ${artifact.status}`,
    key: artifact.artifact,
    open,
    title: [ARTIFACT_NAMES[artifact.artifact], " ", badge(artifact.status)],
    make: () => [
      differs(artifact) ? verdictWords(artifact) : null,
      artifact.artifact === "screenshot" ? shotsOf(step, artifact) : artifact.explanation ? explained(artifact) : null,
      differs(artifact) ? digests(artifact) : null,
    ],
  });
}

function verdictWords(artifact) {
  const explanation = artifact.explanation;
  return [
    explanation ? element("p", { class: "summary" }, longText(explanation.summary, "words")) : null,
    artifact.status === "changed" && !explanation ? note("This comparison was made without explanations.") : null,
    artifact.reason ? element("p", { class: "reason" }, longText(artifact.reason, "words")) : null,
    artifact.recovery ? recoveryWords(artifact.recovery) : null,
    SIDES.map((side) => noteWords(artifact, side)),
  ];
}

function recoveryWords(recovery) {
  return element("p", { class: "recovery" }, element("strong", {}, "What to do: "), longText(recovery, "words"));
}

// What the capture says itself, where the reason does not say it already.
function noteWords(artifact, side) {
  const words = artifact[`${side}_note`];
  if (words === null || artifact.reason?.includes(words)) return null;
  return element("p", { class: "note" }, `The capture ${side}: `, longText(words, "words"));
}

function explained(artifact) {
  const explanation = artifact.explanation;
  switch (explanation.kind) {
    case "text":
      return textDifference(explanation, artifact.folds ?? null);
    case "values":
      return valueChanges(explanation);
    case "events":
      return eventChanges(explanation);
    default:
      return null;
  }
}

function shotsOf(step, artifact) {
  return [
    screenshots(step.before?.screenshot ?? null, step.after?.screenshot ?? null, artifact.explanation ?? null),
    artifact.omitted_regions ? note(`${counted(artifact.omitted_regions, "smaller region")} left out here.`) : null,
  ];
}

function digests(artifact) {
  const state = (side) =>
    artifact[`${side}_sha256`] === null
      ? artifact[`${side}_state`].replaceAll("_", " ")
      : copied(artifact[`${side}_sha256`], `digest of ${ARTIFACT_NAMES[artifact.artifact]} ${side}`);
  const term = (side) => (artifact[`${side}_sha256`] === null ? `State ${side}` : `SHA-256 ${side}`);
  return facts(SIDES.map((side) => [term(side), state(side)]));
}
