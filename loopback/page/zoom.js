// Zoom: an image in a frame that scrolls, made larger and smaller about a point, by wheel, fingers, mouse and keyboard.

const STEP = 1.5; // the factor of one press of a button or key
const WHEEL_STEP = 1.0015; // the factor of one pixel of a wheel's turn
const LARGEST = 4; // how many times its own size, or the frame's, whichever is larger
const DRAG = 6; // pixels that a finger or mouse may move in a click

export class Zoom {
  #frame;
  #image;
  #scale = 1; // 1 is the image as it fits into the frame
  #onchange;
  #pointers = new Map(); // pointer id -> {x, y}, of those that are down
  #moved = 0; // pixels since the first one went down

  constructor(frame, image, onchange) {
    this.#frame = frame;
    this.#image = image;
    this.#onchange = onchange;
    frame.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    frame.addEventListener('pointerdown', (event) => this.#down(event));
    frame.addEventListener('pointermove', (event) => this.#move(event));
    for (const type of ['pointerup', 'pointercancel'])
      frame.addEventListener(type, (event) => this.#pointers.delete(event.pointerId));
    image.addEventListener('load', () => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(frame);
  }

  get scale() {
    return this.#scale;
  }

  // Whether the pointer that was just released has moved the image, so that its click means nothing.
  get dragged() {
    return this.#moved > DRAG;
  }

  // CSS pixels of the image at scale 1: the whole of it, and never larger than it is.
  get #fitting() {
    const { naturalWidth: width, naturalHeight: height } = this.#image;
    const { clientWidth, clientHeight } = this.#frame;
    const factor = Math.min(1, clientWidth / width, clientHeight / height);
    return { width: width * factor, height: height * factor, factor };
  }

  get #largest() {
    return LARGEST / this.#fitting.factor;
  }

  in() {
    this.#to(this.#scale * STEP);
  }

  out() {
    this.#to(this.#scale / STEP);
  }

  whole() {
    this.#to(1);
  }

  // Switches between the whole image and its own size, or twice that where it fits anyway.
  toggle(x, y) {
    const { factor } = this.#fitting;
    this.#to(this.#scale > 1 ? 1 : factor < 0.9 ? 1 / factor : 2, x, y);
  }

  // Scrolls by pixels.
  pan(x, y) {
    this.#frame.scrollBy(x, y);
  }

  // Sets the scale; the point of the image under (x, y) of the window stays there, by default the middle.
  #to(scale, x, y) {
    const box = this.#image.getBoundingClientRect();
    const frame = this.#frame.getBoundingClientRect();
    const at = [x ?? frame.x + frame.width / 2, y ?? frame.y + frame.height / 2];
    const part = [(at[0] - box.x) / box.width, (at[1] - box.y) / box.height];
    this.#scale = Math.min(this.#largest, Math.max(1, scale));
    this.#draw();
    const now = this.#image.getBoundingClientRect();
    this.pan(now.x + part[0] * now.width - at[0], now.y + part[1] * now.height - at[1]);
  }

  #draw() {
    if (!this.#image.naturalWidth) return;
    const { width, height } = this.#fitting;
    this.#image.style.width = `${width * this.#scale}px`;
    this.#image.style.height = `${height * this.#scale}px`;
    this.#onchange(this.#scale);
  }

  #wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 40 : 1; // pixels of a line
    const faster = event.ctrlKey ? 6 : 1; // two fingers on a touchpad, whose pixels are fewer
    this.#to(this.#scale * WHEEL_STEP ** (-event.deltaY * lines * faster), event.clientX, event.clientY);
  }

  #down(event) {
    if (!this.#pointers.size) this.#moved = 0;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  // One pointer moves the image, two make it larger or smaller as well.
  #move(event) {
    if (!event.buttons) this.#pointers.delete(event.pointerId); // it was released outside of the window
    const last = this.#pointers.get(event.pointerId);
    if (!last) return;
    const next = { x: event.clientX, y: event.clientY };
    this.#moved += Math.hypot(next.x - last.x, next.y - last.y);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const spread = (point) => Math.hypot(point.x - other.x, point.y - other.y);
      this.pan((last.x - next.x) / 2, (last.y - next.y) / 2);
      this.#to((this.#scale * spread(next)) / spread(last), (next.x + other.x) / 2, (next.y + other.y) / 2);
    } else this.pan(last.x - next.x, last.y - next.y);
    this.#pointers.set(event.pointerId, next);
  }
}
