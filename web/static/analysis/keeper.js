// Keeper: a board of one's own. A player's is kept by the server, which makes each change on the newest board; a visitor's
// is in this browser alone, and goes to the server and back with each question (docs/web-protocol.md). It answers as the
// socket of a game does, so that the sheet works with either. Changes are made one after the other, in the order of taps.
// Events: `changed` where it has become another, `down` {line} and `up` as a connection has them, `signedout`.

import { Pauses } from '../board/pauses.js';

const KEPT = 'kropka-own-board'; // where the browser keeps a board
const MOST = 200; // steps that can be undone
const LATER = [429, 502, 503, 504]; // statuses after which the same question may be answered
const FIELDS = ['name', 'rules', 'options', 'note', 'marks', 'next_id', 'turns', 'removed', 'origin', 'match'];

export class Keeper extends EventTarget {
  #post;
  #words;
  #computer;
  #board = null;
  #former = []; // the boards before each change, for Undo
  #later = []; // those that were undone
  #isDown = false;
  #changes = 0; // how often it has become another board
  #last = Promise.resolve(); // until all that was begun is done
  #link; // the address at which the board of another is read, or null
  seat = null; // who plays the next turn, out of turn
  mayDraw = true;
  isShared = false; // whether it is a chapter of a study

  // `post(message, isPlayer)` sends a message of a player or a visitor, and resolves with a response. In a frame the board
  // of one who is signed out does not go on. The board at a `link` is only read.
  constructor(post, words, { computer, isPlayer, isFramed, link = null }) {
    super();
    this.#link = link;
    this.mayDraw = link === null;
    this.#post = post;
    this.#words = words;
    this.#computer = computer;
    this.isPlayer = isPlayer;
    this.isFramed = isFramed;
  }

  get board() {
    return this.#board;
  }

