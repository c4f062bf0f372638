// Exercises: whatever is solved, in the place of the home, on one board. The server knows what is right; each answer has
// the verdict, and the exercise or the result that comes after it.

import { Drawing } from '../board/drawing.js';
import { h, write } from '../board/elements.js';
import { Keyboard } from '../board/keyboard.js';
import { Viewport } from '../board/viewport.js';

const GUARD = 700; // milliseconds after an answer in which a tap goes nowhere: it may be meant for the board before
const GLANCE = 250; // milliseconds that a dot is seen before a second tap plays it
const NEWCOMER = 'newcomer'; // the way to a first game
const GAME = 'game:'; // begins the way to a board
const BACK = 'back:'; // begins the way through the moves of an exercise that is over

export class Quiz {
  #site;
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
  #title;
  #field = h('div', { id: 'puzzle', role: 'application', tabindex: 0, hidden: true });
  #typed = h('form', { autocomplete: 'off', hidden: true });
  #head = h('strong');
  #said = h('p', { role: 'status' });
  #goal = h('p');
  #crossing = h('p.unseen', { role: 'status' });
  #ways = h('div.row');
  #newer = h('p', { role: 'status' });
  #solver = h('div.solver', {}, this.#field,
    h('div.told', {}, this.#head, this.#said, this.#goal, this.#ways, this.#typed, this.#newer, this.#crossing));
  #chapters = h('div.chapters');

  // `site.send(message)` resolves with the server's answer, {line, isRefused} where it refuses. `moved(address)` notes
  // where a reload goes on, `addressOf(match)` is that of a board, and `begin()` begins a first game.
  constructor({ site, words, theme, home }) {
    this.#site = site;
    this.#words = words;
    this.#theme = theme;
    this.#title = h('h1', { tabindex: -1 }, words.puzzles);
    this.element = h('main.puzzles', {}, h('a.line', { href: home }, `← ${words.title}`), this.#title, this.#solver, this.#chapters);
  }

  // Opens the exercise of an address, or goes on with it.
  async open(address) {
    await this.#do({ do: 'quiz', quiz: address });
    this.#title.focus({ preventScroll: true });
  }

  // What is on the board: a verdict, or the exercise; null where there is none.
  get #shown() {
    return this.#isJudged ? this.#told.verdict : (this.#told.step ?? null);
  }

  get #step() {
    return this.#isJudged ? null : (this.#told.step ?? null);
  }

