// The first page of the Activity: the Discord client says who looks, and the server opens the board.

import { Host, Refused } from '/static/activity/host.js';

const line = document.getElementById('line');
const query = new URLSearchParams(location.search);

async function json(address, body) {
  const asked = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(address, asked);
  const told = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(told.line), { line: told.line });
  return told;
}

async function enter() {
  const { client } = await json('/activity/client');
  const host = new Host(client, query);
  await host.ready;
  const asked = { client_id: client, response_type: 'code', state: '', prompt: 'none', scope: ['identify'] };
  const { code } = await host.command('AUTHORIZE', asked);
  const { to } = await json('/activity/enter', { code, instance: host.instance });
  location.replace(to);
}

const { language, words } = await json('/words.json?for=activity').catch(() => ({ language: 'en', words: {} }));
document.documentElement.lang = language;
line.textContent = words.wait;
if (query.has('frame_id') && query.has('instance_id')) {
  await enter().catch((error) => {
    line.textContent = error.line ?? (error instanceof Refused ? words.denied : words.offline);
  });
} else {
  line.textContent = words.nothing;
}
