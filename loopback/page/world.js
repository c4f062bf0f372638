// World: everything that this seat can see on one server, updated by the server's frames.

import { menus, runnable } from './commands.js';
import { dismiss, dismissed, newer } from './memory.js';
import { nameOf } from './people.js';

export const EPHEMERAL = 64;
export const LOADING = 128;
export const COMPONENTS_V2 = 1 << 15;
export const DM = 1;
const THREADS = [10, 11, 12];
const TYPING_LASTS = 9000; // milliseconds

export class World extends EventTarget {
  me = null;
  seats = [];
  maxSeats = 0;
  users = new Map();
  guild = null; // the open server
  servers = []; // all of them, each with the seat to take there
  channels = new Map();
  roles = [];
  locales = [];
  runnable = []; // the commands in the language of this person's client
  menus = []; // those of context menus
  notice = '';
  botOnline = true;
  #commands = [];
  #messages = new Map();
  #current = new Set(); // channels whose messages have come since the last connection
  #dismissed = new Set();
  #typing = new Map();

  apply(frame) {
    const handler = this[`on_${frame.t}`];
    if (!handler) throw new Error(`unknown frame ${JSON.stringify(frame.t)}`);
    handler.call(this, frame);
  }

  #changed(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  on_hello(frame) {
    if (this.me?.id !== frame.me.id || this.guild.id !== frame.guild.id) this.#messages.clear();
    Object.assign(this, {
      me: frame.me,
      seats: frame.seats,
      maxSeats: frame.max_seats,
      guild: frame.guild,
      servers: frame.servers,
      roles: frame.roles,
      locales: frame.locales,
      notice: frame.notice,
      fileLimit: frame.file_limit,
    });
    this.botOnline = frame.online ?? true;
    this.users = new Map(frame.users.map((user) => [user.id, user]));
    this.channels = new Map(frame.channels.map((channel) => [channel.id, channel]));
    this.#dismissed = dismissed(this.me.id);
    this.#current.clear();
    this.#typing.clear();
    this.#translate(frame.commands);
    this.#changed('hello');
  }

  on_channel({ channel }) {
    this.channels.set(channel.id, { ...this.channels.get(channel.id), ...channel });
    this.#changed('channels', channel.id);
  }

  on_commands({ commands }) {
    this.#translate(commands);
    this.#changed('commands');
  }

  on_locale({ locale }) {
    this.me.locale = locale;
    this.on_commands({ commands: this.#commands });
  }

  on_seats({ seats }) {
    this.seats = seats;
    for (const seat of seats) this.users.set(seat.id, seat);
    this.#changed('seats');
  }

  on_roles({ roles }) {
    this.roles = roles;
  }

  #translate(commands) {
    this.#commands = commands;
    this.runnable = runnable(commands, this.me.locale);
    this.menus = menus(commands, this.me.locale);
  }

  on_history({ channel, messages }) {
    const old = this.#messages.get(channel) ?? new Map();
    this.#messages.set(channel, new Map());
    this.#current.add(channel);
    for (const message of messages) this.#put(message, old);
    this.#changed('history', channel);
  }

  on_message({ message }) {
    const fresh = !this.#of(message.channel_id).has(message.id);
    this.#put(message, this.#of(message.channel_id));
    this.#typing.get(message.channel_id)?.delete(message.author.id);
    this.#changed('message', { message, fresh });
  }

  on_message_delete({ channel, id }) {
    this.#of(channel).delete(id);
    this.#changed('deleted', id);
    this.#changed('messages', channel);
  }

  on_typing({ channel, user }) {
    if (!this.#typing.has(channel)) this.#typing.set(channel, new Map());
    this.#typing.get(channel).set(user, Date.now() + TYPING_LASTS);
    this.#changed('typing', channel);
    setTimeout(() => this.#changed('typing', channel), TYPING_LASTS + 50);
  }

  on_offline({ online }) {
    this.botOnline = online;
    this.#changed('online');
  }

  #of(channel) {
    if (!this.#messages.has(channel)) this.#messages.set(channel, new Map());
    return this.#messages.get(channel);
  }

  // An unchanged message keeps its object, so that the log does not draw it again.
  #put(message, old) {
    const before = old.get(message.id);
    const same = before && JSON.stringify(before) === JSON.stringify(message);
    this.#of(message.channel_id).set(message.id, same ? before : message);
    const channel = this.channels.get(message.channel_id);
    if (channel && !(message.flags & EPHEMERAL) && newer(message.id, channel.last_message_id))
      channel.last_message_id = message.id;
  }

  // Whether the messages of a channel are as the server has them. After a lost connection they are not, until they come
  // again: files of private messages may be gone.
  isCurrent(channel) {
    return this.#current.has(channel);
  }

  // Messages of a channel, oldest first, without dismissed ones; none that may be gone.
  messages(channel) {
    if (!this.isCurrent(channel)) return [];
    const all = [...(this.#messages.get(channel)?.values() ?? [])];
    return all.filter((message) => !this.#dismissed.has(message.id)).sort((a, b) => (newer(a.id, b.id) ? 1 : -1));
  }

  message(channel, id) {
    return this.#messages.get(channel)?.get(id);
  }

  dismiss(message) {
    this.#dismissed.add(message.id);
    dismiss(this.me.id, message.id);
    this.#changed('messages', message.channel_id);
  }

  typing(channel) {
    const now = Date.now();
    return [...(this.#typing.get(channel) ?? [])]
      .filter(([, until]) => until > now)
      .map(([id]) => this.users.get(id))
      .filter(Boolean);
  }

  title(channel) {
    if (channel.type === DM) return nameOf(this.partner(channel));
    return isThread(channel) ? channel.name : `#${channel.name}`;
  }

  partner(channel) {
    return channel.recipients?.find((user) => user.id !== this.me.id) ?? this.bot;
  }

  get bot() {
    return [...this.users.values()].find((user) => user.bot);
  }

  get dm() {
    return [...this.channels.values()].find((channel) => channel.type === DM);
  }

  get textChannels() {
    const text = [...this.channels.values()].filter((channel) => channel.type !== DM && !isThread(channel));
    return text.sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || (newer(a.id, b.id) ? 1 : -1));
  }

  threads(parent) {
    return [...this.channels.values()]
      .filter((channel) => isThread(channel) && channel.parent_id === parent)
      .sort((a, b) => (newer(a.id, b.id) ? 1 : -1));
  }
}

export function isThread(channel) {
  return THREADS.includes(channel.type);
}
