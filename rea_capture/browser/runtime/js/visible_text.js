// The text of a document that somebody who looks at it can read, in the order of the flattened tree.
//
// Left out: what is not rendered, or rendered so that nobody sees it; what inputs hold, editable regions
// included; frames; what is between the tags of elements that show something else. Open shadow roots are read.
// Runs of white space are one space, as they are rendered, except where they are kept; blocks and line breaks
// are line breaks.
//
// Elements and the document are asked through the prototypes: see reaching.js, which comes before.
//
// Returns {title, text, omitted, ready, held, frames, editable}; `limit` is in UTF-16 units, and what is beyond it is counted.
// `held` is whether the whole text has `sought` in it, white space as one space in both; null is not sought.
(limit, sought) => {
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'TITLE', 'HEAD', 'META', 'LINK', 'INPUT',
    'TEXTAREA', 'SELECT', 'DATALIST', 'OPTION', 'OPTGROUP', 'IFRAME', 'FRAME', 'FRAMESET', 'OBJECT', 'EMBED',
    'CANVAS', 'VIDEO', 'AUDIO', 'PROGRESS', 'METER', 'desc', 'metadata', 'title', 'defs', 'symbol']);
  const INLINE = /^(inline|contents|none|ruby)/;
  const parts = [], beyond = [];
  let kept = 0, omitted = 0, frames = 0, editable = 0, pending = '', last = '';

  const separate = mark => {
    if (mark === '\n' || pending === '') pending = mark;
    else if (mark === '\t' && pending === ' ') pending = mark;
  };
  const put = text => {
    if (!text) return;
    const whole = (kept + omitted && pending ? pending : '') + text;
    pending = '';
    const room = Math.max(0, limit - kept);
    if (room) parts.push(whole.slice(0, room));
    kept += Math.min(room, whole.length);
    omitted += Math.max(0, whole.length - room);
    if (sought !== null && whole.length > room) beyond.push(whole.slice(room));
  };
  const cased = (text, how) => {
    if (how === 'uppercase') return text.toUpperCase();
    if (how === 'lowercase') return text.toLowerCase();
    if (how === 'capitalize') return text.replace(/(^|\s)(\S)/gu, (_, before, first) => before + first.toUpperCase());
    return text;
  };
  const tagName = getter(Element, 'tagName');
  const range = method(Document, 'createRange')(document);
  const shown = node => {
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width <= 1 && box.height <= 1) continue;
      if (!box.width || !box.height) continue;
      // Beside the page, where no scrolling leads.
      if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) continue;
      return true;
    }
    return false;
  };
  // Within a box of a pixel or less that hides what sticks out, nothing can be seen.
  const isShut = (element, style) => {
    if (style.clipPath !== 'none' && /^inset\((?:50|[5-9]\d|100)(?:\.\d+)?%/.test(style.clipPath)) return true;
    const hides = style.overflowX !== 'visible' || style.overflowY !== 'visible';
    const clips = style.position === 'absolute' && /^rect\((?:0|1)px,? (?:0|1)px,? (?:0|1)px,? (?:0|1)px\)$/.test(style.clip);
    if (clips) return true;
    if (!hides || style.display === 'contents' || style.display === 'inline') return false;
    const box = boundingBox(element);
    return (box.width <= 1 && style.overflowX !== 'visible') || (box.height <= 1 && style.overflowY !== 'visible');
  };
  const words = (node, style) => {
    const raw = node.data;
    if (!raw || !/\S/.test(raw)) {
      if (raw && last !== '' ) separate(' ');
      return;
    }
    if (style.visibility !== 'visible' || !shown(node)) return;
    const keeps = /^(pre|break-spaces)/.test(style.whiteSpace);
    if (keeps) {
      put(cased(raw, style.textTransform));
    } else {
      if (/^\s/.test(raw)) separate(' ');
      put(cased(raw.replace(/\s+/g, ' ').trim(), style.textTransform));
      if (/\s$/.test(raw)) separate(' ');
    }
    last = 'words';
  };
  const children = node => {
    if (nameOf(node) === 'details' && !getter(HTMLDetailsElement, 'open')(node))
      return [...childNodes(node)].filter(child => isElement(child) && nameOf(child) === 'summary').slice(0, 1);
    return shownChildren(node);
  };
  const walk = (root) => {
    // An explicit stack: a page can nest deeper than a script can call.
    const stack = [[root, null, null]];
    while (stack.length) {
      const [node, style, leave] = stack.pop();
      if (leave) { separate(leave); continue; }
      if (nodeType(node) === Node.TEXT_NODE) { if (style) words(node, style); continue; }
      if (!isElement(node)) continue;
      if (SKIPPED.has(tagName(node))) {
        if (/^I?FRAME$/.test(tagName(node)) && elementShown(node)) frames++;
        if (last) separate(' ');
        continue;
      }
      if (nameOf(node) === 'br') { separate('\n'); continue; }
      const own = getComputedStyle(node);
      if (own.display === 'none' || own.contentVisibility === 'hidden' || own.opacity === '0') continue;
      if (own.display !== 'contents' && !elementShown(node, { contentVisibilityAuto: false }))
        continue;
      if (isHtml(node) && isEditable(node)) { editable++; if (last) separate(' '); continue; }
      if (isShut(node, own)) continue;
      const mark = own.display === 'table-cell' ? '\t' : INLINE.test(own.display) ? null : '\n';
      if (mark) { separate(mark); stack.push([node, null, mark]); }
      const below = children(node);
      for (let at = below.length - 1; at >= 0; at--) stack.push([below[at], own, null]);
    }
  };
  if (rootElement(document)) walk(rootElement(document));
  const text = parts.join(''), plain = whole => whole.replace(/\s+/g, ' ').trim();
  return {
    title: getter(Document, 'title')(document),
    text,
    omitted,
    ready: getter(Document, 'readyState')(document) === 'complete',
    frames,
    editable,
    held: sought !== null && plain(text + beyond.join('')).includes(plain(sought)),
  };
}
