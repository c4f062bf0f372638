// Community: what the servers of a player play together, and where they have their tables.

import { h } from '../board/elements.js';

// Returns the parts of the section. `around` are the servers, null with a `line` where they are not known. `act(message)` does
// something, and `leave(url)` opens a page beside this one.
export function communities({ around, line, words, act, leave }) {
  if (!around) return [h('p.empty', {}, line)];
  if (!around.length) return [h('p.empty', {}, words.no_server)];
  return around.flatMap((each) => community(each, words, act, leave));
}

function community({ server, community: { offers, doors, elsewhere, url } }, words, act, leave) {
  const pages = doors.map(({ label, url: page }) => h('button', { onclick: () => leave(page), 'data-focus': page }, label));
  const away = h('button', { onclick: () => leave(url), 'data-focus': url }, words.card);
  return [
    ...(server ? [h('h3', {}, server)] : []),
    ...(offers.length ? [h('ul.list', {}, ...offers.map((each) => line(each, words, act, leave)))] : []),
    ...(elsewhere ? [h('p.quiet', {}, elsewhere)] : []),
    h('div.row', {}, ...(elsewhere && url ? [away] : pages)),
  ];
}

// What can be joined by one press, or looked at.
function line({ kind, number, title, line: told, join, open, match, server, url }, words, act, leave) {
  const key = `${kind} ${server} ${number}`;
  const button = (tag, what, name, label) => h(tag, { onclick: what, 'data-focus': `${name} ${key}`, 'aria-label': `${label}: ${title}` }, label);
  const look = () => (match ? act({ do: 'watch', match }) : leave(url));
  const buttons = [
    ...(join ? [button('button.primary', () => act({ do: 'join', kind, number, server }), 'join', join)] : []),
    ...(match || url ? [button('button', look, 'open', open ?? words.card)] : []),
  ];
  return h('li', {}, h('span.lines', {}, h('strong', {}, title), h('span.quiet', {}, told)), h('span.row', {}, ...buttons));
}
