// Modal: a form of the bot, in a dialog that keeps the focus until it is sent or cancelled.

import { h, icon } from './elements.js';
import { markdown } from './markdown.js';
import { Select } from './select.js';

const ACTION_ROW = 1;
const TEXT_INPUT = 4;
const TEXT_DISPLAY = 10;
const LABEL = 18;
const RADIOS = 21;
const CHECKBOXES = 22;
const CHECKBOX = 23;
const SELECTS = [3, 5, 6, 7, 8];
const PARAGRAPH = 2;

function textField(component, name) {
  const wide = component.style === PARAGRAPH;
  const input = h(wide ? 'textarea' : 'input', {
    type: wide ? null : 'text',
    rows: wide ? 5 : null,
    placeholder: component.placeholder,
    maxlength: component.max_length ?? 4000,
    'aria-label': name,
    autocomplete: 'off',
  });
  input.value = component.value ?? '';
  const count = component.max_length ? h('span.count', { 'aria-hidden': 'true' }) : null;
  const draw = () => count && (count.textContent = `${input.value.length} / ${component.max_length}`);
  input.addEventListener('input', draw);
  draw();
  const error = () => {
    const { length } = input.value.trim();
    if (component.required !== false && !length) return 'This field is required.';
    return length && length < (component.min_length ?? 0) ? `At least ${component.min_length} characters.` : null;
  };
  return { element: h('div.text-field', {}, input, count), focus: input, value: () => input.value, error };
}

function selectField(component, name, world) {
  const select = new Select(component, world, {
    label: name,
    onpick: () => select.face.dispatchEvent(new Event('input', { bubbles: true })),
  });
  const error = () => {
    const count = select.values.length;
    if (!count) return component.required === false ? null : 'Choose something here.';
    return count < (component.min_values ?? 1) ? `Choose at least ${component.min_values}.` : null;
  };
  return { element: select.element, focus: select.face, value: () => select.values, error };
}

function checks(component, name) {
  const many = component.type === CHECKBOXES;
  const boxes = (component.options ?? [{ value: 'true', label: name, default: component.default }]).map((option) => {
    const input = h('input', {
      type: component.type === RADIOS ? 'radio' : 'checkbox',
      name: component.custom_id,
      value: option.value,
    });
    input.checked = Boolean(option.default);
    return {
      input,
      element: h(
        'label.check',
        {},
        input,
        h('span', {}, option.label, option.description && h('small', {}, option.description)),
      ),
    };
  });
  const chosen = () => boxes.filter(({ input }) => input.checked).map(({ input }) => input.value);
  const value = () => (many ? chosen() : (chosen()[0] ?? ''));
  const least = many ? (component.min_values ?? 1) : 1;
  const error = () =>
    component.type !== CHECKBOX && component.required !== false && chosen().length < least
      ? 'Choose something here.'
      : null;
  return {
    element: h(
      'div.checks',
      { role: component.type === RADIOS ? 'radiogroup' : 'group', 'aria-label': name },
      boxes.map((box) => box.element),
    ),
    focus: boxes[0]?.input,
    value,
    error,
  };
}

function fieldOf(component, name, world) {
  if (component.type === TEXT_INPUT) return textField(component, name);
  if (SELECTS.includes(component.type)) return selectField(component, name, world);
  if ([RADIOS, CHECKBOXES, CHECKBOX].includes(component.type)) return checks(component, name);
  return {
    element: h('div.unknown', {}, `This page cannot show a form field of type ${component.type}`),
    value: () => '',
    error: () => null,
  };
}

// `submit` gets the values by custom id and returns a promise; after a rejection the form stays, with the error.
export function openModal(modal, world, submit) {
  const fields = [];
  const add = (component, name, description) => {
    const field = {
      ...fieldOf(component, name, world),
      id: component.custom_id,
      note: h('p.field-error', { role: 'alert' }),
    };
    fields.push(field);
    const needed = component.required !== false && component.type !== CHECKBOX;
    return h(
      'div.field',
      {},
      h('div.field-name', {}, name, needed && h('span.needed', { title: 'required' }, ' *')),
      description && h('p.field-help', {}, description),
      field.element,
      field.note,
    );
  };
  const parts = modal.components.map((component) => {
    if (component.type === TEXT_DISPLAY) return h('div.content', {}, markdown(component.content, world));
    if (component.type === LABEL) return add(component.component, component.label, component.description);
    if (component.type === ACTION_ROW)
      return component.components.map((inner) => add(inner, inner.label ?? inner.placeholder ?? ''));
    return h('div.unknown', {}, `This page cannot show a form part of type ${component.type}`);
  });
  const problem = h('p.field-error', { role: 'alert' });
  const recheck = () => {
    for (const field of fields) if (field.note.textContent) field.note.textContent = field.error() ?? '';
  };
  const button = h('button.button.primary', { type: 'submit' }, 'Submit');
  const send = async (event) => {
    event.preventDefault();
    for (const field of fields) field.note.textContent = field.error() ?? '';
    const wrong = fields.find((field) => field.error());
    if (wrong) return wrong.focus?.focus();
    if (button.disabled) return;
    button.disabled = true;
    try {
      await submit(Object.fromEntries(fields.map((field) => [field.id, field.value()])));
      dialog.close();
    } catch (error) {
      problem.textContent = `${error.message}. What you typed is still here: try again.`;
    }
    button.disabled = false;
  };
  const close = () => dialog.close();
  const dialog = h(
    'dialog.modal',
    { 'aria-labelledby': 'modal-title', onclose: () => dialog.remove() },
    h(
      'form',
      { onsubmit: send, oninput: recheck, novalidate: true, autocomplete: 'off' },
      h(
        'header',
        {},
        h('h2', { id: 'modal-title' }, modal.title),
        h('button.tool', { onclick: close, 'aria-label': 'Close' }, icon('close')),
      ),
      h('div.modal-body', {}, parts, problem),
      h('footer', {}, h('button.button.secondary', { onclick: close }, 'Cancel'), button),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  const first = fields[0]?.focus;
  first?.focus();
  if (first?.matches('input[type=text], textarea')) first.setSelectionRange(first.value.length, first.value.length);
}
