// The page of a study in a browser, or of all studies of its player. The fragment of the address has the link that lets
// one in, so that no server or proxy writes it down, and the chapter.

import { showAnalysis } from '../analysis/analysis.js';
import { applyTheme } from '../board/colours.js';
import { Connection } from '../board/connection.js';
import { h, write } from '../board/elements.js';
import { StudyKeeper } from './keeper.js';
import { showList } from './list.js';
import { Panel } from './panel.js';
import { drawPeople } from './people.js';

const main = document.getElementById('study');
const told = JSON.parse(main.dataset.told);
const words = { ...told.words, ...told.says };

const post = (body) => fetch(`/study/do${location.search}`, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
});

// Resolves with the answer to a message, or with a refusal.
async function ask(body) {
  try {
    const answer = await post(body);
    const said = await answer.json();
    return answer.ok ? said : { is: 'refused', line: said.line };
  } catch {
    return { is: 'refused', line: words.away };
  }
}

const address = (study) => `/study${study ? `/${study}` : ''}${location.search}`;

async function open() {
  const named = new URLSearchParams(location.hash.slice(1));
  const link = named.get('join');
  const body = link && told.player ? { do: 'join', link } : { do: 'open' };
  const answer = await ask({ ...body, study: told.study });
  if (answer.is !== 'done') {
    turnAway(answer.line);
    return;
  }
  const { study } = answer;
  const wanted = Number(named.get('chapter'));
  const { chapter } = study.chapters.find((each) => each.chapter === wanted) ?? study.chapters[0];
  if (link) history.replaceState(null, '', `${address(study.study)}#chapter=${chapter}`);
  const loaded = await ask({ do: 'load', study: study.study, chapter });
  if (loaded.is === 'done') show(study, chapter, loaded.board);
  else turnAway(loaded.line);
}

function turnAway(line) {
  applyTheme(told.theme);
  main.replaceChildren(h('h1', {}, words.title), h('p', { role: 'alert' }, line),
    ...(told.sign_in && !told.player ? [h('a.primary', { href: told.sign_in }, words.sign_in)] : []),
    h('a.back', { href: told.player ? address(null) : '/front' }, words.leave));
}

async function show(study, chapter, board) {
  const connection = told.player
    ? new Connection(liveAddress(study.study, chapter), words.away) : null;
  const keeper = new StudyKeeper(post, told, { study: study.study, chapter, board, role: study.role, connection });
  const element = h('div', { id: 'analysis' });
  const panel = new Panel(study, chapter, words, {
    ask: async (body) => ask({ ...body, study: study.study }),
    go: (number) => {
      location.hash = `chapter=${number}`;
      location.reload();
    },
    leave: () => location.assign(address(null)),
    showTurn: (turn) => analysis.showTurn(turn),
  });
  main.replaceChildren(element);
  if (told.player && keeper.mayDraw) panel.offerChapters(told.rules);
  keeper.addEventListener('people', ({ detail }) => panel.showPeople(detail));
  keeper.addEventListener('stroke', ({ detail }) => panel.noteStroke(detail));
  keeper.addEventListener('study', () => panel.refresh());
  const people = drawPeople(keeper, panel);
  const analysis = await showAnalysis(element, { ...told, words: { ...told.words, title: study.name } }, {
    post, keeper, panel: panel.element, signIn: told.sign_in, home: address(null), addressOf: (match) => `/board/${match}${location.search}`, drawn: people.drawn,
  });
}

function liveAddress(study, chapter) {
  const live = new URL(`/study/${study}/${chapter}/live${location.search}`, location.href);
  live.protocol = live.protocol.replace('http', 'ws');
  return live;
}

if (told.study) await open();
else showList(main, told, words, ask, (study) => location.assign(address(study)), (line) => write(document.getElementById('live'), line));
