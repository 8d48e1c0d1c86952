// Explanations of text, values and events.

const LINES_AT_ONCE = 400;
const ROWS_AT_ONCE = 100;
const MARKS = { added: "+", context: " ", removed: "−" };

function textDifference(explanation, folds) {
  return [
    explanation.elements === null ? null : elementChanges(explanation.elements),
    element("h5", {}, explanation.split === "markup" ? "Lines, split before each tag" : "Lines"),
    lineDifference(explanation.diff, explanation.split, folds),
  ];
}

// A unified difference: line numbers before and after count from 1, as readers do.
function lineDifference(diff, split = "events", folds = null) {
  const known = !diff.omitted_hunks && !diff.omitted_lines; // or what lies between hunks may be changes, too
  const end = lineEnds(diff, split);
  const rows = [];
  let before = 0,
    after = 0;
  diff.hunks.forEach((hunk, at) => {
    const count = hunk.before_start - before;
    if (count > 0) rows.push({ gap: { count, lines: folds && folds[at], before, after, known } });
    before = hunk.before_start;
    after = hunk.after_start;
    for (const line of hunk.lines) {
      rows.push({ line, before, after, end: end(line) });
      before += line.change === "added" ? 0 : 1;
      after += line.change === "removed" ? 0 : 1;
    }
    before = hunk.before_start + hunk.before_count;
    after = hunk.after_start + hunk.after_count;
  });
  const last = folds && folds[diff.hunks.length];
  if (last && last.count) rows.push({ gap: { count: last.count, lines: last, before, after, known } });
  const list = element("ol", { class: "diff", "aria-label": "Difference, line by line" });
  return [
    note(`${counted(diff.removed_lines, "line")} removed, ${number(diff.added_lines)} added.` + leftOut(diff)),
    more(rows, LINES_AT_ONCE, diffRow, list, "line"),
  ];
}

function leftOut(diff) {
  if (!diff.omitted_hunks && !diff.omitted_lines) return "";
  return (
    ` Left out here: ${counted(diff.omitted_lines, "line")}` +
    (diff.omitted_hunks ? ` and ${counted(diff.omitted_hunks, "whole hunk")}.` : ".")
  );
}

// What is said of the end of a line: between tags there may be one or not, and one side may lack its last one
// (in the words of every other report).
function lineEnds(diff, split) {
  const changed = (line) => line.change !== "context" && !line.omitted_characters;
  if (split === "markup") return (line) => (changed(line) && line.text.endsWith("\n") ? "↵" : null);
  const lacks = (line) => !line.omitted_characters && !line.text.endsWith("\n");
  const lacking = new Set(diff.hunks.flatMap((hunk) => hunk.lines.filter(lacks).map((line) => line.change)));
  const matters = split === "lines" && lacking.has("added") !== lacking.has("removed");
  return (line) => (matters && lacks(line) ? "\\ No line end" : null);
}

function diffRow(row) {
  return row.gap ? foldRow(row.gap) : diffLine(row.line, row.before, row.after, row.end);
}

function diffLine(line, before, after, end = null) {
  const text = line.text.endsWith("\n") ? line.text.slice(0, -1) : line.text;
  return element(
    "li",
    { class: `line ${line.change}` },
    element("span", { class: "at", "aria-hidden": "true" }, line.change === "added" ? "" : number(before + 1)),
    element("span", { class: "at", "aria-hidden": "true" }, line.change === "removed" ? "" : number(after + 1)),
    element("span", { class: "mark", "aria-hidden": "true" }, MARKS[line.change]),
    line.change === "context" ? null : element("span", { class: "unseen" }, `${line.change}: `),
    element(
      "span",
      {},
      longText(text, "code", line.omitted_characters),
      end === null ? null : [" ", element("span", { class: "sign" }, end)],
    ),
  );
}

function elementChanges(elements) {
  const counts = [
    [elements.added, "added"],
    [elements.removed, "removed"],
    [elements.moved, "moved"],
    [elements.texts, "with another text"],
    [elements.attributes, "with another attribute"],
  ]
    .filter(([count]) => count)
    .map(([count, words]) => `${number(count)} ${words}`);
  return [
    element("h5", {}, "Elements"),
    note([
      listed(counts.length ? counts : ["none"]).join(""),
      ".",
      elements.matched ? null : " The documents have too little in common to tell which element became which.",
      elements.omitted ? ` ${counted(elements.omitted, "change")} left out here.` : null,
    ]),
    elements.items.length
      ? more(
          elements.items,
          ROWS_AT_ONCE,
          elementChange,
          element("ul", { class: "changes", "aria-label": "Changed elements" }),
          "element",
        )
      : null,
  ];
}

