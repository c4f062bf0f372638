// People: the display of a user's name and avatar.

import { h } from './elements.js';

const SHADES = 8;

export function nameOf(user, member) {
  return member?.nick || user?.global_name || user?.username || 'Unknown user';
}

function initials(name) {
  const words = name
    .trim()
    .split(/[\s_.-]+/)
    .filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0] ?? '?'];
  return letters.map((word) => [...word][0].toUpperCase()).join('');
}

// The shade follows the id, so that a person keeps it in every window.
function shade(id) {
  let sum = 0;
  for (const digit of String(id)) sum = (sum * 31 + digit.charCodeAt(0)) % 9973;
  return sum % SHADES;
}

export function avatar(user, size = '') {
  return h(
    'span.avatar',
    { class: `${size} shade-${user?.bot ? 'bot' : shade(user?.id ?? 0)}`, 'aria-hidden': 'true' },
    initials(nameOf(user)),
  );
}

export function appTag(user) {
  return user?.bot ? h('span.app-tag', {}, 'APP') : null;
}