  // What another browser needs to go on with the board.
  get copy() {
    return this.#document(this.#board);
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

  // Opens the board that a message asks for: what was done on another one is no longer undone. Resolves with the answer.
  open(message) {
    return this.#inTurn(async () => {
      const answer = await this.send(message);
      if (answer.is === 'done') {
        this.seat = null;
        this.#take(answer.board, false);
      }
      return answer;
    });
  }

  // Returns what this tab has kept, else the browser, if anything: two tabs have two boards.
  static kept() {
    try {
      return JSON.parse(sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT));
    } catch {
      return null; // a browser may keep nothing, or not let pages know what it keeps
    }
  }

  static forget() {
    try {
      for (const storage of [sessionStorage, localStorage]) storage.removeItem(KEPT);
    } catch {
      // nothing is kept
    }
  }

  // Keeps a board in the browser, so that the page of boards of one's own goes on with it.
  static put(board) {
    try {
      const text = JSON.stringify(board);
      for (const storage of [sessionStorage, localStorage]) storage.setItem(KEPT, text);
    } catch {
      // the board is lost with the page
    }
  }

  ask(message) {
    return message.do === 'sheet' ? this.#sheet() : this.call(message);
  }

  // Changes the board: by a message, or by one that is made of the board as it is when its turn comes.
  act(message) {
    if (!this.mayDraw) return Promise.resolve({ is: 'refused', line: this.#words.read_only });
    return this.#inTurn(async () => {
      const before = this.#board;
      const answer = await this.call(typeof message === 'function' ? message(before) : message);
      if (answer.is === 'done') {
        if (message.do === 'lay') this.seat = null;
        const isAlone = answer.board.version <= before.version + 1;
        if (isAlone) this.#former = [...this.#former, this.isPlayer ? before : local(before)].slice(-MOST);
        this.#later = [];
        this.#take(answer.board, isAlone);
      } else {
        await this.#reload();
      }
      return answer;
    });
  }

  undo() {
    return this.#turnBack('undo');
  }

  redo() {
    return this.#turnBack('redo');
  }

  // Asks for the board as it is now: another browser may have changed it. Resolves with whether one has.
  refresh() {
    return this.#inTurn(() => this.#reload());
  }

  async #reload() {
    if (!this.isKept && !this.#link) return false;
    const { version } = this.#board;
    const answer = await this.call({ do: 'load' });
    const isNewer = answer.is === 'done' && answer.board.version > version;
    if (isNewer) this.#take(answer.board, false);
    return isNewer;
  }

  // Sends a message about this board, again and again until there is a connection. Resolves with the answer.
  async call(message) {
    const body = { ...message, board: this.#link ?? this.#board.board ?? this.#document(this.#board) };
    if (['lay', 'sketch'].includes(message.do)) body.seat = this.seat;
    if (['set', 'start', 'put'].includes(message.do)) body.version = this.#board.version;
    delete body.key;
    const answer = await this.send(body);
    if (answer.status !== 401 || !this.isPlayer || this.isFramed) return answer;
    this.#leave();
    return this.call(message);
  }

  // Sends a message until the server answers.
  async send(body) {
    const pauses = new Pauses();
    for (;;) {
      const answer = await this.#attempt(body);
      this.#note(answer);
      if (!answer.isLost) return answer;
      await new Promise((resolve) => setTimeout(resolve, pauses.next()));
    }
  }

  // Resolves with the answer to a message. A proxy, or the page of a hotel's network, may answer in the server's place.
  async #attempt(body) {
    try {
      const response = await this.#post(body, this.isPlayer);
      const { ok, status } = response;
      const told = await response.json().catch(() => null);
      if (ok && told) return told;
      return { is: 'refused', line: told?.line ?? (ok ? this.#words.away : this.#words.failed), status, isLost: ok || LATER.includes(status) };
    } catch {
      return { is: 'refused', line: this.#words.away, isLost: true };
    }
  }

  // Does something after all that was begun.
  #inTurn(deed) {
    const done = this.#last.then(deed);
    this.#last = done.catch(() => {});
    return done;
  }

  #turnBack(way) {
    return this.#inTurn(async () => {
      const [from, to] = way === 'undo' ? [this.#former, this.#later] : [this.#later, this.#former];
      const [former, now] = [from.at(-1), this.#board];
      if (!former) return { is: 'done' };
      const answer = this.isKept ? await this.call({ do: 'put', to: this.#document(former) }) : { is: 'done', board: former };
      if (answer.is === 'done') {
        from.pop();
        to.push(now);
        this.#take(answer.board);
      } else {
        await this.#reload();
      }
      return answer;
    });
  }

  // The session has ended: the board goes on in this browser.
  #leave() {
    this.isPlayer = false;
    this.#computer = false;
    this.#former = this.#former.map(local);
    this.#later = this.#later.map(local);
    this.#take(local(this.#board));
    this.dispatchEvent(new Event('signedout'));
  }

  // What was done before is undone no more where another browser has changed the board since.
  #take(board, mayUndo = true) {
    this.#board = board;
    this.#changes += 1;
    if (!mayUndo) {
      this.#former = [];
      this.#later = [];
    }
    if (!board.board && !this.#link) Keeper.put(this.#document(board));
    this.dispatchEvent(new Event('changed'));
  }

  #document(board) {
    return Object.fromEntries(FIELDS.map((name) => [name, board[name]]));
  }

  #sheet() {
    const { turns } = this.#board;
    const computer = this.#computer;
    return { is: 'sheet', version: this.#changes, moves: [], turns, computer, published: null, others: [] };
  }

  #note({ isLost = false, line }) {
    if (isLost === this.#isDown) return;
    this.#isDown = isLost;
    if (isLost) this.dispatchEvent(new CustomEvent('down', { detail: { line } }));
    else this.dispatchEvent(new Event('up'));
  }
}

// Returns a board as that of a visitor.
function local(board) {
  return { ...board, board: null };
}
