// Drawing: keeps the SVG of a board like a picture (rules.game.Picture). Only the shapes that differ are made or
// removed; it looks as the posted boards do.

import { look } from './colours.js';
import { pageOf } from './places.js';
import { LAYERS, shapesOf } from './shapes.js';
import { definitions } from './stones.js';
import { svg } from './svg.js';

const CLOSE = 1e-6; // cells that are none: an error of rounding

const isStrong = (place) => place === 0 || place % 5 === 4;

export class Drawing {
  #look;
  #page = null;
  #layers = {};
  #labels = {};
  #drawn = new Map();
  #marked = [];
  #hidden = [];
  #scale = 0; // of the names of lines
  #clear = {}; // the part that is seen and not under the names of lines
  #cursor = svg('rect', { class: 'cursor', x: -0.48, y: -0.48, width: 0.96, height: 0.96, rx: 0.12 });

  constructor(theme) {
    this.#look = look(theme);
    this.svg = svg('svg', { 'aria-hidden': 'true' });
  }

  // The part of the plane that shows the whole board.
  get extent() {
    return this.#page.box;
  }

  // Cells that the names of lines take on each side of the field.
  get ring() {
    return this.#page.ring;
  }

  get size() {
    return [this.#page.width, this.#page.height];
  }

  // Returns the place of a crossing, y down.
  at(point) {
    return this.#page.at(point);
  }

  // The part of the field that is seen and not under the names of lines.
  get clear() {
    return this.#clear;
  }

  // Returns the crossing nearest to a place, or null outside the field and under the names of lines.
  crossing(x, y) {
    const [width, height] = this.size;
    const { left, right, top, bottom } = this.#clear;
    if (x < left || x > right || y < top || y > bottom) return null;
    const point = [Math.round(x), height - 1 - Math.round(y)];
    return point[0] >= 0 && point[0] < width && point[1] >= 0 && point[1] < height ? point : null;
  }

  show(picture, coordinates) {
    if (this.#page?.width !== picture.width || this.#page.height !== picture.height) this.#rule(picture, coordinates);
    const wanted = new Map();
    for (const shape of shapesOf(picture, this.#page, this.#look)) wanted.set(shape.key, shape);
    for (const [key, element] of this.#drawn) {
      if (wanted.has(key)) continue;
      element.remove();
      this.#drawn.delete(key);
    }
    const newest = new Map();
    for (const [key, { layer, tag, attributes, text }] of wanted) {
      let element = this.#drawn.get(key);
      if (!element) {
        element = svg(tag, attributes, text);
        this.#drawn.set(key, element);
      }
      const next = newest.has(layer) ? newest.get(layer).nextSibling : this.#layers[layer].firstChild;
      if (next !== element) this.#layers[layer].insertBefore(element, next);
      newest.set(layer, element);
    }
    this.#markLines(picture);
  }

  // Shows where the keyboard is.
  point(at) {
    this.#cursor.classList.toggle('shown', at !== null);
    if (at) this.#cursor.setAttribute('transform', `translate(${this.at(at).join(' ')})`);
  }

  // Keeps the names of lines in view: beside the field, or at the edges of the part that is seen, at a scale.
  follow({ x, y, width, height }, scale = 1) {
    const [columns, rows] = this.size;
    const { ring } = this.#page;
    const [rail, half] = [(ring + 0.2) * scale, (ring / 2) * scale];
    const ends = { left: -0.5, right: columns - 0.5, top: -0.5, bottom: rows - 0.5 };
    this.#clear = {
      left: Math.max(ends.left, x + rail),
      right: Math.min(ends.right, x + width - rail),
      top: Math.max(ends.top, y + rail),
      bottom: Math.min(ends.bottom, y + height - rail),
    };
    const { left, right, top, bottom } = this.#clear;
    const places = { top: [0, top - half], bottom: [0, bottom + half], left: [left - half, 0], right: [right + half, 0] };
    for (const [side, place] of Object.entries(places)) {
      const group = this.#labels[side];
      group.setAttribute('transform', `translate(${place.join(' ')})`);
      group.classList.toggle('moved', Math.abs(this.#clear[side] - ends[side]) > CLOSE);
      const [start, end, axis] = ['left', 'right'].includes(side) ? ['top', 'bottom', 'y'] : ['left', 'right', 'x'];
      const [from, to] = [this.#clear[start] + half / 2, this.#clear[end] - half / 2]; // names meet no others at the corners
      for (const label of group.querySelectorAll('.label')) {
        label.classList.toggle('away', label.dataset[axis] < from || label.dataset[axis] > to);
      }
      if (this.#scale === scale) continue;
      group.querySelector('.rail').setAttribute('transform', axis === 'y' ? `scale(${scale} 1)` : `scale(1 ${scale})`);
      for (const part of group.querySelectorAll('.label > *')) part.setAttribute('transform', `scale(${scale})`);
    }
    this.#scale = scale;
    this.svg.classList.toggle('near', ring * scale < 0.9); // there is room for each name
  }

  #rule(picture, coordinates) {
    this.#page = pageOf(picture);
    this.#drawn.clear();
    const { width, height, ring, box } = this.#page;
    const colours = this.#look;
    this.#layers = Object.fromEntries(LAYERS.map((name) => [name, svg('g', { class: name })]));
    const line = (x1, y1, x2, y2, stroke) => svg('line', { x1, y1, x2, y2, stroke, class: 'paper-line' });
    const margin = svg('g');
    for (let x = -ring; x < width + ring; x += 1) margin.append(line(x, box.y, x, box.y + box.height, colours.margin_grid));
    for (let y = -ring; y < height + ring; y += 1) margin.append(line(box.x, y, box.x + box.width, y, colours.margin_grid));
    for (let x = 0; x < width; x += 1) this.#layers.grid.append(line(x, 0, x, height - 1, colours.grid));
    for (let y = 0; y < height; y += 1) this.#layers.grid.append(line(0, y, width - 1, y, colours.grid));
    const frame = { x: 0, y: 0, width: width - 1, height: height - 1, fill: 'none', stroke: colours.frame };
    this.#layers.frame.append(svg('rect', { ...frame, class: 'paper-frame' }));
    this.#labels = this.#write(coordinates);
    this.#scale = 0;
    this.follow(box);
    this.svg.replaceChildren(
      svg('defs', {}, ...definitions(colours)),
      margin,
      ...Object.values(this.#layers),
      svg('g', { class: 'labels' }, ...Object.values(this.#labels)),
      this.#cursor,
    );
  }

  #write({ columns, rows }) {
    const { height, ring } = this.#page;
    const { x, y, width: across, height: up } = this.#page.box;
    const [outer, inner, wide] = [-ring / 2 - 0.2, -ring / 2, ring + 0.2];
    const side = (rail, names, line, at) => svg('g', {}, svg('rect', { class: 'rail', ...rail }),
      ...names.map((name, k) => this.#label(name, k, line, ...at(k))));
    const lying = (start) => side({ x, y: start, width: across, height: wide }, columns, 'column', (k) => [k, 0]);
    const upright = (start) => side({ x: start, y, width: wide, height: up }, rows, 'row', (k) => [0, height - 1 - k]);
    return { top: lying(outer), bottom: lying(inner), left: upright(outer), right: upright(inner) };
  }

  #label(name, place, line, x, y) {
    const { ring, isLarge } = this.#page;
    const strong = isStrong(place);
    const size = isLarge ? 0.6 * ring : strong ? 0.52 : 0.43;
    const up = isLarge && line === 'column' ? 0.35 * ring : 0.47;
    const across = isLarge ? Math.max(up, (name.length * 0.32 + (line === 'row' ? 0.05 : 0.3)) * size) : up;
    const weight = strong ? 'strong' : isLarge ? 'hushed' : 'weak';
    return svg(
      'g',
      { class: `label ${weight}`, transform: `translate(${x} ${y})`, 'data-line': `${line}${place}`, 'data-x': x, 'data-y': y },
      svg('rect', { x: -across, y: -up, width: 2 * across, height: 2 * up, rx: 0.18 }),
      svg('text', { y: size * 0.36, 'font-size': size }, name),
    );
  }

  // The names of the last move's column and row, or of the proposed one's, stand out.
  #markLines({ ghost, last, stones }) {
    for (const label of this.#marked) label.firstChild.removeAttribute('fill');
    for (const label of this.#hidden) label.classList.remove('hidden');
    for (const label of this.#marked) label.classList.remove('chip');
    const only = last?.length === 1 ? stones?.find(({ point }) => `${point}` === `${last[0]}`) : null;
    const mover = ghost ?? only;
    const [x, y] = mover?.point ?? [];
    this.#marked = mover ? [...this.svg.querySelectorAll(`[data-line="column${x}"],[data-line="row${y}"]`)] : [];
    const near = mover && this.#page.ring > 1 ? [-2, -1, 1, 2].map((k) => `[data-line="column${x + k}"]`).join() : null;
    this.#hidden = near ? [...this.svg.querySelectorAll(near)] : []; // they make room for the chip
    for (const label of this.#hidden) label.classList.add('hidden');
    for (const label of this.#marked) {
      label.classList.add('chip');
      label.firstChild.setAttribute('fill', this.#look.inks[mover.seat].ink);
    }
  }
}
