// Seats: the switcher between the people of this try-out.

import { h } from './elements.js';
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

// Switchers are in the sidebar and, on a phone, behind the header's avatar; each redraws itself on a change.
export class Seats {
  constructor({ world, unread, onswitch }) {
    this.element = h('div.seats', { role: 'group', 'aria-label': 'Play as' });
    const draw = () => this.#draw(world, unread, onswitch);
    world.addEventListener('hello', draw);
    unread.addEventListener('change', draw);
  }

  #draw(world, unread, onswitch) {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.seat : null;
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
    this.element.replaceChildren(h('div.seats-title', {}, 'You play as'), ...rows);
    if (focused) this.element.querySelector(`[data-seat="${focused}"]`)?.focus();
  }
}
