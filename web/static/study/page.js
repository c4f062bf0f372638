// The page of a study in a browser, or of all studies of its player. The fragment of the address has the link that lets
// one in, so that no server or proxy writes it down, and the chapter.

import { showStudies } from './study.js';

const main = document.getElementById('study');
const told = JSON.parse(main.dataset.told);
const named = new URLSearchParams(location.hash.slice(1));

const send = (path) => (body) => fetch(`${path}${location.search}`, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
});
const addressOf = (study, chapter) => `/study${study ? `/${study}` : ''}${location.search}${chapter ? `#chapter=${chapter}` : ''}`;

await showStudies(main, told, { study: told.study, chapter: Number(named.get('chapter')), link: named.get('join') }, {
  post: send('/study/do'),
  postOwn: send('/analysis/do'),
  liveOf: (study, chapter) => {
    const live = new URL(`/study/${study}/${chapter}/live${location.search}`, location.href);
    live.protocol = live.protocol.replace('http', 'ws');
    return live;
  },
  addressOf,
  boardOf: (match) => `/board/${match}${location.search}`,
  go: (study, chapter) => {
    location.assign(addressOf(study, chapter));
    if (study === told.study) location.reload();
  },
  opened: (study, chapter) => named.has('join') && history.replaceState(null, '', addressOf(study, chapter)),
  load: (name) => import(`../analysis/${name}.js`),
  leave: (url) => window.open(url, '_blank', 'noopener'),
  home: told.player ? `/home${location.search}` : '/front',
});
