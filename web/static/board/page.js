// The page of a board: joins the drawing, the turn that is entered and the panel with the socket.

import { Connection } from './connection.js';
import { Drawing } from './drawing.js';
import { Keyboard } from './keyboard.js';
import { Panel } from './panel.js';
import { Turn } from './turn.js';
import { Viewport } from './viewport.js';

const match = location.pathname.split('/').at(-1);
const field = document.getElementById('field');

function query(more = {}) {
  const parts = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(more)) parts.set(name, value);
  return `?${parts}`;
}

const { language, words, theme } = await (await fetch(`/words.json${query({ for: 'board' })}`)).json();
document.documentElement.lang = language;
for (const name of ['paper', 'text', 'quiet_text', 'grid', 'frame', 'last']) {
  document.documentElement.style.setProperty(`--${name}`, `rgb(${theme[name].join(' ')})`);
}
field.setAttribute('aria-label', words.field);
document.getElementById('help').textContent = words.help;

const address = new URL(`/live/${match}${location.search}`, location.href);
address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
const connection = new Connection(address);
const drawing = new Drawing(theme);
const viewport = new Viewport(field, drawing);
const turn = new Turn(connection);
const panel = new Panel(words, theme, act);

let board = null;

const nameOf = ([x, y]) => `${board.view.coordinates.columns[x]}${board.view.coordinates.rows[y]}`;

const keyboard = new Keyboard(field, document.getElementById('typed'), words, {
  size: () => drawing.size,
  move: (point) => {
    drawing.point(point);
    if (point) viewport.reveal(point);
  },
  name: nameOf,
  enter: (point) => turn.tap(point, nameOf(point)),
  type: (text) => {
    const spoken = text.match(/^(row|column|what|last|score|board)/i);
    if (spoken) describe(text);
    else if (board.view.enter) turn.play(text);
  },
  describe,
  play: () => turn.play(),
  undo: () => turn.undo(),
});

async function describe(what) {
  const answer = await connection.ask({ do: 'describe', what });
  if (answer) panel.announce(answer.line);
}

async function act(action, asks) {
  if (asks) {
    const question = await connection.ask({ do: 'ask', version: board.version, action });
    if (!question) return;
    if (question.is === 'refused') {
      panel.showTurn(turn, question.line);
      return;
    }
    if (question.picture) drawing.show(question.picture, board.view.coordinates);
    const sure = await panel.confirm(question);
    draw();
    if (!sure) return;
  }
  const answer = await connection.act({ do: 'act', version: board.version, action });
  panel.announce(answer.line);
  if (answer.is === 'refused') panel.showTurn(turn, answer.line);
}

function draw() {
  drawing.show(turn.ghost?.picture ?? board.picture, board.view.coordinates);
}

connection.addEventListener('board', ({ detail }) => {
  if (board && detail.version < board.version) return;
  const first = board === null;
  const moved = !first && detail.version > board.version;
  board = detail;
  turn.follow(board);
  draw();
  panel.show(board);
  if (first) viewport.showAll();
  if (moved) panel.announce(`${board.view.last ?? ''} ${board.view.line}`);
});
connection.addEventListener('clock', ({ detail }) => panel.time(detail.players));
connection.addEventListener('gone', ({ detail }) => panel.showTrouble(detail.line));
connection.addEventListener('refused', ({ detail }) => panel.showTurn(turn, detail.line));
connection.addEventListener('down', () => panel.showTrouble(words.away));
connection.addEventListener('up', () => {
  panel.showTrouble(null);
  turn.refresh();
});

turn.addEventListener('change', ({ detail }) => {
  if (!board) return;
  draw();
  panel.showTurn(turn, detail.trouble);
});

viewport.addEventListener('tap', ({ detail }) => {
  if (board?.view.enter) turn.tap(detail.point, nameOf(detail.point));
});

// A finger on an own stone of Dot Dash drags it; where a chain may be drawn, it draws over the own dots.
let traced = [];
const isAt = (point) => (other) => `${other}` === `${point}`;
const opening = () => turn.ghost?.choices?.find(({ step, point }) => !point && step.endsWith('/'));

function isOwn(point) {
  const stone = board.picture.stones?.find((each) => isAt(point)(each.point));
  return stone ? stone.seat === board.view.you && !stone.captured : isAt(point)(turn.ghost?.picture.ghost?.point);
}

viewport.traces = (point) => {
  if (board?.view.enter === 'stone') return isOwn(point);
  if (board?.view.enter !== 'dot' || !turn.ghost) return false;
  return opening() ? isOwn(point) : Boolean(turn.ghost.points?.some(isAt(point)));
};
viewport.addEventListener('trace', ({ detail: { point, first } }) => {
  if (first) traced = [];
  if (board.view.enter === 'stone' || isOwn(point)) traced.push(point);
});
viewport.addEventListener('traced', async () => {
  if (board.view.enter === 'stone') {
    turn.set([traced[0], traced.at(-1)].map(nameOf));
    return;
  }
  const begin = opening();
  const start = turn.ghost.picture.line?.points[0] ?? (begin ? traced[0] : turn.ghost.picture.last?.[0] ?? traced[0]);
  const isRound = traced.length > 1 && isAt(start)(traced.at(-1));
  const dots = isRound ? traced.slice(0, -1) : traced;
  const ghost = await turn.extend([...(begin ? [begin.step] : []), ...dots.map(nameOf)]);
  const closing = isRound && ghost?.choices?.find(({ step, point }) => !point && step.endsWith('.'));
  if (closing) turn.choose(closing.step);
});
