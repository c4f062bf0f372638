// Messages: the log of the open channel, kept in place while it grows and changes.

import { openApps } from './apps.js';
import { h, icon } from './elements.js';
import { newer } from './memory.js';
import { attemptElement, messageElement } from './message.js';
import { nameOf } from './people.js';
import { dayOf } from './times.js';
import { DM, EPHEMERAL, isThread } from './world.js';

const GROUP_SPAN = 7 * 60 * 1000; // milliseconds between messages of one group
const NEAR = 80; // pixels from the bottom that still count as being there

export class MessageLog {
  #world;
  #unread;
  #interactions;
  #onreply;
  #seat = null;
  #channel = null;
  #drawn = new Map(); // message id -> {message, state, element}
  #newLine = null; // the last message read before the channel was opened, if there were newer ones
  #wanted = null; // a message to jump to as soon as it is here
  #stuck = true;
  #entered = false; // the channel was just opened, and the log still shows the last one

  constructor({ world, unread, interactions, onreply }) {
    this.#world = world;
    this.#unread = unread;
    this.#interactions = interactions;
    this.#onreply = onreply;
    this.#list = h('div.log-list', {
      role: 'log',
      'aria-live': 'polite',
      'aria-relevant': 'additions',
      'aria-label': 'Messages',
    });
    this.#scroller = h('div.log', { tabindex: '0', role: 'region', 'aria-label': 'Messages' }, this.#list);
    this.#pill = h('button.newer', { hidden: true, onclick: () => this.toBottom() }, 'Newer messages', icon('down'));
    this.#typing = h('div.typing', { 'aria-live': 'polite' });
    this.element = h('div.log-frame', {}, this.#scroller, this.#pill, this.#typing);
    this.#scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#stuck && this.toBottom()).observe(this.#scroller);
    new ResizeObserver(() => this.#stuck && this.toBottom()).observe(this.#list);
    // A thread's beginning speaks of a message of the parent channel.
    world.addEventListener(
      'history',
      ({ detail }) => [this.#channel, world.channels.get(this.#channel)?.parent_id].includes(detail) && this.render(),
    );
    world.addEventListener('messages', ({ detail }) => detail === this.#channel && this.render());
    world.addEventListener('message', ({ detail }) => detail.message.channel_id === this.#channel && this.render());
    world.addEventListener('hello', () => this.#seat === world.me.id || this.#take(world.me.id));
    world.addEventListener('commands', () => this.#redraw());
    world.addEventListener('channels', ({ detail }) => this.#renamed(detail));
    world.addEventListener('typing', ({ detail }) => detail === this.#channel && this.#drawTyping());
    interactions.addEventListener('change', () => this.render());
    document.addEventListener('visibilitychange', () => this.#read());
  }

  #list;
  #scroller;
  #pill;
  #typing;

  // Shows nothing until a channel of another person is opened.
  #take(seat) {
    this.#seat = seat;
    this.#channel = null;
  }

  show(channel, message = null) {
    if (this.#channel !== channel) {
      const known = this.#world.channels.get(channel);
      const mark = this.#unread.mark(channel);
      this.#newLine = known && mark !== '0' && this.#unread.isUnread(known) ? mark : null;
      this.#stuck = true;
      this.#entered = true;
    }
    this.#channel = channel;
    this.#wanted = message;
    this.render();
  }

  toBottom() {
    this.#stuck = true;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#read();
  }

  get #atBottom() {
    return this.#scroller.scrollHeight - this.#scroller.scrollTop - this.#scroller.clientHeight < NEAR;
  }

  #scrolled() {
    this.#stuck = this.#atBottom;
    if (this.#stuck) this.#read();
    this.#pill.hidden = this.#stuck;
  }

  #read() {
    if (this.#channel && this.#stuck && document.visibilityState === 'visible') this.#unread.read(this.#channel);
  }

  #drawTyping() {
    const names = this.#world
      .typing(this.#channel)
      .filter((user) => user.id !== this.#world.me.id)
      .map((user) => nameOf(user));
    this.#typing.textContent = names.length ? `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} typing…` : '';
  }

  // A channel's name or count of messages changed: what speaks of it is drawn anew.
  #renamed(channel) {
    for (const [id, { message }] of this.#drawn)
      if (id === channel || JSON.stringify(message).includes(channel)) this.#drawn.delete(id);
    this.render();
  }

  // The commands have other names: messages that mention them are drawn anew.
  #redraw() {
    this.#drawn.clear();
    this.render();
  }

  render() {
    const channel = this.#world.channels.get(this.#channel);
    if (!channel) return;
    // After a lost connection the log stays as it is until its messages are here again.
    if (!this.#entered && !this.#world.isCurrent(this.#channel)) return;
    if (!this.#entered) this.#stuck = this.#atBottom;
    this.#entered = false;
    const nodes = [this.#beginning(channel)];
    const kept = new Map();
    let before = null;
    let lineDrawn = false;
    for (const message of this.#world.messages(this.#channel)) {
      const day = dayOf(new Date(message.timestamp));
      const newDay = !before || dayOf(new Date(before.timestamp)) !== day;
      const newHere =
        !lineDrawn &&
        before &&
        this.#newLine &&
        newer(message.id, this.#newLine) &&
        message.author.id !== this.#world.me.id;
      if (newDay) nodes.push(h('div.divider', { role: 'separator' }, h('span', {}, day)));
      if (newHere) nodes.push(h('div.divider.new', { role: 'separator' }, h('span', {}, 'New')));
      lineDrawn ||= newHere;
      const drawn = this.#draw(message, !newDay && !newHere && groups(before, message));
      kept.set(message.id, drawn);
      nodes.push(drawn.element);
      before = message;
    }
    for (const attempt of this.#interactions.attempts(this.#channel))
      nodes.push(attemptElement(attempt, this.#world, () => this.#interactions.forget(attempt)));
    this.#drawn = kept;
    this.#place(nodes);
    this.#drawTyping();
    if (this.#stuck) this.toBottom();
    this.#pill.hidden = this.#stuck;
    this.#jump();
  }

  #draw(message, grouped) {
    const pending = this.#interactions.pending(message.id);
    const failure = this.#interactions.failure(message.id);
    const state = JSON.stringify([grouped, pending, failure]);
    const old = this.#drawn.get(message.id);
    if (old?.message === message && old.state === state) return old;
    const element = messageElement(message, {
      world: this.#world,
      grouped,
      pending,
      failure,
      mine:
        this.#unread.addresses(message, this.#world.me) && this.#world.channels.get(message.channel_id)?.type !== DM,
      act: (customId, values) => this.#interactions.click(message, customId, values),
      fill: (customId) => this.#interactions.fill(message, customId),
      reply: () => this.#onreply(message),
      apps: () =>
        openApps(message, this.#world, (menu, target) => this.#interactions.use(message.channel_id, menu, target)),
      dismiss: () => this.#world.dismiss(message),
    });
    return { message, state, element };
  }

  // Puts the nodes in order, touching only those that differ, so that what stays keeps its focus.
  #place(nodes) {
    const focus = this.#list.contains(document.activeElement) ? document.activeElement : null;
    const home = focus?.closest('.message');
    const wanted = new Set(nodes);
    for (const child of [...this.#list.children]) if (!wanted.has(child)) child.remove();
    let at = this.#list.firstChild;
    for (const node of nodes) {
      if (node === at) at = at.nextSibling;
      else this.#list.insertBefore(node, at);
    }
    if (!focus?.dataset.focus || focus.isConnected || !home) return;
    const redrawn = this.#list.querySelector(`[data-id="${home.dataset.id}"]`);
    if (redrawn) successor(focus, home, redrawn)?.focus({ preventScroll: true });
  }

  #beginning(channel) {
    const parent = this.#world.channels.get(channel.parent_id);
    const starter = isThread(channel) && parent && this.#world.message(parent.id, channel.id);
    const text =
      channel.type === DM
        ? `This is your private conversation with ${this.#world.title(channel)}. Nobody else can see it.`
        : isThread(channel)
          ? 'This is the beginning of the thread.'
          : channel.topic || `This is the beginning of ${this.#world.title(channel)}.`;
    return h(
      'header.beginning',
      {},
      h('span.beginning-mark', {}, channel.type === DM ? '@' : icon(isThread(channel) ? 'thread' : 'hash')),
      h('h2', {}, this.#world.title(channel)),
      h('p', {}, text),
      this.#world.bot && h('p', {}, 'Type ', h('kbd', {}, '/'), ` to see what ${nameOf(this.#world.bot)} can do.`),
      parent &&
        h(
          'a',
          { href: starter ? `#${parent.id}/${starter.id}` : `#${parent.id}` },
          starter
            ? `Jump to the message in ${this.#world.title(parent)} that it was made from`
            : `Back to ${this.#world.title(parent)}`,
        ),
    );
  }

  #jump() {
    const element = this.#wanted && this.#drawn.get(this.#wanted)?.element;
    if (!element) return;
    this.#wanted = null;
    this.#stuck = false;
    element.scrollIntoView({ block: 'center' });
    element.classList.add('found');
    setTimeout(() => element.classList.remove('found'), 2500);
  }
}

// The control of a redrawn message that replaces an old one: that with the same custom id or, since the id of a
// menu may tell what was chosen, the menu in the same place.
function successor(control, old, redrawn) {
  const menus = '.select-face';
  return (
    redrawn.querySelector(`[data-focus="${CSS.escape(control.dataset.focus)}"]`) ??
    redrawn.querySelectorAll(menus)[[...old.querySelectorAll(menus)].indexOf(control)]
  );
}

function groups(before, message) {
  if (!before || before.author.id !== message.author.id || message.type !== 0 || ![0, 19, 20].includes(before.type))
    return false;
  if (message.interaction_metadata?.type === 2 || message.interaction) return false;
  if ((before.flags & EPHEMERAL) !== (message.flags & EPHEMERAL)) return false;
  return Date.parse(message.timestamp) - Date.parse(before.timestamp) < GROUP_SPAN;
}
