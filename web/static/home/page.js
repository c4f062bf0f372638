// The page of a home in a browser: the cookie says whose it is, and the address which of a browser's people.

import { showHome } from './home.js';

const post = (address, body) =>
  fetch(address + location.search, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

// Returns what a board's page is told behind the #: a first dot, or the search that goes on beside the game.
const behind = (more) => (Object.keys(more).length ? `#${new URLSearchParams(more)}` : '');

await showHome({
  ask: (signal) => fetch(`/home.json${location.search}`, { signal }),
  act: (message) => post('/home/do', message),
  addressOf: (match, more = {}) => `/board/${match}${location.search}${behind(more)}`,
  analysis: `/analysis${location.search}`,
  load: (name) => import(`./${name}.js`),
  figures: `/figures${location.search}`,
  leave: (url) => window.open(url, '_blank', 'noopener'),
});
