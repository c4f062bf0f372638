// Composer: the field for messages, replies and slash commands.

import { CommandLine } from './commandline.js';
import { begun, named, readOptions } from './commands.js';
import { h, icon } from './elements.js';
import { begunMention, addressed, completed } from './mentions.js';
import { offerCommands, offerPeople } from './picker.js';
import { drawReplyBar } from './replybar.js';
import { Suggestions } from './suggestions.js';

export class Composer {
  #world;
  #interactions;
  #say;
  #onsend;
  #onreopen;
  #channel = null;
  #drafts = new Map(); // channel id -> {text, line, reply, ping}
  #suggestions = new Suggestions();
  #replyBar = h('div.reply-bar', { hidden: true });
  #threadBar = h('div.thread-bar', { hidden: true, role: 'status' });
  #entry;
  #slot;
  #browseButton;

  // `say` gets {channel, content, reply_to, ping}; its promise resolves to true if the message was sent. `onreopen` gets
  // the id of an archived thread.
  constructor({ world, interactions, say, onsend, onreopen }) {
    this.#world = world;
    this.#interactions = interactions;
    this.#say = say;
    this.#onsend = onsend;
    this.#onreopen = onreopen;
    this.#entry = h('textarea', {
      rows: 1,
      autocomplete: 'off',
      enterkeyhint: 'send',
      oninput: () => this.#typed(),
      onkeydown: (event) => this.#key(event),
      onclick: () => this.#typed(),
    });
    this.#slot = h('div.composer-slot', {}, this.#entry);
    this.#browseButton = h(
      'button.tool',
      { 'aria-label': 'Commands of the bot', title: 'Commands', onclick: () => this.#browse() },
      icon('slash'),
    );
    this.element = h(
      'div.composer',
      { onfocusout: (event) => this.element.contains(event.relatedTarget) || this.#suggestions.hide() },
      this.#suggestions.element,
      this.#threadBar,
      this.#replyBar,
      h(
        'div.composer-row',
        {},
        this.#browseButton,
        this.#slot,
        h('button.tool.send', { 'aria-label': 'Send', title: 'Send', onclick: () => this.#send() }, icon('send')),
      ),
    );
    world.addEventListener('hello', () => this.#retitle());
    world.addEventListener('channels', ({ detail }) => detail === this.#channel && this.#drawThread());
  }

  get #draft() {
    if (!this.#drafts.has(this.#channel))
      this.#drafts.set(this.#channel, { text: '', line: null, reply: null, ping: true });
    return this.#drafts.get(this.#channel);
  }

  // The command that is being written in the open channel, if any.
  get #line() {
    return this.#draft.line;
  }

  open(channel) {
    if (this.#channel === channel) return;
    this.#suggestions.hide();
    this.#channel = channel;
    this.#fill(this.#draft.text);
    this.#drawLine();
    this.#drawReply();
    this.#retitle();
  }

  // Drafts belong to one person; another seat starts without any.
  clear() {
    this.#drafts.clear();
    this.#leave('');
    this.#drawReply();
  }

  focus() {
    if (this.#line) this.#line.focus();
    else this.#entry.focus();
  }

  #retitle() {
    const channel = this.#world.channels.get(this.#channel);
    if (!channel) return;
    const text = `Message ${this.#world.title(channel)}`;
    this.#entry.placeholder = text;
    this.#entry.setAttribute('aria-label', `${text}, or type a slash for commands`);
    this.#drawThread();
  }

  // Says that a thread is archived, where clients offer neither commands nor buttons, or locked.
  #drawThread() {
    const { archived, locked } = this.#world.channels.get(this.#channel)?.thread_metadata ?? {};
    const state = archived ? (locked ? 'archived and locked' : 'archived') : 'locked';
    const open = { onclick: () => this.#onreopen(this.#channel) };
    this.#threadBar.hidden = !(archived || locked);
    this.#threadBar.replaceChildren(
      h('span', {}, `This thread is ${state}. ${locked ? 'Only moderators write here.' : 'Its members can open it.'}`),
      ...(archived ? [h('button.thread-open', open, 'Open thread')] : []),
    );
  }

  #fill(text) {
    this.#entry.value = text;
    this.#draft.text = text;
    this.#fit();
  }

  #fit() {
    this.#entry.style.height = 'auto';
    this.#entry.style.height = `${Math.min(this.#entry.scrollHeight, 220)}px`;
  }

  #typed() {
    const text = this.#entry.value;
    this.#draft.text = text;
    this.#fit();
    const before = text.slice(0, this.#entry.selectionStart);
    const start = begun(this.#world.runnable, text);
    const mention = begunMention(before);
    if (start) this.#start(start.command, start.rest);
    else if (/^\/[^\n]*$/u.test(text)) this.#offerCommands(text.slice(1));
    else if (mention !== null) {
      this.#suggestions.serve(this.#entry);
      offerPeople(this.#suggestions, this.#world, mention, (user) => this.#mention(user));
    } else this.#suggestions.hide();
  }

  #offerCommands(text) {
    this.#suggestions.serve(this.#entry);
    offerCommands(this.#suggestions, this.#world, text, (command) => this.#start(command));
  }

  #mention(user) {
    const end = this.#entry.selectionStart;
    const before = completed(this.#entry.value.slice(0, end), user);
    const after = this.#entry.value.slice(end);
    this.#fill(before + after);
    this.#entry.setSelectionRange(before.length, before.length);
    this.#entry.focus();
    this.#suggestions.hide();
  }

  #browse() {
    this.#leave('/');
    this.#entry.focus();
    this.#typed();
  }

  // Begins the command of this path, as its mention in a message asks for.
  start(path) {
    const command = named(this.#world.runnable, path.join(' '));
    if (command) this.#start(command);
    else this.#offerCommands(path.join(' '));
  }

  // Turns the composer into the chips of one command. Typed text belongs to the options that it names, and to the first
  // one where it names none.
  #start(command, text = '') {
    const { start, given } = readOptions(command, text);
    if (start && command.options.length) given.set(command.options[0], start);
    this.#draft.line = new CommandLine({
      command,
      given,
      world: this.#world,
      suggestions: this.#suggestions,
      complete: (...question) => this.#interactions.complete(this.#channel, ...question),
      onsend: (sent, options) => {
        this.#leave('');
        this.#entry.focus();
        this.#onsend();
        this.#interactions.run(this.#channel, sent, options);
      },
      onleave: (text) => {
        this.#leave(text);
        this.#entry.focus();
        if (text) this.#typed();
      },
    });
    this.#suggestions.hide();
    this.#drawLine();
    this.#line.begin();
  }

  // Beside a command that is being written, the list of commands is for the mouse alone: Tab and Enter never drop it.
  #drawLine() {
    this.#slot.replaceChildren(this.#line?.element ?? this.#entry);
    this.#browseButton.tabIndex = this.#line ? -1 : 0;
  }

  // Returns from a command to plain text.
  #leave(text) {
    this.#suggestions.hide();
    this.#draft.line = null;
    this.#drawLine();
    this.#fill(text);
  }

  reply(message) {
    this.#draft.reply = message;
    this.#drawReply();
    this.focus();
  }

  #drawReply() {
    const draft = this.#draft;
    drawReplyBar(this.#replyBar, draft, {
      ontoggle: () => {
        draft.ping = !draft.ping;
        this.#drawReply();
      },
      oncancel: () => this.#cancelReply(),
    });
  }

  #cancelReply() {
    Object.assign(this.#draft, { reply: null, ping: true });
    this.#drawReply();
    this.focus();
  }

  #key(event) {
    if (event.isComposing || this.#suggestions.key(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.#send();
    } else if (event.key === 'Escape' && this.#draft.reply) this.#cancelReply();
  }

  #send() {
    if (this.#line) return this.#line.send();
    const text = this.#entry.value.trim();
    const command = text.startsWith('/') && named(this.#world.runnable, text.slice(1));
    if (command) return this.#start(command);
    if (text) this.#post(text);
  }

  // Clears the field at once, and restores the message if it could not be sent.
  async #post(text) {
    const channel = this.#channel;
    const { reply, ping } = this.#draft;
    this.#fill('');
    if (reply) this.#cancelReply();
    this.#onsend();
    const sent = await this.#say({
      channel,
      content: addressed(text, this.#world.users.values()),
      reply_to: reply?.id ?? null,
      ping,
    });
    if (sent || this.#channel !== channel || this.#entry.value) return;
    this.#fill(text);
    if (reply) Object.assign(this.#draft, { reply, ping });
    this.#drawReply();
  }
}
