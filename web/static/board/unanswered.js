// Unanswered: what this tab has sent and got no answer to. It outlives a reload of the page, so that the same message is
// sent again with the same key. Where a browser gives a frame no storage, it lives as long as the page.

const MAX_AGE = 600_000; // milliseconds; nobody expects an older click to be done

export class Unanswered {
  #name;
  #storage;
  #kept;

  constructor(name, storage = tabStorage()) {
    this.#name = `unanswered ${name}`;
    this.#storage = storage;
    this.#kept = this.#read().filter(({ at }) => Date.now() - at < MAX_AGE);
  }

  get messages() {
    return this.#kept.map(({ message }) => message);
  }

  add(message) {
    this.#kept.push({ message, at: Date.now() });
    this.#write();
  }

  remove(id) {
    this.#kept = this.#kept.filter(({ message }) => message.id !== id);
    this.#write();
  }

  clear() {
    this.#kept = [];
    this.#write();
  }

  #read() {
    try {
      return JSON.parse(this.#storage?.getItem(this.#name) ?? '[]');
    } catch {
      return [];
    }
  }

  #write() {
    try {
      if (this.#kept.length) this.#storage?.setItem(this.#name, JSON.stringify(this.#kept));
      else this.#storage?.removeItem(this.#name);
    } catch {
      // the storage is full or was taken away: the page goes on without
    }
  }
}

// Browsers throw at the very name in frames whose storage they block.
function tabStorage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
