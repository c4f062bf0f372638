// Shapes: a picture as a list of SVG elements, in the layers and with the measures of renderer/brush.py. Each shape has
// a key that names all that decides its look, so that of two pictures only what differs is drawn.

import { isInside, spotOf } from './places.js';

export const LAYERS = [
  'zone', 'washes', 'grid', 'bases', 'plans', 'frame', 'bars', 'outlines', 'chains', 'choices', 'glow', 'stones', 'ghost',
  'marks', 'veil',
];

const CORNER = { 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };

export function shapesOf(picture, page, look) {
  const found = [];
  const add = (layer, tag, attributes, text = '') => {
    found.push({ layer, tag, attributes, text, key: `${layer}|${tag}|${Object.values(attributes).join('|')}|${text}` });
  };
  const at = page.at;
  const path = (points, closed) => `M${points.map((point) => at(point).join(' ')).join('L')}${closed ? 'Z' : ''}`;
  const line = (layer, d, stroke, width) => add(layer, 'path', { d, fill: 'none', stroke, 'stroke-width': width, ...CORNER });
  const disc = (layer, point, r, fill) => add(layer, 'circle', { cx: at(point)[0], cy: at(point)[1], r, fill });
  const box = (layer, point, across, up, rx, fill) => {
    const [x, y] = at(point);
    add(layer, 'rect', { x: x - across, y: y - up, width: 2 * across, height: 2 * up, rx, fill });
  };
  const use = (layer, point, name) => add(layer, 'use', { href: `#${name}`, x: at(point)[0], y: at(point)[1] });
  const ink = (seat) => look.inks[seat];

  if (picture.zone) {
    const { low, high } = picture.zone;
    const [x, y] = at([low[0], high[1]]);
    const [width, height] = [high[0] - low[0] + 1, high[1] - low[1] + 1];
    add('zone', 'rect', { x: x - 0.5, y: y - 0.5, width, height, fill: look.zone });
  }
  for (const { seat, ring } of [...(picture.houses ?? []), ...(picture.open ?? [])]) {
    add('washes', 'path', { d: path(ring, true), fill: ink(seat).house });
  }
  for (const { seat, ring } of picture.areas ?? []) {
    const d = path(ring, true);
    add('bases', 'path', { d, fill: ink(seat).tint });
    add('bases', 'path', { d, fill: `url(#pen-${seat})`, stroke: ink(seat).ink, 'stroke-width': look.chain, ...CORNER });
  }
  for (const { seat, ring } of picture.plans ?? []) {
    add('plans', 'path', { d: path(ring, true), fill: ink(seat).house, 'fill-opacity': 0.88 });
    line('chains', path(ring, true), look.last, look.chain * 1.5);
  }
  for (const { seat, first, last } of picture.bars ?? []) line('bars', path([first, last]), ink(seat).bar, 0.3);
  for (const { seat, ring } of [...(picture.open ?? []), ...(picture.offers ?? [])]) {
    line('outlines', path(ring, true), ink(seat).ink, look.chain * 1.6);
    line('outlines', path(ring, true), look.paper, look.chain * 0.8);
  }
  if (picture.line) line('chains', path(picture.line.points), look.last, look.chain * 1.5);
  const { trail } = picture;
  if (trail) line('chains', path([trail.start, trail.end]), look.last, 0.1);

  const stones = new Map((picture.stones ?? []).map((stone) => [String(stone.point), stone]));
  for (const point of picture.choices ?? []) disc('choices', point, stones.has(String(point)) ? 0.49 : 0.2, look.last);
  for (const point of picture.recent ?? []) {
    const [x, y] = at(point);
    if (stones.has(String(point))) add('glow', 'circle', { cx: x, cy: y, r: look.last_disc, fill: look.last, 'fill-opacity': 0.4 });
  }
  for (const point of picture.last ?? []) {
    const stone = stones.get(String(point));
    if (stone?.credited) use('glow', point, 'glow-five');
    else if (stone && picture.blocks) box('glow', point, 0.46, 0.46, 0.1, look.last);
    else disc('glow', point, look.last_disc, look.last);
  }
  for (const stone of stones.values()) {
    const { point, seat } = stone;
    if (stone.captured) use('stones', point, `captured-${seat}-${holderOf(picture, point) ?? 'none'}`);
    else if (picture.blocks) use('stones', point, `${stone.credited ? 'five' : 'block'}-${seat}`);
    else use('stones', point, `dot-${seat}`);
    const isLast = picture.last?.some(([x, y]) => x === point[0] && y === point[1]);
    if (isLast && !stone.captured && !picture.blocks) disc('marks', point, look.last_pip, look.paper);
  }
  if (picture.ghost) use('ghost', picture.ghost.point, `ghost-${picture.ghost.seat}`);
  if (trail) {
    disc('marks', trail.start, 0.28, look.last);
    disc('marks', trail.start, 0.22, look.paper);
  }
  for (const point of picture.falling ?? []) use('marks', point, 'falling');
  const number = (point, value, taken) => {
    const stone = stones.get(String(point));
    const chosen = picture.choices?.some(([x, y]) => x === point[0] && y === point[1]);
    if (chosen && stone) {
      disc('marks', point, 0.4, ink(stone.seat).ink);
    } else {
      const width = taken ? 0.09 : 0.03;
      box('marks', point, 0.33, 0.3, 0.12, taken ? look.last : look.frame);
      box('marks', point, 0.33 - width, 0.3 - width, 0.1, look.paper);
    }
    const [x, y] = at(point);
    add('marks', 'text', { x, y: y + 0.14, class: 'number', fill: chosen && stone ? look.paper : look.text }, String(value));
  };
  for (const { point, value } of picture.numbers ?? []) number(point, value, false);
  const spots = new Set(picture.ghost ? [String(picture.ghost.point)] : []);
  (picture.offers ?? []).forEach(({ ring }, k) => {
    const spot = spotOf(ring, spots);
    spots.add(String(spot));
    number(spot, k + 1, picture.taken?.includes(k + 1));
  });
  if (picture.focus) {
    const { low, high } = picture.focus;
    const [x, y] = at([low[0], high[1]]);
    const [width, height] = [high[0] - low[0] + 1, high[1] - low[1] + 1];
    const { x: left, y: top, width: w, height: h } = page.box;
    const hole = `M${x - 0.5} ${y - 0.5}v${height}h${width}v${-height}Z`;
    add('veil', 'path', { d: `M${left} ${top}h${w}v${h}h${-w}Z${hole}`, fill: look.paper, 'fill-opacity': 1 - look.distant });
    line('veil', hole, look.last, 0.05);
  }
  return found;
}

function holderOf(picture, point) {
  return (picture.areas ?? []).findLast(({ ring }) => isInside(ring, point))?.seat ?? null;
}
