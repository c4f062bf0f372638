// Mentions: people's names in typed text, and their codes in sent messages.

import { nameOf } from './people.js';

const BEGUN = /(^|\s)@([^\s@]{0,32})$/u;

// The text after a final @, or null if the text ends without a mention.
export function begunMention(before) {
  return BEGUN.exec(before)?.[2] ?? null;
}

export function completed(before, user) {
  return before.replace(BEGUN, (whole, space) => `${space}@${nameOf(user)} `);
}

// Replaces the displayed "@Ola" by the "<@id>" to send; longer names come first.
export function addressed(text, users) {
  const names = [...users].flatMap((user) => [
    [nameOf(user), user.id],
    [user.username, user.id],
  ]);
  if (!names.length) return text;
  names.sort((a, b) => b[0].length - a[0].length);
  const quote = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const any = names.map(([name]) => quote(name)).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\d<])@(${any})(?![\\p{L}\\d])`, 'giu');
  const ids = new Map([...names].reverse().map(([name, id]) => [name.toLowerCase(), id]));
  return text.replace(pattern, (whole, name) => `<@${ids.get(name.toLowerCase())}>`);
}
