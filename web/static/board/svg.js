// SVG elements, and layers that touch only what has changed.

const NAMESPACE = 'http://www.w3.org/2000/svg';

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// A group whose children have keys: `show` adds and removes only those that differ from what it shows.
export class Layer {
  #shown = new Map();

  constructor(name) {
    this.group = svg('g', { class: name });
  }

  // `shapes` has a function that makes the element, by a key that says all about it.
  show(shapes) {
    for (const [key, element] of this.#shown) {
      if (!shapes.has(key)) {
        element.remove();
        this.#shown.delete(key);
      }
    }
    let before = null;
    for (const [key, make] of shapes) {
      let element = this.#shown.get(key);
      if (!element) {
        element = make();
        this.#shown.set(key, element);
        this.group.insertBefore(element, before ? before.nextSibling : this.group.firstChild);
      }
      before = element;
    }
  }
}

export const colour = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

export const blend = (ground, ink, share) => ground.map((part, k) => Math.round(part + (ink[k] - part) * share));
