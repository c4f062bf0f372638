// Marks: signs at crossings of a board of one's own, drawn over it.

import { svg } from '../board/svg.js';

const FORMS = {
  circle: () => svg('circle', { r: 0.3 }),
  square: () => svg('rect', { x: -0.28, y: -0.28, width: 0.56, height: 0.56 }),
  triangle: () => svg('path', { d: 'M0 -.36L.34 .26H-.34Z' }),
  cross: () => svg('path', { d: 'M-.26 -.26L.26 .26M-.26 .26L.26 -.26' }),
  label: (text) => svg('text', { 'font-size': 0.62, 'text-anchor': 'middle', dy: '.22' }, text),
};

export const KINDS = Object.keys(FORMS);

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

// Draws the marks of a place; `pointOf` returns the crossing of a name.
export function drawMarks(drawing, marks, pointOf) {
  const group = drawing.svg.querySelector('.marks') ?? svg('g', { class: 'marks' });
  group.replaceChildren(...marks.map((mark) => {
    const [kind, name, label] = mark.split(' ');
    const [x, y] = drawing.at(pointOf(name));
    const form = FORMS[kind](label);
    const ground = form.cloneNode(true); // which sets it off from the dot below
    ground.classList.add('ground');
    return svg('g', { class: kind, transform: `translate(${x} ${y})` }, ground, form);
  }));
  drawing.svg.append(group);
}

// Returns the marks with one of a kind at a crossing, or without it where it is there. A letter is the first free one.
export function toggleMark(marks, kind, name) {
  const same = marks.filter((mark) => mark.startsWith(`${kind} ${name}`) && mark.split(' ')[1] === name);
  if (same.length) return marks.filter((mark) => !same.includes(mark));
  if (kind !== 'label') return [...marks, `${kind} ${name}`];
  const taken = new Set(marks.filter((mark) => mark.startsWith('label ')).map((mark) => mark.split(' ')[2]));
  const letter = [...LETTERS].find((each) => !taken.has(each)) ?? '*';
  return [...marks, `label ${name} ${letter}`];
}
