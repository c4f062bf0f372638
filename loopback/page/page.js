// Page: connects the parts and follows the address, whose ?seat= is the person, &server= the server and #id the channel.

import { openAbout } from './about.js';
import { Activity } from './activity.js';
import { Banners, mentionHint } from './banners.js';
import { Composer } from './composer.js';
import { Connection } from './connection.js';
import { h, icon } from './elements.js';
import { Interactions } from './interactions.js';
import { MessageLog } from './messages.js';
import { openModal } from './modal.js';
import { avatar, nameOf } from './people.js';
import { badge, Seats } from './seats.js';
import { Sidebar } from './sidebar.js';
import { startTicking } from './times.js';
import { Unread } from './unread.js';
import { DM, isThread, World } from './world.js';

const PREFETCHED = 25; // unread channels whose history is fetched, to count mentions
const HOVERS = matchMedia('(hover: hover)');

const connection = new Connection();
const world = new World();
const unread = new Unread(world);
const interactions = new Interactions(connection, world);
let open = null; // the id of the open channel
let toDirect = false; // the bot's DM opens as soon as it is known

const banners = new Banners(world, () => openAbout(world));
const composer = new Composer({ world, interactions, say, onsend: () => log.toBottom(), onreopen: reopen });
const activity = new Activity(connection, world);
const log = new MessageLog({ world, unread, interactions, onreply: (message) => composer.reply(message) });
const sidebar = new Sidebar({
  world,
  unread,
  onserver: takeServer,
  onswitch: takeSeat,
  onspeak: speak,
  oninvite: invite,
  ondm: openDirect,
});
const title = h('h1.chat-title');
const me = h('button.me-button', { popovertarget: 'seat-menu', 'aria-haspopup': 'true' });
const seatMenu = h(
  'div.seat-menu',
  { id: 'seat-menu', popover: 'auto' },
  new Seats({ world, unread, onswitch: (seat) => takeSeat(seat), onspeak: speak, oninvite: invite }).element,
);

document.body.append(
  h(
    'div.app',
    {},
    sidebar.element,
    h(
      'main.chat',
      { onclick: () => sidebar.drawer(false) },
      h(
        'header.chat-head',
        {},
        h(
          'button.tool.menu-button',
          {
            'aria-label': 'Channels',
            'aria-controls': 'sidebar',
            'aria-expanded': 'false',
            onclick: (event) => {
              event.stopPropagation();
              sidebar.drawer(true);
            },
          },
          icon('menu'),
        ),
        title,
        h(
          'button.tool.about-button',
          { 'aria-label': 'About this stand-in', title: 'About this stand-in', onclick: () => openAbout(world) },
          icon('info'),
          h('span', {}, 'Stand-in'),
        ),
        me,
      ),
      banners.element,
      log.element,
      mentionHint({ world, unread, onswitch: takeSeat }),
      composer.element,
    ),
  ),
  seatMenu,
);

function address() {
  const [channel, message] = location.hash.slice(1).split('/');
  const searched = new URLSearchParams(location.search);
  const [seat, server] = ['seat', 'server'].map((key) => searched.get(key));
  return { seat, server, channel: channel || null, message: message || null };
}

// The part of an address that names a seat and, unless it is the first one, a server.
function place(seat, server) {
  return server === world.servers[0]?.id ? `?seat=${seat}` : `?seat=${seat}&server=${server}`;
}

async function say(frame) {
  try {
    await connection.ask({ t: 'say', ...frame });
    return true;
  } catch (error) {
    banners.toast(error.message);
    return false;
  }
}

async function reopen(channel) {
  try {
    await connection.ask({ t: 'reopen', channel });
  } catch (error) {
    banners.toast(error.message);
  }
}

// Switches to another seat in the same channel, or in a given one; a DM becomes that person's DM.
function takeSeat(seat, channel = open) {
  seatMenu.hidePopover();
  sidebar.drawer(false);
  if (seat === world.me.id) return;
  toDirect = world.channels.get(channel)?.type === DM;
  history.pushState(null, '', `${place(seat, world.guild.id)}#${channel}`);
  enter(seat, world.guild.id);
}

// Goes to another server, in the seat that this person can take there.
function takeServer(server) {
  sidebar.drawer(false);
  history.pushState(null, '', place(server.seat.id, server.id));
  enter(server.seat.id, server.id);
}

// Switches the client of this person to another language.
function speak(locale) {
  connection.tell({ t: 'speak', locale });
}

// Adds a person to the try-out; rejects with what is wrong with the name.
function invite(name) {
  return connection.ask({ t: 'invite', name });
}

function enter(seat, server) {
  interactions.reset();
  composer.clear();
  document.body.setAttribute('aria-busy', 'true');
  connection.enter(seat, server);
}

