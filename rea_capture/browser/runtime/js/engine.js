// A selector engine for the driver. What it answers to `look` and `facts` is the text of an element that is in
// no document; what it answers to `act` is the element itself, or it throws, which the driver does not retry.
const MAX_HELD = 4096;
const MAX_OPTIONS = 32;  // of a list, to be named in an error
const MAX_TEXT = 1 << 20;  // more than any value that can be asked for
const document_key = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const allWithin = method(Element, 'querySelectorAll');
const createElement = method(Document, 'createElementNS');
const titleOf = getter(Document, 'title');
const setText = (element, text) => Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').set.call(element, text);
const numbers = new WeakMap();
const held = new Map();  // by number, oldest first: an element must stay the same object to be known again
let last = 0;

const hold = (element) => {
  let number = numbers.get(element);
  if (number === undefined) numbers.set(element, number = ++last);
  held.delete(number);
  held.set(number, element);
  while (held.size > MAX_HELD) held.delete(held.keys().next().value);
  return number;
};

const shownTitle = () => titleOf(document).slice(0, MAX_CHARACTERS);

const look = (limit) => {
  const entries = [];
  let listed = 0;
  let omitted = 0;
  const focused = focusedElement();
  nodesLeft = MAX_NODES_OF_A_LOOK;
  const unseen = lookThrough((element, role) => {
    if (listed >= limit) { omitted++; return; }
    listed++;
    entries.push([hold(element), role, accessibleName(element), stateOf(element, role, focused)]);
  }, (element) => {
    if (entries.length < 2 * limit) entries.push([hold(element)]); else omitted++;
  });
  return {key: document_key, title: shownTitle(), entries, omitted, ...unseen};
};

const elementOf = (number, key) => {
  if (key !== document_key) return 'stale';
  const element = held.get(Number(number));
  if (!element) return 'forgotten';
  return isConnected(element) && ownerDocument(element) === document ? element : 'detached';
};

const editedHost = (element) => isHtml(element) && !['input', 'textarea'].includes(localName(element)) && isEditable(element);
const hasMarkup = (element) => [...allWithin(element, '*')].some((each) => !['br', 'div', 'p'].includes(localName(each)));
const UNFILLED = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'hidden']);

// Why an action is none for this element, as the word for it; undefined where it may be tried.
const refused = (action, element) => {
  const name = nameOf(element);
  const type = name === 'input' ? inputType(element) : '';
  if (type === 'file') return 'file';
  const role = roleOf(element);
  if (action === 'fill') {
    if (editedHost(element)) return hasMarkup(element) ? 'rich' : undefined;
    if (name === 'textarea') return undefined;
    return name === 'input' && !UNFILLED.has(type) ? undefined : 'unfillable';
  }
  if (action === 'select') return name === 'select' ? undefined : 'unselectable';
  if (action === 'check' || action === 'uncheck') {
    if (checkedState(element, role) === undefined || ['option', 'treeitem'].includes(role)) return 'uncheckable';
    return action === 'uncheck' && role === 'radio' ? 'radio' : undefined;
  }
  if (action === 'press') {
    if (!isShown(element)) return 'hidden';
    if (isDisabled(element)) return 'disabled';
    const takes = !isHtml(element) ? hasAttribute(element, 'tabindex') : tabIndexOf(element) >= 0 || hasAttribute(element, 'tabindex') || isEditable(element);
    return takes ? undefined : 'unfocusable';
  }
  return undefined;
};

// The lines of a field for plain text: each block begins one, and a break that is alone in its block is none.
const editedText = (host) => {
  let text = '';
  let begun = false;
  const walker = treeWalker(ownerDocument(host), host, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (nodeType(node) === Node.TEXT_NODE) { text += dataOf(node); begun = true; continue; }
    const isBreak = nameOf(node) === 'br';
    if (isBreak ? childNodes(parentNode(node)).length > 1 : begun) text += '\n';
    begun = true;
  }
  return text.slice(0, MAX_TEXT);
};

const facts = (element) => {
  const name = nameOf(element);
  const options = name === 'select' ? [...optionsOf(element)] : [];
  return {
    title: shownTitle(),
    value: editedHost(element) ? editedText(element) : name === 'select' ? undefined : valueOf(element),
    edited: editedHost(element),
    checked: checkedState(element, roleOf(element)),
    options: options.slice(0, MAX_OPTIONS).map((option) => tidy(optionLabel(option).slice(0, MAX_CHARACTERS + 1))),
    selected: options.filter(optionSelected).map((option) => [optionValue(option), optionLabel(option)]),
  };
};

const saying = (report) => {
  const element = createElement(document, HTML, 'span');
  setText(element, JSON.stringify(report));
  return [element];
};
const refuse = (word) => { throw new Error(`rea-refused:${word}`); };

const answer = (selector) => {
  const [what, ...rest] = selector.split(':');
  if (what === 'title') return saying({title: shownTitle()});
  if (what === 'look') return saying(look(Number(rest[0])));
  const [number, key, action] = rest;
  const element = elementOf(number, key);
  if (what === 'facts') return saying(typeof element === 'string' ? {gone: element} : facts(element));
  if (what === 'frame') return typeof element === 'string' ? [] : [element];
  if (typeof element === 'string') refuse(element);
  const word = refused(action, element);
  if (word) refuse(word);
  return [element];
};

const engine = () => ({
  query: (root, selector) => answer(selector)[0] ?? null,
  queryAll: (root, selector) => answer(selector),
});
