// The panel of a study: its chapters, who is there, and for its owner whom it is shared with.

import { h } from '../board/elements.js';
import { onSubmit } from '../board/forms.js';
import { Maker } from './maker.js';
import { dye } from './people.js';
import { sourceOf } from './source.js';

export class Panel {
  #study;
  #chapter;
  #words;
  #site;
  #people = [];
  #you = 0;
  #sharing = false; // whether the part on sharing is in sight
  #there = h('ul', { id: 'study-people' });
  #adding = null; // how a chapter is added
  #trouble = h('p', { role: 'alert' });
  #maker = null; // makes lessons and puzzles, for players
  strokes = new Map(); // the turn that each has laid last
  element = h('div', { id: 'study-panel' });

  // `site` has `ask(body)`, `ownBoards()`, `go(chapter)`, `leave()`, `showTurn(id)` and `origin`, that of a browser's pages.
  constructor(study, chapter, words, site) {
    this.#study = study;
    this.#chapter = chapter;
    this.#words = words;
    this.#site = site;
    this.#there.setAttribute('aria-label', words.people);
    this.#show();
  }

  // Lets a player make lessons and puzzles of the position on the board: `place()` returns its turn.
  offerMaking(place) {
    const { name } = this.#study.chapters.find(({ chapter }) => chapter === this.#chapter);
    this.#maker = new Maker(this.#words, name, { ask: this.#site.ask, place });
    this.#show();
  }

  // The board shows another position.
  turned() {
    this.#maker?.forget();
  }

  // Lets those who draw add chapters, by some of these rules.
  async offerChapters(rules) {
    const source = sourceOf(this.#words, rules, await this.#site.ownBoards());
    this.#adding = h('form', { class: 'stack' }, ...source.parts, h('button', { type: 'submit' }, this.#words.add_chapter));
    onSubmit(this.#adding, () => this.#add(source.value()));
    this.#show();
  }

  #whose() {
    const { server } = this.#study;
    return server === null ? [] : [h('p.quiet', {}, this.#words.of_server.replace('{server}', server))];
  }

  get #isOwner() {
    return this.#study.role === 'owner';
  }

  nameOf(who) {
    return this.#people.find((each) => each.who === who)?.name ?? null;
  }

  showPeople({ people, you }) {
    this.#people = people;
    this.#you = you;
    this.#showPeople();
  }

  noteStroke({ who, turns }) {
    const laid = turns.at(-1);
    if (who === null || !laid) return;
    this.strokes.set(who, laid);
    this.#showPeople();
  }

  // Asks for the study as it is now. Resolves with what the reader may do there.
  async refresh() {
    await this.#do({ do: 'open' });
    return this.#study.role;
  }

  async #do(body) {
    const answer = await this.#site.ask(body);
    this.#trouble.replaceChildren(answer.is === 'done' ? '' : answer.line);
    const isSame = answer.study && JSON.stringify(answer.study) === JSON.stringify(this.#study);
    if (answer.study) this.#study = answer.study;
    if (!isSame) this.#show(); // what is half pressed or typed stays while nothing is other
    return answer;
  }

  #show() {
    const focus = this.element.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    this.element.replaceChildren(this.#there, this.#further(), ...(this.#maker ? [this.#maker.element] : []), this.#trouble);
    if (focus) this.element.querySelector(`[data-focus="${focus}"]`)?.focus();
  }

  #button(key, press, more = {}) {
    return h('button', { onclick: press, 'data-focus': key, ...more }, this.#words[key]);
  }

  // A button that asks once more before it does what cannot be undone.
  #sure(key, press) {
    const button = this.#button(key, () => {
      if (button.dataset.sure) press();
      else {
        button.dataset.sure = 'yes';
        button.replaceChildren(this.#words.sure);
      }
    });
    button.classList.add('danger');
    return button;
  }

