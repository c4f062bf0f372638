// The page of the Activity: the Discord client says who looks, the server opens a session, and the board takes the place
// of the entrance. The session's token stays in memory: the frame may have no cookies and no storage.

import { Host, Refused } from './host.js';
import { showBoard } from '../board/board.js';

const PATIENCE = 8_000; // milliseconds for the client to answer, and for the board to come
const STYLES = ['/static/board/drawing.css', '/static/board/board.css'];

const entrance = document.getElementById('entrance');
const line = document.getElementById('line');
const words = JSON.parse(entrance.dataset.words);

// A body without a type asks no leave first, which a page of opaque origin would need.
const post = (address, body) => fetch(address, { method: 'POST', body: JSON.stringify(body), credentials: 'omit' });

async function json(asked) {
  const answer = await asked;
  const told = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(told.line), { line: told.line });
  return told;
}

const late = (sentence) => new Promise((_, reject) => {
  setTimeout(() => reject(Object.assign(new Error(sentence), { line: sentence })), PATIENCE);
});

async function enter(query) {
  const { client } = await json(fetch('/activity/client', { credentials: 'omit' }));
  const host = new Host(client, query);
  await Promise.race([host.ready, late(words.unheard)]);
  const asked = { client_id: client, response_type: 'code', state: '', prompt: 'none', scope: ['identify'] };
  const { code } = await host.command('AUTHORIZE', asked);
  const { instance, custom } = host;
  return { host, ...(await json(post('/activity/enter', { code, instance, custom }))) };
}

// Offers the same board in a browser: the frame has a session, but no board comes.
function offerLink({ host, link }) {
  const button = document.getElementById('link');
  line.textContent = words.stuck;
  button.textContent = words.browser;
  button.hidden = false;
  button.onclick = () => {
    button.disabled = true; // the link works once
    host.command('OPEN_EXTERNAL_LINK', { url: link }).catch(() => {
      line.textContent = words.unheard;
    });
  };
}

// Lays the board under the entrance, which covers it and goes when the first board has come.
async function show({ match, token }, load) {
  await Promise.all(STYLES.map(addStyle));
  document.body.append(document.getElementById('board').content);
  const address = new URL(`/activity/live/${match}`, location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const connection = await showBoard({
    address,
    greeting: { do: 'enter', token },
    askWords: (page) => post('/activity/words', { token, for: page, match }),
    loadSheet: () => load('/static/sheet/sheet.js'),
  });
  await new Promise((resolve) => {
    connection.addEventListener('board', resolve, { once: true });
    connection.addEventListener('down', ({ detail }) => detail.isFinal && resolve(), { once: true });
  });
  entrance.remove();
  for (const sheet of document.querySelectorAll('link[href$="notice.css"], link[href$="/activity/page.css"]')) sheet.remove();
}

function addStyle(href) {
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  return new Promise((resolve) => {
    style.onload = resolve;
    style.onerror = resolve;
    document.head.append(style);
  });
}

export async function open(load) {
  const query = new URLSearchParams(location.search);
  line.textContent = words.wait;
  if (!query.has('frame_id') || !query.has('instance_id')) {
    line.textContent = words.nothing;
    return;
  }
  try {
    const entered = await enter(query);
    const shown = show(entered, load);
    await Promise.race([shown, late(words.stuck)]).catch(() => offerLink(entered));
    await shown;
  } catch (error) {
    line.textContent = error.line ?? (error instanceof Refused ? words.denied : words.offline);
  }
}
