// Keyboard: arrows walk over the crossings, Enter lays a ghost and plays it, and moves may be typed.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const JUMP = 5; // crossings, with Shift

export class Keyboard {
  #point = null;
  #board;

  constructor(field, form, words, board) {
    this.#board = board;
    field.addEventListener('keydown', (event) => this.#press(event));
    field.addEventListener('blur', () => this.#go(null));
    const input = document.createElement('input');
    input.name = 'turn';
    input.maxLength = 400;
    input.placeholder = words.type;
    input.setAttribute('aria-label', words.type);
    form.append(input);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = input.value.trim();
      input.value = '';
      if (text) board.type(text);
    });
  }

  #go(point) {
    this.#point = point;
    this.#board.move(point);
  }

  #press(event) {
    const way = WAYS[event.key];
    if (way) {
      event.preventDefault();
      const step = event.shiftKey ? JUMP : 1;
      const [width, height] = this.#board.size();
      const [x, y] = this.#point ?? [Math.floor(width / 2), Math.floor(height / 2)];
      const clamp = (value, size) => Math.min(Math.max(value, 0), size - 1);
      this.#go(this.#point ? [clamp(x + way[0] * step, width), clamp(y + way[1] * step, height)] : [x, y]);
      this.#board.describe(`at ${this.#board.name(this.#point)}`);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      if (this.#point) this.#board.enter(this.#point);
    } else if (event.key === 'Escape' || event.key === 'Backspace') {
      event.preventDefault();
      this.#board.undo();
    }
  }
}
