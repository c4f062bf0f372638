// Interactions: this seat's pending commands, clicks and modals, and their failures.

import { packed } from './files.js';

export const FILLING = ' everyone'; // pending in place of a custom id, while everyone else presses a button
const SLOW = 350; // milliseconds before "Sending command" appears

export class Interactions extends EventTarget {
  #connection;
  #pending = new Map(); // message id -> custom id of the used component
  #failures = new Map(); // message id -> text
  #attempts = [];

  constructor(connection, world) {
    super();
    this.#connection = connection;
    world.addEventListener('message', ({ detail }) => this.#failures.delete(detail.message.id));
  }

  #changed(channel) {
    this.dispatchEvent(new CustomEvent('change', { detail: channel }));
  }

  pending(message) {
    return this.#pending.get(message);
  }

  failure(message) {
    return this.#failures.get(message);
  }

  // Shows a failure that belongs to no request of this window.
  failed(frame) {
    this.#failures.set(frame.message, frame.text);
    this.#changed();
  }

  async click(message, customId, values = null) {
    if (this.#pending.has(message.id)) return;
    this.#pending.set(message.id, customId);
    this.#failures.delete(message.id);
    this.#changed(message.channel_id);
    try {
      await this.#connection.ask({
        t: 'click',
        channel: message.channel_id,
        message: message.id,
        custom_id: customId,
        values,
      });
    } catch (error) {
      this.#failures.set(message.id, error.message);
    }
    this.#pending.delete(message.id);
    this.#changed(message.channel_id);
  }

  // Lets everyone else press a button.
  async fill(message, customId) {
    if (this.#pending.has(message.id)) return;
    this.#pending.set(message.id, FILLING);
    this.#failures.delete(message.id);
    this.#changed(message.channel_id);
    try {
      await this.#connection.ask({ t: 'fill', message: message.id, custom_id: customId });
    } catch (error) {
      this.#failures.set(message.id, error.message);
    }
    this.#pending.delete(message.id);
    this.#changed(message.channel_id);
  }

  run(channel, path, options) {
    return this.#attempt(channel, `/${path.join(' ')}`, async () => ({
      t: 'command',
      channel,
      path,
      options: await packed(options),
    }));
  }

  // Uses a command of a context menu on a person or a message.
  use(channel, menu, target) {
    return this.#attempt(channel, menu.label, () => ({ t: 'menu', channel, name: menu.name, type: menu.type, target }));
  }

  async #attempt(channel, label, frame) {
    const attempt = { channel, label, error: null, slow: false };
    this.#attempts.push(attempt);
    const timer = setTimeout(() => {
      attempt.slow = true;
      this.#changed(channel);
    }, SLOW);
    try {
      await this.#connection.ask(await frame());
      this.forget(attempt);
    } catch (error) {
      attempt.error = error.message;
      this.#changed(channel);
    }
    clearTimeout(timer);
  }

  complete(channel, path, options, focused) {
    return this.#connection.ask({ t: 'complete', channel, path, options, focused });
  }

  submit(interaction, values) {
    return this.#connection.ask({ t: 'submit', interaction, values });
  }

  // Commands of a channel that failed or are slow.
  attempts(channel) {
    return this.#attempts.filter((attempt) => attempt.channel === channel && (attempt.error || attempt.slow));
  }

  forget(attempt) {
    this.#attempts = this.#attempts.filter((other) => other !== attempt);
    this.#changed(attempt.channel);
  }

  reset() {
    this.#pending.clear();
    this.#failures.clear();
    this.#attempts = [];
  }
}
