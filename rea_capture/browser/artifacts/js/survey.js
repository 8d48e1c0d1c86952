// What a search of the browser counts too: everything but attributes, doctypes and instructions.
const CONTENT_NODES = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT
  | NodeFilter.SHOW_CDATA_SECTION | NodeFilter.SHOW_COMMENT;

// Everything in a document, or in one shadow root, and in the open shadow roots inside it.
const survey = (start) => {
  const seen = {nodes: 0, roots: [], frames: [], remote: []};
  const pending = [start];
  while (pending.length) {
    const top = pending.pop();
    const whole = top.nodeType === Node.DOCUMENT_NODE;
    const first = whole ? rootElement(top) : top;
    if (!first) continue;
    const walker = treeWalker(whole ? top : ownerDocument(top), whole ? top : first, CONTENT_NODES);
    walker.currentNode = first;
    if (whole) seen.nodes++;
    for (let node = whole ? first : walker.nextNode(); node; node = walker.nextNode()) {
      if (node !== first) seen.nodes++;
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const root = shadowRoot(node);
      if (root) { seen.roots.push(root); pending.push(root); }
      const child = childDocument(node);
      if (child === null && localName(node) !== 'object') seen.remote.push(node);
      else if (child) seen.frames.push([node, child]);
    }
  }
  return seen;
};
const surveyAll = (start) => {
  const own = survey(start);
  let nodes = own.nodes;
  const pending = own.frames.map(([, child]) => child);
  while (pending.length) {
    const inner = survey(pending.pop());
    nodes += inner.nodes;
    pending.push(...inner.frames.map(([, child]) => child));
  }
  return {own, nodes};
};

// The document and every document in a frame that can be reached, outermost first.
const everyDocument = () => {
  const documents = [document];
  for (const each of documents) documents.push(...survey(each).frames.map(([, child]) => child));
  return documents;
};
