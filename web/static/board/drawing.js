// Drawing: a picture (rules.picture.Picture) as SVG, in layers from the paper up. It looks as the posted boards do.

import { ghost, highlight, stone } from './stones.js';
import { blend, colour, Layer, svg } from './svg.js';

const LAYERS = [
  'zone', 'grid', 'areas', 'houses', 'offers', 'chains', 'plans', 'bars', 'trail', 'last', 'stones', 'falling', 'line',
  'choices', 'ghost', 'marks', 'cursor',
];

const MARGIN = 1.1; // cells round the field, for the names of columns and rows
const LARGE_SIDE = 20; // longer fields name every fifth line

const isStrong = (place) => place === 0 || place % 5 === 4;

export class Drawing {
  #theme;
  #layers = new Map();
  #picture = null;

  constructor(theme) {
    this.#theme = theme;
    this.svg = svg('svg', { 'aria-hidden': 'true', preserveAspectRatio: 'xMidYMid meet' });
    this.svg.append(this.#patterns());
    for (const name of LAYERS) {
      const layer = new Layer(name);
      this.#layers.set(name, layer);
      this.svg.append(layer.group);
    }
  }

  // The part of the plane that shows the whole board.
  get extent() {
    const { width, height } = this.#picture;
    return { x: -0.5 - MARGIN, y: -0.5 - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  }

  get size() {
    return [this.#picture.width, this.#picture.height];
  }

  // Returns the place of a crossing, y down.
  at([x, y]) {
    return [x, this.#picture.height - 1 - y];
  }

  // Returns the crossing nearest to a place, or null outside the field.
  crossing(x, y) {
    const point = [Math.round(x), this.#picture.height - 1 - Math.round(y)];
    const [width, height] = this.size;
    return point[0] >= 0 && point[0] < width && point[1] >= 0 && point[1] < height ? point : null;
  }

  show(picture, coordinates) {
    const fresh = !this.#picture || picture.width !== this.#picture.width || picture.height !== this.#picture.height;
    this.#picture = picture;
    if (fresh) this.#paper(coordinates);
    this.#zone(picture.zone);
    this.#areas(picture);
    this.#strokes(picture);
    this.#stones(picture);
    this.#turn(picture);
  }

  // Shows where the keyboard is.
  point(at) {
    const shapes = new Map();
    if (at) {
      const [x, y] = this.at(at);
      shapes.set(`${at}`, () =>
        svg('rect', {
          x: x - 0.5, y: y - 0.5, width: 1, height: 1, fill: 'none', stroke: colour(this.#theme.text),
          'stroke-width': 0.1, rx: 0.1,
        }));
    }
    this.#layer('cursor', shapes);
  }

  #layer(name, shapes) {
    this.#layers.get(name).show(shapes);
  }

  #ink(seat) {
    return colour(this.#theme.inks[seat].colour);
  }

  #patterns() {
    const theme = this.#theme;
    return svg('defs', {}, ...theme.inks.flatMap((ink, seat) => {
      const [a, b] = ink.hatch;
      const lines = [];
      for (let k = Math.min(0, a) + Math.min(0, b); k < Math.max(0, a) + Math.max(0, b); k += 1) {
        const foot = (k + 0.5) / (a * a + b * b);
        const [from, to] = [-1, 1].map((t) => [foot * a + t * b, foot * b - t * a]);
        lines.push(svg('line', {
          x1: from[0], y1: from[1], x2: to[0], y2: to[1], stroke: colour(ink.colour), 'stroke-width': 1 / 18,
          opacity: theme.hatching,
        }));
      }
      const pattern = (id, tint, parts) => svg(
        'pattern',
        { id, width: 1, height: 1, patternUnits: 'userSpaceOnUse' },
        svg('rect', { width: 1, height: 1, fill: colour(ink.colour), opacity: tint }),
        ...parts,
      );
      return [pattern(`area-${seat}`, theme.tint, lines), pattern(`house-${seat}`, theme.house, [])];
    }));
  }

  #paper(coordinates) {
    const theme = this.#theme;
    const { width, height } = this.#picture;
    const shapes = new Map();
    const line = (x1, y1, x2, y2, pen, width) =>
      svg('line', { x1, y1, x2, y2, stroke: colour(pen), 'stroke-width': width });
    const large = Math.max(width, height) > LARGE_SIDE;
    for (let x = 0; x < width; x += 1) {
      const edge = x === 0 || x === width - 1;
      shapes.set(`x${x}`, () => line(x, 0, x, height - 1, edge ? theme.frame : theme.grid, edge ? 0.06 : 0.04));
    }
    for (let y = 0; y < height; y += 1) {
      const edge = y === 0 || y === height - 1;
      shapes.set(`y${y}`, () => line(0, y, width - 1, y, edge ? theme.frame : theme.grid, edge ? 0.06 : 0.04));
    }
    const label = (text, x, y, strong) => {
      const element = svg('text', {
        x, y, fill: colour(strong ? theme.text : theme.quiet_text), 'font-size': large ? 0.85 : 0.5,
        'font-weight': strong ? 700 : 400, 'text-anchor': 'middle', 'dominant-baseline': 'central',
      });
      element.textContent = text;
      return element;
    };
    coordinates.columns.forEach((name, x) => {
      if (large && !isStrong(x)) return;
      for (const y of [-1, height]) shapes.set(`c${x} ${y}`, () => label(name, x, y, isStrong(x)));
    });
    coordinates.rows.forEach((name, row) => {
      if (large && !isStrong(row)) return;
      for (const x of [-1, width]) shapes.set(`r${row} ${x}`, () => label(name, x, height - 1 - row, isStrong(row)));
    });
    this.#layer('grid', shapes);
    this.svg.style.setProperty('background', colour(theme.paper));
  }

  #zone(zone) {
    const shapes = new Map();
    if (zone) {
      const [left, bottom] = this.at(zone.low);
      const [right, top] = this.at(zone.high);
      shapes.set(`${zone.low} ${zone.high}`, () =>
        svg('rect', {
          x: left - 0.5, y: top - 0.5, width: right - left + 1, height: bottom - top + 1,
          fill: colour(this.#theme.zone),
        }));
    }
    this.#layer('zone', shapes);
  }

  #path(ring, closed = true) {
    const places = ring.map((point) => this.at(point).join(' '));
    return `M${places.join('L')}${closed ? 'Z' : ''}`;
  }

  #areas(picture) {
    const { chain } = this.#theme;
    const areas = new Map();
    const chains = new Map();
    const add = (shapes, kind, { seat, ring }, attributes) => {
      const key = `${kind} ${seat} ${ring.join(' ')}`;
      shapes.set(key, () => svg('path', { d: this.#path(ring), 'stroke-linejoin': 'round', ...attributes(seat) }));
    };
    const pen = (width, extra = {}) => (seat) => ({
      fill: 'none', stroke: this.#ink(seat), 'stroke-width': width, ...extra,
    });
    for (const area of picture.areas ?? []) {
      add(areas, 'area', area, () => ({ fill: colour(this.#theme.paper), 'fill-opacity': 0.9 }));
      add(areas, 'ink', area, (seat) => ({ fill: `url(#area-${seat})` }));
      add(chains, 'chain', area, pen(chain));
    }
    this.#layer('areas', areas);
    this.#layer('chains', chains);
    const houses = new Map();
    for (const area of picture.houses ?? []) add(houses, 'house', area, (seat) => ({ fill: `url(#house-${seat})` }));
    this.#layer('houses', houses);
    const offers = new Map();
    for (const area of picture.open ?? []) add(offers, 'open', area, pen(chain, { 'stroke-dasharray': '0.3 0.2' }));
    (picture.offers ?? []).forEach((area, index) => {
      const taken = (picture.taken ?? []).includes(index + 1);
      if (taken) add(offers, 'taken', area, (seat) => ({ fill: `url(#area-${seat})` }));
      add(offers, 'offer', area, pen(chain * 1.6, { 'stroke-dasharray': taken ? 'none' : '0.3 0.2' }));
    });
    this.#layer('offers', offers);
    const plans = new Map();
    for (const area of picture.plans ?? []) {
      add(plans, 'plan', area, (seat) => ({ fill: `url(#area-${seat})` }));
      add(plans, 'edge', area, pen(chain * 1.5));
    }
    this.#layer('plans', plans);
  }

  #strokes(picture) {
    const bars = new Map();
    for (const { seat, first, last } of picture.bars ?? []) {
      bars.set(`${seat} ${first} ${last}`, () =>
        svg('path', {
          d: this.#path([first, last], false), stroke: this.#ink(seat), 'stroke-width': 0.3,
          'stroke-linecap': 'round', opacity: this.#theme.bar,
        }));
    }
    this.#layer('bars', bars);
    const trail = new Map();
    if (picture.trail) {
      const { seat, start, end } = picture.trail;
      const [x, y] = this.at(start);
      trail.set(`${seat} ${start} ${end}`, () =>
        svg(
          'g',
          {},
          svg('path', {
            d: this.#path([start, end], false), stroke: colour(this.#theme.last), 'stroke-width': 0.18,
            'stroke-linecap': 'round',
          }),
          svg('circle', { cx: x, cy: y, r: 0.2, fill: colour(this.#theme.last) }),
        ));
    }
    this.#layer('trail', trail);
    const line = new Map();
    if (picture.line) {
      const { seat, points } = picture.line;
      line.set(`${seat} ${points.join(' ')}`, () =>
        svg('path', {
          d: this.#path(points, false), fill: 'none', stroke: this.#ink(seat), 'stroke-linejoin': 'round',
          'stroke-linecap': 'round', 'stroke-width': this.#theme.chain * 1.5,
        }));
    }
    this.#layer('line', line);
  }

  #stones(picture) {
    const theme = this.#theme;
    const last = new Set((picture.last ?? []).map(String));
    const marks = new Map();
    const stones = new Map();
    for (const each of picture.stones ?? []) {
      const [x, y] = this.at(each.point);
      const isLast = last.has(String(each.point));
      const holder = each.captured ? holderOf(picture, each) : null;
      const state = `${each.captured ? holder : ''}${each.credited ? 'c' : ''}${isLast ? 'l' : ''}`;
      stones.set(`${each.point} ${each.seat} ${state}`, () =>
        stone(theme, each, x, y, picture.blocks, holder, isLast));
      if (isLast) {
        marks.set(`${each.point} ${each.credited}`, () => highlight(theme, x, y, picture.blocks, each.credited));
      }
    }
    this.#layer('last', marks);
    this.#layer('stones', stones);
    const falling = new Map();
    for (const point of picture.falling ?? []) {
      const [x, y] = this.at(point);
      falling.set(`${point}`, () =>
        svg('path', {
          d: `M${x - 0.22} ${y - 0.22}L${x + 0.22} ${y + 0.22}M${x - 0.22} ${y + 0.22}L${x + 0.22} ${y - 0.22}`,
          stroke: colour(theme.paper), 'stroke-width': 0.12, 'stroke-linecap': 'round',
        }));
    }
    this.#layer('falling', falling);
  }

  // The turn that is being entered.
  #turn(picture) {
    const theme = this.#theme;
    const shapes = new Map();
    if (picture.ghost) {
      const { seat, point } = picture.ghost;
      const [x, y] = this.at(point);
      shapes.set(`${seat} ${point}`, () => ghost(theme, seat, x, y, picture.blocks));
    }
    this.#layer('ghost', shapes);
    const choices = new Map();
    for (const point of picture.choices ?? []) {
      const [x, y] = this.at(point);
      choices.set(`${point}`, () =>
        svg('circle', {
          cx: x, cy: y, r: 0.44, fill: 'none', stroke: colour(theme.last), 'stroke-width': 0.1,
        }));
    }
    this.#layer('choices', choices);
    const marks = new Map();
    for (const { point, value } of picture.numbers ?? []) {
      const [x, y] = this.at(point);
      marks.set(`${point} ${value}`, () => {
        const text = svg('text', {
          x, y, fill: colour(theme.text), 'font-size': 0.6, 'font-weight': 700, 'text-anchor': 'middle',
          'dominant-baseline': 'central',
        });
        text.textContent = value;
        return text;
      });
    }
    this.#layer('marks', marks);
  }
}

// The seat in whose base a dot lies: that of the last area which contains it.
function holderOf(picture, { point }) {
  const areas = picture.areas ?? [];
  for (let index = areas.length - 1; index >= 0; index -= 1) {
    if (contains(areas[index].ring, point)) return areas[index].seat;
  }
  return null;
}

function contains(ring, [x, y]) {
  let inside = false;
  for (let index = 0, before = ring.length - 1; index < ring.length; before = index, index += 1) {
    const [x0, y0] = ring[before];
    const [x1, y1] = ring[index];
    if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}

export { blend };
