// Compared without white space, so that line breaks and digit grouping hide nothing.
const bare = (text) => text.replace(/[\s\u00ad\u200b-\u200d\u2060\ufeff]+/g, '');

// The needles are the spellings that a page shows when it prints a URL, JSON or its own source.
const searchFor = (needles) => {
  const wanted = [...new Set(needles.map(bare))].filter((needle) => needle);
  const shortest = Math.min(...wanted.map((needle) => needle.length));
  const shows = (text) => {
    if (!text || text.length < shortest) return false;
    const plain = bare(text);
    return wanted.some((needle) => plain.includes(needle));
  };
  return {wanted, shows};
};

const attributes = getter(Element, 'attributes');
const textContent = getter(Node, 'textContent');
const view = getter(Document, 'defaultView');
const styleOf = (element, part) => view(ownerDocument(element)).getComputedStyle(element, part);

const GENERATED_PARTS = ['::before', '::after', '::marker'];
const NO_CONTENT = ['none', 'normal', ''];
const SHOWN_ATTRIBUTES = new Set(
  ['value', 'placeholder', 'alt', 'label', 'style', 'src', 'srcset', 'data', 'poster']);
const SILENT_ELEMENTS = new Set(['script', 'style', 'title', 'noscript']);
const VALUES = new Map([
  ['input', getter(HTMLInputElement, 'value')],
  ['textarea', getter(HTMLTextAreaElement, 'value')],
  ['select', textContent],
]);

const valueOf = (element) => {
  const read = VALUES.get(localName(element));
  try { return read ? read(element) : ''; } catch { return ''; }
};

const generatesContent = (element) => GENERATED_PARTS.some((part) => {
  const style = styleOf(element, part);
  return style && !NO_CONTENT.includes(style.content);
});

const generatedShows = (element, shows) => GENERATED_PARTS.some((part) => {
  const style = styleOf(element, part);
  return style && shows(style.content);
});

// An attribute that is not shown by itself may be, by a style sheet's attr().
const attributeShows = (element, shows) => {
  let hidden = false;
  for (const {name, value} of attributes(element)) {
    if (!shows(value)) continue;
    if (SHOWN_ATTRIBUTES.has(name)) return true;
    hidden = true;
  }
  return (hidden && generatesContent(element)) || generatedShows(element, shows);
};

const elementShows = (element, shows) => shows(valueOf(element)) || attributeShows(element, shows);

// The running text of a document or shadow root without white space, and where each text node starts in it.
const runningText = (root) => {
  const document = root.nodeType === Node.DOCUMENT_NODE ? root : ownerDocument(root);
  const walker = treeWalker(document, root, NodeFilter.SHOW_TEXT);
  const pieces = [];
  let whole = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = parentElement(node);
    if (parent && SILENT_ELEMENTS.has(localName(parent))) continue;
    const plain = bare(node.data);
    if (!plain) continue;
    pieces.push([whole.length, node]);
    whole += plain;
  }
  return {whole, pieces};
};

// The last piece that starts at or before a place.
const pieceAt = (pieces, place) => {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pieces[middle][0] <= place) low = middle; else high = middle - 1;
  }
  return low;
};

// The text nodes over which an occurrence is spread, possibly in several inline elements.
const textsThatShow = (root, wanted) => {
  const {whole, pieces} = runningText(root);
  const found = new Set();
  for (const needle of wanted) {
    for (let start = whole.indexOf(needle); start >= 0; start = whole.indexOf(needle, start + 1)) {
      const end = start + needle.length;
      for (let index = pieceAt(pieces, start); index < pieces.length && pieces[index][0] < end; index++) {
        found.add(pieces[index][1]);
      }
    }
  }
  return found;
};
