// Puzzles: today's puzzles in the place of the home, one step after the other on a board. The server knows what is right;
// each answer has the verdict, and the step or the result that comes after it.

import { Drawing } from '../board/drawing.js';
import { h, write } from '../board/elements.js';
import { Keyboard } from '../board/keyboard.js';
import { Viewport } from '../board/viewport.js';

const GUARD = 700; // milliseconds after an answer in which a tap goes nowhere: it may be meant for the board before
const GLANCE = 250; // milliseconds that a dot is seen before a second tap plays it

export class Puzzles {
  #send;
  #words;
  #theme;
  #told = null; // the newest answer
  #isJudged = false; // whether its verdict is shown, and not yet what comes after it
  #cursor = null; // the crossing where the keyboard is
  #ghost = null; // the crossing of the dot that is not played yet
  #glanced = 0; // from then on a tap plays it
  #guarded = 0; // until then taps go nowhere
  #isBusy = false;
  #drawing = null;
  #viewport = null;
  #title = h('h2', { tabindex: -1 });
  #field = h('div', { id: 'puzzle', role: 'application', tabindex: 0 });
  #typed = h('form', { autocomplete: 'off' });
  #head = h('strong');
  #said = h('p', { role: 'status' });
  #goal = h('p');
  #crossing = h('p.unseen', { role: 'status' });
  #ways = h('div.row');
  #newer = h('p', { role: 'status' });

  // `send(message)` resolves with the server's answer, {line, isRefused} where it refuses.
  constructor({ send, words, theme, home }) {
    this.#send = send;
    this.#words = words;
    this.#theme = theme;
    const told = h('div.told', {}, this.#head, this.#said, this.#goal, this.#ways, this.#typed, this.#newer, this.#crossing);
    this.element = h('main.puzzles', {}, h('a.line', { href: home }, `← ${words.title}`), this.#title, h('div.solver', {}, this.#field, told));
  }

  // Opens today's puzzles, or goes on with them.
  async open() {
    await this.#do({ do: 'puzzles' });
    this.#title.focus({ preventScroll: true });
  }

  // What is on the board: a verdict, or the step to play; null once all are over.
  get #shown() {
    return this.#isJudged ? this.#told.verdict : this.#told.step;
  }

  get #step() {
    return this.#isJudged ? null : this.#told.step;
  }

  // Asks once at a time, and shows the answer.
  async #do(message) {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    this.element.setAttribute('aria-busy', 'true');
    const answer = await this.#send(message);
    this.#isBusy = false;
    this.element.removeAttribute('aria-busy');
    if (answer.isRefused) {
      write(this.#said, answer.line);
      return false;
    }
    if (this.#told) this.#guarded = performance.now() + GUARD;
    this.#told = answer;
    this.#isJudged = Boolean(answer.verdict);
    this.#ghost = null;
    this.#show();
    return true;
  }

  #act(what, more) {
    const { day, tries } = this.#told;
    return this.#do({ do: what, day, tries, ...more });
  }

