// Suggestions: the panel above the composer that lists commands, options, choices and people.

import { h } from './elements.js';
import { Listbox } from './listbox.js';

export class Suggestions {
  #list = new Listbox({ label: 'Suggestions', onchoose: (item) => item.choose() });
  #head = h('div.suggestions-head', { hidden: true, 'aria-live': 'polite' });

  constructor() {
    this.element = h('div.suggestions', { hidden: true }, this.#head, this.#list.element);
  }

  get open() {
    return this.#list.open;
  }

  serve(field) {
    this.#list.serve(field);
  }

  // The line over the list: the current option, or its error.
  head(title, text, wrong = false, mark = '') {
    this.#head.replaceChildren(h('strong', {}, title), h('span', {}, text), mark && h('em', {}, mark));
    this.#head.classList.toggle('wrong', wrong);
    this.#head.hidden = false;
    this.element.hidden = false;
  }

  // Shows the items, or `none` if there are none.
  show(items, none, active = 0) {
    this.element.hidden = false;
    if (items.length) this.#list.show(items, active);
    else if (none) this.#list.say(none);
    else this.#list.hide();
  }

  wait() {
    this.element.hidden = false;
    this.#list.say('Loading options…');
  }

  // Hides everything but the head.
  rest() {
    this.#list.hide();
  }

  hide() {
    this.#list.hide();
    this.#head.hidden = true;
    this.element.hidden = true;
  }

  key(event) {
    const taken = this.#list.key(event);
    if (taken && !this.#list.open && this.#head.hidden) this.element.hidden = true;
    return taken;
  }
}
