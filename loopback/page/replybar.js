// Reply bar: the line over the composer with the author of the answered message, and whether the reply pings them.

import { h, icon } from './elements.js';
import { nameOf } from './people.js';

export function drawReplyBar(bar, { reply, ping }, { ontoggle, oncancel }) {
  bar.hidden = !reply;
  if (!reply) return bar.replaceChildren();
  const focused = bar.contains(document.activeElement);
  const toggle = h(
    'button.ping',
    {
      'aria-pressed': String(ping),
      title: ping ? 'The author is notified. A bot reads a reply only if it is.' : 'The author is not notified',
      onclick: ontoggle,
    },
    `@ ${ping ? 'ON' : 'OFF'}`,
  );
  bar.replaceChildren(
    h('span', {}, 'Replying to ', h('strong', {}, nameOf(reply.author))),
    toggle,
    h('button.tool', { 'aria-label': 'Cancel the reply', onclick: oncancel }, icon('close')),
  );
  if (focused) toggle.focus();
}
