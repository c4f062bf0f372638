// The page of a home in a browser: the cookie says whose it is, and the address which of a browser's people.

import { showHome } from './home.js';

const post = (address, body) =>
  fetch(address + location.search, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

// Returns what a board's page is told behind the #: a first dot, or the search that goes on beside the game.
const behind = (more) => (Object.keys(more).length ? `#${new URLSearchParams(more)}` : '');

const FRESH = 600_000; // milliseconds for which a seat waits until its player has signed in

// Returns the seat at which the reader has sat down on the front page, in this tab.
function takeSeat() {
  try {
    const [seat, at] = (sessionStorage.getItem('seat') ?? '').split(' ').map(Number);
    sessionStorage.removeItem('seat');
    return seat && Date.now() - at < FRESH ? seat : null;
  } catch {
    return null; // the browser keeps nothing for this page
  }
}

await showHome({
  seat: takeSeat(),
  ask: (signal) => fetch(`/home.json${location.search}`, { signal }),
  act: (message) => post('/home/do', message),
  addressOf: (match, more = {}) => `/board/${match}${location.search}${behind(more)}`,
  analysis: `/analysis${location.search}`,
  load: (name) => import(`./${name}.js`),
  figures: `/figures${location.search}`,
  leave: (url) => window.open(url, '_blank', 'noopener'),
});
