// What lies between the hunks of a difference: folded, and unfolded from either end where the file has lines.

// `gap` has how many lines there are, where they begin, and the lines that the file has of them, if any.
function foldRow(gap) {
  const row = element("li", { class: "fold" });
  const lines = gap.lines ?? { count: gap.count, head: [], tail: [] };
  let left = lines.count;
  const end = (words, some, from, put) =>
    !some.length
      ? null
      : button(
          words(some.length),
          (event) => {
            const made = some.map(([text, omitted], at) =>
              diffLine(
                { change: "context", omitted_characters: omitted, text },
                gap.before + from + at,
                gap.after + from + at,
              ),
            );
            put(made);
            left -= some.length;
            event.currentTarget.remove();
            describe();
            made[0].tabIndex = -1;
            made[0].focus();
          },
          { class: "small" },
        );
  const rest = element("span", {});
  function describe() {
    if (left) rest.textContent = gap.known ? `${counted(left, "line")} alike` : `${counted(left, "line")} not shown`;
    else row.remove();
  }
  fill(row, [
    end(
      (count) => `Show the first ${number(count)}`,
      lines.head,
      0,
      (made) => row.before(...made),
    ),
    " ",
    rest,
    " ",
    end(
      (count) => `Show the last ${number(count)}`,
      lines.tail,
      lines.count - lines.tail.length,
      (made) => row.after(...made),
    ),
  ]);
  describe();
  return row;
}
