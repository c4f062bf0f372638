// The page of the site's own address: a recorded game that plays itself, again and again, unless the reader pauses it
// or prefers less motion.

import { Drawing } from '../board/drawing.js';
import { Plies } from './plies.js';

const STEP = 700; // milliseconds of a move
const REST = 6; // moves for which the last board stays

const find = (id) => document.getElementById(id);
const [field, run] = ['field', 'run'].map(find);
const points = [...document.querySelectorAll('.score b')];
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const dark = matchMedia('(prefers-color-scheme: dark)');

// Returns all positions. Where they do not come, the page shows the last board, as it does without scripts.
async function load() {
  try {
    const answer = await fetch('/front/moves.json');
    if (answer.ok) return await answer.json();
  } catch {
    // the connection is lost
  }
  field.replaceChildren(Object.assign(new Image(), { src: '/front/board.png', alt: '' }));
  throw new Error('the moves of the game did not come');
}

const data = await load();
const plies = new Plies(data);
const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
let drawing;
let step = plies.last;
let timer = null;

function draw() {
  const ply = Math.min(step, plies.last);
  drawing.show(plies.at(ply), data.coordinates);
  points.forEach((element, seat) => {
    element.textContent = number.format(data.scores[ply][seat]);
  });
}

function beginDrawing() {
  drawing = new Drawing((dark.matches && data.dark) || data.theme);
  draw();
  drawing.fill(field);
}

const labels = [run.title, run.dataset.other];
function toggle(runs) {
  clearInterval(timer);
  timer = runs ? setInterval(advance, STEP) : null;
  run.title = labels[runs ? 1 : 0];
  run.setAttribute('aria-label', run.title);
  run.classList.toggle('runs', runs);
}

function advance() {
  if (document.hidden) return;
  step = step >= plies.last + REST ? 0 : step + 1;
  draw();
}

run.addEventListener('click', () => {
  const begins = timer === null;
  if (begins && step >= plies.last) step = 0;
  draw();
  toggle(begins);
});
dark.addEventListener('change', beginDrawing);
calm.addEventListener('change', () => toggle(!calm.matches));

if (!calm.matches) step = 0;
beginDrawing();
run.hidden = false;
toggle(!calm.matches);
