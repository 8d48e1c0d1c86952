"""The JavaScript that runs in the private world. It reads; what it must touch, it puts back.

A document's named elements hide its own properties, in every world (``<img name=fonts>`` hides
``document.fonts``), so properties are reached through the prototypes, never on the object.

Above: the readers. Below: the browser.
"""

from __future__ import annotations

from typing import Final

_BASICS: Final = """
  const getter = (owner, name) => {
    const get = Object.getOwnPropertyDescriptor(owner.prototype, name).get;
    return (object) => get.call(object);
  };
  const method = (owner, name) => {
    const call = owner.prototype[name];
    return (object, ...rest) => call.apply(object, rest);
  };
  const rootElement = getter(Document, 'documentElement');
  const treeWalker = method(Document, 'createTreeWalker');
  const shadowRoot = getter(Element, 'shadowRoot');
  const localName = getter(Element, 'localName');
  const embedded = new Map([
    ['iframe', getter(HTMLIFrameElement, 'contentDocument')],
    ['frame', getter(HTMLFrameElement, 'contentDocument')],
    ['object', getter(HTMLObjectElement, 'contentDocument')],
  ]);
  const childDocument = (element) => {
    const read = embedded.get(localName(element));
    if (!read) return undefined;
    try { return read(element); } catch (error) { return error instanceof TypeError ? undefined : null; }
  };
  // Everything in a document, or in one shadow root, and in the open shadow roots inside it.
  const survey = (start) => {
    const seen = {nodes: 0, roots: [], frames: [], remote: []};
    const pending = [start];
    while (pending.length) {
      const top = pending.pop();
      const whole = top.nodeType === 9;
      const first = whole ? rootElement(top) : top;
      if (!first) continue;
      const walker = treeWalker(whole ? top : getter(Node, 'ownerDocument')(top), whole ? top : first, 141);
      walker.currentNode = first;
      if (whole) seen.nodes++;
      for (let node = whole ? first : walker.nextNode(); node; node = walker.nextNode()) {
        if (node !== first) seen.nodes++;
        if (node.nodeType !== 1) continue;
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
"""

FACTS: Final = """(wantStorage) => {
  const area = (name) => {
    const store = globalThis[name];
    const key = (index) => Storage.prototype.key.call(store, index);
    const length = Object.getOwnPropertyDescriptor(Storage.prototype, 'length').get.call(store);
    const value = (name) => Storage.prototype.getItem.call(store, name);
    return Array.from({length}, (_, index) => [key(index), value(key(index))]);
  };
  const stored = () => {
    try { return {local: area('localStorage'), session: area('sessionStorage')}; }
    catch (error) { return {denied: String(error.message)}; }
  };
  return {
    href: location.href,
    history_length: history.length,
    navigations: performance.getEntriesByType('navigation').map((entry) => [entry.type, entry.name]),
    storage: wantStorage ? stored() : null,
  };
}"""

DOCUMENT: Final = f"""(wantText) => {{
  {_BASICS}
  const all = surveyAll(document);
  const report = {{
    text: null,
    nodes: all.nodes,
    roots_left_out: 0,
    has_root: rootElement(document) !== null,
  }};
  if (!wantText) return report;
  const serializer = new XMLSerializer();
  if (getter(Document, 'contentType')(document) !== 'text/html') {{
    report.text = serializer.serializeToString(document);
    report.roots_left_out = all.own.roots.length;
    return report;
  }}
  const root = rootElement(document);
  // Doctype and comments stand beside the root, before and after it.
  const beside = ['', ''];
  let side = 0;
  for (const node of getter(Node, 'childNodes')(document)) {{
    if (node === root) side = 1;
    else if (node.nodeType === 10) beside[side] += serializer.serializeToString(node);
    else if (node.nodeType === 8) beside[side] += '<!--' + getter(CharacterData, 'data')(node) + '-->';
  }}
  report.text = beside[0];
  if (!root) return report;
  if (typeof Element.prototype.getHTML !== 'function') {{
    report.text += getter(Element, 'outerHTML')(root) + beside[1];
    report.roots_left_out = all.own.roots.length;
    return report;
  }}
  // The root's own tags come from a copy in a document without scripts or custom elements.
  // (Not DOMParser, which a page's Trusted Types policy would refuse and report.)
  const implementation = getter(Document, 'implementation')(document);
  const inert = method(DOMImplementation, 'createHTMLDocument')(implementation, '');
  const shell = getter(Element, 'outerHTML')(method(Document, 'importNode')(inert, root, false));
  const close = '</' + getter(Element, 'tagName')(root).toLowerCase() + '>';
  const open = shell.endsWith(close) ? shell.slice(0, -close.length) : shell;
  const inner = method(Element, 'getHTML')(root, {{shadowRoots: all.own.roots}});
  report.text += open + inner + (open === shell ? '' : close) + beside[1];
  return report;
}}"""

_EVERY_DOCUMENT: Final = """
  const documents = [document];
  for (const each of documents) documents.push(...survey(each).frames.map(([, child]) => child));
"""

