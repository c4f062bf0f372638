// A visitor's game on the page of the site's own address. All that there is of it are its moves, in this browser: the
// server gets them with each new one, and answers with the computer's (web/pages/visitor_game.py).

import { Drawing } from '../board/drawing.js';
import { Keyboard } from '../board/keyboard.js';

const KEPT = 'kropka-visitor'; // where the browser keeps the moves
const GLANCE = 450; // milliseconds from the visitor's dot to the computer's

const find = (id) => document.getElementById(id);
const [field, line, crossing, again, after] = ['field', 'line', 'crossing', 'new', 'after'].map(find);
const points = [...document.querySelectorAll('.score b')];
const names = [...document.querySelectorAll('.score span')].map((each) => each.textContent);
const dark = matchMedia('(prefers-color-scheme: dark)');
const { path, theme, dark: darkTheme, coordinates, picture: empty, words } = JSON.parse(find('game').textContent);

let drawing;
let picture = empty;
let moves = '';
let isOver = false;
let isBusy = false;

const nameOf = ([x, y]) => `${coordinates.columns[x]}${coordinates.rows[y]}`;
const stoneAt = (point) => picture.stones.find((stone) => `${stone.point}` === `${point}`);

// A browser may keep nothing, or not let pages know what it keeps.
function kept() {
  try {
    return localStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, moves);
  } catch {
    // a reload begins a new game
  }
}

function beginDrawing() {
  drawing = new Drawing(dark.matches ? darkTheme : theme);
  drawing.show(picture, coordinates);
  drawing.fill(field);
}

function show(board) {
  picture = board.picture;
  drawing.show(picture, coordinates);
  points.forEach((element, seat) => {
    element.textContent = board.score[seat];
  });
}

// Sends a record. Resolves with the status of the answer, 0 without one.
async function send(record) {
  isBusy = true;
  field.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ moves: record }),
    });
    const told = await answer.json();
    if (answer.ok) await take(told);
    else line.textContent = told.line;
    return answer.status;
  } catch {
    line.textContent = words.offline;
    return 0;
  } finally {
    isBusy = false;
    field.removeAttribute('aria-busy');
    drawing.show(picture, coordinates); // without the dot that was on its way
  }
}

// Shows what has happened: the visitor's dot, and in a moment the computer's.
async function take({ moves: played, boards, line: story, over }) {
  moves = played;
  isOver = over;
  keep();
  for (const [place, board] of boards.entries()) {
    if (place) await new Promise((resolve) => setTimeout(resolve, GLANCE));
    show(board);
  }
  line.textContent = story;
  again.hidden = false;
  if (after) after.hidden = !over;
}

function play(point) {
  if (isBusy || isOver || stoneAt(point)) return;
  drawing.show({ ...picture, last: [], ghost: { point, seat: 0 } }, coordinates);
  send(`${moves} ${nameOf(point)}`);
}

// Takes a typed move. Resolves with whether it was played.
async function type(text) {
  return !isBusy && !isOver && (await send(`${moves} ${text.replaceAll(/\s/g, '')}`)) === 200;
}

function begin() {
  moves = '';
  isOver = false;
  show({ picture: empty, score: ['0', '0'] });
  line.textContent = words.begin;
  again.hidden = true;
  if (after) after.hidden = true;
}

field.addEventListener('click', ({ clientX, clientY }) => {
  const place = new DOMPoint(clientX, clientY).matrixTransform(drawing.svg.getScreenCTM().inverse());
  const point = drawing.crossing(place.x, place.y);
  if (point) play(point);
});
again.addEventListener('click', () => {
  if (isBusy) return;
  begin();
  keep();
  field.focus({ preventScroll: true });
});
dark.addEventListener('change', beginDrawing);

beginDrawing();
field.setAttribute('role', 'application');
field.setAttribute('aria-label', words.field);
field.setAttribute('aria-describedby', 'help');
field.tabIndex = 0;
let cursor = null;
new Keyboard(field, find('typed'), words, {
  size: () => drawing.size,
  move: (point) => {
    cursor = point;
    drawing.point(point);
  },
  name: nameOf,
  enter: play,
  type,
  describe: () => {
    const stone = cursor && stoneAt(cursor);
    if (cursor) crossing.textContent = [nameOf(cursor), ...(stone ? [names[stone.seat]] : [])].join(', ');
  },
  undo: () => {},
});
begin();
moves = kept();
if (moves && [400, 403].includes(await send(moves))) begin(); // a record by other rules
