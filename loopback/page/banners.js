// Banners: the page's own messages: the stand-in notice, the connection, and short errors.

import { h, icon } from './elements.js';
import { markdown } from './markdown.js';
import { closeNotice, newer, noticeClosed } from './memory.js';
import { avatar, nameOf } from './people.js';

const TOAST_LASTS = 7000; // milliseconds
const LOST = {
  away: 'The server of the try-out is away. Reconnecting…',
  locked:
    'The try-out has begun anew and does not know this browser. Open the address that Kropka printed; then this page comes back.',
};

export class Banners {
  #notice = h('div.banner.notice', { hidden: true, role: 'note' });
  #state = h('div.banner.state', { hidden: true, role: 'status' });
  #toasts = h('div.toasts', { role: 'alert' });
  #lost = null; // 'away' or 'locked'
  #world;

  constructor(world, onabout) {
    this.#world = world;
    this.element = h('div.banners', {}, this.#notice, this.#state, this.#toasts);
    world.addEventListener('hello', () => {
      this.#drawNotice(onabout);
      this.lost(null);
    });
    world.addEventListener('online', () => this.#draw());
  }

  #drawNotice(onabout) {
    const { notice } = this.#world;
    this.#notice.hidden = !notice || noticeClosed(notice);
    const close = () => {
      closeNotice(notice);
      this.#notice.hidden = true;
    };
    this.#notice.replaceChildren(
      h('div.banner-text', {}, markdown(notice, this.#world)),
      h('button.banner-action', { onclick: onabout }, 'How to connect Discord'),
      h('button.tool', { 'aria-label': 'Close this notice', onclick: close }, icon('close')),
    );
  }

  lost(lost) {
    this.#lost = lost;
    this.#draw();
  }

  #draw() {
    const bot = nameOf(this.#world.bot ?? { username: 'The bot' });
    const text = this.#lost
      ? LOST[this.#lost]
      : this.#world.botOnline
        ? ''
        : `${bot} is offline: commands and buttons fail until it is back.`;
    this.#state.hidden = !text;
    this.#state.replaceChildren(h('span.pulse', { 'aria-hidden': 'true' }), text);
  }

  toast(text) {
    const toast = h('div.toast', {}, text);
    this.#toasts.append(toast);
    setTimeout(() => toast.remove(), TOAST_LASTS);
  }
}

// The line over the composer that names another seat that was mentioned, and switches to it.
export function mentionHint({ world, unread, onswitch }) {
  const hint = h('div.mention-hint', { hidden: true, role: 'status' });
  let closed = '0'; // the newest mention that the person dismissed
  const draw = () => {
    const call = world.me && unread.elsewhere();
    hint.hidden = !call || !newer(call.message, closed);
    if (hint.hidden) return hint.replaceChildren();
    const name = nameOf(call.seat);
    hint.replaceChildren(
      avatar(call.seat, 'small'),
      h(
        'span',
        {},
        h('strong', {}, name),
        ' is mentioned in ',
        h('strong', {}, world.title(world.channels.get(call.channel))),
      ),
      h(
        'button.button.secondary',
        { onclick: () => onswitch(call.seat.id, call.channel) },
        'Switch ',
        h('span.wide-only', {}, `to ${name}`),
      ),
      h(
        'button.tool',
        {
          'aria-label': 'Put this aside',
          onclick: () => {
            closed = call.message;
            draw();
          },
        },
        icon('close'),
      ),
    );
  };
  unread.addEventListener('change', draw);
  world.addEventListener('hello', draw);
  world.addEventListener('channels', draw);
  return hint;
}
