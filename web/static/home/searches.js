// Searches: looking for a stranger of one's strength on any server. A search for a live game ends with a call, which is to be
// answered within seconds: while one goes on, the server is asked every few seconds.

import { h, keepChildren, write } from '../board/elements.js';
import { onSubmit } from '../board/forms.js';

const EVERY = 3_000; // milliseconds between two answers while a live game is looked for
const SOON = 1_000; // the same while both are called: the game may begin at any moment
const SECOND = 1_000;

export class Searches {
  #site;
  #parts = { arena: h('ul.list'), about: h('p.quiet'), list: h('ul.list'), ways: h('div.row'), own: h('label.check'), title: h('h3'), seats: h('ul.list'), open: h('p.quiet'), friend: h('div.fields') };
  #isFlexible = true;
  #told = null; // the searches, and those that may be begun, as the server has told last
  #sat = null; // the search by which the player has sat down here, or taken a friend's code: the page goes on to its game
  #called = null; // until when the call to a live game is to be answered, by the clock of the page
  #next = 0;
  #tick = 0;

  // `site` has `words()`, `send(message)`, `say(line)`, `complain(line)`, `open(match, more)`, `called()` for a call, the address
  // of the `daily`, and the `signal` that ends it.
  constructor(element, site) {
    this.#site = site;
    const { arena, about, list, ways, own, title, seats, open, friend } = this.#parts;
    element.append(arena, about, list, ways, own, title, seats, open, friend);
    site.signal?.addEventListener('abort', () => this.#rest());
  }

  // Shows the searches as the home's answer has them. What has come of a live one that is over is not in it.
  async follow(told) {
    const awaited = this.#awaited;
    if (awaited && told.seeks.every(({ seek }) => seek !== awaited)) await this.#refresh();
    else this.#take(told);
  }

  // Takes an open seat.
  async sit(seat) {
    await this.#ask({ do: 'sit', seat });
    this.#sat = this.#told.seeks.find(({ leave }) => !leave)?.seek ?? null;
    this.#wait();
  }

  // Shows the game that a friend offers by the code in the field.
  async #showOffer() {
    const { friend } = this.#parts;
    const answer = await this.#site.send({ do: 'code', code: friend.querySelector('input').value });
    if (answer.isRefused) {
      this.#site.complain(answer.line);
      return;
    }
    const { asked, accept, code } = answer;
    const take = () => this.#acceptOffer(code, button);
    const button = h('button.primary', { onclick: take, 'aria-describedby': 'offer', 'data-focus': 'befriend' }, accept);
    friend.lastChild.replaceChildren(h('span.lines', { id: 'offer' }, asked), button);
    button.focus();
  }

