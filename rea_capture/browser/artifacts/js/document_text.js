const documentText = (wantText) => {
  const all = surveyAll(document);
  const report = {
    text: null,
    nodes: all.nodes,
    roots_left_out: 0,
    has_root: rootElement(document) !== null,
  };
  if (!wantText) return report;
  const serializer = new XMLSerializer();
  if (getter(Document, 'contentType')(document) !== 'text/html') {
    report.text = serializer.serializeToString(document);
    report.roots_left_out = all.own.roots.length;
    return report;
  }
  const root = rootElement(document);
  // Doctype and comments stand beside the root, before and after it.
  const beside = ['', ''];
  let side = 0;
  for (const node of getter(Node, 'childNodes')(document)) {
    if (node === root) side = 1;
    else if (node.nodeType === Node.DOCUMENT_TYPE_NODE) beside[side] += serializer.serializeToString(node);
    else if (node.nodeType === Node.COMMENT_NODE) {
      beside[side] += '<!--' + getter(CharacterData, 'data')(node) + '-->';
    }
  }
  report.text = beside[0];
  if (!root) return report;
  if (typeof Element.prototype.getHTML !== 'function') {
    report.text += getter(Element, 'outerHTML')(root) + beside[1];
    report.roots_left_out = all.own.roots.length;
    return report;
  }
  // The root's own tags come from a copy in a document without scripts or custom elements.
  // (Not DOMParser, which a page's Trusted Types policy would refuse and report.)
  const implementation = getter(Document, 'implementation')(document);
  const inert = method(DOMImplementation, 'createHTMLDocument')(implementation, '');
  const shell = getter(Element, 'outerHTML')(method(Document, 'importNode')(inert, root, false));
  const close = '</' + getter(Element, 'tagName')(root).toLowerCase() + '>';
  const open = shell.endsWith(close) ? shell.slice(0, -close.length) : shell;
  const inner = method(Element, 'getHTML')(root, {shadowRoots: all.own.roots});
  report.text += open + inner + (open === shell ? '' : close) + beside[1];
  return report;
};
