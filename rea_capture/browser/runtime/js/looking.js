// The elements that can be acted on, in the order of the document, with frames where they stand.
const MAX_SECONDS = 1.5;  // of the page's own thread; a document that takes longer is not looked at to its end
const activeElement = getter(Document, 'activeElement');
const activeInRoot = getter(ShadowRoot, 'activeElement');

const focusedElement = () => {
  let found = activeElement(document);
  for (let root = found && shadowRoot(found); root; root = found && shadowRoot(found)) {
    const inner = activeInRoot(root);
    if (!inner) break;
    found = inner;
  }
  return found;
};

const hasBox = (element) => {
  const box = boundingBox(element);
  return box.width > 0 && box.height > 0;
};
const isShown = (element) => elementShown(element, {visibilityProperty: true, contentVisibilityAuto: false}) && hasBox(element);

// Calls `found(element, role)` for each in turn, `frame(element)` for each frame; returns what was not seen.
const lookThrough = (found, frame) => {
  const until = performance.now() + MAX_SECONDS * 1000;
  const unseen = {cut: false, closed: 0};
  const first = rootElement(document);
  const pending = first ? [[first, null, false]] : [];
  for (let count = 0; pending.length; count++) {
    if (count % 512 === 511 && performance.now() > until) { unseen.cut = true; break; }
    const [element, around, isInside] = pending.pop();
    const name = nameOf(element);
    if (UNREAD.has(name) && name !== 'iframe' && name !== 'canvas') continue;
    const style = styleOf(element);
    if (style.display === 'none' || hasAttribute(element, 'inert')) continue;
    if (name === 'iframe' || name === 'frame') { if (isShown(element)) frame(element); continue; }
    const native = roleOf(element);
    let inside = isInside;
    if (native !== undefined || (!inside && isMadeToAct(element, style, around))) {
      if (isShown(element)) { found(element, native ?? 'generic'); inside = true; }
    }
    if (name === 'select' || name === 'textarea') continue;
    const children = shownChildren(element);
    if (name.includes('-') && !shadowRoot(element) && !children.length && isShown(element)) unseen.closed++;
    for (let at = children.length - 1; at >= 0; at--) {
      if (isElement(children[at])) pending.push([children[at], style, inside]);
    }
  }
  return unseen;
};
