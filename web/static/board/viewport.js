// Viewport: the part of the board that is seen. Wheel and pinch zoom, a drag pans, as do two fingers on a trackpad. A double tap zooms in where crossings
// are small; where a finger hits each of them, a quick second tap is as good as a slow one.
// Events: `tap` {point}, `trace` {point, first} for each crossing that a drawing finger passes, `traced`, `seen` {whole}.

const SLOP = 8; // pixels that a tap may move
const DOUBLE = 300; // milliseconds between the taps of a double tap
const COMFORT = 44; // pixels of a cell that a finger hits
const SMALL = 22; // pixels of a cell below which a tap zooms in as well
const EASY = 32; // pixels of a cell from which a double tap is two taps
const MOST = 90; // pixels of the largest cell
const WHEEL = 400; // pixels of a wheel that zoom by a factor of e
const PINCH = 40; // the same of a pinch on a trackpad, which has a tenth of the pixels
const NEAR = 0.45; // cells from a crossing that a drawing finger catches it at

export class Viewport extends EventTarget {
  #drawing;
  #element;
  #box = null; // x, y, width, height in cells
  #isWhole = true; // whether all of the board is seen
  #pointers = new Map();
  #start = null;
  #lastTap = { at: 0, point: '' };
  traces = (_) => false; // says whether a drag from a crossing draws, and does not pan
  chooses = (_) => false; // says whether a tap on a crossing chooses something, however quick it is

  constructor(element, drawing) {
    super();
    this.#element = element;
    this.#drawing = drawing;
    element.append(drawing.svg);
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    element.addEventListener('pointerup', (event) => this.#up(event));
    element.addEventListener('pointercancel', (event) => this.#forget(event));
    element.addEventListener('lostpointercapture', (event) => this.#forget(event));
    // What else a browser makes of a drag.
    for (const other of ['selectstart', 'dragstart']) element.addEventListener(other, (event) => event.preventDefault());
    element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    new ResizeObserver(() => this.#box && (this.#isWhole ? this.showAll() : this.#apply())).observe(element);
  }

  // The part of the plane that shows the whole board.
  get #whole() {
    const { width, height } = this.#element.getBoundingClientRect();
    return this.#drawing.extent(width, height);
  }

  // Pixels of a cell.
  get cell() {
    const { width, height } = this.#element.getBoundingClientRect();
    return Math.min(width / this.#box.width, height / this.#box.height);
  }

  get isHeld() {
    return this.#pointers.size > 0;
  }

  get isSmall() {
    return this.cell < SMALL;
  }

  showAll() {
    this.#box = { ...this.#whole };
    this.#apply();
  }

  // Zooms in on a crossing so far that a finger hits each.
  comeCloser(point) {
    const [x, y] = this.#drawing.at(point);
    this.#zoom(COMFORT / this.cell, x, y);
    this.reveal(point);
  }

  // Moves as little as needed for a crossing to be seen, beside the names of lines.
  reveal(point) {
    const [x, y] = this.#drawing.at(point);
    const { left, right, top, bottom } = this.#drawing.clear;
    this.#box.x += Math.min(0, x - 0.5 - left) + Math.max(0, x + 0.5 - right);
    this.#box.y += Math.min(0, y - 0.5 - top) + Math.max(0, y + 0.5 - bottom);
    this.#apply();
  }

  // Returns the direction of a crossing that is not seen, in turns from the right and clockwise; null for one that is.
  bearing(point) {
    const [x, y] = this.#drawing.at(point);
    const { left, right, top, bottom } = this.#drawing.clear;
    if (x >= left && x <= right && y >= top && y <= bottom) return null;
    return Math.atan2(y - (top + bottom) / 2, x - (left + right) / 2) / (2 * Math.PI);
  }

  // Brings a crossing to the middle.
  seek(point) {
    const [x, y] = this.#drawing.at(point);
    this.#box.x = x - this.#box.width / 2;
    this.#box.y = y - this.#box.height / 2;
    this.#apply();
  }

  #apply() {
    if (!this.#box || !this.cell) return; // nothing is shown yet, or the element is hidden
    const whole = this.#whole;
    const box = this.#box;
    box.width = Math.min(box.width, whole.width);
    box.height = Math.min(box.height, whole.height);
    const { width, height } = this.#element.getBoundingClientRect();
    const seen = { width: width / this.cell, height: height / this.cell }; // more than the box, in one direction
    const place = (at, size, shown, from, all) => {
      const slack = Math.max(0, Math.min(shown, all) - size) / 2;
      return Math.min(Math.max(at, from + slack), from + all - size - slack);
    };
    box.x = place(box.x, box.width, seen.width, whole.x, whole.width);
    box.y = place(box.y, box.height, seen.height, whole.y, whole.height);
    seen.x = box.x - (seen.width - box.width) / 2;
    seen.y = box.y - (seen.height - box.height) / 2;
    this.#drawing.svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
    this.#drawing.follow(seen, 1 / this.cell);
    this.#isWhole = seen.width >= whole.width - 0.01 && seen.height >= whole.height - 0.01;
    this.#tell('seen', { whole: this.#isWhole });
  }

  // Returns the place in cells of a pointer.
  #place({ clientX, clientY }) {
    const inverse = this.#drawing.svg.getScreenCTM().inverse();
    const place = new DOMPoint(clientX, clientY).matrixTransform(inverse);
    return [place.x, place.y];
  }

  // Zooms so that a place stays where it is.
  #zoom(factor, x, y) {
    const box = this.#box;
    const whole = this.#whole;
    const allowed = Math.min(Math.max(factor, box.width / whole.width, 0.05), MOST / this.cell);
    box.x = x - (x - box.x) / allowed;
    box.y = y - (y - box.y) / allowed;
    box.width /= allowed;
    box.height /= allowed;
    this.#apply();
  }

  #wheel(event) {
    event.preventDefault();
    const isPinch = event.ctrlKey; // browsers tell a pinch on a trackpad by this
    if (!isPinch && isTrackpad(event) && !this.#isWhole) {
      const { cell } = this;
      this.#box.x += event.deltaX / cell;
      this.#box.y += event.deltaY / cell;
      this.#apply();
      return;
    }
    const [x, y] = this.#place(event);
    this.#zoom(Math.exp(-event.deltaY / (isPinch ? PINCH : WHEEL)), x, y);
  }

  #down(event) {
    if (event.button) return;
    this.#element.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, event);
    const [x, y] = this.#place(event);
    const point = this.#drawing.crossing(x, y);
    const draws = this.#pointers.size === 1 && point !== null && this.traces(point);
    this.#start = { event, x, y, point, moved: this.#pointers.size > 1, draws, seen: `${point}` };
    if (draws) this.#tell('trace', { point, first: true });
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before || !this.#start) return;
    if (!event.buttons) this.#forget(event); // whose end was lost
    else this.#drag(event, before);
  }

