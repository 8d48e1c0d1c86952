// A form's controls hide its properties by their names (<input name=tabIndex>), in every world; so whatever
// is asked of an element goes through the prototypes, as in prototypes.js, which comes first.
const getAttribute = method(Element, 'getAttribute');
const hasAttribute = method(Element, 'hasAttribute');
const matches = method(Element, 'matches');
const elementShown = method(Element, 'checkVisibility');
const boundingBox = method(Element, 'getBoundingClientRect');
const namespaceOf = getter(Element, 'namespaceURI');
const childNodes = getter(Node, 'childNodes');
const parentNode = getter(Node, 'parentNode');
const nodeType = getter(Node, 'nodeType');
const isConnected = getter(Node, 'isConnected');
const getRootNode = method(Node, 'getRootNode');
const isEditable = getter(HTMLElement, 'isContentEditable');
const tabIndexOf = getter(HTMLElement, 'tabIndex');
const viewOf = getter(Document, 'defaultView');

const HTML = 'http://www.w3.org/1999/xhtml';
const isHtml = (element) => namespaceOf(element) === HTML;
const isElement = (node) => nodeType(node) === Node.ELEMENT_NODE;
const nameOf = (element) => (isHtml(element) ? localName(element) : '');
const styleOf = (element) => viewOf(ownerDocument(element)).getComputedStyle(element);

// The properties of form controls, each of the one class that has it.
const of = (name, classes) => {
  const reads = new Map(classes.map((each) => [each.name, getter(each, name)]));
  const owners = {
    input: 'HTMLInputElement', textarea: 'HTMLTextAreaElement', select: 'HTMLSelectElement',
    button: 'HTMLButtonElement', option: 'HTMLOptionElement',
  };
  return (element) => reads.get(owners[nameOf(element)])?.(element);
};
const FIELDS = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement];
const labelsOf = of('labels', [...FIELDS, HTMLButtonElement]);
const valueOf = of('value', FIELDS);
const requiredOf = of('required', FIELDS);
const readonlyOf = of('readOnly', [HTMLInputElement, HTMLTextAreaElement]);
const inputType = of('type', [HTMLInputElement]);
const inputChecked = of('checked', [HTMLInputElement]);
const inputMixed = of('indeterminate', [HTMLInputElement]);
const optionsOf = of('options', [HTMLSelectElement]);
const isMultiple = of('multiple', [HTMLSelectElement]);
const sizeOf = of('size', [HTMLSelectElement]);
const optionSelected = of('selected', [HTMLOptionElement]);
const optionValue = of('value', [HTMLOptionElement]);
const optionLabel = of('label', [HTMLOptionElement]);

// The children as they are shown: of a host its open root's, of a slot what was assigned to it.
const assignedTo = method(HTMLSlotElement, 'assignedNodes');
const shownChildren = (element) => {
  const root = shadowRoot(element);
  if (root) return childNodes(root);
  if (nameOf(element) === 'slot' && getRootNode(element) instanceof ShadowRoot) {
    const assigned = assignedTo(element);
    if (assigned.length) return assigned;
  }
  return childNodes(element);
};

const BUTTONS = new Set(['button', 'submit', 'reset', 'image', 'file']);
const CHECKS = new Set(['checkbox', 'radio']);
// Whether what an element holds is what somebody has put in: never to be told.
const HOLDING_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'listbox', 'spinbutton', 'slider']);
const holdsValue = (element) => {
  const name = nameOf(element);
  if (name === 'textarea' || name === 'select') return true;
  if (name === 'input') return !BUTTONS.has(inputType(element)) && !CHECKS.has(inputType(element));
  if (isHtml(element) && isEditable(element)) return true;
  const role = getAttribute(element, 'role');
  return role !== null && role.length <= 64 && HOLDING_ROLES.has(role.trim().split(/\s+/)[0]);
};
