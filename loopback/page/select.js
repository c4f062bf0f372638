// Select: Discord's select menus (of strings, people, roles and channels), for messages and for modals.

import { DIRECTORY } from './directory.js';
import { h, icon } from './elements.js';
import { Listbox } from './listbox.js';

const FROM_DIRECTORY = { 5: 'user', 6: 'role', 7: 'mentionable', 8: 'channel' };

export function emojiOf(emoji) {
  if (!emoji) return null;
  return h('span.emoji', { 'aria-hidden': 'true' }, emoji.id ? `:${emoji.name}:` : emoji.name);
}

function optionsOf(component, world) {
  const items = DIRECTORY[FROM_DIRECTORY[component.type]]?.(world, component.channel_types);
  if (items) {
    const preset = new Set((component.default_values ?? []).map((value) => value.id));
    return items.map((item) => ({ ...item, selected: preset.has(item.value) }));
  }
  return component.options.map((option) => ({
    value: option.value,
    title: option.label,
    detail: option.description,
    lead: emojiOf(option.emoji),
    selected: Boolean(option.default),
  }));
}

// `onpick` gets the values when the menu closes with a change; a menu of one closes with the choice. A `busy` menu keeps
// the focus and does not open.
export class Select {
  #component;
  #options;
  #list;
  #before = '';
  #onpick;
  #busy;
  #label;

  constructor(component, world, { onpick = (_) => {}, busy = false, label = '' } = {}) {
    this.#component = component;
    this.#options = optionsOf(component, world);
    this.#onpick = onpick;
    this.#busy = busy;
    this.#label = label || component.placeholder || 'Menu';
    this.#list = new Listbox({ label: this.#label, multiple: this.#many, onchoose: (item) => this.#toggle(item) });
    this.#list.element.popover = 'manual';
    this.face = h('button.select-face', {
      'aria-haspopup': 'listbox',
      disabled: component.disabled,
      'aria-disabled': busy ? 'true' : null,
      'data-focus': component.custom_id,
      onclick: () => (this.#list.open ? this.#close() : this.#open()),
      onkeydown: (event) => this.#key(event),
      onblur: () => this.#close(),
    });
    this.#list.serve(this.face);
    this.element = h('div.select', {}, this.face, this.#list.element);
    this.#draw();
  }

  get #many() {
    return (this.#component.max_values ?? 1) > 1;
  }

  get values() {
    return this.#options.filter((option) => option.selected).map((option) => option.value);
  }

  #draw() {
    const chosen = this.#options.filter((option) => option.selected);
    const text = chosen.length
      ? chosen.map((option) =>
          h('span.select-value', { class: this.#many ? 'tag' : '' }, option.lead?.cloneNode(true), option.title),
        )
      : h('span.select-hint', {}, this.#component.placeholder || 'Make a selection');
    this.face.setAttribute(
      'aria-label',
      `${this.#label}: ${chosen.map((option) => option.title).join(', ') || 'nothing chosen'}`,
    );
    this.face.replaceChildren(h('span.select-values', {}, text), icon('down'));
  }

  #open() {
    if (this.#busy) return;
    this.#before = this.values.join();
    this.face.focus();
    this.#list.element.showPopover();
    this.#fill(
      Math.max(
        0,
        this.#options.findIndex((option) => option.selected),
      ),
    );
    this.#place();
    addEventListener('scroll', this.#place, { capture: true, passive: true });
    addEventListener('resize', this.#place);
  }

  #fill(active) {
    if (this.#options.length) this.#list.show(this.#options, active);
    else this.#list.say('There is nothing to choose here');
  }

  // The list opens below its button, or above it if there is more room.
  #place = (event) => {
    const list = this.#list.element;
    if (event && list.contains(event.target)) return;
    const face = this.face.getBoundingClientRect();
    const below = innerHeight - face.bottom - 8;
    const up = below < 220 && face.top > below;
    list.style.width = `${face.width}px`;
    list.style.left = `${face.left}px`;
    list.style.maxHeight = `${Math.min(320, (up ? face.top : below) - 8)}px`;
    list.style.top = up ? 'auto' : `${face.bottom + 4}px`;
    list.style.bottom = up ? `${innerHeight - face.top + 4}px` : 'auto';
  };

  #close() {
    if (!this.#list.open) return;
    this.#shut();
    if (this.values.join() !== this.#before) this.#onpick(this.values);
  }

  #shut() {
    this.#list.hide();
    if (this.#list.element.isConnected) this.#list.element.hidePopover();
    removeEventListener('scroll', this.#place, { capture: true });
    removeEventListener('resize', this.#place);
  }

  #toggle(item) {
    if (!this.#many) {
      const cleared = item.selected && (this.#component.min_values ?? 1) === 0;
      for (const option of this.#options) option.selected = option === item && !cleared;
      this.#draw();
      this.#shut();
      this.#onpick(this.values);
      return;
    }
    if (!item.selected && this.values.length >= this.#component.max_values) return;
    item.selected = !item.selected;
    this.#draw();
    this.#fill(this.#options.indexOf(item));
  }

  #key(event) {
    if (event.key === 'Escape' && this.#list.open) {
      this.#close();
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Tab') this.#close();
    else if (!this.#list.open && ['ArrowDown', 'ArrowUp'].includes(event.key)) {
      this.#open();
      event.preventDefault();
    } else if (event.key === ' ' && this.#list.open && this.#list.active) {
      this.#toggle(this.#list.active);
      event.preventDefault();
    } else this.#list.key(event);
  }
}
