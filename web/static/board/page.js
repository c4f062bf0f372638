// The page of a board in a browser: the cookie says who looks, and the address which board.

import { showBoard } from './board.js';

const match = location.pathname.split('/').at(-1);
const query = new URLSearchParams(location.search);
const former = query.get('from'); // the game from which the page has gone on to this one
query.delete('from');
const search = (query) => (`${query}` ? `?${query}` : '');
const address = new URL(`/live/${match}${search(query)}`, location.href);
address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';

function askWords(page) {
  const asked = new URLSearchParams(query);
  asked.set('for', page);
  if (page === 'board') asked.set('match', match);
  return fetch(`/words.json?${asked}`);
}

function addressOf(other, from) {
  const there = new URLSearchParams(query);
  if (from) there.set('from', from);
  return `/board/${other}${search(there)}`;
}

const ownBoardOf = (other) => `/analysis${search(query)}#game=${other}`;

const begins = location.hash === '#in'; // the reader has just signed in
const { point = null, seek } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
if (point || begins) history.replaceState(null, '', location.pathname + location.search); // both are for once
if (seek) import('./call.js').then(({ followSearch }) => followSearch(Number(seek), search(query)));
const home = `/home${search(query)}`;

await showBoard({ address, askWords, addressOf, ownBoardOf, former, home, lessons: `${home}#quiz=lessons`, point, begins, loadSheet: () => import('../sheet/sheet.js') });
