// Tools: what is beside the board of the sheet: the turn that is entered, the note of a place, plans, the computer's
// view, and the notes that are published after the game.

import { h } from '../board/elements.js';

const GUARD = 700; // milliseconds after a move of the game in which the button that plays does nothing
const PAUSE = 1000; // milliseconds without a key after which a note is saved
const WALKS = { first: ['«', 'Home'], back: ['‹', 'PageUp'], on: ['›', 'PageDown'], now: ['»', 'End'] };

export class Tools {
  #parts;
  #words;
  #desk;
  #page;
  #place = null;
  #weighs = false; // whether the computer's view is shown
  #guarded = 0;
  #isWeighing = false;
  #saving = 0; // the timer that saves the note
  #isTyped = false; // whether the note in the field is the reader's: another may have written the one that is kept

  // `page` has `walk(way)`, `go(key)`, `before(place)`, `version()`, `draw()` and `show(picture)`.
  constructor(parts, words, desk, page) {
    this.#parts = parts;
    this.#words = words;
    this.#desk = desk;
    this.#page = page;
    parts.walk.append(...Object.entries(WALKS).map(([way, [sign, key]]) =>
      h('button', { onclick: () => page.walk(way), 'aria-label': words[way], title: words[way], 'aria-keyshortcuts': key }, sign)));
    parts.note.addEventListener('change', () => this.save());
    parts.note.addEventListener('input', () => {
      parts.saved.replaceChildren();
      this.#isTyped = true;
      clearTimeout(this.#saving);
      this.#saving = setTimeout(() => this.save(), PAUSE);
    });
    addEventListener('pagehide', () => this.save());
  }

  tell(line, isTrouble = true) {
    this.#parts.line.textContent = line ?? '';
    this.#parts.line.classList.toggle('trouble', isTrouble);
  }

  showTurn(turn, trouble, line) {
    this.tell(trouble || turn.ghost?.line || line, Boolean(trouble));
    const choices = (turn.ghost?.choices ?? []).map((choice) =>
      h('button', {
        onclick: () => turn.choose(choice.step), disabled: choice.disabled || false, 'aria-pressed': `${Boolean(choice.chosen)}`,
      }, choice.label));
    const own = turn.isBegun
      ? [h('button.primary', { onclick: () => turn.play(), disabled: !turn.mayPlay }, this.#words.lay),
        h('button', { onclick: () => turn.undo(), disabled: turn.isSending }, this.#words.clear)]
      : [];
    this.#parts.choices.classList.toggle('compass', turn.ghost?.columns === 3);
    this.#parts.choices.replaceChildren(...choices, ...own);
  }

  // Shows what may be done at a place. `lead` is the branch to it from the current position, if it can be planned.
  showPlace(place, lead) {
    const { deeds, note } = this.#parts;
    if (place.key !== this.#place?.key || note !== document.activeElement) this.#write(place);
    this.#place = place;
    const isOwn = this.#desk.mayDraw;
    deeds.replaceChildren(
      ...(lead && isOwn ? [this.#planner(place, lead)] : []),
      ...(place.turns.some(({ planned }) => planned)
        ? [this.#button(this.#words.unplan, () => this.#do(this.#desk.unplan()))] : []),
      ...(!place.isGame && isOwn ? [this.#button(this.#words.erase, () => this.#erase(place))] : []),
      ...(this.#desk.mayRestore ? [this.#button(this.#words.restore, () => this.#restore())] : []),
      ...(this.#desk.hasComputer ? [this.#weigher()] : []),
    );
    this.#share();
  }

  // After a move of the game the button that plays does nothing for a moment: it may be another position by now.
  guard() {
    this.#guarded = performance.now() + GUARD;
    setTimeout(() => this.#page.draw(), GUARD);
  }

  // Saves the note: after a pause, and when its field or its place is left.
  async save() {
    clearTimeout(this.#saving);
    const [place, text] = [this.#place, this.#parts.note.value.trim()];
    if (!place || !this.#isTyped || this.#parts.note.disabled) return;
    this.#isTyped = false;
    if (text === noteOf(place)) return;
    const answer = await this.#desk.note(place, text, this.#page.before(place));
    if (answer.is === 'refused') this.tell(answer.line);
    else if (place.key === this.#place.key) this.#parts.saved.textContent = this.#words.saved;
  }

  // Shows the computer's view of a place, if it is wanted.
  // It takes seconds: where one has walked on meanwhile, the computer looks at the newest place next.
  async weigh(place) {
    if (!this.#weighs || !this.#desk.hasComputer || this.#isWeighing) return;
    this.#isWeighing = true;
    const answer = await this.#desk.weigh(place);
    this.#isWeighing = false;
    if (place.key !== this.#place.key) {
      this.weigh(this.#place);
    } else if (answer && this.#weighs) {
      this.tell(answer.line, answer.is === 'refused');
      if (answer.picture) this.#page.show(answer.picture);
    }
  }

  #button(label, press, more = {}) {
    return h('button', { onclick: press, ...more }, label);
  }

  #planner(place, { own }) {
    const label = own ? this.#words.play_and_plan.replace('{turn}', own) : this.#words.plan;
    const waits = performance.now() < this.#guarded;
    return h('button.primary', { onclick: () => this.#plan(place), disabled: Boolean(own) && waits }, label);
  }

  async #plan(place) {
    await this.#do(this.#desk.plan(place, this.#page.version()));
  }

  async #do(deed) {
    const answer = await deed;
    this.tell(answer.line, answer.is === 'refused');
    return answer.is === 'done';
  }

  async #erase(place) {
    if (await this.#do(this.#desk.erase(place))) this.#page.go(place.parent);
  }

  async #restore() {
    const answer = await this.#desk.restore();
    if (answer.is === 'refused') this.tell(answer.line);
    else this.#page.goTo(answer.turn);
  }

  #weigher() {
    const press = () => {
      this.#weighs = !this.#weighs;
      this.#page.draw();
      if (this.#weighs) this.weigh(this.#place);
    };
    return this.#button(this.#words.computer, press, { 'aria-pressed': `${this.#weighs}` });
  }

  // The notes that both may publish after the game.
  #share() {
    const { isPublished, others, reader } = this.#desk;
    const found = [];
    if (isPublished !== null) {
      const label = isPublished ? this.#words.unpublish : this.#words.publish;
      found.push(this.#button(label, () => this.#do(this.#desk.publish(!isPublished))));
    }
    for (const { seat, name } of others) {
      found.push(this.#button(this.#words.read.replace('{name}', name), () => this.#desk.turnTo(seat),
        { 'aria-pressed': `${seat === reader}` }));
    }
    if (reader !== null) found.push(this.#button(this.#words.own, () => this.#desk.turnTo(null)));
    this.#parts.shared.replaceChildren(...found);
    this.#parts.help.textContent = `${isPublished ? this.#words.public : this.#words.private} ${this.#words.help}`.trim();
  }

  #write(place) {
    const { note, saved } = this.#parts;
    note.value = noteOf(place);
    this.#isTyped = false;
    note.disabled = place.parent === null && !place.turns.length;
    note.readOnly = !this.#desk.mayDraw;
    if (place.key !== this.#place?.key) saved.replaceChildren();
  }
}

function noteOf({ turns }) {
  return turns.find(({ note }) => note)?.note ?? '';
}
