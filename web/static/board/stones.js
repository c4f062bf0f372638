// Stones: the forms that a picture uses again and again, drawn once, and the pen lines of bases.

import { svg as s } from './svg.js';

const SHAPES = {
  square: (r, fill) => s('rect', { x: -0.9 * r, y: -0.9 * r, width: 1.8 * r, height: 1.8 * r, rx: 0.2 * r, fill }),
  triangle: (r, fill) => polygon([[0, -1.12], [1.08, 0.78], [-1.08, 0.78]], r, fill),
  diamond: (r, fill) => polygon([[0, -1.18], [1.18, 0], [0, 1.18], [-1.18, 0]], r, fill),
};
const FIVE = [[0, -1], [1, 0], [0, 1], [-1, 0]];

const disc = (r, fill) => s('circle', { r, fill });
const box = (across, up, rx, fill) => s('rect', { x: -across, y: -up, width: 2 * across, height: 2 * up, rx, fill });

function polygon(corners, r, fill) {
  return s('polygon', { points: corners.map(([x, y]) => `${x * r},${y * r}`).join(' '), fill });
}

function outline(shape, r, fill) {
  return (SHAPES[shape] ?? disc)(r, fill);
}

function dot(shape, r, ink, light) {
  const parts = [outline(shape, r, ink)];
  if (shape === 'ring') parts.push(disc(0.78 * r, light), disc(0.58 * r, ink));
  if (shape === 'core') parts.push(disc(0.4 * r, light));
  if (shape === 'open') parts.push(disc(0.58 * r, light));
  if (shape === 'bar') parts.push(box(0.62 * r, 0.17 * r, 0.17 * r, light));
  return parts;
}

function cross(paper, text) {
  const arm = (reach, width, stroke) =>
    s('path', { d: `M${-reach} ${-reach}L${reach} ${reach}M${-reach} ${reach}L${reach} ${-reach}`, stroke, 'stroke-width': width });
  return [arm(0.3, 0.2, paper), arm(0.27, 0.09, text)];
}

// The lines on which `waves` times the place is half of an odd number, and those of the paper between them.
function pen(seat, { hatch: [a, b], pen: colour, grid }) {
  const lines = [];
  for (let k = Math.min(0, a) + Math.min(0, b); k < Math.max(0, a) + Math.max(0, b); k += 1) {
    const foot = (k + 0.5) / (a * a + b * b);
    const ends = [-1, 1].map((t) => `${foot * a + t * b} ${foot * b - t * a}`);
    lines.push(`M${ends.join('L')}`);
  }
  return s(
    'pattern',
    { id: `pen-${seat}`, width: 1, height: 1, patternUnits: 'userSpaceOnUse', patternTransform: 'translate(-.5 -.5)' },
    s('path', { d: lines.join(''), stroke: colour, 'stroke-width': 1 / 18 }),
    s('path', { d: 'M0 .5H1M.5 0V1', stroke: grid, 'stroke-width': 0.04 }),
  );
}

export function definitions(look) {
  const seats = look.inks.length;
  const group = (id, ...parts) => s('g', { id }, ...parts);
  const found = [
    group('falling', ...cross(look.paper, look.text)),
    group('glow-five', polygon(FIVE, 0.64, look.last)),
  ];
  for (let seat = 0; seat < seats; seat += 1) {
    const ink = look.inks[seat];
    const pip = seat % 2 ? box(0.17, 0.055, 0.055, ink.pip) : disc(0.1, ink.pip);
    found.push(
      pen(seat, ink),
      group(`dot-${seat}`, ...dot(ink.shape, look.dot, ink.ink, ink.light)),
      group(`ghost-${seat}`, outline(ink.shape, look.dot, ink.ink), outline(ink.shape, look.dot * 0.8, ink.ghost)),
      group(`block-${seat}`, box(0.37, 0.37, 0.06, ink.ink), pip),
      group(`five-${seat}`, polygon(FIVE, 0.5, ink.ink), pip.cloneNode()),
    );
    for (const holder of [null, ...look.inks.keys()].slice(0, seats + 1)) {
      const { ink: faded, light } = look.faded(seat, holder);
      found.push(group(`captured-${seat}-${holder ?? 'none'}`, ...dot(ink.shape, look.captured_dot, faded, light)));
    }
  }
  return found;
}

// Makes the sign of a player for a line of text: one of their stones, as an open drawing has it.
export function markOf(seat, blocks) {
  const stone = s('use', { href: `#${blocks ? 'block' : 'dot'}-${seat}` });
  return s('svg', { class: 'mark', viewBox: '-.5 -.5 1 1' }, stone);
}
