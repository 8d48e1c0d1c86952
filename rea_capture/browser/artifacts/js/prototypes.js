// A document's named elements hide its own properties, in every world (<img name=fonts> hides
// document.fonts), so properties are reached through the prototypes, never on the object.
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
const ownerDocument = getter(Node, 'ownerDocument');
const parentElement = getter(Node, 'parentElement');
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
