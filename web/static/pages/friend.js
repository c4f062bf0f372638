// A friend accepts a game here. Both are called then, and the board opens as soon as the game has begun.

const EVERY = 3_000; // milliseconds between two questions for the game

const find = (id) => document.getElementById(id);
const [accept, line] = ['accept', 'line'].map(find);
const { deed, code } = accept.dataset;
const session = new URL(deed, location.href).search;

async function send(message) {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(deed, { method: 'POST', headers, body: JSON.stringify(message) });
    return { isDone: answer.ok, ...(await answer.json()) };
  } catch {
    return { isDone: false }; // out of reach: the next question may find it
  }
}

async function follow(seek) {
  const { match, line: outcome } = await send({ do: 'seeks', of: seek });
  if (match) location.href = `/board/${match}${session}`;
  else if (outcome) line.textContent = outcome;
  else setTimeout(() => follow(seek), EVERY);
}

accept.addEventListener('click', async () => {
  accept.disabled = true;
  const { isDone, seek, line: said } = await send({ do: 'friend', code });
  line.textContent = said ?? '';
  accept.disabled = isDone;
  if (isDone) await follow(seek);
});
