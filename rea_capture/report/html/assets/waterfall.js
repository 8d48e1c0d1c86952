// Network transactions before and after, in the order of events; redirects follow what led to them.

const TRANSACTIONS_AT_ONCE = 100;
const MAX_INDENT = 4;

// `chosen` says of a transaction and its side whether it is shown.
function waterfall(comparison, chosen) {
  const sides = SIDES.map((side) => waterfallSide(comparison, side, chosen));
  if (sides.every((side) => side === null)) {
    return note("The captures were not at hand. What changed in the network is told with the events of each step.");
  }
  return [
    note(
      "The axis is order, not time: events carry no time. A bar reaches from the first event of a transaction to its last, so a " +
        "long bar had many other events within it.",
    ),
    element("div", { class: "two" }, sides),
  ];
}

function waterfallSide(comparison, side, chosen) {
  const found = eventsOf(comparison, side);
  if (found === null) return null;
  const name = side === "before" ? "Before" : "After";
  const shown = inChains(found.network.filter((one) => chosen(one, side)));
  const changes = changesOf(comparison, side);
  const axis = axisOf(shown);
  const steps = comparison[side].result.step_ids;
  return element(
    "div",
    { class: "side" },
    element("h5", {}, `${name}: ${counted(shown.length, "transaction")}`),
    found.omitted
      ? note(`${counted(found.omitted, "event row")} of this capture left out of this report, which is full.`)
      : null,
    shown.length
      ? paged(shown, TRANSACTIONS_AT_ONCE, (one) => transactionRow(one, axis, changes, steps), `Transactions ${side}`)
      : null,
  );
}

// Each transaction behind the one that was redirected to it, and how many led to it.
function inChains(transactions) {
  const known = new Set(transactions.map((one) => one.id));
  const next = new Map();
  for (const one of transactions) {
    if (!known.has(one.redirected_from)) continue;
    if (!next.has(one.redirected_from)) next.set(one.redirected_from, []);
    next.get(one.redirected_from).push(one);
  }
  const ordered = [],
    seen = new Set();
  const visit = (root) => {
    const open = [{ one: root, depth: 0 }];
    while (open.length) {
      const { one, depth } = open.pop();
      if (seen.has(one.id)) continue;
      seen.add(one.id);
      ordered.push({ ...one, depth });
      for (const follower of (next.get(one.id) ?? []).toReversed()) open.push({ one: follower, depth: depth + 1 });
    }
  };
  for (const one of transactions) if (!known.has(one.redirected_from)) visit(one);
  for (const one of transactions) if (!seen.has(one.id)) visit(one); // a circle, which a hostile document may have
  return ordered;
}

function axisOf(transactions) {
  let from = Infinity,
    to = 0;
  for (const one of transactions) {
    from = Math.min(from, one.first);
    to = Math.max(to, one.last);
  }
  return { from, length: Math.max(1, to - from + 1) };
}

// What the explanations say of transactions of one side, by their ids.
function changesOf(comparison, side) {
  const changes = new Map();
  for (const step of comparison.steps) {
    for (const artifact of step.artifacts) {
      if (artifact.explanation?.kind !== "events") continue;
      for (const item of artifact.explanation.network.items) {
        const id = item[`${side}_id`];
        if (id !== null) changes.set(id, item.change);
      }
    }
  }
  return changes;
}

function transactionRow(one, axis, changes, steps) {
  const change = changes.get(one.id);
  const bar = element("span", { class: `bar ${outcome(one)}` });
  bar.style.marginLeft = `${(100 * (one.first - axis.from)) / axis.length}%`;
  bar.style.width = `${(100 * (one.last - one.first + 1)) / axis.length}%`;
  const row = element(
    "li",
    { class: `transaction${one.depth ? " redirected" : ""}${change ? " differs" : ""}` },
    element(
      "p",
      { class: "what" },
      one.depth
        ? element(
            "span",
            { class: "from" },
            "↳ ",
            element("span", { class: "unseen" }, `redirected from transaction ${one.redirected_from}: `),
          )
        : null,
      element("strong", {}, captured(one.method)),
      " ",
      longText(one.url, "code"),
    ),
    element(
      "p",
      { class: "how" },
      element("span", { class: `status ${outcome(one)}` }, statusOf(one)),
      " ",
      captured(one.resource_type),
      ", step ",
      captured(steps[one.step_index] ?? String(one.step_index)),
      `, events ${number(one.first)} to ${number(one.last)}`,
      change ? [", ", element("span", { class: `kind ${change}` }, change)] : null,
      one.ancestry === "unknown" ? ", what led to it is not known" : null,
      one.failure ? [", ", longText(one.failure, "words")] : null,
    ),
    element("span", { class: "track", "aria-hidden": "true" }, bar),
  );
  row.style.setProperty("--depth", String(Math.min(one.depth, MAX_INDENT)));
  return row;
}

function outcome(one) {
  if (one.end === "request-failed" || one.status >= 400) return "failed";
  if (one.status >= 300) return "redirect";
  return one.end === "request-finished" ? "done" : "open";
}

function statusOf(one) {
  const words =
    { "request-failed": "failed", "request-finished": "", "request-unfinished": "unfinished" }[one.end] ?? "no end";
  return [one.status ?? "no response", words].filter((part) => part !== "").join(", ");
}
