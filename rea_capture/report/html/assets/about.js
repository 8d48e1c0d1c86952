// What is unknown and what to do about it, what limits the verdict, and where all this is from.

function unknowns(comparison, open) {
  const rows = comparison.steps.flatMap((step, at) =>
    step.artifacts.filter((one) => one.status === "unknown").map((artifact) => ({ step, at, artifact })),
  );
  return [
    ...SIDES.map((side) => incomplete(side, comparison[side].result)),
    comparison.unknown_besides.length
      ? [
          element(
            "h4",
            {},
            comparison.unknown_besides.every((one) => one.subject === "verdict")
              ? "The verdict"
              : `Alignment: ${comparison.alignment_status}`,
          ),
          more(comparison.unknown_besides, ROWS_AT_ONCE, unknownBesides, element("ul", { class: "changes" }), "reason"),
        ]
      : null,
    element("h4", {}, counted(rows.length, "unknown artifact")),
    rows.length
      ? more(
          rows,
          ROWS_AT_ONCE,
          (row) =>
            element(
              "li",
              {},
              button(
                [captured(row.step.step_id), `: ${ARTIFACT_NAMES[row.artifact.artifact]}`],
                () => open(row.at, row.artifact.artifact),
                { class: "link" },
              ),
              verdictWords(row.artifact),
            ),
          element("ul", { class: "changes" }),
          "artifact",
        )
      : note("Nothing is unknown that was compared."),
  ];
}

// What no row says: of the alignment of the steps, or of the verdict.
function unknownBesides(found) {
  return element(
    "li",
    {},
    found.step_id === null ? null : [element("strong", {}, captured(found.step_id)), ": "],
    longText(found.reason, "words"),
    found.recovery === null ? null : recoveryWords(found.recovery),
  );
}

function incomplete(side, result) {
  if (result === null || result.completeness.equality_eligible) return null;
  const { missing_sections: missing, truncated_sections: truncated } = result.completeness;
  return element(
    "p",
    { class: "reason" },
    `The capture ${side} is ${result.completeness.status}`,
    missing.length ? `; missing: ${listed(missing).join("")}` : "",
    truncated.length ? `; truncated: ${listed(truncated).join("")}` : "",
    ". What agrees with it is not called unchanged.",
  );
}

function limitations(comparison) {
  return [
    ["Of the comparison", comparison.limitations],
    ...SIDES.map((side) => [`Of the capture ${side}`, limitationsOf(comparison[side])]),
  ].map(([words, sentences]) => [
    element("h4", {}, words),
    sentences === null
      ? note("The capture was not at hand.")
      : sentences.length
        ? more(
            sentences,
            ROWS_AT_ONCE,
            (one) => element("li", {}, longText(one, "words")),
            element("ul", { class: "plain" }),
            "limitation",
          )
        : note("None."),
  ]);
}

// A capture states some in its Evidence and some in its result; each is told once.
function limitationsOf(capture) {
  if (capture.result === null) return null;
  return [...new Set([...(capture.limitations ?? []), ...capture.result.limitations])];
}

function provenance(comparison) {
  return [
    element("h4", {}, "Comparison"),
    facts([
      ["Evidence", copied(comparison.evidence_id, "id of the comparison")],
      ["Made by", captured(`${comparison.provider.name} ${comparison.provider.version}`)],
      ["Normalization", copied(comparison.normalization.sha256, "digest of the normalization")],
      [
        "Caller rules",
        comparison.normalization.rules.length
          ? element(
              "ul",
              { class: "plain" },
              comparison.normalization.rules.map((rule) =>
                element(
                  "li",
                  {},
                  captured(rule.rule_id),
                  ": ",
                  longText(rule.match, "code"),
                  " → ",
                  longText(rule.replacement, "code"),
                  ` in ${listed(rule.artifacts).join("")}`,
                ),
              ),
            )
          : "None.",
      ],
    ]),
    SIDES.map((side) => [element("h4", {}, `Capture ${side}`), captureFacts(comparison[side], side)]),
    element("h4", {}, "Pictures that are not the original"),
    pictureNotes(comparison),
  ];
}

function captureFacts(capture, side) {
  const result = capture.result;
  const pairs = [
    [
      "Evidence",
      capture.evidence_id === null
        ? "Given without Evidence."
        : copied(capture.evidence_id, `id of the capture ${side}`),
    ],
    ["Result", copied(capture.sha256, `digest of the result ${side}`)],
    ["Scenario", capture.scenario_sha256 ? copied(capture.scenario_sha256, `digest of the scenario ${side}`) : null],
    ["Starts at", capture.start_url ? longText(capture.start_url, "code") : null],
    ["Made by", capture.provider ? captured(`${capture.provider.name} ${capture.provider.version}`) : null],
    [
      "Machine",
      capture.environment
        ? captured(
            `${capture.environment.platform}, ${capture.environment.architecture}, isolation: ${capture.environment.isolation}`,
          )
        : null,
    ],
  ];
  if (result === null) return [facts(pairs), note("The capture itself was not at hand.")];
  const {
    viewport,
    locale,
    timezone,
    color_scheme: scheme,
    reduced_motion: motion,
    service_workers: workers,
  } = result.environment;
  return facts([
    ...pairs,
    [
      "Browser",
      captured(
        `${result.browser.product} ${result.browser.version}, ${result.browser.mode}, ${result.browser.cleanup}`,
      ),
    ],
    [
      "Environment",
      captured(
        `${viewport.width} × ${viewport.height} at ${viewport.device_scale_factor}, ${locale}, ${timezone}, ` +
          `color scheme ${scheme}, reduced motion ${motion}, service workers ${workers}`,
      ),
    ],
    ["Time", captured(`${result.started_at} to ${result.finished_at}, ${number(result.duration_ms)} ms`)],
    [
      "Complete",
      `${result.completeness.status}; ${counted(result.retained, "event")} kept, ${number(result.dropped)} not`,
    ],
    [
      "Event families",
      result.event_families === null
        ? "Not stated."
        : result.event_families.length
          ? captured(result.event_families.join(", "))
          : "None.",
    ],
  ]);
}

function pictureNotes(comparison) {
  const found = [
    ...new Set(comparison.steps.flatMap((step) => SIDES.map((side) => step[side]?.screenshot ?? null))),
  ].filter((sha256) => sha256 !== null && PICTURES[sha256].note !== null);
  if (!found.length) return note("All pictures in this file are as they were captured.");
  return more(
    found,
    ROWS_AT_ONCE,
    (sha256) => element("li", {}, copied(sha256, "digest of the picture"), " ", captured(PICTURES[sha256].note)),
    element("ul", { class: "plain" }),
    "picture",
  );
}