  #drag(event, before) {
    if (this.#pointers.size === 2) this.#pinch(event);
    else if (this.#start.draws) this.#trace(event);
    else {
      const far = Math.hypot(event.clientX - this.#start.event.clientX, event.clientY - this.#start.event.clientY);
      if (far > SLOP) this.#start.moved = true;
      if (this.#start.moved) {
        const [x, y] = this.#place(event);
        const [u, v] = this.#place(before);
        this.#box.x += u - x;
        this.#box.y += v - y;
        this.#apply();
      }
    }
    this.#pointers.set(event.pointerId, event);
  }

  #pinch(event) {
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)[1];
    const before = this.#pointers.get(event.pointerId);
    const span = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    const [x, y] = this.#place({
      clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2,
    });
    this.#zoom(span(event) / span(before), x, y);
    this.#start.moved = true;
  }

  #trace(event) {
    for (const each of event.getCoalescedEvents?.() ?? [event]) {
      const [x, y] = this.#place(each);
      const point = this.#drawing.crossing(x, y);
      if (!point || `${point}` === this.#start.seen) continue;
      const [u, v] = this.#drawing.at(point);
      if (Math.hypot(x - u, y - v) > NEAR) continue;
      this.#start.seen = `${point}`;
      this.#start.moved = true;
      this.#tell('trace', { point, first: false });
    }
  }

  #up(event) {
    const start = this.#start;
    this.#forget(event);
    if (!start || this.#pointers.size) return;
    if (start.draws && start.moved) {
      this.#tell('traced', {});
      return;
    }
    if (start.moved || !start.point) return;
    if (this.isSmall) this.comeCloser(start.point);
    else this.reveal(start.point);
    const isSecond = event.timeStamp - this.#lastTap.at < DOUBLE && this.#lastTap.point === `${start.point}`;
    const isDouble = isSecond && this.cell < EASY && !this.chooses(start.point);
    this.#lastTap = { at: isDouble ? 0 : event.timeStamp, point: `${start.point}` };
    if (isDouble) this.comeCloser(start.point);
    else this.#tell('tap', { point: start.point });
  }

  #forget(event) {
    this.#pointers.delete(event.pointerId);
    if (!this.#pointers.size) this.#start = null;
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

// Whether two fingers scroll, and no wheel turns: a trackpad's pixels are a third of the old units, a wheel's are not.
function isTrackpad({ deltaX, deltaY, deltaMode, wheelDeltaX = 0, wheelDeltaY = 0 }) {
  if (!wheelDeltaX && !wheelDeltaY) return deltaMode === WheelEvent.DOM_DELTA_PIXEL;
  return wheelDeltaX === -3 * deltaX && wheelDeltaY === -3 * deltaY;
}
