// Keeper of a chapter: a board on which several people draw. Strokes go out by its socket, under keys, and are sent again
// until they are answered; what they have changed comes to all who are there, from version to version. It answers as the
// keeper of a board of one's own does, so that the analysis works with either.
// Events: those of a keeper, `people` {people, you}, `cursor` {who, turn, point}, `stroke` {who, turns}, `study`.

import { Keeper } from '../analysis/keeper.js';

const STROKES = new Set(['lay', 'note', 'mark', 'erase', 'restore', 'name']); // which fit into a message of the socket
const HEAD = ['name', 'note', 'marks', 'next_id', 'version'];
const MOST = 200; // strokes that can be undone
const POINTING = 120; // milliseconds between two places of a pointer

export class StudyKeeper extends Keeper {
  #place; // which chapter of which study
  #connection;
  #computer;
  #board;
  #former = []; // what undoes the reader's own strokes
  #later = [];
  #pointed = '';
  #pointing = 0;
  isShared = true;

  // `connection` is null for a visitor, who reads. `board` is the chapter as it is now.
  constructor(post, told, { study, chapter, board, role, connection, isFramed = false }) {
    super(post, told.words, { computer: told.computer, isPlayer: told.player, isFramed });
    this.#place = { study, chapter };
    this.#board = board;
    this.#computer = told.computer;
    this.#connection = connection;
    this.mayDraw = role !== 'reader';
    if (connection) this.#listen(connection);
  }

  get board() {
    return this.#board;
  }

  get isKept() {
    return true;
  }

  get mayUndo() {
    return this.#former.length > 0;
  }

  get mayRedo() {
    return this.#later.length > 0;
  }

  /** @returns {Promise<any>} */
  async open() {
    return { is: 'done', board: this.#board };
  }

  async ask(message) {
    if (message.do !== 'sheet') return this.call(message);
    const { version, turns } = this.#board;
    return { is: 'sheet', version, moves: [], turns, computer: this.#computer, published: null, others: [] };
  }

  async call(message) {
    const body = { ...message, ...this.#place };
    if (['lay', 'sketch'].includes(message.do)) body.seat = this.seat;
    if (['set', 'start'].includes(message.do)) body.version = this.#board.version;
    return this.send(body);
  }

  async act(message) {
    const made = typeof message === 'function' ? message(this.#board) : message;
    const [answer, inverse] = await this.#draw(made.do === 'rename' ? { ...made, do: 'name' } : made);
    if (answer.is === 'done') {
      if (inverse) this.#former = [...this.#former, inverse].slice(-MOST);
      this.#later = [];
      if (made.do === 'lay') this.seat = null;
    }
    return answer;
  }

  undo() {
    return this.#turnBack(this.#former, this.#later);
  }

  redo() {
    return this.#turnBack(this.#later, this.#former);
  }

  /** @returns {Promise<any>} */
  async refresh() {
    const answer = await this.call({ do: 'load' });
    const isNewer = answer.is === 'done' && answer.board.version > this.#board.version;
    if (isNewer) this.#take(answer.board);
    return isNewer;
  }

  // Takes in that its reader may draw, or no longer.
  lend(role) {
    const draws = role !== 'reader';
    if (draws === this.mayDraw) return;
    this.mayDraw = draws;
    this.dispatchEvent(new Event('changed'));
  }

  // Shows the others where one points: at a crossing of the place after a turn.
  point(turn, point) {
    const told = `${turn} ${point}`;
    if (told === this.#pointed || !this.#connection) return;
    this.#pointed = told;
    clearTimeout(this.#pointing);
    this.#pointing = setTimeout(() => this.#connection.ask({ do: 'cursor', turn, point }), POINTING);
  }

  async #turnBack(from, to) {
    const step = from.pop();
    if (!step) return { is: 'done' };
    const [answer, inverse] = await this.#draw(step);
    if (answer.is === 'done' && inverse) to.push(inverse);
    return answer;
  }

  // Makes a stroke. Resolves with the answer, and what undoes it, if anything does.
  async #draw(message) {
    const before = this.#board;
    const isShort = STROKES.has(message.do) && this.#connection;
    const body = message.do === 'lay' ? { ...message, seat: this.seat } : message;
    const answer = await (isShort ? this.#connection.act(body) : this.call({ ...message, id: crypto.randomUUID() }));
    return [answer, answer.is === 'done' ? inverseOf(message, answer, before) : null];
  }

  #listen(connection) {
    const pass = (name) => connection.addEventListener(name, ({ detail }) => this.dispatchEvent(new CustomEvent(name, { detail })));
    for (const name of ['up', 'down', 'slow', 'people', 'cursor', 'study']) pass(name);
    connection.addEventListener('board', ({ detail }) => this.#take(detail.board));
    connection.addEventListener('renewed', () => this.refresh());
    connection.addEventListener('drawn', ({ detail }) => this.#apply(detail));
  }

  #apply(stroke) {
    if (stroke.version <= this.#board.version) return;
    if (stroke.from !== this.#board.version) {
      this.refresh();
      return;
    }
    const turns = new Map(this.#board.turns.map((turn) => [turn.id, turn]));
    for (const turn of stroke.put) turns.set(turn.id, turn);
    for (const id of stroke.gone) turns.delete(id);
    const head = Object.fromEntries(HEAD.map((name) => [name, stroke[name]]));
    this.#take({ ...this.#board, ...head, turns: [...turns.values()].sort((one, other) => one.id - other.id) });
    this.dispatchEvent(new CustomEvent('stroke', { detail: { who: stroke.who, turns: stroke.put } }));
  }

  #take(board) {
    this.#board = board;
    this.dispatchEvent(new Event('changed'));
  }
}

// Returns what undoes a stroke that was made on the board as it was `before`, or null if nothing does.
function inverseOf({ do: name, turn }, answer, before) {
  const there = turn === null ? before : before.turns.find(({ id }) => id === turn);
  switch (name) {
    case 'lay': return before.turns.some(({ id }) => id === answer.turn) ? null : { do: 'erase', turn: answer.turn };
    case 'erase': return { do: 'restore', turn };
    case 'restore': return { do: 'erase', turn };
    case 'note': return there ? { do: 'note', turn, note: there.note } : null;
    case 'mark': return there ? { do: 'mark', turn, marks: there.marks } : null;
    default: return null;
  }
}
