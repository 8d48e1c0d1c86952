// Accessible names after https://w3c.github.io/accname/, except that no value of any input is ever a part.
const MAX_CHARACTERS = 8192;  // what is cut is redacted and shortened by who asked
const MAX_NODES = 2000;
const MAX_NODES_OF_A_LOOK = 40000;  // for all names together; what comes after has its own attributes only
let nodesLeft = 0;
const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'canvas', 'audio', 'video']);
const dataOf = getter(CharacterData, 'data');

const attribute = (element, name) => (getAttribute(element, name) ?? '').slice(0, MAX_CHARACTERS + 1).trim();
const byId = (element, id) => {
  const root = getRootNode(element);
  return root instanceof ShadowRoot ? root.getElementById(id) : Document.prototype.getElementById.call(ownerDocument(element), id);
};

const ownText = (element, name) => {
  const label = attribute(element, 'aria-label');
  if (label) return label;
  if (name === 'img' || name === 'area') return attribute(element, 'alt') || attribute(element, 'title');
  if (name === 'input' && inputType(element) === 'image') return attribute(element, 'alt') || attribute(element, 'title');
  if (name === 'input' && ['submit', 'reset', 'button'].includes(inputType(element))) return attribute(element, 'value');
  return '';
};

// The text of a subtree, in the order shown; `whole` says whether it may be hidden, as what a label refers to may.
const textWithin = (start, whole, without) => {
  let text = '';
  let budget = MAX_NODES;
  const pending = [];
  const add = (children, isWanted) => {
    for (let at = Math.min(children.length, MAX_NODES, nodesLeft) - 1; at >= 0; at--) {
      if (isWanted(children[at])) pending.push(children[at]);
    }
  };
  add(shownChildren(start), () => true);
  while (pending.length && budget-- > 0 && nodesLeft-- > 0 && text.length <= MAX_CHARACTERS) {
    const node = pending.pop();
    if (typeof node === 'string') { text += node; continue; }
    if (nodeType(node) === Node.TEXT_NODE) { text += dataOf(node).slice(0, MAX_CHARACTERS + 1); continue; }
    if (!isElement(node) || node === without) continue;
    const name = nameOf(node);
    if (UNREAD.has(name) || holdsValue(node) || getAttribute(node, 'aria-hidden') === 'true') continue;
    const style = styleOf(node);
    if (!whole && style.display === 'none') continue;
    if (name === 'br') { text += ' '; continue; }
    const own = ownText(node, name);
    const apart = style.display.startsWith('inline') || style.display === 'contents' ? '' : ' ';
    if (own) { text += apart + own + apart; continue; }
    if (apart) { text += apart; pending.push(apart); }
    const textsToo = whole || style.visibility === 'visible';
    add(shownChildren(node), (child) => textsToo || nodeType(child) !== Node.TEXT_NODE);
  }
  return text.slice(0, MAX_CHARACTERS + 1);
};

const tidy = (text) => {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS)}\u2026` : plain;
};

const referredTo = (element) => {
  const ids = attribute(element, 'aria-labelledby').split(/\s+/).filter(Boolean).slice(0, 16);
  const texts = ids.map((id) => byId(element, id)).filter(Boolean).map((each) => {
    const own = ownText(each, nameOf(each));
    return own || (holdsValue(each) ? '' : textWithin(each, true, element));
  });
  return tidy(texts.join(' '));
};

const DEFAULT_CAPTIONS = {submit: 'Submit', reset: 'Reset', image: 'Submit', file: 'Choose File'};
const accessibleName = (element) => {
  const referred = referredTo(element);
  if (referred) return referred;
  const name = nameOf(element);
  const own = tidy(ownText(element, name));
  if (own) return own;
  const labels = [...(labelsOf(element) ?? [])].slice(0, 16);
  const labelled = tidy(labels.map((label) => textWithin(label, false, element)).join(' '));
  if (labelled) return labelled;
  const content = holdsValue(element) || name === 'input' ? '' : tidy(textWithin(element, false, null));
  if (content) return content;
  const title = tidy(attribute(element, 'title'));
  if (title) return title;
  if (name === 'input' && DEFAULT_CAPTIONS[inputType(element)]) return DEFAULT_CAPTIONS[inputType(element)];
  return tidy(attribute(element, 'placeholder') || attribute(element, 'aria-placeholder'));
};
