// Host: the application's side of the messages between an Activity and the Discord client around it. It does what this
// program needs of Discord's Embedded App SDK, message for message; tests/browser/test_activity.py compares them.

const HANDSHAKE = 0;
const FRAME = 1;
const CLOSE = 2;
const ERROR = 'ERROR';

// The origins of Discord's clients as its SDK has them, and that of this page, which has the try-out around it. Some
// clients on phones have none: 'null'. A host learns nothing of the page that it could not ask the server itself.
const ORIGINS = new Set([
  location.origin,
  'https://discord.com',
  'https://discordapp.com',
  'https://ptb.discord.com',
  'https://ptb.discordapp.com',
  'https://canary.discord.com',
  'https://canary.discordapp.com',
  'https://staging.discord.co',
  'http://localhost:3333',
  'https://pax.discord.com',
  'null',
]);

// A refused command: `code` is the client's, the message in its words.
export class Refused extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

export class Host {
  canShare = true;
  #window = window.parent.opener ?? window.parent;
  #origin = document.referrer || '*'; // the client that holds the frame
  #asked = new Map(); // nonce -> {resolve, reject}
  #listeners = new Map(); // event -> listener

  // `query` is that of the page's address.
  constructor(client, query) {
    const frame = query.get('frame_id');
    this.client = client;
    this.instance = query.get('instance_id');
    this.custom = query.get('custom_id'); // what the link to the Activity names
    this.ready = new Promise((resolve, reject) => {
      this.#listeners.set('READY', resolve);
      this.#asked.set(null, { resolve, reject }); // a CLOSE before READY refuses the handshake
    });
    addEventListener('message', (event) => ORIGINS.has(event.origin) && this.#hear(event));
    this.#post([HANDSHAKE, { v: 1, encoding: 'json', client_id: client, frame_id: frame }]);
  }

  #post(message) {
    this.#window.postMessage(message, this.#origin);
  }

  #hear({ source, data }) {
    if (![window.parent, window.parent.opener].includes(source) || !Array.isArray(data)) return;
    const [opcode, payload] = data;
    if (opcode === CLOSE) {
      for (const { reject } of this.#asked.values()) reject(new Refused(payload));
      this.#asked.clear();
    } else if (opcode === FRAME) this.#take(payload);
  }

  #take({ cmd, evt, nonce, data }) {
    if (cmd === 'DISPATCH') {
      this.#listeners.get(evt)?.(data);
      return;
    }
    const asked = this.#asked.get(nonce);
    this.#asked.delete(nonce);
    if (evt === ERROR) asked?.reject(new Refused(data));
    else asked?.resolve(data);
  }

  #ask(payload) {
    const nonce = crypto.randomUUID();
    return new Promise((resolve, reject) => {
      this.#asked.set(nonce, { resolve, reject });
      this.#post([FRAME, { ...payload, nonce }]);
    });
  }

  // Asks the client to do something; resolves with its answer, rejects with Refused.
  command(cmd, args) {
    return this.#ask({ cmd, args });
  }

  // Has a listener hear of an event.
  subscribe(evt, listener) {
    this.#listeners.set(evt, listener);
    return this.#ask({ cmd: 'SUBSCRIBE', evt });
  }

  // Opens an address outside.
  openLink(url) {
    return this.command('OPEN_EXTERNAL_LINK', { url });
  }

  // The client has a way back, and colours, of its own.
  show() {}

  // Closes the Activity.
  close(code, message) {
    this.#post([CLOSE, { code, message, nonce: crypto.randomUUID() }]);
  }
}
