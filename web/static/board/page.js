// The page of a board in a browser: the cookie says who looks, and the address which board.

import { showBoard } from './board.js';

const match = location.pathname.split('/').at(-1);
const address = new URL(`/live/${match}${location.search}`, location.href);
address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';

function askWords(page) {
  const query = new URLSearchParams(location.search);
  query.set('for', page);
  if (page === 'board') query.set('match', match);
  return fetch(`/words.json?${query}`);
}

const addressOf = (other) => `/board/${other}${location.search}`;

await showBoard({ address, askWords, addressOf, loadSheet: () => import('../sheet/sheet.js') });
