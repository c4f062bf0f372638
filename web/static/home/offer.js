// Offer: a challenge to anyone, whose terms are put together as in Discord's panel. The server has all menus and knows
// what goes together; the page keeps the code of the terms.

import { h, write } from '../board/elements.js';

export class Offer {
  #words;
  #site;
  #code = null;
  #venues = [];
  #fields = h('div.fields');
  #note = h('p', { role: 'status' });
  #key = null; // of the challenge that is being posted: sent twice, it is posted once

  // `site` has `send(message)`, `leave(url)` and `posted()`.
  constructor({ words, ...site }) {
    this.#words = words;
    this.#site = site;
    this.element = h('details', {}, h('summary', { 'data-focus': 'offer' }, words.challenge), this.#fields, this.#note);
    this.element.addEventListener('toggle', () => this.element.open && !this.#code && this.#draw('', []));
  }

  async #draw(field, values) {
    const answer = await this.#site.send({ do: 'draft', code: this.#code, field, values });
    if (!answer.code) {
      write(this.#note, answer.line);
      return;
    }
    if (!this.#code) this.#venues = answer.venues;
    this.#code = answer.code;
    this.#key = null;
    write(this.#note, '');
    this.#show(answer);
  }

  #show({ menus, rated, about }) {
    const focused = document.activeElement?.dataset.focus;
    const words = this.#words;
    if (!this.#venues.length) {
      this.#fields.replaceChildren(h('p', {}, words.no_venue));
      return;
    }
    const kept = this.#fields.querySelector('[data-focus="venue"]')?.value;
    const places = this.#venues.map(({ channel, name, server }) =>
      h('option', { value: channel, selected: channel === kept }, [name, server].filter(Boolean).join(' · ')));
    const venue = h('select', { 'data-focus': 'venue' }, ...places);
    const switched = h('input', { type: 'checkbox', checked: rated, 'data-focus': 'rated' });
    switched.addEventListener('change', () => this.#draw('rated', []));
    const post = h('button.primary', { 'data-focus': 'post' }, words.post);
    post.addEventListener('click', () => this.#post(venue.value, post));
    this.#fields.replaceChildren(
      ...menus.map((menu) => this.#menu(menu)),
      h('label.check', {}, switched, words.rated),
      h('p.quiet', {}, about),
      h('label', {}, h('span.quiet', {}, words.venue), venue),
      h('p.quiet', {}, words.anyone),
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

  async #post(channel, button) {
    button.disabled = true;
    this.#key ??= crypto.randomUUID();
    const answer = await this.#site.send({ do: 'offer', id: this.#key, code: this.#code, channel });
    button.disabled = false;
    if (!answer.url) {
      write(this.#note, answer.line);
      return;
    }
    this.#key = null;
    this.#code = null;
    const copy = h('button', { 'data-focus': 'copy' }, this.#words.copy);
    const address = h('input', { readonly: true, value: answer.url, 'aria-label': this.#words.address });
    copy.addEventListener('click', async () => {
      address.select();
      await navigator.clipboard?.writeText(answer.url).then(() => write(copy, this.#words.copied), () => {});
    });
    const open = h('button', { onclick: () => this.#site.leave(answer.url) }, this.#words.card);
    this.#fields.replaceChildren(h('p', {}, this.#words.posted), address, h('div.row', {}, copy, open));
    copy.focus();
    this.#site.posted();
  }
}
