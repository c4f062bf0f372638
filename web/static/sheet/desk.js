// Desk: the sheet as the server keeps it. Only this module knows the messages about it. A place is a `turn` of the
// sheet, or null and the number of moves of the game that it comes `after`.
//
//   sheet                        -> sheet {version, moves, turns, computer, published, others}; comes after changes, too
//   scene {turn, after}          -> scene {picture, enter, line}: a place, and what is entered first there
//   sketch {turn, after, steps}  -> ghost, as for `try`
//   lay {turn, after, text}      -> done {turn}
//   note {turn, note}, erase {turn}, restore {turn}, plan {turn, version}, unplan, publish {on} -> done
//   weigh {turn, after}          -> weighed {line, picture}: the computer's view, its best line as ghost numbers

export class Desk extends EventTarget {
  #connection;
  #state = { version: -1, moves: [], turns: [], computer: false, published: null, others: [] };
  #reader = null; // the seat whose published notes are read
  #erased = null; // the turn that was erased last

  constructor(connection) {
    super();
    this.#connection = connection;
    connection.addEventListener('sheet', ({ detail }) => this.#take(detail));
  }

  get version() {
    return this.#state.version;
  }

  get moves() {
    return this.#state.moves;
  }

  get turns() {
    return this.#other?.turns ?? this.#state.turns;
  }

  get hasComputer() {
    return this.#state.computer;
  }

  // Whether the notes are published; null while they may not be.
  get isPublished() {
    return this.#state.published ?? null;
  }

  get others() {
    return this.#state.others ?? [];
  }

  // The seat whose notes are read; null for the own sheet.
  get reader() {
    return this.#other ? this.#reader : null;
  }

  // Whether the reader may change what is shown.
  get mayDraw() {
    return this.reader === null && this.#connection.mayDraw !== false;
  }

  get mayRestore() {
    return this.#erased !== null && this.reader === null;
  }

  get #other() {
    return this.others.find(({ seat }) => seat === this.#reader);
  }

  async read() {
    const answer = await this.#connection.ask({ do: 'sheet' });
    if (answer?.is === 'sheet') this.#take(answer);
    return answer;
  }

  // Reads the published notes of another player, or the own sheet again.
  turnTo(seat) {
    this.#reader = seat;
    this.#tell();
  }

  show(place) {
    return this.#connection.ask({ do: 'scene', ...where(place), ...this.#whose });
  }

  attempt(place, steps) {
    return this.#connection.ask({ do: 'sketch', ...where(place), steps });
  }

  weigh(place) {
    return this.#connection.ask({ do: 'weigh', ...where(place) }, { isLong: true });
  }

  // Resolves with `done`, which names the turn, when the sheet has it.
  lay(place, text) {
    this.#erased = null;
    return this.#change({ do: 'lay', ...where(place), text });
  }

  // A note at a move of the game is kept with the same turn on the sheet.
  async note(place, note, before) {
    let turn = place.turns[0]?.id;
    if (turn === undefined) {
      const laid = await this.lay(before, place.text);
      if (laid.is === 'refused') return laid;
      turn = laid.turn;
    }
    return this.#change({ do: 'note', turn, note });
  }

  async erase({ turns: [{ id }] }) {
    const answer = await this.#change({ do: 'erase', turn: id });
    if (answer.is === 'done') this.#erased = id;
    this.#tell();
    return answer;
  }

  async restore() {
    const answer = await this.#change({ do: 'restore', turn: this.#erased });
    const turn = this.#erased;
    this.#erased = null;
    this.#tell();
    return { ...answer, turn };
  }

  // Plans the branch that ends here; an own turn that it begins with is played first, at this version of the game only.
  plan({ turns: [{ id }] }, version) {
    return this.#change({ do: 'plan', turn: id, version });
  }

  unplan() {
    return this.#change({ do: 'unplan' });
  }

  publish(on) {
    return this.#change({ do: 'publish', on });
  }

  get #whose() {
    return this.reader === null ? {} : { of: this.reader };
  }

  async #change(message) {
    const answer = await this.#connection.act(message);
    if (answer.is === 'done') await this.read();
    return answer;
  }

  #take(state) {
    if (state.version < this.version) return;
    this.#state = state;
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }
}

function where({ isGame, number, turns }) {
  return isGame ? { turn: null, after: number } : { turn: turns[0].id, after: turns[0].after };
}