FONTS_READY: Final = f"""async () => {{
  {_BASICS}
  const fonts = getter(Document, 'fonts');
  {_EVERY_DOCUMENT}
  for (const each of documents) await fonts(each).ready;
}}"""

BEFORE_SHOT: Final = f"""(hideCaretMs) => {{
  {_BASICS}
  const fonts = getter(Document, 'fonts');
  {_EVERY_DOCUMENT}
  let loading = false;
  for (const each of documents) {{
    const root = rootElement(each);
    if (root) void getter(Element, 'clientWidth')(root);  // layout, so that the fonts it needs are asked for
    if (fonts(each).status !== 'loaded') loading = true;
  }}
  if (loading) return {{fonts_loading: true, carets: 0, remote: false}};
  const active = [getter(Document, 'activeElement'), getter(ShadowRoot, 'activeElement')];
  let focused = active[0](document);
  let home = document;
  for (let next = focused; next;) {{
    focused = next;
    const root = shadowRoot(focused);
    const child = childDocument(focused);
    if (root) next = active[1](root);
    else if (child) {{ home = child; next = active[0](child); }}
    else next = null;
  }}
  const editable = (element) => {{
    const name = localName(element);
    if (name === 'input' || name === 'textarea') return true;
    if (name.includes('-')) return true;  // may hold an input in a closed shadow root
    try {{ return getter(HTMLElement, 'isContentEditable')(element); }} catch {{ return false; }}
  }};
  const carets = [];
  if (focused && editable(focused)) {{
    carets.push(focused);
    const anchor = method(Document, 'getSelection')(home)?.anchorNode;
    const parent = anchor && anchor.nodeType === 3 ? getter(Node, 'parentElement')(anchor) : anchor;
    if (parent && parent.nodeType === 1 && parent !== focused) carets.push(parent);
  }}
  // Both: an author's !important beats an animated colour, and a manual caret does not blink either.
  const frame = {{caretColor: 'transparent', caretAnimation: 'manual'}};
  globalThis.hiddenCarets = carets.map(
    (element) => method(Element, 'animate')(element, [frame, frame], {{duration: hideCaretMs}}));
  const remote = documents.some((each) => survey(each).remote.length > 0);
  return {{fonts_loading: false, carets: carets.length, remote}};
}}"""

AFTER_SHOT: Final = """() => {
  // Finished, not cancelled: a page that awaits every animation must not see a rejection.
  for (const animation of globalThis.hiddenCarets ?? []) animation.finish();
  globalThis.hiddenCarets = [];
}"""

