// Elements: making parts of the page, and keeping those that are there.

import { signed } from './signs.js';

const PLAIN = new Set(['option', 'textarea']); // have letters alone

export const byId = (id) => document.getElementById(id);

export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (name === 'button') element.type = 'button';
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flatMap((child) => (typeof child === 'string' && !PLAIN.has(name) ? signed(child) : child)));
  return element;
}

// Sets a text. One that is there already is left alone: screen readers would say it again.
export function write(element, text) {
  if (element.textContent !== text) element.replaceChildren(...signed(text));
}

const SETTLE = 700; // milliseconds

// Makes the children of an element one for each item, in order. An item with the key of a child keeps it, and with it the
// focus. Where it `settles`, a change takes no click for a moment: a finger may be on its way to what was there.
export function keepChildren(parent, items, { key, make, update = (..._) => {}, settles = false }) {
  const before = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const after = items.map((item) => {
    const child = before.get(key(item)) ?? make(item);
    child.dataset.key = key(item);
    update(child, item);
    return child;
  });
  let isChanged = false;
  for (const child of before.values()) {
    if (after.includes(child)) continue;
    child.remove();
    isChanged = true;
  }
  after.forEach((child, place) => {
    if (parent.children[place] === child) return;
    parent.insertBefore(child, parent.children[place] ?? null);
    isChanged = true;
  });
  // The parent takes the clicks meanwhile: they would reach what it covers, such as a link.
  if (settles && isChanged) for (const child of after) child.animate([{ pointerEvents: 'none' }, { pointerEvents: 'none' }], SETTLE);
}
