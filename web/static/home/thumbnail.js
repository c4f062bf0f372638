// Thumbnails: small boards, drawn from what web/presentation/lobby.py has of a picture. A seat's dots are one path, so that
// a page with many boards stays light.

import { look } from '../board/colours.js';
import { svg } from '../board/svg.js';

const EDGE = 0.8; // crossings around the field
const WHOLE = 25; // crossings of a side up to which the whole board is shown
const PART = 16; // steps of a side that are shown of a larger one: where its last move is

const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const corners = (points) => (x, y, r) => `M${points.map(([a, b]) => `${x + a * r} ${y + b * r}`).join('L')}Z`;
const square = corners([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]);
const OUTLINES = {
  square,
  triangle: corners([[0, -1.12], [1.08, 0.78], [-1.08, 0.78]]),
  diamond: corners([[0, -1.18], [1.18, 0], [0, 1.18], [-1.18, 0]]),
};
const INSIDES = { ring: 0.68, core: 0.4, open: 0.58, bar: 0.4 }; // the lighter part of a dot

// Returns the drawing of a board in a theme of the server: the whole, or of a large one the place of the last move. It only
// decorates.
export function thumbnail(board, theme) {
  const colours = look(theme);
  const { width, height } = board;
  const at = (flat) => Array.from({ length: flat.length / 2 }, (_, k) => [flat[2 * k], height - 1 - flat[2 * k + 1]]);
  const drawn = (flat, shape, r) => at(flat).map(([x, y]) => shape(x, y, r)).join('');
  const parts = [];
  const add = (d, fill, more = {}) => d && parts.push(svg('path', { d, fill, ...more }));
  if (board.zone) {
    const [[left, bottom], [right, top]] = at(board.zone);
    add(`M${left - 0.5} ${top - 0.5}H${right + 0.5}V${bottom + 0.5}H${left - 0.5}Z`, colours.zone);
  }
  const across = Array.from({ length: width }, (_, x) => `M${x} 0V${height - 1}`);
  const along = Array.from({ length: height }, (_, y) => `M0 ${y}H${width - 1}`);
  add([...across, ...along].join(''), 'none', { stroke: colours.grid, 'stroke-width': 0.06 });
  for (const [seat, ring] of board.areas ?? []) {
    const d = `M${at(ring).map((point) => point.join(' ')).join('L')}Z`;
    add(d, colours.inks[seat].tint, { stroke: colours.inks[seat].ink, 'stroke-width': 0.16, 'stroke-linejoin': 'round' });
  }
  add(drawn(board.last ?? [], circle, 0.62), colours.last);
  const dots = (flat, seat, r, ink, light) => {
    const { shape } = colours.inks[seat];
    add(drawn(flat, board.blocks ? square : OUTLINES[shape] ?? circle, r), ink);
    if (INSIDES[shape] && !board.blocks) add(drawn(flat, circle, r * INSIDES[shape]), light);
    if (shape === 'ring' && !board.blocks) add(drawn(flat, circle, r * 0.42), ink);
  };
  board.dots.forEach((flat, seat) => dots(flat, seat, 0.4, colours.inks[seat].ink, colours.inks[seat].light));
  (board.captured ?? []).forEach((flat, seat) => {
    const faded = colours.faded(seat, null);
    dots(flat, seat, 0.3, faded.ink, faded.light);
  });
  const [[x, long], [y, up]] = partOf(board, at(board.last ?? []).at(-1));
  const box = `${x - EDGE} ${y - EDGE} ${long + 2 * EDGE} ${up + 2 * EDGE}`;
  return svg('svg', { viewBox: box, class: 'board', 'aria-hidden': 'true' }, ...parts);
}

// Returns the part of a board that is shown, as [start, length] of each direction in steps from crossing to crossing.
function partOf({ width, height }, last = [width / 2, height / 2]) {
  const side = (middle, most) => {
    if (Math.max(width, height) <= WHOLE || most <= PART) return [0, most - 1];
    return [Math.min(Math.max(0, Math.round(middle - PART / 2)), most - 1 - PART), PART];
  };
  return [side(last[0], width), side(last[1], height)];
}

// Returns the crossing of a board where a pointer is, as [x, y] with y upwards.
export function crossingAt(drawing, { width, height }, { clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM().inverse());
  const clamp = (value, most) => Math.min(Math.max(Math.round(value), 0), most - 1);
  return [clamp(x, width), height - 1 - clamp(y, height)];
}
