// Turn: the turn that is being entered, as steps that the server turns into a ghost (docs/web-protocol.md).
// A tap lays a ghost; only Play or a second tap on it plays, and only when the ghost has been seen for a moment. A position
// that changes meanwhile never turns a tap into a move: what was begun is dropped, and that is told. A turn is kept only
// where nothing but an offer, a clock or the connection has changed, and the server says that it does the same as before.

const OPEN_WITH_CHOICES = ['stone', 'set', 'side']; // first steps that the server offers
const GUARD = 700; // milliseconds after a change of the board in which no tap plays
const GLANCE = 250; // milliseconds that a ghost is seen before a tap plays it

export class Turn extends EventTarget {
  #connection;
  #changed;
  #board = null;
  #ground = ''; // the position that the steps belong to
  #steps = [];
  #shown = []; // the steps of the ghost that is shown
  #ghost = null;
  #asked = 0;
  #isLost = false; // the last question got no answer
  #dropped = ''; // what was told when a turn was dropped
  #trouble = ''; // what is told instead of the ghost's line, until the next step
  #guarded = 0; // until then nothing that was meant for another position is played
  #glanced = 0; // from then on a tap plays the ghost
  #sending = false;
  #played = 0; // the version that the last turn made; its board may still be on the way
  onward = null; // {match, label} of the next game that waits for the player, after a turn that was played
  #taps = Promise.resolve(); // the taps so far: each waits for the answer to the one before

