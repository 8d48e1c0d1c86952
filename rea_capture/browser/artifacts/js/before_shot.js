const beforeShot = (hideCaretMs) => {
  const fonts = getter(Document, 'fonts');
  const documents = everyDocument();
  let loading = false;
  for (const each of documents) {
    const root = rootElement(each);
    if (root) void getter(Element, 'clientWidth')(root);  // layout, so that the fonts it needs are asked for
    if (fonts(each).status !== 'loaded') loading = true;
  }
  if (loading) return {fonts_loading: true, carets: 0, remote: false};
  const active = [getter(Document, 'activeElement'), getter(ShadowRoot, 'activeElement')];
  let focused = active[0](document);
  let home = document;
  for (let next = focused; next;) {
    focused = next;
    const root = shadowRoot(focused);
    const child = childDocument(focused);
    if (root) next = active[1](root);
    else if (child) { home = child; next = active[0](child); }
    else next = null;
  }
  const editable = (element) => {
    const name = localName(element);
    if (name === 'input' || name === 'textarea') return true;
    if (name.includes('-')) return true;  // may hold an input in a closed shadow root
    try { return getter(HTMLElement, 'isContentEditable')(element); } catch { return false; }
  };
  const carets = [];
  if (focused && editable(focused)) {
    carets.push(focused);
    const anchor = method(Document, 'getSelection')(home)?.anchorNode;
    const parent = anchor && anchor.nodeType === Node.TEXT_NODE ? parentElement(anchor) : anchor;
    if (parent && parent.nodeType === Node.ELEMENT_NODE && parent !== focused) carets.push(parent);
  }
  // Both: an author's !important beats an animated colour, and a manual caret does not blink either.
  const frame = {caretColor: 'transparent', caretAnimation: 'manual'};
  globalThis.hiddenCarets = carets.map(
    (element) => method(Element, 'animate')(element, [frame, frame], {duration: hideCaretMs}));
  const remote = documents.some((each) => survey(each).remote.length > 0);
  return {fonts_loading: false, carets: carets.length, remote};
};
