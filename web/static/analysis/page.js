// The page of a board of one's own in a browser: the cookie says whose it is, if anyone's, and the address which of a
// browser's people.

import { showAnalysis } from './analysis.js';

const main = document.getElementById('analysis');
const told = JSON.parse(main.dataset.told);

await showAnalysis(main, told, {
  post: (body, isPlayer) => fetch(`/analysis/do${isPlayer ? location.search : ''}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    credentials: isPlayer ? 'same-origin' : 'omit', // a cookie whose session has ended is refused
  }),
  addressOf: (match) => `/board/${match}${location.search}`,
  home: told.player ? `/home${location.search}` : '/front',
  studies: `/study${location.search}`,
  signIn: told.sign_in,
});
