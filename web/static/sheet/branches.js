// Branches: the tree on the page. A tap on a move goes there.

import { h } from '../board/elements.js';
import { outline } from './tree.js';

export class Branches {
  #element;
  #words;
  #mark;
  #go;
  #open = new Set(); // folds that were opened, by their first key
  #tree = null;
  #here = 'm0';

  // `mark` makes the dot of a seat, and `go` takes the key of the place that was tapped.
  constructor(element, words, mark, go) {
    this.#element = element;
    this.#words = words;
    this.#mark = mark;
    this.#go = go;
  }

  show(tree, here) {
    const moved = this.#tree === null || here !== this.#here;
    this.#tree = tree;
    this.#here = here;
    const focus = this.#element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.#element.replaceChildren(...outline(tree, here, this.#open).map((item) => this.#item(item)));
    if (focus) this.#find(focus)?.focus();
    if (moved) this.#find(here)?.scrollIntoView({ block: 'nearest' });
  }

  #find(key) {
    return this.#element.querySelector(`[data-key="${key}"]`);
  }

  #item({ key, fold, branch }) {
    if (branch) return h('li.branch', {}, h('ol', {}, ...branch.map((item) => this.#item(item))));
    if (fold) return h('li', {}, this.#fold(fold));
    const place = this.#tree.at(key);
    const note = place.turns.map((turn) => turn.note).filter(Boolean).join(' ');
    const plan = place.turns.some((turn) => turn.planned) ? [h('span.plan', {}, this.#words.planned)] : [];
    return h('li', {}, this.#move(place), ...plan, ...(note ? [h('q', {}, note)] : []));
  }

  #fold(keys) {
    const [first, last] = [keys[0], keys.at(-1)].map((key) => this.#tree.at(key).number);
    const open = () => {
      this.#open.add(keys[0]);
      this.show(this.#tree, this.#here);
      this.#find(keys[0])?.focus();
    };
    const label = this.#words.folded.replace('{first}', first).replace('{last}', last);
    return h('button.fold', { onclick: open, 'aria-label': label, 'data-key': `f${keys[0]}` }, `${first}–${last} …`);
  }

  #move({ key, number, text, seat, isGame }) {
    const now = key === this.#tree.end && !this.#tree.isOwn;
    const said = [number, text || this.#words.beginning, now && this.#words.current];
    const mark = seat === null ? h('span.mark') : this.#mark(seat);
    const button = h('button.move', {
      onclick: () => this.#go(key), 'data-key': key, 'aria-current': key === this.#here ? 'true' : false,
      'aria-label': said.filter(Boolean).join(', '), title: text,
    }, h('small', {}, `${number}`), mark, h('span.text', {}, text || this.#words.beginning));
    button.classList.toggle('game', isGame);
    button.classList.toggle('now', now);
    return button;
  }
}
