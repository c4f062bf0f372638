// Markdown: Discord's subset of it, turned into DOM nodes and never into an HTML string.

import { named } from './commands.js';
import { h } from './elements.js';
import { nameOf } from './people.js';
import { timestamp } from './times.js';

const PLAIN = /[^\\`*_~|<[@h]+|[^]/y;

/** @type {[RegExp, (match: RegExpExecArray, world: any) => any][]} */
const INLINE = [
  [/\\([^A-Za-z0-9\s])/y, (m) => m[1]],
  [/(`+)([^]*?[^`])\1(?!`)/y, (m) => h('code', {}, m[2].replace(/^ (.*) $/s, '$1'))],
  [/\|\|([^]+?)\|\|/y, (m, world) => spoiler(inline(m[1], world))],
  [/\*\*([^]+?)\*\*(?!\*)/y, (m, world) => h('strong', {}, inline(m[1], world))],
  [/__([^]+?)__(?!_)/y, (m, world) => h('u', {}, inline(m[1], world))],
  [/~~([^]+?)~~/y, (m, world) => h('s', {}, inline(m[1], world))],
  [/\*(?=\S)((?:\*\*|\\[^]|[^*])+?)\*(?!\*)/y, (m, world) => h('em', {}, inline(m[1], world))],
  [/_((?:__|\\[^]|[^_])+?)_(?!\w)/y, (m, world) => h('em', {}, inline(m[1], world))],
  [/<@!?(\d+)>/y, (m, world) => userMention(m[1], world)],
  [/<@&(\d+)>/y, (m, world) => roleMention(m[1], world)],
  [/@(everyone|here)\b/y, (m) => h('span.mention', {}, m[0])],
  [/<#(\d+)>/y, (m, world) => channelMention(m[1], world)],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (m) => timestamp(Number(m[1]), m[2]) ?? m[0]],
  [/<\/([-\w\p{L} ]{1,98}):(\d+)>/uy, (m, world) => commandMention(m[1], world)],
  [/<a?:(\w{2,32}):\d+>/y, (m) => `:${m[1]}:`],
  [
    /\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: "[^"\n]*")?\)/y,
    (m, world) => follow(m[2], inline(m[1], world), world),
  ],
  [/<(https?:\/\/[^\s>]+)>/y, (m, world) => follow(m[1], [m[1]], world)],
  [/https?:\/\/[^\s<]*[^\s<.,:;"'\])!?*_|~]/y, (m, world) => follow(m[0], [m[0]], world)],
];

export function spoiler(children) {
  const reveal = (event) => {
    if (element.classList.contains('shown')) return;
    event.preventDefault();
    event.stopPropagation();
    element.classList.add('shown');
    element.removeAttribute('role');
    element.removeAttribute('aria-label');
  };
  const element = h(
    'span.spoiler',
    {
      role: 'button',
      tabindex: '0',
      'aria-label': 'Spoiler, press to show',
      onclick: reveal,
      onkeydown: (event) => (event.key === 'Enter' || event.key === ' ') && reveal(event),
    },
    h('span', {}, children),
  );
  return element;
}

export function link(address, children) {
  return h('a', { href: address, target: '_blank', rel: 'noopener noreferrer', title: address }, children);
}

// The channel, and the message perhaps, to which an address of this guild leads; nothing if it leads elsewhere.
function place(address, world) {
  const [, channel, message] =
    /^https:\/\/(?:\w+\.)?discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/.exec(address) ?? [];
  return world.channels.has(channel) ? { channel, message } : null;
}

// Where a link leads: to a channel or a message of this guild within the page, anywhere else in a new tab.
export function target(address, world) {
  const { channel, message } = place(address, world) ?? {};
  if (channel) return { href: message ? `#${channel}/${message}` : `#${channel}` };
  return { href: address, target: '_blank', rel: 'noopener noreferrer' };
}

function follow(address, children, world) {
  const found = place(address, world);
  if (!found) return link(address, children);
  const { channel, message } = found;
  const shown =
    children[0] === address ? [`${world.title(world.channels.get(channel))}${message ? ' › message' : ''}`] : children;
  return h('a', { class: shown === children ? '' : 'mention', ...target(address, world) }, shown);
}

function userMention(id, world) {
  const user = world.users.get(id);
  return h('span.mention', { class: world.me?.id === id ? 'mine' : '' }, `@${user ? nameOf(user) : 'unknown-user'}`);
}

function roleMention(id, world) {
  const role = world.roles.find((each) => each.id === id);
  return h('span.mention', {}, `@${role?.name ?? 'deleted-role'}`);
}

function channelMention(id, world) {
  const channel = world.channels.get(id);
  return channel ? h('a.mention', { href: `#${id}` }, world.title(channel)) : h('span.mention', {}, '#unknown');
}

// The click bubbles up as a `command` event, which the composer handles. The name is in the reader's language.
function commandMention(name, world) {
  const announce = (event) =>
    event.target.dispatchEvent(new CustomEvent('command', { bubbles: true, detail: name.split(' ') }));
  return h('button.mention', { onclick: announce }, `/${named(world.runnable, name)?.label ?? name}`);
}

// Text with inline marks as an array of nodes and strings.
export function inline(text, world) {
  const nodes = [];
  let plain = '';
  let at = 0;
  outer: while (at < text.length) {
    for (const [pattern, build] of INLINE) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match) continue;
      if (plain) nodes.push(plain);
      plain = '';
      nodes.push(build(match, world));
      at += match[0].length;
      continue outer;
    }
    PLAIN.lastIndex = at;
    const run = PLAIN.exec(text)[0];
    plain += run;
    at += run.length;
  }
  if (plain) nodes.push(plain);
  return nodes;
}