  // Asks once at a time, and shows the answer.
  async #do(message) {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    this.element.setAttribute('aria-busy', 'true');
    const answer = await this.#site.send(message);
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
    this.#site.moved(answer.quiz);
    this.#show();
    return true;
  }

  #act(what, more) {
    return this.#do({ do: what, quiz: this.#told.quiz, ...more });
  }

  // Goes on from a verdict to what comes after it.
  #goOn() {
    if (!this.#follows) return;
    this.#isJudged = false;
    this.#show();
  }

  // Whether the answer has an exercise or a result after its verdict.
  get #follows() {
    return Boolean(this.#told.step || this.#told.result);
  }

  #show() {
    const { title, chapters } = this.#told;
    write(this.#title, title);
    this.#solver.hidden = Boolean(chapters);
    this.#chapters.replaceChildren(...(chapters ?? []).flatMap((each) => this.#chapter(each)));
    if (!chapters) this.#showExercise();
  }

  #showExercise() {
    const { verdict, step, result, notice, newer, labels } = this.#told;
    const shown = this.#shown;
    write(this.#head, shown?.head ?? '');
    if (this.#isJudged) this.#said.replaceChildren(h('span', {}, verdict.text), h('span.unseen', {}, ` ${verdict.line}`));
    else write(this.#said, [notice, ...(step ? [] : [result.text])].filter(Boolean).join('\n'));
    write(this.#goal, this.#step?.goal ?? '');
    write(this.#newer, newer ?? '');
    this.#field.hidden = !shown;
    this.#typed.hidden = !this.#step || this.#step.choices.length > 0;
    this.#field.setAttribute('aria-label', labels.field);
    if (shown) this.#draw();
    this.#showWays();
  }

  // The lessons of a chapter of the path.
  #chapter({ title, lessons }) {
    const item = ({ to, text, label, next }) => {
      const link = h('a.line', { href: this.#site.hrefOf(to), 'data-focus': to }, h('strong', {}, text), h('span.quiet', {}, label));
      if (next) link.setAttribute('aria-current', 'step');
      return h('li', {}, link);
    };
    return [h('h2', {}, title), h('ul.list', {}, ...lessons.map(item))];
  }

  #draw() {
    const { picture, coordinates } = this.#shown;
    const isFirst = !this.#drawing;
    if (isFirst) this.#begin();
    const sized = isFirst ? '' : `${this.#drawing.size}`;
    const ghost = this.#ghost && { point: this.#ghost, seat: this.#step.seat };
    const numbers = picture.numbers?.filter(({ point }) => `${point}` !== `${this.#ghost}`);
    this.#drawing.show({ ...picture, numbers, ghost }, coordinates);
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

  // Whether a dot may be laid at a crossing: on a free one, of the part and of the moves that are asked for.
  #allows(point) {
    const { choices, picture } = this.#step;
    if (choices.length) return choices.some((each) => `${each.point}` === `${point}`);
    const [low, high] = picture.focus ? [picture.focus.low, picture.focus.high] : [[0, 0], this.#drawing.size];
    const isInside = point.every((place, axis) => low[axis] <= place && place <= high[axis]);
    return isInside && !this.#stoneAt(point);
  }

  // A tap lays a dot, the second one plays it; where nobody wants to look first, so does the first. After a verdict it
  // goes on.
  #tap(point) {
    const now = performance.now();
    if (this.#isBusy || now < this.#guarded) return;
    if (this.#isJudged) this.#goOn();
    else if (this.#ghost && `${point}` === `${this.#ghost}`) {
      if (now >= this.#glanced) this.#play();
    } else if (this.#allows(point)) {
      this.#lay(point);
      if (this.#step.instant) this.#play();
    }
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
    const answer = this.#step.choices.findIndex(({ point }) => `${point}` === `${this.#ghost}`);
    return answer < 0 ? this.#act('solve', { move: this.#nameOf(this.#ghost) }) : this.#act('choose', { answer });
  }

  // The buttons for what can be done now, the usual one first.
  get #choices() {
    const { verdict, step, result, newer, labels, ways } = this.#told;
    const show = { key: 'show', label: labels.show, act: () => this.#act('solution') };
    const today = { key: 'today', label: labels.today, act: () => this.#go('daily') };
    const further = newer ? [today] : [];
    const own = this.#site.analysis && verdict?.is === 'solved' && this.#shown
      ? [{ key: 'own', label: this.#words.open_own, act: () => location.assign(this.#ownBoard()) }] : [];
    const isNext = !this.#isJudged && step && verdict?.is === 'solved'; // the ways are those from the exercise before
    const others = isNext ? [] : ways.map(({ label, to, primary }) => ({ key: to, label, isPrimary: primary, act: () => this.#go(to) }));
    if (this.#isJudged && this.#follows) {
      const onward = verdict.is === 'wrong' ? labels.again : step ? labels.next : labels.result;
      const back = others.filter(({ key }) => key.startsWith(BACK));
      return [{ key: 'onward', label: onward, isPrimary: true, act: () => this.#goOn() }, ...(verdict.is === 'wrong' ? [show] : back), ...own, ...further];
    }
    if (!step) {
      const copy = { key: 'copy', label: this.#words.share, isPrimary: !others.some(({ isPrimary }) => isPrimary), act: (button) => this.#copy(button) };
      return [...(result?.shared ? [copy] : []), ...others];
    }
    if (step.choices.length) {
      const moves = step.choices.map(({ label }, answer) => ({ key: `choice ${answer}`, label: `${answer + 1} · ${label}`, act: () => this.#act('choose', { answer }) }));
      return [...moves, ...others];
    }
    const play = {
      key: 'play',
      label: this.#ghost ? labels.play_at.replace('{turn}', this.#nameOf(this.#ghost)) : labels.play,
      isPrimary: true,
      isDisabled: !this.#ghost,
      act: () => this.#play(),
    };
    const stop = { key: 'stop', label: labels.stop, act: () => this.#act('solve', { move: step.stop }) };
    return [...(step.instant ? [] : [play]), ...(step.stop ? [stop] : []), ...(step.shows ? [show] : []), ...others, ...further];
  }

  // Returns the address of a board of one's own with the position that is shown, in letters.
  #ownBoard() {
    const { width, height, stones = [] } = this.#shown.picture;
    const rows = Array.from({ length: height }, () => Array(width).fill('.'));
    for (const { point: [x, y], seat, captured } of stones) rows[height - 1 - y][x] = (captured ? 'rbgv' : 'RBGV')[seat];
    const { analysis } = this.#site;
    return `${analysis}${analysis.includes('#') ? '&' : '#'}diagram=${encodeURIComponent(rows.map((row) => row.join('')).join('\n'))}`;
  }

  // Goes where a way leads.
  #go(to) {
    if (to === NEWCOMER) this.#site.begin();
    else if (to.startsWith(GAME)) location.assign(this.#site.addressOf(to.slice(GAME.length)));
    else this.#site.go(to);
  }

  #showWays() {
    const isFocused = this.#ways.contains(document.activeElement);
    const buttons = this.#choices.map(({ key, label, isPrimary = false, isDisabled = false, act }) => {
      const button = h(isPrimary ? 'button.primary' : 'button', { 'data-focus': key, disabled: isDisabled }, label);
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
