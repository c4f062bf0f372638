// Sharing: a picture of the board, and the game in the person's status, both by Discord's own client and only when they are
// asked for. The client does neither before it is authenticated, so each begins with a code for an access token.

import { byId, h } from '../board/elements.js';

const PICTURE = ['identify'];
const STATUS = ['identify', 'rpc.activities.write'];
const PAUSE = 5_000; // milliseconds between two changes of a status: Discord takes five in twenty seconds
const MARKS = /[\u2066-\u2069]/g; // of names that are written from the right; a status has its own

// Adds the buttons to a board. `ask(path, code)` posts to the server; `line(text, isTrouble)` says something to the person.
export function offerSharing({ host, ask, connection, words, line, signal }) {
  let status = null; // {named} while it is shown
  let view = null;
  let shown = '';
  let timer = null;

  // Asks the client for a code, and gives it the access token that the server gets for that.
  async function authenticate(scope, path) {
    const asked = { client_id: host.client, response_type: 'code', state: '', prompt: 'none', scope };
    const { code } = await host.command('AUTHORIZE', asked);
    const { access, ...told } = await ask(path, code);
    await host.command('AUTHENTICATE', { access_token: access });
    return told;
  }

  const share = press(async () => {
    const { media } = await authenticate(PICTURE, '/activity/picture');
    await host.command('OPEN_SHARE_MOMENT_DIALOG', { mediaUrl: media });
  });

  const toggle = press(async () => {
    if (status) {
      end();
      return;
    }
    status = await authenticate(STATUS, '/activity/status');
    try {
      await tell();
    } catch (error) {
      status = null;
      throw error;
    }
    shows.setAttribute('aria-pressed', 'true');
  });

  const picture = h('button', { onclick: share }, words.share);
  const shows = h('button', { onclick: toggle, 'aria-pressed': 'false' }, words.status);
  byId('client').append(picture, shows);

  // Returns what a button does: once at a time, and with a line where it does not work.
  function press(act) {
    let isBusy = false;
    return async () => {
      if (isBusy) return;
      isBusy = true;
      try {
        await act();
      } catch (error) {
        line(error.line ?? words.unshared, true);
      } finally {
        isBusy = false;
      }
    };
  }

  function present(activity) {
    shown = JSON.stringify(activity);
    return host.command('SET_ACTIVITY', { activity });
  }

  // Tells the client of the game as it is now, unless it knows.
  async function tell() {
    timer = null;
    if (!status || !view) return;
    if (view.over) {
      end();
      return;
    }
    const score = view.players.map((player) => player.score).join(' : ');
    const activity = { type: 0, ...(status.named ? { details: view.title.replace(MARKS, '') } : {}), state: score };
    if (shown === JSON.stringify(activity)) return;
    await present(activity);
  }

  function end() {
    if (!status) return;
    status = null;
    clearTimeout(timer);
    timer = null;
    shows.setAttribute('aria-pressed', 'false');
    present(null).catch(() => {}); // a client that is gone shows nothing
  }

  connection.addEventListener('board', ({ detail }) => {
    view = detail.view;
    shows.hidden = view.over;
    if (status && !timer) timer = setTimeout(() => tell().catch(end), PAUSE);
    if (status && view.over) end();
  });
  addEventListener('pagehide', end, { signal });
  signal?.addEventListener('abort', end);
}
