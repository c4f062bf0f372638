// The page of a board of one's own in a browser: the cookie says whose it is, if anyone's, and the address which of a
// browser's people.

import { showAnalysis } from './analysis.js';

const main = document.getElementById('analysis');
const told = JSON.parse(main.dataset.told);

const sessions = new URLSearchParams(location.search);
sessions.delete('turn');
const search = `${sessions}` ? `?${sessions}` : '';

await showAnalysis(main, told, {
  post: (body, isPlayer) => fetch(`/analysis/do${isPlayer ? search : ''}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    credentials: isPlayer ? 'same-origin' : 'omit', // a cookie whose session has ended is refused
  }),
  addressOf: (match) => `/board/${match}${search}`,
  own: `/analysis${search}`,
  home: told.player ? `/home${search}` : '/front',
  studies: `/study${search}`,
  load: (name) => import(`./${name}.js`),
  leave: (url) => window.open(url, '_blank', 'noopener'),
  signIn: told.sign_in,
});
