// Unread: each seat's unread channels and mentions.

import { newer, onOtherWindow, readMark, setReadMark } from './memory.js';
import { DM, EPHEMERAL } from './world.js';

export class Unread extends EventTarget {
  #world;
  #mentions = new Map(); // seat -> message id -> channel id; stays when the seat changes

  constructor(world) {
    super();
    this.#world = world;
    world.addEventListener('message', ({ detail }) => this.#note(detail.message));
    world.addEventListener('history', ({ detail }) => this.#noteAll(detail));
    onOtherWindow(() => this.#changed());
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }

  #noteAll(channel) {
    for (const message of this.#world.messages(channel)) this.#remember(message);
    this.#changed();
  }

  #note(message) {
    this.#remember(message);
    this.#changed();
  }

  #remember(message) {
    if (message.flags & EPHEMERAL) return;
    for (const seat of this.#world.seats) {
      if (!this.addresses(message, seat)) continue;
      if (!this.#mentions.has(seat.id)) this.#mentions.set(seat.id, new Map());
      this.#mentions.get(seat.id).set(message.id, message.channel_id);
    }
  }

  // Whether a message notifies this person: a mention, or any message in their DM.
  addresses(message, person) {
    if (message.author.id === person.id) return false;
    if (message.mention_everyone || message.mentions?.some((user) => user.id === person.id)) return true;
    return person.id === this.#world.me.id && this.#world.channels.get(message.channel_id)?.type === DM;
  }

  isUnread(channel) {
    return Boolean(channel.last_message_id) && newer(channel.last_message_id, this.mark(channel.id));
  }

  mark(channel) {
    return readMark(this.#world.me.id, channel);
  }

  #waiting(seat) {
    return [...(this.#mentions.get(seat) ?? [])].filter(([message, channel]) =>
      newer(message, readMark(seat, channel)),
    );
  }

  mentions(seat, channel) {
    return this.#waiting(seat).filter(([, where]) => !channel || where === channel).length;
  }

  // The newest mention of another seat, as {seat, channel, message}, or undefined.
  elsewhere() {
    const others = this.#world.seats.filter((seat) => seat.id !== this.#world.me.id);
    const waiting = others.flatMap((seat) =>
      this.#waiting(seat.id).map(([message, channel]) => ({ seat, channel, message })),
    );
    return waiting
      .filter(({ channel }) => this.#world.channels.has(channel))
      .sort((a, b) => (newer(a.message, b.message) ? -1 : 1))[0];
  }

  read(channel) {
    const last = this.#world.channels.get(channel)?.last_message_id;
    if (!last || !newer(last, this.mark(channel))) return;
    setReadMark(this.#world.me.id, channel, last);
    this.#changed();
  }
}
