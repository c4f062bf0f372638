// Invitation: the form below the seats that adds a person to the try-out, one after another.

import { h, icon } from './elements.js';
import { nameOf } from './people.js';

const MAX_NAME = 32; // characters, as in Discord

// Names that are offered, in several scripts, so that Enter alone adds people.
const NAMES = [
  'Ania', 'Борис', 'Clara', 'Данило', 'Ema', 'Felix', 'Оксана',
  'Hanka', 'Игорь', 'Jonas', 'Łucja', 'Марія', 'Zdeněk',
];

export class Invitation {
  #world;
  #oninvite;
  #opener = h('button.invite-open', { onclick: () => this.#open() });
  #name = h('input.invite-name', { 'aria-label': 'Name of the new person', maxlength: MAX_NAME, autocomplete: 'off' });
  #trouble = h('p.invite-trouble', { role: 'alert' });
  #form = h(
    'form.invite-form',
    { hidden: true, onsubmit: (event) => this.#add(event), onkeydown: (event) => this.#leave(event) },
    this.#name,
    h('button.button.primary', { onclick: (event) => this.#add(event) }, 'Add'),
    this.#trouble,
  );
  element = h('div.invite', {}, this.#opener, this.#form);

  constructor(world, oninvite) {
    this.#world = world;
    this.#oninvite = oninvite;
    for (const type of ['hello', 'seats']) world.addEventListener(type, () => this.#draw());
  }

  get #isFull() {
    return this.#world.seats.length >= this.#world.maxSeats;
  }

  #draw() {
    const hadFocus = this.#form.contains(document.activeElement);
    this.#opener.replaceChildren(icon('plus'), this.#isFull ? `All ${this.#world.maxSeats} seats are taken` : 'Add a person');
    this.#opener.disabled = this.#isFull;
    if (!this.#isFull) {
      if (!this.#form.hidden && this.#taken.has(this.#name.value.trim().toLowerCase())) this.#offer();
      return;
    }
    this.#close();
    if (hadFocus) this.element.parentElement?.querySelector('[aria-pressed="true"]')?.focus();
  }

  #open() {
    this.#form.hidden = false;
    this.#opener.hidden = true;
    this.#offer();
  }

  #close() {
    this.#form.hidden = true;
    this.#opener.hidden = false;
  }

  get #taken() {
    return new Set(this.#world.seats.map((seat) => nameOf(seat).toLowerCase()));
  }

  // Offers the next name, ready to be replaced by typing.
  #offer() {
    const taken = this.#taken;
    this.#name.value = NAMES.find((name) => !taken.has(name.toLowerCase())) ?? '';
    this.#trouble.textContent = '';
    this.#name.focus();
    this.#name.select();
  }

  #leave(event) {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.#close();
    this.#opener.focus();
  }

  async #add(event) {
    event.preventDefault();
    const name = this.#name.value;
    try {
      await this.#oninvite(name);
    } catch (error) {
      if (this.#name.value !== name) return; // Enter came twice, and the first one has added the person
      this.#trouble.textContent = error.message;
      this.#name.focus();
    }
  }
}
