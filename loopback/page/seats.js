// Seats: the switcher between the people of this try-out, and the language of the client that each one uses.

import { h } from './elements.js';
import { Invitation } from './invitation.js';
import { avatar, nameOf } from './people.js';

export function badge(count, of = '') {
  return count
    ? h(
        'span.badge',
        {},
        count > 99 ? '99+' : String(count),
        h('span.visually-hidden', {}, ` ${count === 1 ? 'mention' : 'mentions'}${of}`),
      )
    : null;
}

// The language in its own words, as in "polski".
function languageName(locale) {
  return new Intl.DisplayNames([locale], { type: 'language' }).of(locale);
}

// Switchers are in the sidebar and, on a phone, behind the header's avatar; each redraws itself on a change.
export class Seats {
  #rows = h('div.seat-rows', { role: 'group', 'aria-label': 'Play as' });
  #language = h('select.language', { onchange: () => this.#onspeak(this.#language.value) });
  #onspeak;

  constructor({ world, unread, onswitch, onspeak, oninvite }) {
    this.#onspeak = onspeak;
    this.element = h(
      'div.seats',
      {},
      h('div.seats-title', {}, 'You play as'),
      this.#rows,
      new Invitation(world, oninvite).element,
      h('label.language-field', {}, h('span', {}, 'Language of this client'), this.#language),
    );
    const draw = () => this.#draw(world, unread, onswitch);
    for (const type of ['hello', 'seats']) world.addEventListener(type, draw);
    world.addEventListener('hello', () => this.#drawLanguages(world));
    world.addEventListener('commands', () => this.#drawLanguages(world));
    unread.addEventListener('change', draw);
  }

  #drawLanguages(world) {
    const options = world.locales.map((locale) => h('option', { value: locale }, languageName(locale)));
    this.#language.replaceChildren(...options);
    this.#language.value = world.me.locale;
  }

  #draw(world, unread, onswitch) {
    const focused = this.#rows.contains(document.activeElement) ? document.activeElement.dataset.seat : null;
    const rows = world.seats.map((seat) => {
      const mine = seat.id === world.me.id;
      return h(
        'button.seat',
        {
          'aria-pressed': String(mine),
          'data-seat': seat.id,
          title: mine ? 'This window is this person' : `Be ${nameOf(seat)}`,
          onclick: () => onswitch(seat.id),
        },
        avatar(seat, 'small'),
        h('span.seat-name', {}, nameOf(seat)),
        mine ? h('span.seat-you', {}, 'you') : badge(unread.mentions(seat.id)),
      );
    });
    this.#rows.replaceChildren(...rows);
    if (focused) this.#rows.querySelector(`[data-seat="${focused}"]`)?.focus();
  }
}
