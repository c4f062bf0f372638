// Turn: the turn that is being entered, as steps that the server turns into a ghost (docs/web-protocol.md).
// A tap lays a ghost; only Play or a second tap on it plays. A board that changes meanwhile never turns a tap into a
// move: the ghost is asked for anew, and for a moment no tap plays.

const GUARD = 700; // milliseconds after a change of the board in which no tap plays

export class Turn extends EventTarget {
  #connection;
  #board = null;
  #steps = [];
  #ghost = null;
  #asked = 0;
  #guarded = 0;
  #sending = false;

  constructor(connection) {
    super();
    this.#connection = connection;
  }

  get ghost() {
    return this.#ghost;
  }

  get isBegun() {
    return this.#steps.length > 0;
  }

  get isSending() {
    return this.#sending;
  }

  get mayPlay() {
    return Boolean(this.#ghost?.turn) && !this.#sending;
  }

  // Takes in a board. A turn that was begun is asked for anew, if it is still this player's.
  follow(board) {
    const changed = this.#board && board.version !== this.#board.version;
    this.#board = board;
    if (!changed) return;
    this.#guarded = performance.now() + GUARD;
    this.#ghost = null;
    if (board.view.enter && this.#steps.length) this.#ask();
    else this.clear();
  }

  // Asks again after a lost connection.
  refresh() {
    if (this.#steps.length) this.#ask();
  }

  // Takes a tap on a crossing. Returns whether it was the second one on a finished turn, which plays it.
  tap(point, name) {
    const ghost = this.#ghost;
    const here = (other) => other && `${other}` === `${point}`;
    const choice = ghost?.choices?.find((each) => here(each.point) && !each.disabled);
    if (choice) {
      this.#add(choice.step);
    } else if (ghost?.points?.some(here)) {
      this.#add(name);
    } else if (here(ghost?.picture.ghost?.point) && this.mayPlay) {
      if (performance.now() < this.#guarded) return false;
      this.play();
      return true;
    } else {
      this.#steps = [name];
      this.#ask();
    }
    return false;
  }

  // Takes a further step that has a label.
  choose(step) {
    this.#add(step);
  }

  // Replaces all steps: a line that a finger has drawn.
  set(steps) {
    this.#steps = steps;
    this.#ask();
  }

  undo() {
    this.#steps.pop();
    if (this.#steps.length) this.#ask();
    else this.clear();
  }

  clear() {
    this.#steps = [];
    this.#ghost = null;
    this.#asked += 1;
    this.#tell();
  }

  async play(turn = this.#ghost?.turn) {
    if (!turn || this.#sending) return;
    this.#sending = true;
    this.#tell();
    const answer = await this.#connection.act({ do: 'play', version: this.#board.version, turn });
    this.#sending = false;
    if (answer.is === 'done') this.clear();
    else this.#tell(answer.line);
  }

  #add(step) {
    this.#steps = [...this.#steps, step];
    this.#ask();
  }

  async #ask() {
    this.#asked += 1;
    const mine = this.#asked;
    const steps = [...this.#steps];
    const answer = await this.#connection.ask({ do: 'try', version: this.#board.version, steps });
    if (mine !== this.#asked || !answer) return; // another tap, or a lost connection
    if (answer.is === 'ghost') {
      this.#ghost = answer.version === this.#board.version ? answer : null;
      this.#tell();
    } else {
      this.#steps.pop();
      this.#tell(answer.line);
    }
  }

  #tell(trouble = '') {
    this.dispatchEvent(new CustomEvent('change', { detail: { trouble } }));
  }
}
