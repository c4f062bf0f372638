// Pauses: how long to wait before the next attempt. They grow, and differ between pages, so that not all of them come back
// to a server at once.

const FIRST = 400; // milliseconds; doubled after each attempt
const LONGEST = 15_000;

export class Pauses {
  #random;
  #length = FIRST;

  constructor(random = Math.random) {
    this.#random = random;
  }

  // Returns the milliseconds of the next pause: up to a quarter more or less than its length.
  next() {
    const pause = this.#length * (0.75 + this.#random() / 2);
    this.#length = Math.min(this.#length * 2, LONGEST);
    return pause;
  }

  reset() {
    this.#length = FIRST;
  }
}
