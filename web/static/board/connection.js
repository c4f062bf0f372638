// Connection: the socket of one board. It reconnects after a loss, and sends what was not answered once more: a deed
// keeps its key, also over a reload, so that the server does it once (docs/web-protocol.md).
// Events: each message of the server by its `is`; `down` {line, isFinal}, `slow` where a deed gets no answer, `up` after
// both; `settled` {message, answer} for a deed that an earlier load of the page has sent.

import { Pauses } from './pauses.js';
import { Unanswered } from './unanswered.js';

const PING_EVERY = 20_000; // milliseconds
const SILENCE = 10_000; // milliseconds in which a live server says something
const SLOW = 2_500; // milliseconds after which a player wonders what became of a tap
const WAKING = 1_000; // milliseconds in which a live server answers a page that wakes up
const STEADY = 30_000; // milliseconds after which a connection counts as a good one, and pauses begin anew
const FINAL = [4401, 4404];

export class Connection extends EventTarget {
  #address;
  #closed;
  #greeting;
  #pauses;
  #unanswered;
  #socket = null;
  #pending = new Map(); // what was sent and not answered, by id
  #number = 0;
  #retrying = 0;
  #listening = 0;
  #waking = 0;
  #heard = false; // whether anything has come since the page woke up
  #isDoubted = false; // whether the connection may be lost, though it has not ended
  #since = null; // when the first message of this socket came
  #farewell = ''; // why the server is about to close
  #ended = null; // the sentence of a close after which nothing comes

  // `closed` is the sentence for a close that has none of its own, `greeting` the first message of each socket, if any.
  // A `signal` ends the connection with the page that it belongs to.
  constructor(address, closed, { random = Math.random, storage = undefined, greeting = null, signal = undefined } = {}) {
    super();
    this.#greeting = greeting;
    this.#address = address;
    this.#closed = closed;
    this.#pauses = new Pauses(random);
    this.#unanswered = new Unanswered(`${address.pathname}${address.search}`, storage);
    for (const message of this.#unanswered.messages) {
      const resolve = (answer) => this.#tell('settled', { message, answer });
      this.#pending.set(message.id, { message, resolve });
    }
    this.#connect();
    const pinging = setInterval(() => this.#ping(), PING_EVERY);
    addEventListener('online', () => this.hurry(), { signal });
    addEventListener('offline', () => this.#doubt('down'), { signal });
    document.addEventListener('visibilitychange', () => document.hidden || this.#wake(), { signal });
    addEventListener('pageshow', (event) => event.persisted && this.#wake(), { signal }); // out of the browser's cache
    signal?.addEventListener('abort', () => {
      clearInterval(pinging);
      this.#end();
    });
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  // Closes the socket for good, and tells nobody: the page has gone.
  #end() {
    this.#ended = this.#closed;
    clearTimeout(this.#retrying);
    clearTimeout(this.#waking);
    this.#hear();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  // Connects at once where an attempt is due later, and makes sure of a connection that seems to be there.
  hurry() {
    if (this.#ended !== null) return;
    if (this.#socket) this.#ping();
    else this.#connect();
  }

  // A phone that slept has often lost its connection without knowing: a new one comes at once unless the server answers.
  #wake() {
    const socket = this.#socket;
    this.#heard = false;
    this.hurry();
    clearTimeout(this.#waking);
    this.#waking = setTimeout(() => {
      if (this.#heard || !socket || socket !== this.#socket) return;
      this.#lose(0);
      this.hurry();
    }, WAKING);
  }

  // Asks something. Resolves with the answer, or with null if the connection is lost meanwhile. What `isLong` may take
  // its time.
  ask(message, { isLong = false } = {}) {
    this.#number += 1;
    if (!this.isOpen) return Promise.resolve(null);
    const asked = { ...message, id: this.#number };
    if (!isLong) this.#expect(asked.id);
    return this.#send(asked);
  }

  // Doubts the connection if a message gets no answer.
  #expect(id) {
    setTimeout(() => this.#pending.has(id) && this.isOpen && this.#doubt('slow'), SLOW);
  }

  // Sends something that changes the match, with a key of its own. Resolves with `done` or `refused`.
  act(message) {
    const keyed = { ...message, id: crypto.randomUUID() };
    if (this.#ended !== null) return Promise.resolve(this.#failure(keyed));
    this.#unanswered.add(keyed);
    this.#expect(keyed.id);
    return this.#send(keyed);
  }

  // Tells of a connection that has not ended but may be lost, and finds out.
  #doubt(name) {
    if (this.#ended !== null) return;
    this.#isDoubted = true;
    this.#tell(name, { line: '', isFinal: false });
    this.#ping();
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

  #failure({ id }) {
    return { is: 'refused', id, line: this.#ended };
  }

  #ping() {
    if (!this.isOpen) return;
    this.#write({ do: 'ping' });
    this.#listen();
  }

  // A server that stays silent is out of reach, though no close has come: a phone that slept, a changed network.
  #listen() {
    if (!this.#listening) this.#listening = setTimeout(() => this.#lose(0), SILENCE);
  }

  #hear() {
    clearTimeout(this.#listening);
    this.#listening = 0;
  }

  #connect() {
    clearTimeout(this.#retrying);
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#since = null;
    this.#farewell = '';
    this.#listen();
    const isCurrent = () => socket === this.#socket;
    socket.addEventListener('open', () => {
      if (!isCurrent()) return;
      if (this.#greeting) this.#write(this.#greeting);
      for (const { message } of this.#pending.values()) this.#write(message);
    });
    socket.addEventListener('message', (event) => isCurrent() && this.#receive(JSON.parse(event.data)));
    socket.addEventListener('close', (event) => isCurrent() && this.#lose(event.code));
  }

  #lose(code) {
    this.#hear();
    const socket = this.#socket;
    this.#socket = null;
    socket.close();
    const isFinal = FINAL.includes(code);
    if (isFinal) this.#ended = this.#farewell || this.#closed;
    for (const [id, { message, resolve }] of [...this.#pending]) {
      if (typeof id === 'string' && !isFinal) continue;
      this.#pending.delete(id);
      resolve(typeof id === 'string' ? this.#failure(message) : null); // null: its board may be another by now
    }
    if (isFinal) {
      this.#unanswered.clear();
    } else {
      if (this.#since !== null && performance.now() - this.#since > STEADY) this.#pauses.reset();
      this.#retrying = setTimeout(() => this.#connect(), this.#pauses.next());
    }
    this.#tell('down', { line: this.#ended ?? this.#farewell, isFinal });
  }

  #receive(message) {
    this.#heard = true;
    this.#hear();
    if (message.is === 'gone') {
      this.#farewell = message.line;
      return;
    }
    const isFirst = this.#since === null;
    if (isFirst) this.#since = performance.now();
    const waiting = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (isFirst || (this.#isDoubted && !this.#hasDeeds)) {
      this.#isDoubted = false;
      this.#tell('up', {});
    }
    if (!waiting) {
      this.#tell(message.is, message);
      return;
    }
    this.#unanswered.remove(message.id);
    waiting.resolve(message);
  }

  // Whether something that changes the match has no answer yet.
  get #hasDeeds() {
    return [...this.#pending.keys()].some((id) => typeof id === 'string');
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
