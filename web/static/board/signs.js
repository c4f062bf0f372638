// Signs: pictures in the place of the emoji of sentences, which chats show and some systems have no letters for. The
// emoji stays in the text, for what copies or searches it; screen readers pass over both, as the sentence says it all.

import { svg } from './svg.js';

// Lines on a square of 24, or the colour of a disc or a square.
const SIGNS = {
  '✅': 'M4 13l5 5L20 6',
  '❌': 'M6 6l12 12M18 6L6 18',
  '⚠': 'M12 4L2.5 20h19zM12 10v4M12 17v.1',
  '🏆': 'M7 4h10v5a5 5 0 0 1-10 0zM7 6H4c0 3 1 4 3 4M17 6h3c0 3-1 4-3 4M12 14v4M8 20h8',
  '🤝': 'M5 9h14M5 15h14',
  '🧩': 'M4 9h4a2.4 2.4 0 1 1 4 0h4v4a2.4 2.4 0 1 1 0 4v3H4z',
  '🏁': 'M5 21V4M5 5h13l-3 4 3 4H5',
  '↩': 'M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3',
  '⏸': 'M9 5v14M15 5v14',
  '▶': 'M8 5l11 7-11 7z',
  '▫': 'M8 8h8v8H8z',
  '🗳': 'M4 11v9h16v-9M8 9l4 4 6-8',
  '⚖': 'M12 4v16M8 20h8M5 7h14M5 7l-2.5 6h5zM19 7l-2.5 6h5z',
  '⏳': 'M7 3h10M7 21h10M8 3c0 5 8 13 8 18M16 3c0 5-8 13-8 18',
  '🌙': 'M19 14A8 8 0 1 1 10 5a6.5 6.5 0 0 0 9 9z',
  '📅': 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  '🏖': 'M12 20V5M4 12a8 7 0 0 1 16 0zM4 20h16',
  '🎲': 'M4 4h16v16H4zM9 9v.1M15 15v.1M15 9v.1M9 15v.1',
  '✋': 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM8 12h8',
  '🛬': 'M4 20h16M12 4v11M7 11l5 5 5-5',
  '🔥': 'M12 3c1 4 6 6 6 11a6 6 0 0 1-12 0c0-3 2-4 3-6 1 1 2 2 2 3 1-2 2-4 1-8z',
  '🎓': 'M2 9l10-5 10 5-10 5zM6 11v5c3 3 9 3 12 0v-5',
  '📈': 'M3 18l6-7 4 4 8-10M15 5h6v6',
  '⚡': 'M13 3L5 14h6l-1 7 9-12h-6z',
  '🟩': 'seagreen', '🟥': 'crimson', '🟨': 'goldenrod', '⬜': 'gray', '🟦': 'royalblue',
  '🔴': 'crimson', '🔵': 'royalblue', '🟢': 'seagreen', '🟣': 'mediumorchid', '🟠': 'darkorange', '🟤': 'sienna',
};
const SQUARES = '🟩🟥🟨⬜🟦';
const SIGN = new RegExp(`((?:${Object.keys(SIGNS).join('|')})\uFE0F?)`, 'u');

function picture(emoji) {
  const name = emoji.replace('\uFE0F', '');
  const look = SIGNS[name];
  if (look.startsWith('M')) return svg('path', { d: look });
  const shape = SQUARES.includes(name) ? svg('rect', { x: 3, y: 3, width: 18, height: 18, rx: 3 }) : svg('circle', { cx: 12, cy: 12, r: 8 });
  shape.setAttribute('fill', look);
  return shape;
}

// Returns a text as what an element has in it.
export function signed(text) {
  return text.split(SIGN).map((part, place) => {
    if (place % 2 === 0) return part;
    const sign = document.createElement('span');
    sign.className = 'sign';
    sign.setAttribute('aria-hidden', 'true');
    sign.append(part, svg('svg', { viewBox: '0 0 24 24' }, picture(part)));
    return sign;
  });
}