  // Goes on from a verdict to what comes after it.
  #goOn() {
    this.#isJudged = false;
    this.#show();
  }

  #show() {
    const { title, verdict, step, result, notice, newer, labels } = this.#told;
    const shown = this.#shown;
    write(this.#title, title);
    write(this.#head, shown?.head ?? '');
    if (this.#isJudged) this.#said.replaceChildren(verdict.text, h('span.unseen', {}, ` ${verdict.line}`));
    else write(this.#said, [notice, ...(step ? [] : [result.text])].filter(Boolean).join('\n'));
    write(this.#goal, this.#step?.goal ?? '');
    write(this.#newer, newer ?? '');
    this.#field.hidden = !shown;
    this.#typed.hidden = !this.#step;
    this.#field.setAttribute('aria-label', labels.field);
    if (shown) this.#draw();
    this.#showWays();
  }

  #draw() {
    const { picture, coordinates } = this.#shown;
    const isFirst = !this.#drawing;
    if (isFirst) this.#begin();
    const sized = isFirst ? '' : `${this.#drawing.size}`;
    const ghost = this.#ghost && { point: this.#ghost, seat: this.#step.seat };
    this.#drawing.show({ ...picture, ghost }, coordinates);
    if (sized !== `${this.#drawing.size}`) this.#viewport.showAll();
  }

  #begin() {
    this.#drawing = new Drawing(this.#theme);
    this.#viewport = new Viewport(this.#field, this.#drawing);
    this.#viewport.chooses = (point) => `${this.#ghost}` === `${point}`;
    this.#viewport.addEventListener('tap', ({ detail }) => this.#tap(detail.point));
    new Keyboard(this.#field, this.#typed, this.#told.labels, {
      size: () => this.#drawing.size,
      move: (point) => {
        this.#cursor = point;
        this.#drawing.point(point);
        if (point) this.#viewport.reveal(point);
      },
      name: (point) => this.#nameOf(point),
      enter: (point) => this.#tap(point),
      type: (move) => this.#act('solve', { move }),
      describe: () => this.#describe(),
      undo: () => this.#lay(null),
    });
  }

  #nameOf([x, y]) {
    const { columns, rows } = this.#shown.coordinates;
    return `${columns[x]}${rows[y]}`;
  }

  #stoneAt(point) {
    return this.#shown.picture.stones?.find((stone) => `${stone.point}` === `${point}`);
  }

  // Has a screen reader say the crossing where the keyboard is, and whose dot is there.
  #describe() {
    if (!this.#shown || !this.#cursor) return;
    const stone = this.#stoneAt(this.#cursor);
    write(this.#crossing, [this.#nameOf(this.#cursor), stone && this.#told.colours[stone.seat]].filter(Boolean).join(', '));
  }

  // A tap lays a dot, the second one plays it. After a verdict it goes on.
  #tap(point) {
    const now = performance.now();
    if (this.#isBusy || now < this.#guarded) return;
    if (this.#isJudged) this.#goOn();
    else if (`${point}` === `${this.#ghost}`) {
      if (now >= this.#glanced) this.#play();
    } else if (!this.#stoneAt(point)) this.#lay(point);
  }

  #lay(point) {
    if (!this.#step) return;
    const [width, height] = this.#drawing.size;
    if (point && (point[0] >= width || point[1] >= height)) return; // the keyboard was on a larger board
    this.#ghost = point;
    write(this.#said, this.#told.notice);
    this.#glanced = performance.now() + GLANCE;
    this.#draw();
    this.#showWays();
  }

  #play() {
    return this.#act('solve', { move: this.#nameOf(this.#ghost) });
  }

  // The buttons for what can be done now, the usual one first.
  get #choices() {
    const { verdict, step, result, newer, labels } = this.#told;
    const show = { key: 'show', label: labels.show, act: () => this.#act('solution') };
    const today = { key: 'today', label: labels.today, act: () => this.#do({ do: 'puzzles' }) };
    const further = newer ? [today] : [];
    if (this.#isJudged) {
      const onward = { wrong: labels.again, solved: labels.next, last: labels.result }[verdict.is];
      return [{ key: 'onward', label: onward, act: () => this.#goOn() }, ...(verdict.is === 'wrong' ? [show] : []), ...further];
    }
    if (result) return [...further, { key: 'copy', label: this.#words.share, act: (button) => this.#copy(button) }];
    const play = {
      key: 'play',
      label: this.#ghost ? labels.play_at.replace('{turn}', this.#nameOf(this.#ghost)) : labels.play,
      isDisabled: !this.#ghost,
      act: () => this.#play(),
    };
    const stop = { key: 'stop', label: labels.stop, act: () => this.#act('solve', { move: step.stop }) };
    return [play, ...(step.stop ? [stop] : []), ...(step.shows ? [show] : []), ...further];
  }

  #showWays() {
    const isFocused = this.#ways.contains(document.activeElement);
    const buttons = this.#choices.map(({ key, label, isDisabled = false, act }, place) => {
      const button = h(place ? 'button' : 'button.primary', { 'data-focus': key, disabled: isDisabled }, label);
      button.addEventListener('click', () => act(button));
      return button;
    });
    this.#ways.replaceChildren(...buttons);
    if (isFocused) (buttons.find(({ disabled }) => !disabled) ?? this.#field).focus({ preventScroll: true });
  }

  // Copies the result; where the browser does not let it, the text is there to be copied by hand.
  async #copy(button) {
    const { shared } = this.#told.result;
    try {
      await navigator.clipboard.writeText(shared);
      write(button, this.#words.copied);
    } catch {
      const text = h('textarea', { readonly: true, rows: shared.split('\n').length }, shared);
      this.#ways.after(h('label', {}, this.#told.labels.copy_text, text));
      button.remove();
      text.focus();
      text.select();
    }
  }
}
