// Drawing: keeps the SVG of a board like a picture (rules.picture.Picture). Only the shapes that differ are made or
// removed; it looks as the posted boards do.

import { look } from './colours.js';
import { pageOf } from './places.js';
import { LAYERS, shapesOf } from './shapes.js';
import { definitions } from './stones.js';
import { svg } from './svg.js';

const isStrong = (place) => place === 0 || place % 5 === 4;

export class Drawing {
  #look;
  #page = null;
  #layers = {};
  #labels = {};
  #drawn = new Map();
  #marked = [];
  #hidden = [];
  #cursor = svg('rect', { class: 'cursor', x: -0.48, y: -0.48, width: 0.96, height: 0.96, rx: 0.12 });

  constructor(theme) {
    this.#look = look(theme);
    this.svg = svg('svg', { 'aria-hidden': 'true' });
  }

  // The part of the plane that shows the whole board.
  get extent() {
    return this.#page.box;
  }

  get size() {
    return [this.#page.width, this.#page.height];
  }

  // Returns the place of a crossing, y down.
  at(point) {
    return this.#page.at(point);
  }

  // Returns the crossing nearest to a place, or null outside the field.
  crossing(x, y) {
    const [width, height] = this.size;
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

  // Keeps the names of lines in view: they move to the edges of the part that is seen.
  follow({ x, y, width, height }) {
    const whole = this.extent;
    const moves = {
      top: [0, Math.max(0, y - whole.y)],
      bottom: [0, Math.min(0, y + height - whole.y - whole.height)],
      left: [Math.max(0, x - whole.x), 0],
      right: [Math.min(0, x + width - whole.x - whole.width), 0],
    };
    for (const [side, move] of Object.entries(moves)) {
      this.#labels[side].setAttribute('transform', `translate(${move.join(' ')})`);
      this.#labels[side].classList.toggle('moved', move.some(Boolean));
    }
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
    this.svg.replaceChildren(
      svg('defs', {}, ...definitions(colours)),
      margin,
      ...Object.values(this.#layers),
      svg('g', { class: 'labels' }, ...Object.values(this.#labels)),
      this.#cursor,
    );
  }

  #write({ columns, rows }) {
    const { width, height, ring } = this.#page;
    const { x, y, width: across, height: up } = this.#page.box;
    const [out, wide] = [(ring + 1) / 2, ring + 0.2];
    const side = (rail, names, line, at) => svg('g', {}, svg('rect', { class: 'rail', ...rail }),
      ...names.map((name, k) => this.#label(name, k, line, ...at(k))));
    const [lying, upright] = [{ x, width: across, height: wide }, { y, width: wide, height: up }];
    return {
      top: side({ ...lying, y }, columns, 'column', (k) => [k, -out]),
      bottom: side({ ...lying, y: y + up - wide }, columns, 'column', (k) => [k, height - 1 + out]),
      left: side({ ...upright, x }, rows, 'row', (k) => [-out, height - 1 - k]),
      right: side({ ...upright, x: x + across - wide }, rows, 'row', (k) => [width - 1 + out, height - 1 - k]),
    };
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
      { class: `label ${weight}`, transform: `translate(${x} ${y})`, 'data-line': `${line}${place}` },
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
