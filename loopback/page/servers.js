// Servers: the name of the open server and, where there are more, the menu that leads to another one.

import { h, icon } from './elements.js';
import { nameOf } from './people.js';

export class Servers {
  #title = h('strong');
  #opener = h(
    'button.tool.server-opener',
    { 'aria-label': 'Switch servers', title: 'Switch servers', popovertarget: 'server-menu', 'aria-haspopup': 'true' },
    icon('down'),
  );
  #menu = h('div.server-menu', { id: 'server-menu', popover: 'auto', role: 'group', 'aria-label': 'Servers' });
  #onserver;

  constructor(world, onserver) {
    this.#onserver = onserver;
    this.element = h(
      'header.sidebar-head',
      {},
      h('img', { src: '/page/mark.svg', alt: '', width: 28, height: 28 }),
      h('div.server-name', {}, this.#title, h('small', {}, 'local try-out')),
      this.#opener,
      this.#menu,
    );
    world.addEventListener('hello', () => this.#draw(world));
  }

  #draw({ guild, servers, me }) {
    this.#title.textContent = guild.name;
    this.#opener.hidden = servers.length < 2;
    this.#menu.replaceChildren(...servers.map((server) => this.#row(server, server.id === guild.id, me)));
  }

  // A server where this person is no member is entered as its owner.
  #row(server, isOpen, me) {
    const go = () => {
      this.#menu.hidePopover();
      if (!isOpen) this.#onserver(server);
    };
    const note = isOpen ? 'here' : server.seat.id !== me.id && `as ${nameOf(server.seat)}`;
    return h(
      'button.seat',
      { 'aria-pressed': String(isOpen), onclick: go },
      h('span.seat-name', {}, server.name),
      note && h('span.seat-you', {}, note),
    );
  }
}
