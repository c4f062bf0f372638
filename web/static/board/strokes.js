// Strokes: what a finger draws. On an own stone of Dot Dash it drags it; where a chain may be drawn, it draws over the own
// dots.

const isAt = (point) => (other) => `${other}` === `${point}`;
const ofTurn = (choices, end) => choices?.find(({ step }) => step.endsWith(end));

export class Strokes {
  #turn;
  #nameOf;
  #board = null;
  #traced = null;

  constructor(viewport, turn, nameOf) {
    this.#turn = turn;
    this.#nameOf = nameOf;
    viewport.traces = (point) => this.#mayBegin(point);
    viewport.addEventListener('trace', ({ detail: { point, first } }) => {
      if (first) this.#traced = [];
      if (!this.#traced || !(this.#isDash || this.#isOwn(point)) || isAt(point)(this.#traced.at(-1))) return;
      if (this.#traced.length > 1 && isAt(point)(this.#traced.at(-2))) this.#traced.pop(); // the finger goes back
      else this.#traced.push(point);
    });
    viewport.addEventListener('traced', () => this.#finish());
  }

  // Takes in a board. What is being drawn on another position is dropped.
  follow(board, isMoved) {
    this.#board = board;
    if (isMoved) this.#traced = null;
  }

  get #isDash() {
    return this.#board.view.enter === 'stone';
  }

  get #opening() {
    return ofTurn(this.#turn.ghost?.choices, '/');
  }

  #isOwn(point) {
    const stone = this.#board.picture.stones?.find((each) => isAt(point)(each.point));
    if (stone) return stone.seat === this.#board.view.you && !stone.captured;
    return isAt(point)(this.#turn.ghost?.picture.ghost?.point);
  }

  #mayBegin(point) {
    if (!this.#board) return false;
    if (this.#isDash) return this.#isOwn(point);
    if (this.#board.view.enter !== 'dot' || !this.#turn.ghost) return false;
    if (this.#opening) return this.#isOwn(point);
    return isAt(point)(this.#end) || Boolean(this.#turn.ghost.points?.some(isAt(point)));
  }

  // The last dot of the chain that is being drawn: a finger that was lifted goes on from there.
  get #end() {
    return this.#turn.ghost?.picture.line?.points.at(-1);
  }

  #finish() {
    const traced = this.#traced;
    this.#traced = null;
    if (!traced?.length) return;
    if (this.#isDash) this.#turn.set([traced[0], traced.at(-1)].map(this.#nameOf));
    else if (this.#turn.ghost) this.#close(traced);
  }

  async #close(traced) {
    const { picture } = this.#turn.ghost;
    const begin = this.#opening;
    const start = picture.line?.points[0] ?? (begin ? traced[0] : picture.last?.[0] ?? traced[0]);
    const isRound = traced.length > 1 && isAt(start)(traced.at(-1));
    const dots = traced.slice(isAt(this.#end)(traced[0]) ? 1 : 0, isRound ? -1 : undefined);
    const ghost = await this.#turn.extend([...(begin ? [begin.step] : []), ...dots.map(this.#nameOf)]);
    const closing = isRound && !ghost?.turn && ofTurn(ghost?.choices, '.');
    if (closing) this.#turn.choose(closing.step);
  }
}
