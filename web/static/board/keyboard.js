// Keyboard: arrows walk over the crossings, Enter lays a ghost and plays it, and moves and questions may be typed.

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const JUMP = 5; // crossings, with Shift
const REST = 150; // milliseconds on a crossing after which it is described

export class Keyboard {
  #point = null;
  #board;
  #resting = 0;

  constructor(field, form, words, board) {
    this.#board = board;
    field.addEventListener('keydown', (event) => this.#press(event));
    field.addEventListener('blur', () => board.move(null));
    const input = document.createElement('input');
    input.name = 'turn';
    input.maxLength = 400;
    input.placeholder = words.type;
    input.enterKeyHint = 'go';
    input.setAttribute('aria-label', words.type);
    form.append(input);
    // A frame may be forbidden to submit forms: what is typed goes by its key.
    input.addEventListener('keydown', async (event) => {
      if (event.key !== 'Enter' || event.isComposing || event.repeat) return;
      event.preventDefault();
      const text = input.value.trim();
      if (text && await board.type(text) !== false && input.value.trim() === text) input.value = '';
    });
  }

  #walk([across, up], step) {
    const [width, height] = this.#board.size();
    const clamp = (value, size) => Math.min(Math.max(value, 0), size - 1);
    this.#point = this.#point
      ? [clamp(this.#point[0] + across * step, width), clamp(this.#point[1] + up * step, height)]
      : [Math.floor(width / 2), Math.floor(height / 2)];
    this.#board.move(this.#point);
    clearTimeout(this.#resting);
    const name = this.#board.name(this.#point);
    this.#resting = setTimeout(() => this.#board.describe(`at ${name}`), REST);
  }

  // A key that is held plays nothing: slow hands hold it.
  #enter({ repeat }) {
    if (this.#point && !repeat) this.#board.enter(this.#point);
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return; // the browser's own
    const way = WAYS[event.key];
    if (way) this.#walk(way, event.shiftKey ? JUMP : 1);
    else if (event.key === 'Enter' || event.key === ' ') this.#enter(event);
    else if (event.key === 'Escape' || event.key === 'Backspace') this.#board.undo();
    else return;
    event.preventDefault();
  }
}