  async #acceptOffer(code, button) {
    button.disabled = true;
    const { isRefused, seek, line } = await this.#site.send({ do: 'friend', code });
    button.disabled = false;
    if (isRefused) this.#site.complain(line);
    else {
      this.#site.say(line);
      this.#showFriend();
      this.#sat = seek;
      await this.#refresh();
    }
  }

  // The field for the code of a friend, as it is before one is typed.
  #showFriend() {
    const { friend } = this.#parts;
    const { friend_code: label, friend_show: show } = this.#site.words();
    const field = h('input', { name: 'code', maxLength: 30, autocomplete: 'off', required: true, 'data-focus': 'code' });
    const form = h('form.row', {}, h('label', {}, label, field), h('button', { type: 'submit', 'data-focus': 'show code' }, show));
    onSubmit(form, () => this.#showOffer());
    friend.dataset.label = label;
    friend.replaceChildren(form, h('div.row'));
  }

  get #live() {
    return this.#told?.seeks.find(({ live }) => live);
  }

  // The search whose game the page goes on to.
  get #awaited() {
    return this.#sat ?? this.#live?.seek;
  }

  async #refresh() {
    await this.#ask({ do: 'seeks', of: this.#awaited });
  }

  async #ask(message) {
    const answer = await this.#site.send(message);
    if (this.#site.signal?.aborted) return;
    if (answer.match) {
      this.#rest();
      this.#site.open(answer.match, message.do === 'meanwhile' ? { seek: message.seek } : {});
    } else if (answer.seeks) {
      if (answer.line) this.#site.say(answer.line);
      if (answer.line && message.of === this.#sat) this.#sat = null; // it has ended without a game
      this.#take(answer);
    } else {
      if (message.do !== 'seeks') this.#site.complain(answer.line);
      this.#wait();
    }
  }

  #take(told) {
    const wasCalled = Boolean(this.#called);
    this.#told = told;
    const live = this.#live;
    this.#called = live?.ends ? Date.now() + live.ends : null;
    if (this.#called && !wasCalled) {
      this.#site.called();
      this.#site.say(live.lines.at(-1));
    }
    else if (wasCalled && live && !this.#called) this.#site.say(this.#site.words().seek_on);
    this.#show();
    this.#wait();
  }

  // Asks again in a few seconds while a game is looked for that the page goes on to, and counts down to the end of a call.
  #wait() {
    this.#rest();
    if (this.#awaited) this.#next = setTimeout(() => this.#refresh(), this.#called ? SOON : EVERY);
    if (this.#called) this.#tick = setInterval(() => this.#count(), SECOND);
  }

  #rest() {
    clearTimeout(this.#next);
    clearInterval(this.#tick);
  }

  #show() {
    const { arena, seeks, ways, own } = this.#told;
    const { arena: here, about, list, ways: row } = this.#parts;
    keepChildren(here, arena ? [arena] : [], { key: (each) => JSON.stringify(each), make: (each) => this.#arena(each) });
    write(about, this.#site.words().seek_about);
    about.hidden = seeks.length > 0;
    keepChildren(list, seeks, {
      key: ({ seek, lines, ready, leave, meanwhile }) => JSON.stringify([seek, lines, ready, leave, meanwhile]),
      make: (each) => this.#search(each),
    });
    keepChildren(row, ways, {
      key: ({ speed, weekly, label }) => `${speed} ${weekly} ${label}`,
      make: ({ speed, weekly, label }) => {
        const look = () => this.#ask({ do: 'look', speed, weekly, flexible: this.#isFlexible });
        return h('button', { onclick: look, 'data-focus': `look ${speed} ${weekly}` }, label);
      },
    });
    this.#showRules(own);
    if (this.#parts.friend.dataset.label !== this.#site.words().friend_code) this.#showFriend();
    this.#showSeats(this.#told.seats);
    this.#count();
  }

  // The arena of all servers, with the button that joins it or pauses.
  #arena({ lines: [what, ...rest], join, label }) {
    const enter = () => this.#ask({ do: 'arena', join });
    const told = [h('strong', {}, what), ...rest.map((line) => h('span.quiet', {}, line))];
    return h('li', {}, h('span.lines', {}, ...told), h('button', { onclick: enter, 'data-focus': 'arena' }, label));
  }

  #search({ seek, lines, ends, ready, leave, meanwhile }) {
    const [what, ...rest] = lines;
    const buttons = [
      ready && h('button.primary', { onclick: () => this.#ask({ do: 'ready', seek }), 'data-focus': `ready ${seek}` }, ready),
      leave && h('button', { onclick: () => this.#ask({ do: 'leave', seek }), 'data-focus': `leave ${seek}` }, leave),
    ];
    const told = [h('strong', {}, what), ...rest.map((line) => h('span.quiet', {}, line)), ...(ends ? [h('span.left')] : [])];
    return h('li', {}, h('span.lines', {}, ...told), h('span.row', {}, ...buttons.filter(Boolean)), ...this.#meanwhile(seek, meanwhile));
  }

  // What there is to do until an opponent is there.
  #meanwhile(seek, offered) {
    if (!offered) return [];
    const { daily, computer, line } = offered;
    const play = () => this.#ask({ do: 'meanwhile', id: crypto.randomUUID(), seek });
    const ways = [
      computer && h('button', { onclick: play, 'data-focus': `meanwhile ${seek}` }, computer),
      h('a.back', { href: this.#site.daily, 'data-focus': `daily ${seek}` }, daily),
    ];
    return [h('span.row', {}, ...ways.filter(Boolean)), ...(line ? [h('p.quiet', {}, line)] : [])];
  }

  // Searches of others that the player may take. While they look themselves, theirs is such a seat.
  #showSeats(seats) {
    const { title, seats: list, open } = this.#parts;
    const words = this.#site.words();
    title.hidden = !seats.length;
    write(title, words.seats);
    write(open, words.seat_public);
    keepChildren(list, seats, {
      key: ({ seat, line }) => `${seat} ${line}`,
      make: ({ seat, line, sit }) => {
        const button = h('button', { onclick: () => this.sit(seat), 'data-focus': `sit ${seat}` }, sit);
        return h('li', {}, h('span.lines', {}, line), h('span.row', {}, button));
      },
    });
  }

  // Whether any rules will do, or only the player's own.
  #showRules(label) {
    const { own } = this.#parts;
    own.hidden = !label;
    if (!label || own.textContent === label) return;
    const box = h('input', { type: 'checkbox', checked: !this.#isFlexible, 'data-focus': 'own rules' });
    box.addEventListener('change', () => { this.#isFlexible = !box.checked; });
    own.replaceChildren(box, label);
  }

  #count() {
    const seconds = Math.max(0, Math.round((this.#called - Date.now()) / SECOND));
    for (const left of this.#parts.list.querySelectorAll('.left')) write(left, this.#site.words().seek_left.replace('{seconds}', seconds));
  }
}
