// Console lines, page errors and all other events of a step, a page of them at a time.

const MESSAGES_AT_ONCE = 200;
const CONSOLE_KINDS = new Set(["console", "page-error"]);

// What each side has of the events that `isWanted`, in this step; null where neither has any.
function messagesOf(comparison, step, isWanted) {
  const found = SIDES.map((side) => {
    const index = step[`${side}_step_index`];
    const all = index === null ? null : eventsOf(comparison, side);
    return all === null ? null : all.others.filter((one) => one.step_index === index && isWanted(one));
  });
  return found.every((one) => one === null || !one.length) ? null : found;
}

function messages(found, name) {
  return element(
    "div",
    { class: "two" },
    found.map((rows, at) => {
      const side = SIDES[at];
      return element(
        "div",
        { class: "side" },
        element(
          "h5",
          {},
          `${side === "before" ? "Before" : "After"}: ${rows === null ? "not at hand" : number(rows.length)}`,
        ),
        rows && rows.length ? paged(rows, MESSAGES_AT_ONCE, message, `${name} ${side}`) : null,
      );
    }),
  );
}

function message(row) {
  const level = row.kind === "page-error" ? "error" : (row.level ?? row.kind);
  return element(
    "li",
    { class: `message ${level === "error" ? "bad" : level === "warning" ? "odd" : ""}` },
    element("span", { class: "level" }, row.kind === "page-error" ? "page error" : captured(level)),
    " ",
    longText(row.text, "code", row.omitted_characters),
    row.url ? element("span", { class: "origin" }, " at ", longText(row.url, "code")) : null,
  );
}