function elementChange(item) {
  const path = item.after_path ?? item.before_path ?? "(path not in the comparison)";
  const moved = item.change === "moved" && item.before_path !== null && item.before_path !== item.after_path;
  return element(
    "li",
    {},
    element("span", { class: `kind ${item.change}` }, item.change),
    " ",
    element("code", {}, captured(path, "code")),
    item.name === null ? null : [" ", element("code", { class: "name" }, captured(item.name, "code"))],
    moved ? [element("span", {}, ", before at "), element("code", {}, captured(item.before_path, "code"))] : null,
    fromTo(item.before, item.after),
  );
}

// What was and what is, each only where it is.
function fromTo(before, after) {
  return element(
    "span",
    { class: "from-to" },
    before === null
      ? null
      : element("del", {}, element("span", { class: "unseen" }, "before: "), longText(before, "code")),
    after === null
      ? null
      : element("ins", {}, element("span", { class: "unseen" }, "after: "), longText(after, "code")),
  );
}

function valueChanges(explanation) {
  return [
    more(
      explanation.changes,
      ROWS_AT_ONCE,
      (item) =>
        element(
          "li",
          {},
          element("span", { class: `kind ${item.change}` }, item.change),
          " ",
          element("code", {}, captured(item.path || "(the whole)", "code")),
          " ",
          longText(item.words, "words"),
          fromTo(item.before, item.after),
        ),
      element("ul", { class: "changes", "aria-label": "Changed values" }),
      "value",
    ),
    explanation.omitted ? note(`${counted(explanation.omitted, "change")} left out here.`) : null,
  ];
}

function eventChanges(explanation) {
  const network = explanation.network;
  return [
    networkChanges(network),
    network.reordered
      ? note(`${counted(network.reordered, "transaction")} alike came in another order, which is no change.`)
      : null,
    explanation.interleaved ? note("Each family of events is alike; only the order between families differs.") : null,
    explanation.families.map((one) => [element("h5", {}, `Events: ${one.family}`), lineDifference(one.diff)]),
  ];
}

function networkChanges(network) {
  if (!network.added && !network.changed && !network.removed && !network.items.length) return null;
  return [
    element("h5", {}, "Network transactions"),
    note(
      `${number(network.changed)} changed, ${number(network.added)} added, ${number(network.removed)} removed.` +
        (network.omitted ? ` ${counted(network.omitted, "change")} left out here.` : ""),
    ),
    more(
      network.items,
      ROWS_AT_ONCE,
      transactionChange,
      element("ul", { class: "changes", "aria-label": "Changed transactions" }),
      "transaction",
    ),
  ];
}

function transactionChange(item) {
  const url = item.after_url ?? item.before_url; // null where a step has only the content of a transaction
  const otherUrl = item.before_url !== null && item.after_url !== null && item.before_url !== item.after_url;
  return element(
    "li",
    {},
    element("span", { class: `kind ${item.change}` }, item.change),
    " ",
    item.method ? [element("strong", {}, captured(item.method)), " "] : null,
    url === null ? element("span", { class: "absence" }, "URL not in the capture") : longText(url, "code"),
    otherUrl ? [element("span", {}, ", before "), longText(item.before_url, "code")] : null,
    " ",
    statusChange(item),
    element("p", {}, longText(item.words, "words")),
    item.redirected_from.length
      ? element(
          "p",
          {},
          "Redirected from ",
          item.redirected_from.map((from, at) => [at ? " → " : null, longText(from, "code")]),
        )
      : null,
    item.fields.map((field) =>
      element(
        "p",
        { class: "field" },
        element("code", {}, captured(`${field.event} ${field.field}`, "code")),
        fromTo(field.before, field.after),
      ),
    ),
    item.omitted_fields ? note(`${counted(item.omitted_fields, "field")} left out here.`) : null,
  );
}

function statusChange(item) {
  const [before, after] = [item.before_status, item.after_status];
  if (before === null && after === null) return null;
  const words = before === after || before === null || after === null ? `${after ?? before}` : `${before} → ${after}`;
  return element("span", { class: "status" }, `status ${words}`);
}
