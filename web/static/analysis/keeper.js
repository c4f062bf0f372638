// Keeper: a board of one's own. A player's is kept by the server, which makes each change on the newest board; a visitor's
// is in this browser alone, and goes to the server and back with each question (docs/web-protocol.md). It answers as the
// socket of a game does, so that the sheet works with either.
// Events: `changed` where it has become another, `down` {line} and `up` as a connection has them, `signedout`.

import { Pauses } from '../board/pauses.js';

const KEPT = 'kropka-own-board'; // where the browser keeps a board
const MOST = 200; // steps that can be undone
const CHANGES = new Set(['lay', 'note', 'mark', 'erase', 'restore', 'set', 'start', 'put', 'rename']);
const FIELDS = ['name', 'rules', 'options', 'note', 'marks', 'next_id', 'turns', 'removed'];

export class Keeper extends EventTarget {
  #post;
  #words;
  #computer;
  #board = null;
  #former = []; // the boards before each change, for Undo
  #later = []; // those that were undone
  #isDown = false;
  seat = null; // who plays the next turn, out of turn

  // `post` sends a message, and resolves with a response.
  constructor(post, words, { computer, isPlayer }) {
    super();
    this.#post = post;
    this.#words = words;
    this.#computer = computer;
    this.isPlayer = isPlayer;
  }

  get board() {
    return this.#board;
  }

  get isKept() {
    return Boolean(this.#board?.board);
  }

  get mayUndo() {
    return this.#former.length > 0;
  }

  get mayRedo() {
    return this.#later.length > 0;
  }

  // Opens a board: what was done on another one is no longer undone.
  open(board) {
    this.#former = [];
    this.#later = [];
    this.seat = null;
    this.#take(board);
  }

  // Returns what the browser has kept, if anything.
  static kept() {
    try {
      return JSON.parse(localStorage.getItem(KEPT));
    } catch {
      return null; // a browser may keep nothing, or not let pages know what it keeps
    }
  }

  static forget() {
    try {
      localStorage.removeItem(KEPT);
    } catch {
      // nothing is kept
    }
  }

  async ask(message) {
    if (message.do === 'sheet') return this.#sheet();
    const answer = await this.call(message);
    return answer;
  }

  async act(message) {
    const before = this.#board;
    const answer = await this.call(message);
    if (answer.is === 'done') {
      this.#former = [...this.#former, before].slice(-MOST);
      this.#later = [];
      if (message.do === 'lay') this.seat = null;
      this.#take(answer.board);
    }
    return answer;
  }

  undo() {
    return this.#turnBack(this.#former, this.#later);
  }

  redo() {
    return this.#turnBack(this.#later, this.#former);
  }

  // Asks for the board as it is now: another browser may have changed it.
  async refresh() {
    if (!this.isKept) return;
    const { version } = this.#board;
    const answer = await this.call({ do: 'load' });
    if (answer.is === 'done' && answer.board.version > version) this.#take(answer.board);
  }

  // Sends a message about this board, again and again until there is a connection. Resolves with the answer.
  async call(message) {
    const body = { ...message, board: this.#board?.board ?? this.#document(this.#board) };
    if (['lay', 'sketch'].includes(message.do)) body.seat = this.seat;
    if (['set', 'start', 'put'].includes(message.do)) body.version = this.#board.version;
    delete body.key;
    const answer = await this.send(body);
    if (answer.is === 'refused' && answer.status === 401 && this.isPlayer) {
      this.#leave();
      return CHANGES.has(message.do) ? this.call(message) : answer;
    }
    return answer;
  }

  async send(body) {
    const pauses = new Pauses();
    for (;;) {
      try {
        const answer = await this.#post(body);
        const told = await answer.json();
        this.#note(false);
        return answer.ok ? told : { is: 'refused', line: told.line, status: answer.status };
      } catch {
        this.#note(true);
        await new Promise((resolve) => setTimeout(resolve, pauses.next()));
      }
    }
  }

  async #turnBack(from, to) {
    const [former, now] = [from.at(-1), this.#board];
    if (!former) return { is: 'done' };
    if (this.isKept) {
      const answer = await this.call({ do: 'put', to: this.#document(former) });
      if (answer.is !== 'done') {
        await this.refresh();
        return answer;
      }
      from.pop();
      to.push(now);
      this.#take(answer.board);
    } else {
      from.pop();
      to.push(now);
      this.#take(former);
    }
    return { is: 'done' };
  }

  // The session has ended: the board goes on in this browser.
  #leave() {
    this.isPlayer = false;
    this.#computer = false;
    this.#board = { ...this.#board, board: null };
    this.#save();
    this.dispatchEvent(new Event('signedout'));
  }

  #take(board) {
    this.#board = board;
    if (!board.board) this.#save();
    this.dispatchEvent(new Event('changed'));
  }

  #save() {
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.#document(this.#board)));
    } catch {
      // the board is lost with the page
    }
  }

  #document(board) {
    return board && Object.fromEntries(FIELDS.map((name) => [name, board[name]]));
  }

  #sheet() {
    const { version, turns } = this.#board;
    const computer = this.#computer;
    return { is: 'sheet', version, moves: [], turns, computer, published: null, others: [] };
  }

  #note(isDown) {
    if (isDown === this.#isDown) return;
    this.#isDown = isDown;
    if (isDown) this.dispatchEvent(new CustomEvent('down', { detail: { line: this.#words.away } }));
    else this.dispatchEvent(new Event('up'));
  }
}
