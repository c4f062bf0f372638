// Elements: builds DOM nodes; text always becomes text nodes, so content can never become markup.

const SVG = 'http://www.w3.org/2000/svg';

// Allows addresses of links and pictures within this site or over HTTP; never javascript: or data:.
const SAFE = /^(#|\?|\/(?!\/)|https?:\/\/)/i;

// `tag` may carry classes: h('button.play.wide', {type: 'button', onclick}, 'Play').
export function h(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (name === 'button') element.type = 'button';
  if (classes.length) element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if ((key === 'href' || key === 'src') && !SAFE.test(value)) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'class') element.className = [...classes, ...value.split(' ').filter(Boolean)].join(' ');
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

const ICONS = {
  hash: 'M5 9h15M4 15h15M10 3 8 21M16 3l-2 18',
  thread: 'M4 4v8a4 4 0 0 0 4 4h11M15 12l4 4-4 4',
  menu: 'M4 6h16M4 12h16M4 18h16',
  info: 'M12 11v6M12 7.2v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  close: 'M6 6l12 12M18 6 6 18',
  apps: 'M5 12h.1M12 12h.1M19 12h.1',
  reply: 'M10 5 4 11l6 6M4 11h9a7 7 0 0 1 7 7v1',
  send: 'M4 12h14M12 5l7 7-7 7',
  down: 'M6 9l6 6 6-6',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  open: 'M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4',
  file: 'M7 3h7l5 5v13H7zM14 3v5h5',
  check: 'M5 12l5 5 9-10',
  slash: 'M16 4 8 20',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  whole: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
};

export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}
