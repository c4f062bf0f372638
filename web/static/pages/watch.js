// The best game between strangers at this moment: its board follows the moves. A game that has ended stays for a while, and
// then the next one comes.

import { Drawing } from '../board/drawing.js';
import { signed } from '../board/signs.js';

const EVERY = 5_000; // milliseconds between two questions for the game
const LINGER = 30_000; // milliseconds for which the end of a game is shown

const find = (id) => document.getElementById(id);
const [figure, unwatched, section] = ['watched', 'unwatched', 'now-playing'].map(find);
const [board, score, line, about] = ['.board', '.scores', '.line', '.about'].map((part) => figure.querySelector(part));
const dark = matchMedia('(prefers-color-scheme: dark)');
let told = null; // the game that is shown
let ended = 0; // when it was first seen to be over

// A board has to have its place before it is drawn.
function reveal(isThere) {
  figure.hidden = !isThere;
  if (section) section.hidden = !isThere;
  if (unwatched) unwatched.hidden = isThere;
}

function draw() {
  const drawing = new Drawing((dark.matches && told.dark) || told.theme);
  drawing.show(told.picture, told.coordinates);
  drawing.fill(board);
}

function player({ name, score: points, rating }, seat) {
  const item = document.createElement('li');
  const [mark, value] = ['span', 'b'].map((kind) => document.createElement(kind));
  mark.className = `seat${seat}`;
  mark.textContent = '●';
  mark.ariaHidden = 'true';
  value.textContent = points;
  item.append(mark, ` ${name} (${rating}) `, value);
  return item;
}

function show(next) {
  const isNew = next.match !== told?.match || next.version !== told.version;
  if (!next.over) ended = 0;
  else if (!ended) ended = Date.now();
  told = next;
  if (!isNew) return;
  draw();
  board.ariaLabel = `${told.title}. ${told.line}`;
  score.replaceChildren(...told.players.map(player));
  line.replaceChildren(...signed(told.line));
  about.textContent = told.about;
}

async function ask() {
  const isDone = ended && Date.now() - ended > LINGER;
  const wanted = told && !isDone ? `?match=${told.match}` : '';
  try {
    const answer = await fetch(`/watch.json${wanted}`);
    const next = answer.ok ? await answer.json() : null;
    if (next) reveal(Boolean(next.match));
    if (next?.match) show(next);
    else if (next) told = null;
  } catch {
    // the connection is lost: the board stays, and is asked for again
  }
}

dark.addEventListener('change', () => told && draw());
setInterval(() => document.hidden || ask(), EVERY);
document.addEventListener('visibilitychange', () => document.hidden || ask());
await ask();
