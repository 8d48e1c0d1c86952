// Parts that several views are made of.

function badge(status) {
  return element("strong", { class: `badge ${status}` }, status.replaceAll("_", " "));
}

// Says `words` to those who listen.
function say(words) {
  document.getElementById("said").textContent = words;
}

function button(words, click, attributes = {}) {
  return element("button", { type: "button", ...attributes, on: { click } }, words);
}

// Terms and what they are; those whose value is null are left out.
function facts(pairs) {
  return element(
    "dl",
    { class: "facts" },
    pairs.map(([term, value]) =>
      value === null || value === undefined
        ? null
        : element("div", {}, element("dt", {}, term), element("dd", {}, value)),
    ),
  );
}

// A digest or an id, to be copied.
function copied(text, what) {
  return element(
    "span",
    { class: "copied" },
    element("code", {}, captured(text)),
    " ",
    button("Copy", () => copy(text, what), { class: "small", "aria-label": `Copy ${what}` }),
  );
}

async function copy(text, what) {
  say((await written(text)) ? `Copied ${what}.` : `Could not copy ${what}; select it instead.`);
}

async function written(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writtenByCommand(text);
  }
}

// For files, which some browsers do not let near the clipboard.
function writtenByCommand(text) {
  const focused = document.activeElement;
  const area = element("textarea", { class: "unseen", "aria-label": "Text to copy" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return done;
}

// What `make` gives. Where it fails the reader is told so, and the rest stays: the error is still one of the page.
function guarded(make) {
  try {
    return make();
  } catch (error) {
    reportError(error);
    return element("p", { class: "reason unshown" }, "This part could not be shown. The document has it.");
  }
}

let ids = 0;

// A heading that opens and closes what is below it, which is made when it is opened first.
function disclosure({ level, title, className, open, make, key }) {
  const id = `part-${++ids}`;
  const body = element("div", { class: "body", id, hidden: true });
  const toggle = button(title, () => set(toggle.getAttribute("aria-expanded") === "false"), {
    class: "toggle",
    "aria-expanded": "false",
    "aria-controls": id,
  });
  const section = element(
    "section",
    { class: `panel ${className || ""}`, "data-panel": key },
    element(`h${level}`, {}, toggle),
    body,
  );
  let made = false;
  function set(opened) {
    if (opened && !made) {
      made = true;
      fill(body, [guarded(make)]);
    }
    body.hidden = !opened;
    toggle.setAttribute("aria-expanded", String(opened));
  }
  section.opening = set;
  if (open) set(true);
  return section;
}

// Some of `items` at a time in `list`, made when they are asked for.
function more(items, size, make, list, noun) {
  let shown = 0;
  const box = element("div", { class: "more" }, list);
  const next = button("", () => add(true), { class: "small" });
  function add(asked) {
    const from = shown;
    shown = Math.min(items.length, shown + size);
    for (let at = from; at < shown; at += 1) list.append(make(items[at], at));
    const left = items.length - shown;
    next.textContent = `Show ${counted(Math.min(size, left), `more ${noun}`)} of ${number(left)}`;
    if (left) box.append(next);
    else next.remove();
    if (asked) {
      const first = list.children[from];
      first.tabIndex = -1;
      first.focus();
    }
  }
  add(false);
  return box;
}

// One page of `items` at a time in a list, for those of which there may be thousands.
function paged(items, size, make, name) {
  const list = element("ol", { class: "rows", "aria-label": name });
  const box = element("div", { class: "paged" }, list);
  if (items.length <= size) {
    fill(list, items.map(make));
    return box;
  }
  const pages = Math.ceil(items.length / size);
  const place = element("span", { class: "place" });
  const back = button("Previous", () => show(page - 1), { class: "small" });
  const on = button("Next", () => show(page + 1), { class: "small" });
  let page = 0;
  function show(asked, quietly) {
    page = Math.max(0, Math.min(pages - 1, asked));
    const from = page * size,
      to = Math.min(items.length, from + size);
    list.replaceChildren(...items.slice(from, to).map(make));
    list.start = from + 1;
    place.textContent = `${number(from + 1)} to ${number(to)} of ${number(items.length)}`;
    back.setAttribute("aria-disabled", String(page === 0));
    on.setAttribute("aria-disabled", String(page === pages - 1));
    if (!quietly) say(`${name}: ${place.textContent}`);
  }
  box.prepend(
    element("p", { class: "pages", role: "group", "aria-label": `Pages of ${name}` }, back, " ", place, " ", on),
  );
  show(0, true);
  return box;
}

function note(words) {
  return element("p", { class: "note" }, words);
}
