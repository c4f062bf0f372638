// Listbox: a list of choices with keyboard navigation, while the focus stays in its field.

import { h } from './elements.js';

let count = 0;

// Items are {title, detail, lead (a node), group, selected}; `onchoose` gets the chosen item.
export class Listbox {
  #items = [];
  #options = [];
  #active = -1;
  #field = null;
  #onchoose;

  constructor({ label, onchoose, multiple = false }) {
    count += 1;
    this.#onchoose = onchoose;
    this.element = h('div.listbox', {
      id: `list-${count}`,
      role: 'listbox',
      'aria-label': label,
      'aria-multiselectable': multiple ? 'true' : null,
      hidden: true,
    });
    this.element.addEventListener('pointerdown', (event) => event.preventDefault());
  }

  // Connects the list to the field that keeps the focus.
  serve(field) {
    if (this.#field !== field) this.hide();
    this.#field = field;
    field.setAttribute('aria-controls', this.element.id);
    if (!(field instanceof HTMLTextAreaElement)) field.setAttribute('role', 'combobox'); // ARIA allows a textarea no such role
    this.#tell();
  }

  #tell() {
    if (this.#field?.getAttribute('role') === 'combobox') this.#field.setAttribute('aria-expanded', String(this.open));
  }

  get open() {
    return !this.element.hidden;
  }

  get active() {
    return this.#items[this.#active];
  }

  show(items, active = 0) {
    this.#items = items;
    let group = null;
    const nodes = [];
    this.#options = items.map((item, index) => {
      if (item.group && item.group !== group)
        nodes.push(h('div.listbox-group', { role: 'presentation' }, (group = item.group)));
      const option = h(
        'div.option',
        {
          id: `${this.element.id}-${index}`,
          role: 'option',
          'aria-selected': String(Boolean(item.selected)),
          onclick: () => this.#choose(index),
          onpointermove: () => this.#activate(index, false),
        },
        item.lead,
        h(
          'div.option-text',
          {},
          h('span.option-title', {}, item.title),
          item.detail && h('span.option-detail', {}, item.detail),
        ),
      );
      nodes.push(option);
      return option;
    });
    this.element.replaceChildren(...nodes);
    this.element.hidden = false;
    this.#tell();
    this.#activate(Math.min(active, items.length - 1));
  }

  // Shows a line instead of options, while they load or if there are none.
  say(text) {
    this.#items = [];
    this.#options = [];
    this.element.replaceChildren(h('div.listbox-note', { role: 'status' }, text));
    this.element.hidden = false;
    this.#activate(-1);
  }

  hide() {
    this.element.hidden = true;
    this.#items = [];
    this.#tell();
    this.#field?.removeAttribute('aria-activedescendant');
  }

  #activate(index, scroll = true) {
    this.#options[this.#active]?.classList.remove('active');
    this.#active = index;
    const option = this.#options[index];
    option?.classList.add('active');
    if (scroll) option?.scrollIntoView({ block: 'nearest' });
    if (option) this.#field?.setAttribute('aria-activedescendant', option.id);
    else this.#field?.removeAttribute('aria-activedescendant');
  }

  #choose(index) {
    const item = this.#items[index];
    if (item) this.#onchoose(item);
  }

  // Handles a key of the field; returns whether the list used it.
  key(event) {
    if (!this.open || event.isComposing) return false;
    if (event.key === 'Escape') this.hide();
    else if (!this.#items.length) return false;
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      this.#activate((this.#active + step + this.#items.length) % this.#items.length);
    } else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) {
      if (!this.active) return false;
      this.#choose(this.#active);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}
