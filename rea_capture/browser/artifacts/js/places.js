const box = method(Element, 'getBoundingClientRect');
const rootNode = method(Node, 'getRootNode');

// A rectangle of a frame's document as [left, top, right, bottom] of the viewport; null outside it.
const place = (rect, frame) => {
  let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom];
  if (right <= left || bottom <= top) return null;
  for (let at = frame; at; at = at.outer) {
    if (at.whole) [left, top, right, bottom] = at.window;
    else {
      [left, right] = [at.x + left * at.scaleX, at.x + right * at.scaleX];
      [top, bottom] = [at.y + top * at.scaleY, at.y + bottom * at.scaleY];
      left = Math.max(left, at.window[0]); top = Math.max(top, at.window[1]);
      right = Math.min(right, at.window[2]); bottom = Math.min(bottom, at.window[3]);
    }
    if (right <= left || bottom <= top) return null;
  }
  return [left, top, right, bottom];
};

// Whether an element is turned, skewed or bent: then rectangles inside it cannot be mapped one by one.
const turned = (element) => {
  for (let at = element; at;) {
    const style = view(ownerDocument(at)).getComputedStyle(at);
    const matrix = new DOMMatrixReadOnly(style.transform === 'none' ? '' : style.transform);
    if (!matrix.is2D || matrix.b || matrix.c || !['none', '', '0deg'].includes(style.rotate)) return true;
    if (style.perspective !== 'none' || style.offsetPath !== 'none') return true;
    at = parentElement(at) ?? rootNode(at).host ?? null;
  }
  return false;
};

// How the document inside a frame element maps to the document around it, which lies in frame `outer`.
const frameOf = (element, outer) => {
  const rect = box(element);
  const width = element.offsetWidth || rect.width || 1;
  const height = element.offsetHeight || rect.height || 1;
  const style = view(ownerDocument(element)).getComputedStyle(element);
  const scaleX = rect.width / width;
  const scaleY = rect.height / height;
  const pixels = (text) => parseFloat(text) || 0;
  return {
    outer, scaleX, scaleY, whole: turned(element),
    window: [rect.left, rect.top, rect.right, rect.bottom],
    x: rect.left + (pixels(style.borderLeftWidth) + pixels(style.paddingLeft)) * scaleX,
    y: rect.top + (pixels(style.borderTopWidth) + pixels(style.paddingTop)) * scaleY,
  };
};