  #chapters() {
    const chosen = h('select', { 'data-focus': 'chapter' }, ...this.#study.chapters.map(({ chapter, name }, place) =>
      h('option', { value: chapter, selected: chapter === this.#chapter }, `${place + 1}. ${name}`)));
    chosen.addEventListener('change', () => this.#site.go(Number(chosen.value)));
    return h('label', {}, this.#words.chapter, chosen);
  }

  // Shows who is there, and as buttons what each has drawn last.
  #showPeople() {
    const focus = this.#there.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    this.#there.replaceChildren(...this.#people.map(({ who, name, draws }) => {
      const stroke = this.strokes.get(who);
      const label = who === this.#you ? this.#words.you.replace('{name}', name) : name;
      return dye(h('li', {}, h('span.swatch', { 'aria-hidden': 'true' }), label,
        ...(draws ? [] : [h('span.quiet', {}, this.#words.reads)]),
        ...(stroke ? [h('button', { onclick: () => this.#site.showTurn(stroke.id), 'data-focus': `stroke${who}` },
          this.#words.last.replace('{turn}', stroke.text))] : [])), who);
    }));
    if (focus) this.#there.querySelector(`[data-focus="${focus}"]`)?.focus();
  }

  #further() {
    const parts = h('details', { open: this.#sharing }, h('summary', { 'data-focus': 'further' }, this.#words.further),
      h('div', { class: 'stack' }, h('h2', {}, this.#study.name), ...this.#whose(), this.#chapters(), ...(this.#adding && this.#study.role !== 'reader' ? [this.#adding] : []),
        ...(this.#isOwner ? this.#ownerParts() : this.#study.member ? [this.#sure('leave_study', () => this.#end('leave'))] : [])));
    parts.addEventListener('toggle', () => {
      this.#sharing = parts.open;
    });
    return parts;
  }

  async #add(source) {
    const answer = await this.#do({ do: 'chapter', ...source });
    if (answer.chapter) this.#site.go(answer.chapter);
  }

  async #end(name) {
    const answer = await this.#do({ do: name });
    if (answer.is === 'done') this.#site.leave();
  }

  #ownerParts() {
    const { public: isPublic, listed, study, chapters } = this.#study;
    const words = this.#words;
    const check = (key, checked, change, disabled = false) => {
      const box = h('input', { type: 'checkbox', checked, disabled, 'data-focus': key });
      box.addEventListener('change', () => change(box.checked));
      return h('label', { class: 'check' }, box, words[key]);
    };
    const publish = (body) => this.#do({ do: 'publish', public: isPublic, listed, ...body });
    return [
      ...(chapters.length > 1 ? [this.#sure('delete_chapter', () => this.#drop())] : []),
      h('h3', {}, words.sharing),
      ...(this.#study.server === null ? this.#linkParts() : [this.#drawers()]),
      check('public', isPublic, (value) => publish({ public: value })),
      ...(isPublic ? [this.#address(words.address, `${this.#site.origin}/study/${study}`, 'address'),
        check('listed', listed, (value) => publish({ listed: value }))] : []),
      this.#sure('delete_study', () => this.#end('delete')),
    ];
  }

  #linkParts() {
    const { link, lends, members, study } = this.#study;
    const words = this.#words;
    const role = this.#roles(lends, 'lends');
    return [
      ...(link ? [this.#address(words.link, `${this.#site.origin}/study/${study}#join=${link}`, 'link'),
        this.#button('end_sharing', () => this.#do({ do: 'unshare' }))]
        : [h('label', {}, words.lends, role), this.#button('make_link', () => this.#do({ do: 'share', role: role.value }))]),
      ...members.map((member) => this.#member(member)),
    ];
  }

  // Which members of the server draw, beside its hosts.
  #drawers() {
    const { drawers, roles } = this.#study;
    const words = this.#words;
    const options = [{ role: '', name: words.nobody }, { role: '0', name: words.everybody }, ...roles];
    const select = h('select', { 'data-focus': 'drawers' }, ...options.map(({ role, name }) =>
      h('option', { value: role, selected: role === (drawers ?? '') }, name)));
    select.addEventListener('change', () => this.#do({ do: 'drawers', drawers: select.value || null }));
    return h('label', {}, words.drawers, select);
  }

  #address(label, value, focus) {
    const field = h('input', { value, readonly: true, 'data-focus': focus });
    field.addEventListener('focus', () => field.select());
    return h('label', {}, label, field);
  }

  #roles(chosen, focus) {
    return h('select', { 'data-focus': focus }, ...['reader', 'drawer'].map((value) =>
      h('option', { value, selected: value === chosen }, this.#words[value])));
  }

  #member({ user, name, role }) {
    const select = this.#roles(role, `role${user}`);
    select.addEventListener('change', () => this.#do({ do: 'lend', user, role: select.value }));
    return h('div', { class: 'member' }, h('label', {}, name, select),
      h('button', { onclick: () => this.#do({ do: 'lend', user, role: null }), 'data-focus': `out${user}` }, this.#words.let_out));
  }

  async #drop() {
    const answer = await this.#do({ do: 'unchapter', chapter: this.#chapter });
    if (answer.is === 'done') this.#site.go(answer.study.chapters[0].chapter);
  }
}