const FENCE = /```(?:([-\w+.]*)\n)?([^]*?)\n?```\n?/g;
const LIST = /^( *)([-*]|\d{1,9}\.) +(.*)$/;

// A list is built from its lines; a line indented deeper than the last one opens a list within it.
function list(lines, world) {
  const items = lines.map((line) => LIST.exec(line));
  const build = (from, indent) => {
    const ordered = /\d/.test(items[from][2]);
    const element = h(ordered ? 'ol' : 'ul', { start: ordered ? parseInt(items[from][2], 10) : null });
    let at = from;
    while (at < items.length && items[at][1].length >= indent) {
      const deeper = items[at][1].length > indent;
      if (!deeper && /\d/.test(items[at][2]) !== ordered) break;
      if (deeper && element.lastChild) {
        const [inner, next] = build(at, items[at][1].length);
        element.lastChild.append(inner);
        at = next;
      } else {
        element.append(h('li', {}, inline(items[at][3], world)));
        at += 1;
      }
    }
    return [element, at];
  };
  const lists = [];
  for (let at = 0; at < items.length;) {
    const [element, next] = build(at, items[at][1].length);
    lists.push(element);
    at = next;
  }
  return lists;
}

/** @type {[RegExp, (lines: string[], world: any) => any[]][]} */
const BLOCKS = [
  [
    /^(#{1,3}) +(.+)$/,
    (lines, world) =>
      lines.map((line) => {
        const [, marks, text] = /^(#{1,3}) +(.+)$/.exec(line);
        return h(`h${marks.length + 2}`, {}, inline(text, world));
      }),
  ],
  [
    /^-# +(.+)$/,
    (lines, world) => lines.map((line) => h('small.subtext', {}, inline(line.replace(/^-# +/, ''), world))),
  ],
  [/^> /, (lines, world) => [h('blockquote', {}, blocks(lines.map((line) => line.slice(2)).join('\n'), world))]],
  [LIST, list],
];

function blocks(text, world) {
  const nodes = [];
  let run = [];
  let kind = null;
  const flush = () => {
    if (run.length) nodes.push(...(kind ? kind[1](run, world) : [h('p', {}, inline(run.join('\n'), world))]));
    run = [];
  };
  const lines = text.split('\n');
  for (const [number, line] of lines.entries()) {
    if (line.startsWith('>>> ')) {
      flush();
      nodes.push(h('blockquote', {}, blocks([line.slice(4), ...lines.slice(number + 1)].join('\n'), world)));
      return nodes;
    }
    const next = BLOCKS.find(([pattern]) => pattern.test(line)) ?? null;
    if (next !== kind) flush();
    kind = next;
    run.push(line);
  }
  flush();
  return nodes;
}

// A whole message text as an array of block elements.
export function markdown(text, world) {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(FENCE)) {
    const before = text.slice(at, match.index).replace(/\n$/, '');
    if (before) nodes.push(...blocks(before, world));
    nodes.push(h('pre', {}, h('code', {}, match[2])));
    at = match.index + match[0].length;
  }
  if (at < text.length) nodes.push(...blocks(text.slice(at), world));
  return nodes;
}
