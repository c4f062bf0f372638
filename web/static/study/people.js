// People: where the others point, and what each has drawn last, in their colours over the board.

import { svg } from '../board/svg.js';

const TURN = 137; // degrees between the colours of two people

// Gives an element the colour of one of the people, as `--who`.
export function dye(element, who) {
  element.style.setProperty('--who', `hsl(${(who * TURN) % 360} 65% 45%)`);
  return element;
}

const POINT = /[A-Z]{1,2}\d{1,2}/;

// Returns what draws the people over the board of a keeper; `panel` knows their names and their last strokes.
export function drawPeople(keeper, panel) {
  const cursors = new Map();
  let last = null;
  const paint = () => {
    if (!last) return;
    const { drawing, place, pointOf } = last;
    const group = drawing.svg.querySelector('.people') ?? svg('g', { class: 'people' });
    const here = place.turns[0].id;
    const line = lineOf(keeper.board.turns, here);
    const strokes = [...panel.strokes].filter(([, { id }]) => line.has(id)).map(([who, { text }]) => [who, POINT.exec(text)?.[0]]);
    const rings = strokes.filter(([, point]) => point).map(([who, point]) => ring(drawing.at(pointOf(point)), who));
    const pointing = [...cursors].filter(([who, { turn, point }]) => point && turn === here && panel.nameOf(who));
    group.replaceChildren(...rings, ...pointing.map(([who, { point }]) => pointer(drawing.at(pointOf(point)), who, panel.nameOf(who))));
    drawing.svg.append(group);
  };
  keeper.addEventListener('cursor', ({ detail: { who, turn, point } }) => {
    cursors.set(who, { turn, point });
    paint();
  });
  keeper.addEventListener('people', paint);
  return {
    place: () => last?.place.turns[0].id ?? null,
    drawn(drawing, place, pointOf, nameOf) {
      if (last?.drawing !== drawing) {
        drawing.svg.addEventListener('pointermove', (event) => {
          const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.svg.getScreenCTM().inverse());
          const point = drawing.crossing(at.x, at.y);
          keeper.point(last.place.turns[0].id, point && last.nameOf(point));
        });
        drawing.svg.addEventListener('pointerleave', () => keeper.point(last.place.turns[0].id, null));
      }
      if (last?.place.turns[0].id !== place.turns[0].id) panel.turned();
      last = { drawing, place, pointOf, nameOf };
      paint();
    },
  };
}

// Returns the ids of a turn and of all before it.
function lineOf(turns, id) {
  const parents = new Map(turns.map((turn) => [turn.id, turn.parent]));
  const line = new Set();
  for (let at = id; at !== null && at !== undefined; at = parents.get(at)) line.add(at);
  return line;
}

function ring([x, y], who) {
  return dye(svg('circle', { cx: x, cy: y, r: 0.44 }), who);
}

function pointer([x, y], who, name) {
  return dye(svg('g', { transform: `translate(${x} ${y})` },
    svg('path', { d: 'M0 0L.7 .28L.3 .36L.24 .74Z' }), svg('text', { x: 0.6, y: 0.9, 'font-size': 0.5 }, name)), who);
}
