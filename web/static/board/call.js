// The call to a live game, for a player whose board is that of a game against the computer meanwhile: it is shown above the
// board, and the page goes on to the game of the two.

import { h } from './elements.js';

const EVERY = 3_000; // milliseconds between two questions for the search

// Follows a search until it is over, by a session's part of the address.
export async function followSearch(seek, session) {
  const strip = h('div.call', { role: 'alert', hidden: true });
  document.body.prepend(strip);

  async function send(message) {
    try {
      const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(message) };
      const answer = await fetch(`/home/do${session}`, request);
      return answer.ok ? await answer.json() : null;
    } catch {
      return null; // out of reach: the next question may find it
    }
  }

  function show(key, line, button) {
    if (strip.dataset.key === key) return;
    strip.dataset.key = key;
    strip.hidden = !line;
    strip.replaceChildren(...(line ? [h('p', {}, line)] : []), ...(button ? [button] : []));
  }

  function take(told) {
    const search = told?.seeks.find((each) => each.seek === seek);
    if (told?.match) location.assign(`/board/${told.match}${session}`);
    else if (told?.line) show('over', told.line);
    else if (search?.ready) show('called', search.lines.at(-1), h('button.primary', { onclick: answer }, search.ready));
    else if (search?.leave) show('', '');
    else if (search) show('ready', search.lines.at(-1));
    return Boolean(told && (told.match || told.line || !search));
  }

  async function answer() {
    take(await send({ do: 'ready', seek }));
  }

  while (!take(await send({ do: 'seeks', of: seek }))) await new Promise((resolve) => setTimeout(resolve, EVERY));
}
