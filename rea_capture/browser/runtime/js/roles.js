// What an element is to somebody who acts: its role, or undefined for what is not acted on.
const ACTED_ON = new Set([
  'button', 'checkbox', 'combobox', 'link', 'listbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
  'radio', 'searchbox', 'slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem',
]);
const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox',
  radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: undefined,
};

const nativeRole = (element) => {
  switch (nameOf(element)) {
    case 'a': case 'area': return hasAttribute(element, 'href') ? 'link' : undefined;
    case 'button': return 'button';
    case 'summary': return matches(element, 'details > summary:first-of-type') ? 'button' : undefined;
    case 'textarea': return 'textbox';
    case 'select': return isMultiple(element) || sizeOf(element) > 1 ? 'listbox' : 'combobox';
    case 'input': {
      const type = inputType(element);
      if (type in INPUT_ROLES) return INPUT_ROLES[type];
      return hasAttribute(element, 'list') ? 'combobox' : 'textbox';
    }
    default: {
      if (!isHtml(element)) return undefined;
      const edited = getAttribute(element, 'contenteditable');
      return edited !== null && edited.toLowerCase() !== 'false' && isEditable(element) ? 'textbox' : undefined;
    }
  }
};

const roleOf = (element) => {
  const native = nativeRole(element);
  if (nameOf(element) === 'input' && inputType(element) === 'hidden') return undefined;
  const asked = (getAttribute(element, 'role') ?? '').slice(0, 256).toLowerCase().split(/\s+/);
  return asked.find((role) => ACTED_ON.has(role)) ?? native;
};

// What a script made something to act on, as far as that shows. `around` is the style of what is around it.
const isMadeToAct = (element, style, around) => {
  if (!isHtml(element)) return style.cursor === 'pointer' && around?.cursor !== 'pointer';
  if (['html', 'body', 'iframe', 'option', 'optgroup'].includes(localName(element))) return false;
  if (hasAttribute(element, 'onclick')) return true;
  if (hasAttribute(element, 'tabindex') && tabIndexOf(element) >= 0) return true;
  return style.cursor === 'pointer' && around?.cursor !== 'pointer';
};

const isDisabled = (element) => {
  if (isHtml(element) && matches(element, ':disabled')) return true;
  for (let at = element; at; at = parentNode(at)?.host ?? parentElement(at)) {
    const said = getAttribute(at, 'aria-disabled');
    if (said === 'true') return true;
    if (said === 'false') return false;
  }
  return false;
};
const isReadonly = (element) => Boolean(readonlyOf(element)) || getAttribute(element, 'aria-readonly') === 'true';

const saidToBe = (element, name, allowed) => {
  const value = getAttribute(element, name);
  return allowed.includes(value) ? value : undefined;
};
const checkedState = (element, role) => {
  if (nameOf(element) === 'input' && CHECKS.has(inputType(element))) {
    return inputMixed(element) ? 'mixed' : String(inputChecked(element));
  }
  if (!['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem'].includes(role)) return undefined;
  const said = saidToBe(element, 'aria-checked', ['true', 'false', 'mixed']);
  return said ?? (['option', 'treeitem'].includes(role) ? undefined : 'false');
};

const yes = (value) => (value ? true : undefined);
const flag = (value) => (value === undefined ? undefined : value === 'true');
const detailsOpen = (element) => {
  if (nameOf(element) !== 'summary') return undefined;
  const details = parentElement(element);
  return details && nameOf(details) === 'details' ? hasAttribute(details, 'open') : undefined;
};
const stateOf = (element, role, focused) => ({
  disabled: yes(isDisabled(element)),
  checked: checkedState(element, role),
  expanded: flag(saidToBe(element, 'aria-expanded', ['true', 'false'])) ?? detailsOpen(element),
  selected: ['option', 'tab', 'treeitem'].includes(role) ? flag(saidToBe(element, 'aria-selected', ['true', 'false'])) : undefined,
  pressed: role === 'button' ? saidToBe(element, 'aria-pressed', ['true', 'false', 'mixed']) : undefined,
  required: yes(requiredOf(element) || getAttribute(element, 'aria-required') === 'true'),
  readonly: yes(isReadonly(element)),
  focused: yes(element === focused),
});
