// The page of a finished game: a board that moves. The number of the move is behind the # of the address.

import { Drawing } from '../board/drawing.js';
import { signed } from '../board/signs.js';
import { Plies } from './plies.js';

const STEP = 700; // milliseconds of a move that is played
const WHOLE = 60_000; // milliseconds of a whole game that is played
const FASTEST = 80; // milliseconds of a move in a long game
const PAUSE = 250; // milliseconds after which the address follows: browsers allow few changes of it
const SWIPE = 40; // pixels that a finger has to go for a move

// Returns all positions. Where they do not come, the page shows the last board, as it does without scripts.
async function load() {
  try {
    const answer = await fetch(`${location.pathname}/moves.json`);
    if (answer.ok) return await answer.json();
  } catch {
    // the connection is lost
  }
  const board = new Image();
  board.src = `${location.pathname}/board.png`;
  board.alt = '';
  field.replaceChildren(board);
  throw new Error('the moves of the game did not come'); // and nothing can be stepped through
}

const find = (id) => document.getElementById(id);
const [field, slider, now, graph, here, moves, run, result] =
  ['field', 'ply', 'now', 'graph', 'here', 'moves', 'run', 'result'].map(find);
result.replaceChildren(...signed(result.textContent));
const alt = field.getAttribute('aria-label');
const points = [...document.querySelectorAll('.score b')];
const links = moves ? [...moves.querySelectorAll('a')] : [];

const data = await load();
const plies = new Plies(data);
const number = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
const dark = matchMedia('(prefers-color-scheme: dark)');
let drawing;
let ply = null;
let timer = null;
let noting = null;

function beginDrawing() {
  drawing = new Drawing((dark.matches && data.dark) || data.theme);
  drawing.show(plies.at(ply ?? plies.last), data.coordinates);
  drawing.fill(field);
}

// Shows the board after so many moves.
function go(wanted) {
  const next = Math.min(Math.max(wanted, 0), plies.last);
  if (next === ply) return;
  links[ply - 1]?.removeAttribute('aria-current');
  ply = next;
  drawing.show(plies.at(ply), data.coordinates);
  slider.value = ply;
  const link = links[ply - 1];
  const score = data.scores[ply].map((points) => number.format(points));
  points.forEach((element, seat) => {
    element.textContent = score[seat];
  });
  now.textContent = [`${ply} / ${plies.last}`, ...(link ? [link.textContent] : [])].join(' · ');
  const told = `${now.textContent} · ${score.join(' : ')}`;
  slider.setAttribute('aria-valuetext', told);
  field.setAttribute('aria-label', ply === plies.last ? alt : told);
  find('first').disabled = find('back').disabled = ply === 0;
  find('last').disabled = find('forward').disabled = ply === plies.last;
  if (here) for (const end of ['x1', 'x2']) here.setAttribute(end, (600 * ply) / Math.max(1, plies.last));
  if (link) {
    link.setAttribute('aria-current', 'true');
    const { offsetTop, offsetHeight } = link;
    if (offsetTop < moves.scrollTop || offsetTop + offsetHeight > moves.scrollTop + moves.clientHeight) {
      moves.scrollTop = offsetTop - moves.clientHeight / 2;
    }
  }
  clearTimeout(noting);
  noting = setTimeout(note, PAUSE);
}

// Puts the move into the address.
function note() {
  history.replaceState(null, '', ply === plies.last ? location.pathname : `#${ply}`);
}

function stop() {
  clearInterval(timer);
  timer = null;
  now.setAttribute('aria-live', 'polite');
  showRun();
}

function play() {
  if (ply === plies.last) go(0);
  now.setAttribute('aria-live', 'off'); // nobody can hear that fast
  timer = setInterval(() => {
    go(ply + 1);
    if (ply === plies.last) stop();
  }, Math.max(FASTEST, Math.min(STEP, WHOLE / plies.last)));
  showRun();
}

const labels = [run.title, run.dataset.other];
function showRun() {
  run.title = labels[timer ? 1 : 0];
  run.setAttribute('aria-label', run.title);
  run.classList.toggle('runs', timer !== null);
}

function step(to) {
  if (timer) stop();
  go(to);
}

function read() {
  const asked = location.hash.match(/^#(\d{1,5})$/);
  return asked ? Number(asked[1]) : plies.last;
}

find('first').addEventListener('click', () => step(0));
find('back').addEventListener('click', () => step(ply - 1));
find('forward').addEventListener('click', () => step(ply + 1));
find('last').addEventListener('click', () => step(plies.last));
run.addEventListener('click', () => (timer ? stop() : play()));
moves?.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault(); // the button Back leaves the page
  step(links.indexOf(link) + 1);
});
slider.addEventListener('input', () => step(Number(slider.value)));
addEventListener('hashchange', () => step(read()));
dark.addEventListener('change', beginDrawing);

const KEYS = { ArrowLeft: () => ply - 1, ArrowRight: () => ply + 1, Home: () => 0, End: () => plies.last };
addEventListener('keydown', (event) => {
  if (!(event.key in KEYS) || event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  step(KEYS[event.key]());
});

let touched = null;
field.addEventListener('pointerdown', (event) => {
  touched = event.isPrimary ? event : null; // a second finger zooms
});
field.addEventListener('pointerup', (event) => {
  const far = touched ? event.clientX - touched.clientX : 0;
  if (Math.abs(far) > SWIPE) step(far < 0 ? ply + 1 : ply - 1);
  touched = null;
});

graph?.querySelector('svg').addEventListener('pointerdown', (event) => {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  step(Math.round(((event.clientX - left) / width) * plies.last));
});

beginDrawing();
find('controls').hidden = plies.last === 0;
now.hidden = plies.last === 0;
go(read());
stop();
