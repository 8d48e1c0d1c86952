// The only functions that make nodes. Text becomes a text node, and never markup.

// What nobody would see, written out: the table of rea_capture/visible.py, which a test holds it to.
const UNSEEN = new RegExp(
  "[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufdd0-\\ufdef\\ufffe\\uffff\\u{1fffe}\\u{1ffff}" +
    "\\u{2fffe}\\u{2ffff}\\u{3fffe}\\u{3ffff}\\u{4fffe}\\u{4ffff}\\u{5fffe}\\u{5ffff}\\u{6fffe}\\u{6ffff}" +
    "\\u{7fffe}\\u{7ffff}\\u{8fffe}\\u{8ffff}\\u{9fffe}\\u{9ffff}\\u{afffe}\\u{affff}\\u{bfffe}\\u{bffff}" +
    "\\u{cfffe}\\u{cffff}\\u{dfffe}\\u{dffff}\\u{efffe}\\u{effff}\\u{ffffe}\\u{fffff}" +
    "\\u{10fffe}\\u{10ffff}\\xad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e" +
    "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{110bd}\\u{110cd}" +
    "\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u034f\\u115f\\u1160\\u17b4\\u17b5" +
    "\\u3164\\uffa0\\ufff0-\\ufff8\\u{e0000}-\\u{e0fff}\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f]",
  "gu",
);

const ATTRIBUTES = new Set([
  "alt",
  "class",
  "colspan",
  "dir",
  "for",
  "hidden",
  "href",
  "id",
  "max",
  "min",
  "name",
  "open",
  "role",
  "scope",
  "step",
  "tabindex",
  "title",
  "type",
  "value",
]);

// An element with attributes, listeners (`on`) and children: nodes, texts of ours, lists of these, or null.
function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "on") {
      for (const [kind, listener] of Object.entries(value)) node.addEventListener(kind, listener);
    } else if (!ATTRIBUTES.has(key) && !key.startsWith("aria-") && !key.startsWith("data-")) {
      throw new Error(`no element here has the attribute ${key}`);
    } else if (key === "href" && !/^#[a-z0-9/]+$/.test(value)) {
      throw new Error("links lead to places of this file only");
    } else if (value === true) {
      node.setAttribute(key, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(key, String(value));
    }
  }
  fill(node, children);
  return node;
}

function fill(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

// Text of a page: isolated from the direction of what is around it, with its unseen signs written out.
// `as` is "words" on one line, or "code", whose line ends and direction are kept.
function captured(text, as = "words") {
  const node = element("bdi", { class: `captured ${as}`, dir: as === "code" ? "ltr" : "auto" });
  append(node, text);
  return node;
}

function append(node, text) {
  let from = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found[0] === "\t") continue;
    if (found.index > from) node.append(document.createTextNode(text.slice(from, found.index)));
    node.append(sign(found[0]));
    if (found[0] === "\n") node.append(document.createTextNode("\n"));
    from = found.index + found[0].length;
  }
  if (from < text.length) node.append(document.createTextNode(text.slice(from)));
}

function sign(unseen) {
  const code = unseen.codePointAt(0);
  const written = code === 10 ? "↵" : `\\u${code.toString(16).padStart(4, "0")}`;
  return element("span", { class: code === 10 ? "sign end" : "sign" }, written);
}

// How much of one text is shown at first, and with each press of the button, in characters.
const FIRST_CHARACTERS = 2000;
const MORE_CHARACTERS = 16000;

// As `captured`, with a button for more where it is long. `omitted` characters are not in this file.
function longText(text, as, omitted = 0) {
  if (text.length <= FIRST_CHARACTERS && !omitted) return captured(text, as);
  let shown = whole(text, FIRST_CHARACTERS);
  const node = captured(text.slice(0, shown), as);
  const rest = element("span", { class: "rest" });
  const button = element("button", { type: "button", class: "small", on: { click: more } });
  function more() {
    const next = whole(text, shown + MORE_CHARACTERS);
    append(node, text.slice(shown, next));
    shown = next;
    describe();
  }
  function describe() {
    const left = text.length - shown;
    const next = Math.min(left, MORE_CHARACTERS);
    button.textContent = `Show ${number(next)} more of ${number(left)} characters`;
    const words = omitted ? ` … ${number(omitted)} more characters are not in this report.` : "";
    rest.replaceChildren(...(left ? [" ", button] : []), words);
  }
  describe();
  return element("span", { class: "long" }, node, rest);
}

// `end`, or one before it where a pair of code units would be torn.
function whole(text, end) {
  if (end >= text.length) return text.length;
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
}

function number(value) {
  return value.toLocaleString("en");
}

function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

// "a, b and c", of nodes or texts.
function listed(words) {
  return words.flatMap((word, at) => (at === 0 ? [word] : [at === words.length - 1 ? " and " : ", ", word]));
}
