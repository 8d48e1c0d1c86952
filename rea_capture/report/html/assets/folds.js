// What lies between the hunks of a difference: folded, and opened where the file has its lines.

const UNFOLDED_LINES = 200;

// A row for `count` lines that are alike. `lines` are these, or null where the file does not have them.
function fold(count, lines, beforeStart, afterStart) {
  const words = count === null ? "All further lines are alike." : `${counted(count, "line")} alike`;
  const row = element("li", { class: "fold" }, lines === null ? words : null);
  if (lines === null) return row;
  let shown = 0;
  const open = button("", unfold, { class: "small" });
  function unfold() {
    const next = lines.slice(shown, shown + UNFOLDED_LINES);
    row.before(...next.map((text, at) => diffLine(
      { change: "context", omitted_characters: 0, text }, beforeStart + shown + at, afterStart + shown + at)));
    shown += next.length;
    describe();
  }
  function describe() {
    const left = lines.length - shown;
    if (!left) return row.remove();
    open.textContent = `Show ${number(Math.min(left, UNFOLDED_LINES))} of ${counted(left, "line")} alike`;
  }
  describe();
  row.append(open);
  return row;
}