SECRET_REGIONS: Final = f"""(needles, ...closedRoots) => {{
  {_BASICS}
  const bare = (text) => text.replace(/[\\s\\u00ad\\u200b-\\u200d\\u2060\\ufeff]+/g, '');
  // Compared without white space, so that line breaks and digit grouping hide nothing. The needles
  // are the spellings that a page shows when it prints a URL, JSON or its own source.
  const wanted = [...new Set(needles.map(bare))].filter((needle) => needle);
  const shortest = Math.min(...wanted.map((needle) => needle.length));
  const shows = (text) => {{
    if (!text || text.length < shortest) return false;
    const plain = bare(text);
    return wanted.some((needle) => plain.includes(needle));
  }};
  const box = method(Element, 'getBoundingClientRect');
  const attributes = getter(Element, 'attributes');
  const textContent = getter(Node, 'textContent');
  const parentElement = getter(Node, 'parentElement');
  const ownerDocument = getter(Node, 'ownerDocument');
  const rootNode = method(Node, 'getRootNode');
  const closest = method(Element, 'closest');
  const view = getter(Document, 'defaultView');
  const SHOWN = new Set(['value', 'placeholder', 'alt', 'label', 'style', 'src', 'srcset', 'data', 'poster']);
  const SILENT = new Set(['script', 'style', 'title', 'noscript']);
  const values = new Map([
    ['input', getter(HTMLInputElement, 'value')],
    ['textarea', getter(HTMLTextAreaElement, 'value')],
    ['select', textContent],
  ]);
  const valueOf = (element) => {{
    const read = values.get(localName(element));
    try {{ return read ? read(element) : ''; }} catch {{ return ''; }}
  }};
  const generated = (element) => ['::before', '::after', '::marker'].some((part) => {{
    const style = view(ownerDocument(element)).getComputedStyle(element, part);
    return style && !['none', 'normal', ''].includes(style.content);
  }});
  const generatedShows = (element) => ['::before', '::after', '::marker'].some((part) => {{
    const style = view(ownerDocument(element)).getComputedStyle(element, part);
    return style && shows(style.content);
  }});
  const attributeShows = (element) => {{
    let hidden = false;
    for (const {{name, value}} of attributes(element)) {{
      if (!shows(value)) continue;
      if (SHOWN.has(name)) return true;
      hidden = true;
    }}
    return (hidden && generated(element)) || generatedShows(element);
  }};
  const found = [];
  // Occurrences in running text, which may be spread over inline elements.
  const textRegions = (root, keep) => {{
    const document = root.nodeType === 9 ? root : ownerDocument(root);
    const walker = treeWalker(document, root, 4);
    const pieces = [];
    let whole = '';
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {{
      const parent = parentElement(node);
      if (parent && SILENT.has(localName(parent))) continue;
      const plain = bare(node.data);
      if (!plain) continue;
      pieces.push([whole.length, node]);
      whole += plain;
    }}
    const spans = [];
    for (const needle of wanted) {{
      for (let at = whole.indexOf(needle); at >= 0; at = whole.indexOf(needle, at + 1)) {{
        spans.push([at, at + needle.length]);
      }}
    }}
    for (const [start, end] of spans) {{
      let low = 0;
      let high = pieces.length - 1;
      while (low < high) {{
        const middle = (low + high + 1) >> 1;
        if (pieces[middle][0] <= start) low = middle; else high = middle - 1;
      }}
      for (let index = low; index < pieces.length && pieces[index][0] < end; index++) keep(pieces[index][1]);
    }}
  }};
  const place = (rect, frame) => {{
    let [left, top, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom];
    if (right <= left || bottom <= top) return null;
    for (let at = frame; at; at = at.outer) {{
      if (at.whole) [left, top, right, bottom] = at.window;
      else {{
        [left, right] = [at.x + left * at.scaleX, at.x + right * at.scaleX];
        [top, bottom] = [at.y + top * at.scaleY, at.y + bottom * at.scaleY];
        left = Math.max(left, at.window[0]); top = Math.max(top, at.window[1]);
        right = Math.min(right, at.window[2]); bottom = Math.min(bottom, at.window[3]);
      }}
      if (right <= left || bottom <= top) return null;
    }}
    return [left, top, right, bottom];
  }};
  const turned = (element) => {{
    for (let at = element; at;) {{
      const style = view(ownerDocument(at)).getComputedStyle(at);
      const matrix = new DOMMatrixReadOnly(style.transform === 'none' ? '' : style.transform);
      if (!matrix.is2D || matrix.b || matrix.c || !['none', '', '0deg'].includes(style.rotate)) return true;
      if (style.perspective !== 'none' || style.offsetPath !== 'none') return true;
      at = parentElement(at) ?? rootNode(at).host ?? null;
    }}
    return false;
  }};
  const frameOf = (element, outer) => {{
    const rect = box(element);
    const width = element.offsetWidth || rect.width || 1;
    const height = element.offsetHeight || rect.height || 1;
    const style = view(ownerDocument(element)).getComputedStyle(element);
    const scaleX = rect.width / width;
    const scaleY = rect.height / height;
    const pixels = (text) => parseFloat(text) || 0;
    return {{
      outer, scaleX, scaleY, whole: turned(element),
      window: [rect.left, rect.top, rect.right, rect.bottom],
      x: rect.left + (pixels(style.borderLeftWidth) + pixels(style.paddingLeft)) * scaleX,
      y: rect.top + (pixels(style.borderTopWidth) + pixels(style.paddingTop)) * scaleY,
    }};
  }};
  const remote = [];
  const look = (document, frame) => {{
    const own = survey(document);
    const roots = [document, ...own.roots];
    const frames = [...own.frames];
    const distant = [...own.remote];
    for (const closed of closedRoots) {{
      if (ownerDocument(closed) !== document) continue;
      const inner = survey(closed);
      roots.push(closed, ...inner.roots);
      frames.push(...inner.frames);
      distant.push(...inner.remote);
    }}
    const shown = new Set();
    const loose = new Set();
    for (const root of roots) {{
      const keep = (node) => {{
        const parent = parentElement(node);
        if (parent && !['html', 'body'].includes(localName(parent))) shown.add(parent);
        loose.add(node);
      }};
      textRegions(root, keep);
      const walker = treeWalker(root === document ? document : ownerDocument(root), root, 1);
      for (let element = walker.nextNode(); element; element = walker.nextNode()) {{
        if (!shows(valueOf(element)) && !attributeShows(element)) continue;
        const name = localName(element);  // an option has no box of its own, its list has
        const list = name === 'option' || name === 'optgroup' ? closest(element, 'select') : null;
        shown.add(list ?? element);
      }}
    }}
    for (const element of shown) {{
      const region = place(box(element), frame);
      if (region) found.push(region);
    }}
    for (const node of loose) {{
      // Text may stick out of its element, or stand alone in the body or in a shadow root.
      const range = method(Document, 'createRange')(document);
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {{
        const region = place(rect, frame);
        if (region) found.push(region);
      }}
    }}
    for (const element of distant) {{
      const region = place(box(element), frame);
      if (region) remote.push(region);
    }}
    for (const [element, child] of frames) look(child, frameOf(element, frame));
  }};
  look(document, null);
  return {{
    regions: found,
    remote_regions: remote,
    nodes: surveyAll(document).nodes,
    scale: devicePixelRatio,
    document: performance.timeOrigin,
  }};
}}"""
