// The form of each stone, as in renderer/stones.py and renderer/shapes.py. A cell is one unit.

import { blend, colour, svg } from './svg.js';

const TRIANGLE = [[0, -1.12], [1.08, 0.78], [-1.08, 0.78]];
const DIAMOND = [[0, -1.18], [1.18, 0], [0, 1.18], [-1.18, 0]];
const FIVE = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const BLOCK = 0.37; // half of a block's side
const RIM = 0.8; // where a ghost's rim begins

const disc = (x, y, radius, fill) => svg('circle', { cx: x, cy: y, r: radius, fill });

const box = (x, y, across, up, corner, fill) =>
  svg('rect', { x: x - across, y: y - up, width: 2 * across, height: 2 * up, rx: corner, fill });

const polygon = (corners, x, y, radius, fill) =>
  svg('polygon', { points: corners.map(([u, v]) => `${x + u * radius},${y + v * radius}`).join(' '), fill });

function outline(shape, x, y, radius, fill) {
  if (shape === 'square') return box(x, y, 0.9 * radius, 0.9 * radius, 0.2 * radius, fill);
  if (shape === 'triangle') return polygon(TRIANGLE, x, y, radius, fill);
  if (shape === 'diamond') return polygon(DIAMOND, x, y, radius, fill);
  return disc(x, y, radius, fill);
}

function dot(shape, x, y, radius, ink, light) {
  const parts = [outline(shape, x, y, radius, ink)];
  if (shape === 'ring') parts.push(disc(x, y, 0.78 * radius, light), disc(x, y, 0.58 * radius, ink));
  else if (shape === 'core') parts.push(disc(x, y, 0.4 * radius, light));
  else if (shape === 'open') parts.push(disc(x, y, 0.58 * radius, light));
  else if (shape === 'bar') parts.push(box(x, y, 0.62 * radius, 0.17 * radius, 0.17 * radius, light));
  return parts;
}

// Returns the element of a stone. `holder` is the seat in whose base a captured dot lies, or null.
export function stone(theme, { seat, captured, credited }, x, y, blocks, holder = null, last = false) {
  const ink = theme.inks[seat];
  if (blocks) return block(theme, seat, x, y, credited);
  if (captured) {
    const ground = holder === null ? theme.paper : blend(theme.paper, theme.inks[holder].colour, theme.tint);
    const faded = colour(blend(ground, ink.colour, theme.fading));
    return svg('g', {}, ...dot(ink.shape, x, y, theme.captured_dot, faded, colour(ground)));
  }
  const light = colour(ink.shape === 'open' ? theme.paper : blend(theme.paper, ink.colour, 0.3));
  const parts = dot(ink.shape, x, y, theme.dot, colour(ink.colour), light);
  if (last) parts.push(disc(x, y, theme.last_pip, colour(theme.paper)));
  return svg('g', {}, ...parts);
}

function block(theme, seat, x, y, credited) {
  const ink = colour(theme.inks[seat].colour);
  const pip = colour(blend(theme.paper, theme.inks[seat].colour, 0.2));
  return svg(
    'g',
    {},
    credited ? polygon(FIVE, x, y, 0.5, ink) : box(x, y, BLOCK, BLOCK, 0.06, ink),
    seat % 2 ? box(x, y, 0.17, 0.055, 0.055, pip) : disc(x, y, 0.1, pip),
  );
}

// The mark behind the stone of the last move.
export function highlight(theme, x, y, blocks, credited) {
  const last = colour(theme.last);
  if (!blocks) return disc(x, y, theme.last_disc, last);
  return credited ? polygon(FIVE, x, y, 0.64, last) : box(x, y, 0.46, 0.46, 0.1, last);
}

// A stone that is not placed yet.
export function ghost(theme, seat, x, y, blocks) {
  const ink = theme.inks[seat];
  const pale = colour(blend(theme.paper, ink.colour, theme.ghost));
  if (blocks) return svg('g', { opacity: 0.55 }, block(theme, seat, x, y, false));
  return svg(
    'g',
    {},
    outline(ink.shape, x, y, theme.dot, colour(ink.colour)),
    outline(ink.shape, x, y, theme.dot * RIM, pale),
  );
}
