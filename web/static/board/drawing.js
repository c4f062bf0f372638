// Drawing: keeps the SVG of a board like a picture (rules.game.Picture). Only the shapes that differ are made or
// removed; it looks as the posted boards do.

import { look } from './colours.js';
import { pageOf } from './places.js';
import { LAYERS, shapesOf } from './shapes.js';
import { definitions } from './stones.js';
import { svg } from './svg.js';

const CLOSE = 1e-6; // cells that are none: an error of rounding

const REM = 1.05; // of the room for the names of lines
const LETTER = 0.7; // of the width of a letter, by its size

const isStrong = (place) => place === 0 || place % 5 === 4;

export class Drawing {
  #look;
  #page = null;
  #layers = {};
  #drawn = new Map();
  #labels; // the names of lines
  #rail = 0; // pixels that they take
  #widest = 1; // the width of the widest one with its gap, in parts of their size
  #marked = [];
  #clear = {}; // the part that is seen and not under the names of lines
  #cursor = svg('rect', { class: 'cursor', x: -0.48, y: -0.48, width: 0.96, height: 0.96, rx: 0.12 });

  constructor(theme) {
    this.#look = look(theme);
    this.svg = svg('svg', { 'aria-hidden': 'true' });
  }

  // Returns the part of the plane that shows the whole board, with the names of its lines, in so many pixels.
  extent(width, height) {
    const { box } = this.#page;
    const cell = Math.max(1, Math.min((width - this.#rail) / box.width, (height - this.#rail) / box.height));
    const rail = this.#rail / cell;
    return { x: box.x - rail, y: box.y, width: box.width + rail, height: box.height + rail };
  }

  // Shows the whole board in an element, however large that becomes.
  fill(element) {
    const { width, height } = this.#page.box;
    element.style.aspectRatio = `${width} / ${height}`;
    element.replaceChildren(this.svg);
    new ResizeObserver(([{ contentRect }]) => {
      const box = this.extent(contentRect.width, contentRect.height);
      this.svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
      this.follow(box, Math.max(box.width / contentRect.width, box.height / contentRect.height));
    }).observe(element);
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

  // Keeps the names of lines in view: left of the field and below it, or at those edges of the part that is seen. A `pixel`
  // is so many cells: the names have one size, whatever that of the board.
  follow({ x, y, width, height }, pixel) {
    const [columns, rows] = this.size;
    const [rail, text] = [this.#rail * pixel, (this.#rail * pixel) / 1.5];
    const ends = { left: -0.5, right: columns - 0.5, top: -0.5, bottom: rows - 0.5 };
    this.#clear = {
      left: Math.max(ends.left, x + rail),
      right: Math.min(ends.right, x + width),
      top: Math.max(ends.top, y),
      bottom: Math.min(ends.bottom, y + height - rail),
    };
    const { left, right, top, bottom } = this.#clear;
    const [isAside, isBelow] = [left - ends.left > CLOSE, ends.bottom - bottom > CLOSE];
    const half = rail / 2;
    this.#place('row', [left - half, 0], { x: -half, y, width: rail, height }, isAside,
      [top, isBelow ? bottom - half : Infinity]);
    this.#place('column', [0, bottom + half], { x, y: -half, width, height: rail }, isBelow,
      [isAside ? left + half : -Infinity, right]);
    this.#labels.setAttribute('font-size', text);
    this.svg.classList.toggle('near', 1 > this.#widest * text); // there is room for each name
  }

  // Moves the names of all columns or rows, and what they lie on. Those outside of the ends are away.
  #place(line, place, rail, isMoved, [from, to]) {
    const group = this.#labels.querySelector(`.${line}s`);
    group.setAttribute('transform', `translate(${place.join(' ')})`);
    group.classList.toggle('moved', isMoved);
    for (const [name, value] of Object.entries(rail)) group.firstChild.setAttribute(name, value);
    const axis = line === 'row' ? 'y' : 'x';
    for (const label of group.querySelectorAll('.label')) {
      const at = Number(label.getAttribute(axis));
      label.classList.toggle('away', at < from || at > to);
    }
  }

  #rule(picture, coordinates) {
    this.#page = pageOf(picture);
    this.#drawn.clear();
    const { width, height } = this.#page;
    const colours = this.#look;
    this.#layers = Object.fromEntries(LAYERS.map((name) => [name, svg('g', { class: name })]));
    const line = (x1, y1, x2, y2) => svg('line', { x1, y1, x2, y2, stroke: colours.grid, class: 'paper-line' });
    for (let x = 0; x < width; x += 1) this.#layers.grid.append(line(x, 0, x, height - 1));
    for (let y = 0; y < height; y += 1) this.#layers.grid.append(line(0, y, width - 1, y));
    const frame = { x: 0, y: 0, width: width - 1, height: height - 1, fill: 'none', stroke: colours.frame };
    this.#layers.frame.append(svg('rect', { ...frame, class: 'paper-frame' }));
    this.#labels = this.#write(coordinates);
    this.svg.replaceChildren(
      svg('defs', {}, ...definitions(colours)),
      ...Object.values(this.#layers),
      this.#labels,
      this.#cursor,
    );
  }

  #write({ columns, rows }) {
    this.#rail = REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#widest = Math.max(1.2, 0.3 + LETTER * Math.max(...columns.map((name) => name.length)));
    const label = (line, at) => (name, place) => svg('text', {
      class: isStrong(place) ? 'label strong' : 'label', dy: '.36em', 'data-line': `${line}${place}`, ...at(place),
    }, name);
    const side = (line, names, at) => svg('g', { class: `${line}s` }, svg('rect', { class: 'rail' }), ...names.map(label(line, at)));
    return svg('g', { class: 'labels' }, side('column', columns, (place) => ({ x: place, y: 0 })),
      side('row', rows, (place) => ({ x: 0, y: this.#page.height - 1 - place })));
  }

  // The names of the last move's column and row, or of the proposed one's, stand out. Those beside make room for them.
  #markLines({ ghost, last, stones }) {
    for (const label of this.#marked) label.classList.remove('now', 'beside');
    const only = last?.length === 1 ? stones?.find(({ point }) => `${point}` === `${last[0]}`) : null;
    const [x, y] = (ghost ?? only)?.point ?? [];
    const mark = (name, ...lines) => {
      const found = [...this.svg.querySelectorAll(lines.map((line) => `[data-line="${line}"]`).join())];
      for (const label of found) label.classList.add(name);
      return found;
    };
    this.#marked = x === undefined ? [] : [
      ...mark('now', `column${x}`, `row${y}`),
      ...mark('beside', ...[-2, -1, 1, 2].flatMap((k) => [`column${x + k}`, `row${y + k}`])),
    ];
  }
}
