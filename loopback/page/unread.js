// Unread: each seat's unread channels and mentions.

import { newer, onOtherWindow, readMark, setReadMark } from './memory.js';
import { DM, EPHEMERAL } from './world.js';

// A bot's message that lost its buttons asks nothing any more, as a board whose turn was played.
function isOver(message) {
  return message.author.bot && Boolean(message.edited_timestamp) && !message.components?.length;
}

export class Unread extends EventTarget {
  #world;
  #mentions = new Map(); // seat -> message id -> channel id; stays when the seat changes
  #acted = new Map(); // "seat channel" -> the newest message there that the person wrote or caused

  constructor(world) {
    super();
    this.#world = world;
    world.addEventListener('message', ({ detail }) => this.#note(detail.message));
    world.addEventListener('history', ({ detail }) => this.#noteAll(detail));
    world.addEventListener('deleted', ({ detail }) => this.#forget(detail));
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

  #forget(message) {
    for (const calls of this.#mentions.values()) calls.delete(message);
    this.#changed();
  }

  // A message calls the people whom it mentions. The one who wrote or caused it has seen what the channel said before,
  // on whatever device, and so has nothing left to answer there.
  #remember(message) {
    if (message.flags & EPHEMERAL) return;
    const actor = message.interaction_metadata?.user.id ?? message.author.id;
    const here = `${actor} ${message.channel_id}`;
    if (newer(message.id, this.#acted.get(here))) this.#acted.set(here, message.id);
    for (const seat of this.#world.seats) {
      if (!this.#mentions.has(seat.id)) this.#mentions.set(seat.id, new Map());
      const calls = this.#mentions.get(seat.id);
      if (this.addresses(message, seat) && !isOver(message)) calls.set(message.id, message.channel_id);
      else calls.delete(message.id);
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
    return [...(this.#mentions.get(seat) ?? [])].filter(
      ([message, channel]) =>
        newer(message, readMark(seat, channel)) && newer(message, this.#acted.get(`${seat} ${channel}`)),
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
