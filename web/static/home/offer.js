// Offer: a challenge to a friend by name, or to anyone, whose terms are put together as in the panel of a chat. The server has
// all menus and knows what goes together; the page keeps the code of the terms.

import { h, write } from '../board/elements.js';
import { copyText } from '../board/forms.js';

const FIRST = ['own', 'rules', 'size']; // menus that are seen at once
const MANY = 8; // people among whom one looks for a name

export class Offer {
  #words;
  #site;
  #code = null;
  #venues = [];
  #people = [];
  #fields = h('div.fields');
  #note = h('p', { role: 'status' });
  #who = h('select', { 'data-focus': 'who' });
  #search;
  #venue = h('select', { 'data-focus': 'venue' });
  #told = h('p.quiet');
  #key = null; // of the challenge that is being posted: sent twice, it is posted once

  // `site` has `send(message)`, `leave(url)` and `posted()`. Where a game begins at a position (`isPosition`), it isn't rated,
  // and the `first` answer has come.
  constructor({ words, ...site }) {
    this.#words = words;
    this.#site = site;
    this.element = h('div', {}, this.#fields, this.#note);
    this.#search = h('input', { type: 'search', placeholder: words.search, 'aria-label': words.search, 'data-focus': 'search' });
    this.#search.addEventListener('input', () => this.#listPeople());
    this.#who.addEventListener('change', () => this.#aim());
    this.#venue.addEventListener('change', () => {
      this.#key = null;
    });
  }

  // Begins with the usual terms, unless some are being put together.
  async begin() {
    if (!this.#code) await this.#draw('', []);
  }

  // The terms as they are now.
  get code() {
    return this.#code;
  }

  async #draw(field, values) {
    const isFirst = !this.#code;
    const { first } = this.#site;
    const answer = isFirst && first ? first : await this.#site.send({ do: 'draft', code: this.#code, field, values });
    if (!answer.code) {
      write(this.#note, answer.line);
      return;
    }
    this.#code = answer.code;
    this.#key = null;
    write(this.#note, '');
    if (isFirst) {
      this.#venues = answer.venues;
      this.#people = answer.people;
      this.#listPeople();
    }
    this.#show(answer);
  }

  // Offers the people whose names have what is looked for, and the first of them.
  #listPeople() {
    const named = this.#search.value.trim().toLocaleLowerCase();
    const found = this.#people.filter(({ name }) => name.toLocaleLowerCase().includes(named));
    const kept = named ? found[0]?.user : this.#who.value;
    const people = found.map(({ user, name }) => h('option', { value: user, selected: user === kept }, name));
    this.#who.replaceChildren(h('option', { value: '' }, this.#words.anybody), ...people);
    this.#aim();
  }

  get #friend() {
    return this.#people.find(({ user }) => user === this.#who.value);
  }

  // Offers the channels where the one who is challenged may be.
  #aim() {
    this.#key = null;
    const friend = this.#friend;
    const kept = this.#venue.value;
    const there = this.#venues.filter(({ guild }) => !friend || friend.guilds.includes(guild));
    this.#venue.replaceChildren(...there.map(({ channel, name, server }) =>
      h('option', { value: channel, selected: channel === kept }, [name, server].filter(Boolean).join(' · '))));
    write(this.#told, friend ? this.#words.told : this.#words.anyone);
  }

  #show({ menus, rated, about }) {
    const focused = document.activeElement?.dataset.focus;
    const words = this.#words;
    if (!this.#venues.length) {
      this.#fields.replaceChildren(h('p.empty', {}, words.no_venue));
      return;
    }
    const isOpen = Boolean(this.#fields.querySelector('details')?.open);
    const switched = h('input', { type: 'checkbox', checked: rated, 'data-focus': 'rated' });
    switched.addEventListener('change', () => this.#draw('rated', []));
    const post = h('button.primary', { 'data-focus': 'post' }, words.post);
    post.addEventListener('click', () => this.#post(post));
    const { isPosition } = this.#site;
    const [first, others] = [true, false].map((isFirst) => menus.filter(({ field }) => (isPosition || FIRST.includes(field)) === isFirst));
    const channel = h('label', {}, h('span.quiet', {}, words.venue), this.#venue);
    const rest = [...others.map((menu) => this.#menu(menu)), h('label.check', {}, switched, words.rated), h('p.quiet', {}, about), channel];
    this.#fields.replaceChildren(
      ...(this.#people.length > MANY ? [this.#search] : []),
      h('label', {}, h('span.quiet', {}, words.who), this.#who),
      ...first.map((menu) => this.#menu(menu)),
      ...(isPosition ? [channel] : [h('details', { open: isOpen }, h('summary', { 'data-focus': 'more' }, words.more), h('div.fields', {}, ...rest))]),
      this.#told,
      post,
    );
    if (focused) this.#fields.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  #menu({ field, label, choices, several }) {
    if (several) {
      const boxes = choices.map(({ value, label: text, chosen }) => {
        const box = h('input', { type: 'checkbox', value, checked: chosen, 'data-focus': `${field} ${value}` });
        return h('label.check', {}, box, text);
      });
      const group = h('fieldset', {}, h('legend.quiet', {}, label), ...boxes);
      group.addEventListener('change', () => this.#draw(field, [...group.querySelectorAll(':checked')].map(({ value }) => value)));
      return group;
    }
    const options = choices.map(({ value, label: text, chosen }) => h('option', { value, selected: chosen }, text));
    const select = h('select', { 'data-focus': field }, ...options);
    select.addEventListener('change', () => this.#draw(field, [select.value]));
    return h('label', {}, h('span.quiet', {}, label), select);
  }

  async #post(button) {
    const friend = this.#friend;
    button.disabled = true;
    this.#key ??= crypto.randomUUID();
    const sent = { id: this.#key, code: this.#code, channel: this.#venue.value, opponent: friend?.user ?? null };
    const answer = await this.#site.send({ do: 'offer', ...sent });
    button.disabled = false;
    if (answer.url === undefined) {
      write(this.#note, answer.line);
      return;
    }
    this.#key = null;
    this.#code = null;
    const open = h('button', { onclick: () => this.#site.leave(answer.url), 'data-focus': 'posted' }, this.#words.card);
    if (friend || !answer.url) this.#fields.replaceChildren(h('p', {}, this.#words.waits), ...(answer.url ? [open] : []));
    else this.#showLink(answer.url, open);
    this.#fields.querySelector('button')?.focus();
    this.#site.posted();
  }

  // A link by which anyone in the channel comes to the challenge.
  #showLink(url, open) {
    const address = h('input', { readonly: true, value: url, 'aria-label': this.#words.address });
    const copy = h('button', { onclick: () => copyText(address, copy, this.#words.copied), 'data-focus': 'copy' }, this.#words.copy);
    this.#fields.replaceChildren(h('p', {}, this.#words.posted), address, h('div.row', {}, copy, open));
  }
}
