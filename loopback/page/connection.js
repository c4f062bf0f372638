// Connection: the WebSocket of one seat on one server, with numbered requests; it reconnects after a loss.
// Its event `down` says whether the server is `away`, or this browser is `locked` out.

const FIRST_WAIT = 400; // milliseconds; doubled after each try
const LONGEST_WAIT = 5000;

// A refused or lost request; the message is for the person.
export class Failure extends Error {}

export class Connection extends EventTarget {
  #socket = null;
  #seat = null;
  #server = null;
  #asks = new Map();
  #request = 0;
  #wait = FIRST_WAIT;
  #timer = 0;

  enter(seat, server) {
    this.#seat = seat;
    this.#server = server;
    this.#wait = FIRST_WAIT;
    this.#connect();
  }

  // Retries at once, if a retry is pending.
  hurry() {
    if (!this.#socket) this.#connect();
  }

  #connect() {
    clearTimeout(this.#timer);
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#refuseAll();
    const address = new URL('/page/ws', location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    if (this.#seat) address.searchParams.set('seat', this.#seat);
    if (this.#server) address.searchParams.set('server', this.#server);
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener('message', (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(event.data));
    });
    socket.addEventListener('close', () => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      this.#refuseAll();
      this.#tellDown();
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  // A refused WebSocket has no reason; the page's own status has.
  async #tellDown() {
    const page = await fetch('/', { method: 'HEAD' }).catch(() => null);
    if (this.#socket?.readyState === WebSocket.OPEN) return;
    this.dispatchEvent(new CustomEvent('down', { detail: page?.status === 403 ? 'locked' : 'away' }));
  }

  #refuseAll() {
    for (const ask of this.#asks.values()) ask.reject(new Failure('The connection was lost'));
    this.#asks.clear();
  }

  #receive(frame) {
    if (frame.t === 'hello') this.#wait = FIRST_WAIT;
    const ask = this.#asks.get(frame.request);
    if (ask && ['done', 'failed', 'autocomplete'].includes(frame.t)) {
      this.#asks.delete(frame.request);
      if (frame.t === 'failed') ask.reject(new Failure(frame.text));
      else ask.resolve(frame);
      return;
    }
    this.dispatchEvent(new CustomEvent('frame', { detail: frame }));
  }

  // Sends a frame; returns whether there was a connection.
  tell(frame) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  // Sends a numbered request; resolves with the frame of the response, rejects with Failure.
  ask(frame) {
    this.#request += 1;
    const request = this.#request;
    return new Promise((resolve, reject) => {
      this.#asks.set(request, { resolve, reject });
      if (this.tell({ ...frame, request })) return;
      this.#asks.delete(request);
      reject(new Failure('Not connected: the try-out is away'));
    });
  }
}
