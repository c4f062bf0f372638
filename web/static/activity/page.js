// The page of the Activity: the Discord client says who looks, the server opens a session, and the board takes the place
// of the entrance. The session's token stays in memory: the frame may have no cookies and no storage.

import { Host, Refused } from './host.js';
import { offerSharing } from './sharing.js';
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

// Waits for something, and complains if that takes too long. What comes late is still taken.
async function waitFor(promise, complain) {
  const timer = setTimeout(complain, PATIENCE);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

const say = (sentence) => () => {
  line.textContent = sentence;
};

// Resolves with a code of the client. A person whom it asks first may take their time.
async function authorize(host, client) {
  await host.ready;
  const asked = { client_id: client, response_type: 'code', state: '', prompt: 'none', scope: ['identify'] };
  return (await host.command('AUTHORIZE', asked)).code;
}

async function enter(query) {
  const { client } = await waitFor(json(fetch('/activity/client', { credentials: 'omit' })), say(words.offline));
  const host = new Host(client, query);
  const code = await waitFor(authorize(host, client), say(words.unheard));
  line.textContent = words.wait;
  const { instance, custom } = host;
  return { host, ...(await waitFor(json(post('/activity/enter', { code, instance, custom })), say(words.offline))) };
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

// Returns the address of this page that opens another game, to which it goes on `from` this one.
function addressOf(match, from) {
  const query = new URLSearchParams(location.search);
  query.set('custom_id', match);
  query.delete('from');
  if (from) query.set('from', from);
  return `${location.pathname}?${query}`;
}

// Lays the board under the entrance, which covers it and goes when the first board has come.
async function show({ host, match, token }, load) {
  await Promise.all(STYLES.map(addStyle));
  document.body.append(document.getElementById('board').content);
  const address = new URL(`/activity/live/${match}`, location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const connection = await showBoard({
    address,
    greeting: { do: 'enter', token },
    askWords: (page) => post('/activity/words', { token, for: page, match }),
    addressOf,
    former: new URLSearchParams(location.search).get('from'),
    loadSheet: () => load('/static/sheet/sheet.js'),
    extend: (board) => offerSharing({ ...board, host, ask: (path, code) => json(post(path, { token, code, match })) }),
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
  let entered;
  try {
    entered = await enter(query);
  } catch (error) {
    line.textContent = error.line ?? (error instanceof Refused ? words.denied : words.offline);
    return;
  }
  const offer = () => offerLink(entered);
  await waitFor(show(entered, load), offer).catch(offer);
}
