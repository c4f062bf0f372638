// Sidebar: the server, its channels and their threads, the bot's direct messages and the seats; a drawer on a phone.

import { h, icon } from './elements.js';
import { avatar, nameOf } from './people.js';
import { badge, Seats } from './seats.js';
import { Servers } from './servers.js';

const NARROW = matchMedia('(max-width: 760px)');

export class Sidebar {
  #world;
  #unread;
  #ondm;
  #open = null;
  #list = h('nav.channels', { 'aria-label': 'Channels' });
  #scrim = h('div.scrim', { onclick: () => this.drawer(false) });

  constructor({ world, unread, onserver, onswitch, onspeak, oninvite, ondm }) {
    this.#world = world;
    this.#unread = unread;
    this.#ondm = ondm;
    const seats = new Seats({ world, unread, onswitch, onspeak, oninvite });
    this.panel = h(
      'aside.sidebar',
      {
        id: 'sidebar',
        'aria-label': 'Channels and seats',
        onkeydown: (event) => event.key === 'Escape' && this.drawer(false),
      },
      new Servers(world, onserver).element,
      this.#list,
      seats.element,
    );
    this.element = h('div.sidebar-frame', {}, this.#scrim, this.panel);
    for (const type of ['hello', 'channels']) world.addEventListener(type, () => this.draw());
    unread.addEventListener('change', () => this.draw());
    NARROW.addEventListener('change', () => this.drawer(false));
    this.drawer(false);
  }

  drawer(open) {
    const shown = open && NARROW.matches;
    this.element.classList.toggle('drawn', shown);
    this.panel.inert = NARROW.matches && !shown;
    document.querySelector('.menu-button')?.setAttribute('aria-expanded', String(shown));
    if (shown) this.#list.querySelector('[aria-current]')?.focus();
  }

  show(channel) {
    this.#open = channel;
    this.draw();
  }

  #row(channel, lead, kind) {
    const mentions = this.#unread.mentions(this.#world.me.id, channel.id);
    const unread = this.#unread.isUnread(channel);
    const title = kind === 'text' ? channel.name : this.#world.title(channel);
    return h(
      'a.channel',
      {
        class: `${kind} ${unread ? 'unread' : ''}`,
        href: `#${channel.id}`,
        'data-channel': channel.id,
        'aria-current': channel.id === this.#open ? 'page' : null,
        onclick: () => this.drawer(false),
      },
      lead,
      h('span.channel-name', {}, title),
      unread && h('span.visually-hidden', {}, ', unread '),
      badge(mentions),
    );
  }

  #threads(parent) {
    const shown = this.#world
      .threads(parent)
      .filter((thread) => !thread.thread_metadata?.archived || thread.id === this.#open);
    return shown.length
      ? h(
          'div.thread-list',
          {},
          shown.map((thread) => this.#row(thread, null, 'thread')),
        )
      : null;
  }

  #direct() {
    const { dm, bot } = this.#world;
    if (dm) return this.#row(dm, avatar(this.#world.partner(dm), 'small'), 'dm');
    return (
      bot &&
      h(
        'button.channel.dm',
        { onclick: () => this.#ondm() },
        avatar(bot, 'small'),
        h('span.channel-name', {}, nameOf(bot)),
      )
    );
  }

  draw() {
    if (!this.#world.me) return;
    const focused = this.#list.contains(document.activeElement) ? document.activeElement.dataset.channel : null;
    this.#list.replaceChildren(
      ...[
        h('h2', {}, 'Channels'),
        this.#world.textChannels.map((channel) => [
          this.#row(channel, icon('hash'), 'text'),
          this.#threads(channel.id),
        ]),
        h('h2', {}, 'Direct messages'),
        this.#direct(),
      ]
        .flat(3)
        .filter(Boolean),
    );
    if (focused) this.#list.querySelector(`[data-channel="${focused}"]`)?.focus();
  }
}
