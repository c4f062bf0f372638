// Turn: the turn that is being entered, as steps that the server turns into a ghost (docs/web-protocol.md).
// A tap lays a ghost; only Play or a second tap on it plays. A board that changes meanwhile never turns a tap into a
// move: the ghost is asked for anew, and for a moment no tap plays.

const OPEN_WITH_CHOICES = ['stone', 'set', 'side']; // first steps that the server offers
const GUARD = 700; // milliseconds after a change of the board in which no tap plays

export class Turn extends EventTarget {
  #connection;
  #board = null;
  #steps = [];
  #shown = []; // the steps of the ghost that is shown
  #ghost = null;
  #asked = 0;
  #guarded = 0;
  #sending = false;
  #isAsking = false;

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
    const isFirst = this.#board === null;
    this.#board = board;
    if (isFirst) this.clear();
    if (!changed) return;
    this.#guarded = performance.now() + GUARD;
    this.#ghost = null;
    this.#shown = [];
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
    if (choice && !this.#isAsking) {
      this.#add(choice.step);
    } else if (ghost?.points?.some(here) && !this.#isAsking) {
      this.#add(name);
    } else if (here(landing(ghost)) && this.mayPlay && !this.#isAsking) {
      if (performance.now() < this.#guarded) return false;
      this.play();
      return true;
    } else {
      this.#steps = [name];
      this.#ask();
    }
    return false;
  }

  // Takes several further steps at once: those that a finger has drawn. Resolves with the ghost.
  async extend(steps) {
    this.#steps = [...this.#steps, ...steps];
    await this.#ask();
    return this.#ghost;
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
    this.#shown = [];
    this.#ghost = null;
    this.#asked += 1;
    this.#isAsking = false;
    this.#tell();
    if (OPEN_WITH_CHOICES.includes(this.#board.view.enter)) this.#ask();
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
    this.#isAsking = true;
    const mine = this.#asked;
    const steps = [...this.#steps];
    const answer = await this.#connection.ask({ do: 'try', version: this.#board.version, steps });
    if (mine !== this.#asked) return; // another tap
    this.#isAsking = false;
    if (!answer) return; // a lost connection
    if (answer.is === 'ghost') {
      this.#ghost = answer.version === this.#board.version ? answer : null;
      this.#shown = steps;
      this.#tell();
    } else {
      this.#steps = [...this.#shown];
      this.#tell(answer.line);
    }
  }

  #tell(trouble = '') {
    this.dispatchEvent(new CustomEvent('change', { detail: { trouble } }));
  }
}

// The crossing on which a finished turn ends: the ghost's, or where a dash lands.
function landing(ghost) {
  const picture = ghost?.turn ? ghost.picture : null;
  return picture?.ghost?.point ?? picture?.trail?.end ?? picture?.last?.[0];
}