  // `changed` returns the sentence for a turn that another board has overtaken.
  constructor(connection, changed = (_) => '') {
    super();
    this.#connection = connection;
    this.#changed = changed;
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

  // Whether the position has just changed: a tap may still be meant for the one before.
  get isGuarded() {
    return performance.now() < this.#guarded;
  }

  get mayPlay() {
    return Boolean(this.#ghost?.turn) && this.#isCurrent && !this.#sending;
  }

  get #isCurrent() {
    return this.#ghost.version === this.#board.version;
  }

  // Takes in a board. Returns whether its position is another one.
  follow(board) {
    const before = this.#board;
    this.#board = board;
    const ground = JSON.stringify(board.picture) + board.view.enter;
    const isMoved = this.#ground !== ground;
    this.#ground = ground;
    if (!before) this.clear();
    else if (before.version === board.version) {
      if (this.#isLost) this.#ask();
    } else if (!isMoved) this.#verify();
    else this.#leave();
    return isMoved;
  }

  // The same position in a newer version: the ghost stays, but is played only when the server has confirmed it.
  #verify() {
    const isAsked = this.isBegun || OPEN_WITH_CHOICES.includes(this.#board.view.enter);
    if (isAsked && !this.#sending) this.#ask();
  }

  // Another position: whatever was begun, and the taps that wait for an answer, belong to the old one.
  #leave() {
    this.#guarded = performance.now() + GUARD;
    this.#taps = Promise.resolve();
    // What was sent gets an answer of its own. A sentence that was told about the board before is told about this one.
    const isDropped = (this.isBegun && !this.#sending) || (this.#trouble && this.#trouble === this.#dropped);
    if (isDropped) this.#dropped = this.#changed(this.#board);
    this.clear(isDropped ? this.#dropped : this.#trouble);
  }

  // Returns whether a tap on a crossing is one of the next steps.
  offers(point) {
    const here = (other) => other && `${other}` === `${point}`;
    return Boolean(this.#ghost?.choices?.some((each) => here(each.point)) || this.#ghost?.points?.some(here));
  }

  // Takes a tap on a crossing: a further step, the second tap on a finished turn, which plays it, or the first step.
  // Resolves when it is shown.
  tap(point, name) {
    if (this.#sending || this.#board.version < this.#played) return this.#taps;
    const [at, ground] = [performance.now(), this.#ground];
    this.#taps = this.#taps.then(() => (ground === this.#ground ? this.#take(point, name, at) : undefined));
    return this.#taps;
  }

  async #take(point, name, at) {
    const ghost = this.#ghost;
    const here = (other) => other && `${other}` === `${point}`;
    const choice = ghost?.choices?.find((each) => here(each.point) && !each.disabled);
    if (choice) {
      await this.#add(choice.step);
    } else if (ghost?.points?.some(here)) {
      await this.#add(name);
    } else if (ghost?.picture.ghost && !ghost.turn) {
      this.#answer(ghost.line); // a chain that is drawn stays until it is undone
    } else if (here(landing(ghost)) && this.mayPlay) {
      if (at >= Math.max(this.#guarded, this.#glanced)) await this.play();
    } else {
      this.#steps = [name];
      await this.#ask();
      this.#glanced = performance.now() + GLANCE;
    }
  }

  // Takes several further steps at once: those that a finger has drawn. Resolves with the ghost.
  async extend(steps) {
    this.#steps = [...this.#steps, ...steps];
    await this.#ask();
    return this.#ghost;
  }

  // Takes a further step that has a label. The taps after it wait for its answer.
  choose(step) {
    const ground = this.#ground;
    this.#taps = this.#taps.then(() => (ground === this.#ground ? this.#add(step) : undefined));
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

  clear(trouble = '') {
    this.#steps = [];
    this.#shown = [];
    this.#ghost = null;
    this.#asked += 1;
    this.#isLost = false;
    this.#tell(trouble);
    if (OPEN_WITH_CHOICES.includes(this.#board.view.enter)) this.#ask();
  }

  // Plays a turn that was typed, unless the board changed under it. Resolves with whether it was played.
  async type(turn) {
    if (!this.isGuarded) return this.play(turn);
    this.#answer(this.#changed(this.#board));
    return false;
  }

  // Plays the ghost, or another turn. Resolves with whether it was played.
  async play(turn = this.mayPlay ? this.#ghost.turn : null) {
    if (!turn || this.#sending) return false;
    this.#sending = true;
    this.#tell();
    const { version } = this.#board;
    const ground = this.#ground;
    const answer = await this.#connection.act({ do: 'play', version, turn });
    this.#sending = false;
    if (answer.is === 'done') {
      this.#played = answer.version;
      this.onward = answer.next ?? null;
      this.clear();
      if (answer.tally) this.dispatchEvent(new CustomEvent('voted', { detail: answer }));
      if (answer.next?.opens) this.dispatchEvent(new CustomEvent('onward', { detail: answer.next }));
    } else if (ground !== this.#ground) {
      this.clear(answer.line);
    } else {
      this.#answer(answer.line);
      if (version !== this.#board.version) this.#verify();
    }
    return answer.is === 'done';
  }

  // Tells why something was not done, until the player goes on.
  complain(line) {
    this.#answer(line);
  }

  #add(step) {
    this.#steps = [...this.#steps, step];
    return this.#ask();
  }

  async #ask() {
    this.#asked += 1;
    const mine = this.#asked;
    const steps = [...this.#steps];
    if (steps.length) this.#trouble = '';
    const answer = await this.#connection.ask({ do: 'try', version: this.#board.version, steps });
    if (mine !== this.#asked) return; // another tap
    this.#isLost = !answer;
    if (!answer) return; // the next connection brings a board, and then it is asked again
    const isDoubted = this.isBegun && this.#ghost && !this.#isCurrent && `${steps}` === `${this.#shown}`;
    if (isDoubted && answer.turn !== this.#ghost.turn) {
      this.clear(this.#changed(this.#board));
    } else if (answer.is === 'ghost') {
      this.#ghost = answer;
      this.#shown = steps;
      this.#tell(this.#trouble);
    } else if (steps.length) {
      this.#steps = [...this.#shown];
      this.#answer(answer.line);
    }
  }

  #answer(line) {
    this.#tell(line, true);
  }

  // `isAnswer` says that the player has just caused it, also where the same was told before.
  #tell(trouble = '', isAnswer = false) {
    this.#trouble = trouble;
    this.dispatchEvent(new CustomEvent('change', { detail: { trouble, isAnswer } }));
  }
}

// The crossing on which a finished turn ends: the ghost's, or where a dash lands.
function landing(ghost) {
  const picture = ghost?.turn ? ghost.picture : null;
  return picture?.ghost?.point ?? picture?.trail?.end ?? picture?.last?.[0];
}
