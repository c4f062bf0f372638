// Lightbox: the full image over the page, which can be made larger and moved.

import { h, icon } from './elements.js';
import { Zoom } from './zoom.js';

const ARROW_STEP = 80; // pixels of one press
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function tool(name, label, onclick, more = {}) {
  return h('button.tool', { 'aria-label': label, title: label, onclick, ...more }, icon(name));
}

export function lightbox(media, alt) {
  const image = h('img', { src: media.url, alt, draggable: 'false' });
  const stage = h('div.stage', {}, image);
  const percent = h('output.zoom', { 'aria-label': 'Zoom' });
  const zoom = new Zoom(stage, image, (scale) => {
    percent.textContent = `${Math.round(scale * 100)}\u00a0%`;
    stage.classList.toggle('larger', scale > 1);
  });
  const close = () => dialog.close();
  const keys = { '+': () => zoom.in(), '=': () => zoom.in(), '-': () => zoom.out(), 0: () => zoom.whole() };
  const dialog = h(
    'dialog.lightbox',
    {
      'aria-label': 'Image',
      onclose: () => dialog.remove(),
      onkeydown: (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const arrow = ARROWS[event.key]?.map((step) => step * ARROW_STEP);
        if (!arrow && !keys[event.key]) return;
        event.preventDefault();
        if (arrow) zoom.pan(...arrow);
        else keys[event.key]();
      },
    },
    stage,
    h(
      'footer',
      {},
      h('p', {}, alt || 'The bot gave this image no description.'),
      tool('minus', 'Zoom out', () => zoom.out()),
      percent,
      tool('plus', 'Zoom in', () => zoom.in()),
      tool('whole', 'Show the whole image', () => zoom.whole()),
      h(
        'a.tool',
        {
          href: media.url,
          target: '_blank',
          rel: 'noopener',
          title: 'Open the image alone',
          'aria-label': 'Open the image alone',
        },
        icon('open'),
      ),
      tool('close', 'Close', close, { autofocus: true }),
    ),
  );
  stage.addEventListener('click', (event) => {
    if (zoom.dragged) return;
    if (event.target === image) zoom.toggle(event.clientX, event.clientY);
    else close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
