const closest = method(Element, 'closest');
const createRange = method(Document, 'createRange');

// What is in one document: its roots, its frames, and the frames of other processes.
const partsOf = (document, closedRoots) => {
  const {roots, frames, remote} = survey(document);
  const parts = {roots: [document, ...roots], frames: [...frames], remote: [...remote]};
  for (const closed of closedRoots) {
    if (ownerDocument(closed) !== document) continue;
    const inner = survey(closed);
    parts.roots.push(closed, ...inner.roots);
    parts.frames.push(...inner.frames);
    parts.remote.push(...inner.remote);
  }
  return parts;
};

// The elements that show a secret, and the text nodes that hold a part of one.
const shownIn = (document, roots, {wanted, shows}) => {
  const elements = new Set();
  const texts = new Set();
  for (const root of roots) {
    for (const node of textsThatShow(root, wanted)) {
      const parent = parentElement(node);
      if (parent && !['html', 'body'].includes(localName(parent))) elements.add(parent);
      texts.add(node);
    }
    const walker = treeWalker(document, root, NodeFilter.SHOW_ELEMENT);
    for (let element = walker.nextNode(); element; element = walker.nextNode()) {
      if (!elementShows(element, shows)) continue;
      const name = localName(element);  // an option has no box of its own, its list has
      const list = name === 'option' || name === 'optgroup' ? closest(element, 'select') : null;
      elements.add(list ?? element);
    }
  }
  return {elements, texts};
};

// Text may stick out of its element, or stand alone in the body or in a shadow root.
const textBoxes = (document, node) => {
  const range = createRange(document);
  range.selectNodeContents(node);
  return range.getClientRects();
};

const secretRegions = (needles, ...closedRoots) => {
  const search = searchFor(needles);
  const regions = [];
  const remoteRegions = [];
  const keep = (kept, rect, frame) => {
    const region = place(rect, frame);
    if (region) kept.push(region);
  };
  const look = (document, frame) => {
    const {roots, frames, remote} = partsOf(document, closedRoots);
    const {elements, texts} = shownIn(document, roots, search);
    for (const element of elements) keep(regions, box(element), frame);
    for (const node of texts) for (const rect of textBoxes(document, node)) keep(regions, rect, frame);
    for (const element of remote) keep(remoteRegions, box(element), frame);
    for (const [element, child] of frames) look(child, frameOf(element, frame));
  };
  look(document, null);
  return {
    regions,
    remote_regions: remoteRegions,
    nodes: surveyAll(document).nodes,
    scale: devicePixelRatio,
    document: performance.timeOrigin,
  };
};