function openDirect() {
  if (world.dm) location.hash = world.dm.id;
  else toDirect = connection.tell({ t: 'open_dm' });
}

// Shows the channel of the address, or the first one if this person cannot see it.
function follow() {
  const wanted = address();
  const channel = world.channels.get(wanted.channel) ?? world.channels.get(open) ?? world.textChannels[0];
  if (!channel) return;
  if (channel.id !== wanted.channel) history.replaceState(null, '', `#${channel.id}`);
  const moved = open !== channel.id;
  open = channel.id;
  if (moved) connection.tell({ t: 'open', channel: open });
  const parent = isThread(channel) && world.channels.get(channel.parent_id);
  if (moved && parent && !world.messages(parent.id).length) connection.tell({ t: 'open', channel: parent.id });
  log.show(open, wanted.message);
  composer.open(open);
  sidebar.show(open);
  drawHead();
  if (moved && HOVERS.matches && !document.querySelector('dialog[open]')) composer.focus();
}

function drawHead() {
  const channel = world.channels.get(open);
  if (!channel) return;
  const parent = isThread(channel) && world.channels.get(channel.parent_id);
  const name = channel.type === DM || isThread(channel) ? world.title(channel) : channel.name;
  title.replaceChildren(
    ...[
      parent && h('a.crumb', { href: `#${parent.id}` }, icon('hash'), h('span', {}, parent.name)),
      parent && h('span.crumb-arrow', { 'aria-hidden': 'true' }, '›'),
      h(
        'span.chat-name',
        {},
        channel.type === DM ? h('span.at', {}, '@') : icon(parent ? 'thread' : 'hash'),
        h('span', {}, name),
      ),
      channel.topic && h('span.topic', { title: channel.topic }, channel.topic),
    ].filter(Boolean),
  );
  const others = world.seats
    .filter((seat) => seat.id !== world.me.id)
    .reduce((sum, seat) => sum + unread.mentions(seat.id), 0);
  me.replaceChildren(
    ...[
      avatar(world.me, 'small'),
      badge(others, ' of other seats'),
      h('span.visually-hidden', {}, ` You play as ${nameOf(world.me)}. Switch seats`),
    ].filter(Boolean),
  );
  const mine = unread.mentions(world.me.id);
  document.title = `${mine ? `(${mine}) ` : ''}${world.title(channel)} · ${nameOf(world.me)} · try-out`;
}

world.addEventListener('hello', () => {
  document.body.removeAttribute('aria-busy');
  const here = place(world.me.id, world.guild.id);
  if (location.search !== here) history.replaceState(null, '', `${here}${location.hash}`);
  open = null;
  const direct = toDirect;
  toDirect = false;
  follow();
  if (direct) openDirect();
  const waiting = [...world.channels.values()].filter((channel) => channel.id !== open && unread.isUnread(channel));
  for (const channel of waiting.slice(0, PREFETCHED)) connection.tell({ t: 'open', channel: channel.id });
});

world.addEventListener('channels', ({ detail }) => {
  if (toDirect && world.channels.get(detail).type === DM) {
    toDirect = false;
    location.hash = detail;
  }
  drawHead();
});
unread.addEventListener('change', drawHead);

connection.addEventListener('down', ({ detail }) => banners.lost(detail));
connection.addEventListener('frame', ({ detail: frame }) => {
  if (frame.t === 'activity') activity.open(frame);
  else if (frame.t === 'modal') openModal(frame.modal, world, (values) => interactions.submit(frame.interaction, values));
  else if (frame.t === 'failed' && frame.message) interactions.failed(frame);
  else if (frame.t === 'failed' || frame.t === 'error') banners.toast(frame.text);
  else if (!['done', 'autocomplete'].includes(frame.t)) world.apply(frame);
});

// While the page enters a seat, the channels are still those of the last one.
addEventListener('hashchange', () => document.body.hasAttribute('aria-busy') || follow());
addEventListener('popstate', () => {
  const { seat, server } = address();
  const moved = seat !== world.me?.id || (server ?? world.servers[0].id) !== world.guild.id;
  if (moved) enter(seat, server);
});
addEventListener('online', () => connection.hurry());
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && connection.hurry());
document.addEventListener('command', ({ detail }) => composer.start(detail));
document.addEventListener('keydown', (event) => {
  const focused = /** @type {Element} */ (event.target);
  const free = focused === document.body || focused.matches('.log, .send');
  if (free && event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey)
    composer.focus();
});

// Removes the key from the address, since there is a cookie now, people copy addresses and browsers store them.
const { searchParams } = new URL(location.href);
if (searchParams.has('key')) {
  searchParams.delete('key');
  history.replaceState(null, '', `?${searchParams}${location.hash}`);
}
startTicking();
connection.enter(address().seat, address().server);
