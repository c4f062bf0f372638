// Connection: the socket of one board. It reconnects after a loss, and sends what was not answered once more: a turn
// keeps its key, so that the server plays it once (docs/web-protocol.md).

const FIRST_WAIT = 400; // milliseconds; doubled after each try
const LONGEST_WAIT = 8000;
const PING_EVERY = 20_000;
const FINAL = [4401, 4404];

export class Connection extends EventTarget {
  #address;
  #socket = null;
  #wait = FIRST_WAIT;
  #pending = new Map(); // what was sent and not answered, by id
  #number = 0;
  #timer = 0;

  constructor(address) {
    super();
    this.#address = address;
    this.#connect();
    setInterval(() => this.#write({ do: 'ping' }), PING_EVERY);
    addEventListener('online', () => this.hurry());
    document.addEventListener('visibilitychange', () => document.hidden || this.hurry());
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  // Retries at once, if a retry is pending.
  hurry() {
    if (!this.#socket) this.#connect();
  }

  // Sends a question; only the newest of its kind is worth an answer. Resolves with the answer.
  ask(message) {
    this.#number += 1;
    return this.#send({ ...message, id: this.#number });
  }

  // Sends something that changes the match, with a key of its own. Resolves with `done` or `refused`.
  act(message) {
    return this.#send({ ...message, id: crypto.randomUUID() });
  }

  #send(message) {
    return new Promise((resolve) => {
      this.#pending.set(message.id, { message, resolve });
      this.#write(message);
    });
  }

  #write(message) {
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
  }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      for (const [id, { message, resolve }] of [...this.#pending]) {
        if (typeof id === 'string') this.#write(message);
        else {
          this.#pending.delete(id); // a question about a board that may be another by now
          resolve(null);
        }
      }
      this.dispatchEvent(new Event('up'));
    });
    socket.addEventListener('message', (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener('close', (event) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      if (FINAL.includes(event.code)) return;
      this.dispatchEvent(new Event('down'));
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  #receive(message) {
    this.#wait = FIRST_WAIT;
    const waiting = this.#pending.get(message.id);
    if (waiting) {
      this.#pending.delete(message.id);
      waiting.resolve(message);
    } else {
      this.dispatchEvent(new CustomEvent(message.is, { detail: message }));
    }
  }
}
