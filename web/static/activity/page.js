// The page of the Activity and of the Mini App: the client around it says who looks, the server opens a session, and a
// board or the home takes the place of the entrance. The session's token stays in memory, since the frame may have no
// cookies and no storage. So the page goes from the home to a board, and from there to the next one, without being loaded
// again.

import { AppHost } from './app_host.js';
import { Host, Refused } from './host.js';
import { offerSharing } from './sharing.js';
import { showBoard } from '../board/board.js';
import { byId, h } from '../board/elements.js';
import { loadStyle } from '../board/styles.js';
import { showHome } from '../home/home.js';

const PATIENCE = 8_000; // milliseconds for the client to answer, and for the board to come
const STYLES = {
  board: ['/static/shared/design.css', '/static/board/drawing.css', '/static/board/board.css'],
  analysis: [
    '/static/shared/design.css', '/static/board/drawing.css', '/static/board/board.css', '/static/sheet/sheet.css',
    '/static/analysis/analysis.css',
  ],
  study: [
    '/static/shared/design.css', '/static/board/drawing.css', '/static/board/board.css', '/static/sheet/sheet.css',
    '/static/analysis/analysis.css', '/static/study/study.css',
  ],
  home: ['/static/shared/design.css', '/static/board/drawing.css', '/static/home/home.css'],
  page: ['/static/shared/design.css', '/static/pages/pages.css', '/static/pages/figures.css'],
};

const entrance = document.getElementById('entrance');
const line = document.getElementById('line');
const words = JSON.parse(entrance.dataset.words);

// A body without a type asks no leave first, which a page of opaque origin would need.
const post = (address, body, signal) =>
  fetch(address, { method: 'POST', body: JSON.stringify(body), credentials: 'omit', signal });

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

let host = null; // the client, once it has been greeted

async function enter(query) {
  const { client } = await waitFor(json(fetch('/activity/client', { credentials: 'omit' })), say(words.offline));
  host ??= new Host(client, query);
  const code = await waitFor(authorize(host, client), say(words.unheard));
  line.textContent = words.wait;
  const { instance, custom } = host;
  return { host, ...(await waitFor(json(post('/activity/enter', { code, instance, custom })), say(words.offline))) };
}

// Enters by the signed data of a Mini App.
async function enterApp(app) {
  const ask = (path, body) => json(post(path, body));
  return { host: app, ...(await waitFor(app.enter(ask), say(words.offline))) };
}

const why = (error) => error.line ?? (error instanceof Refused ? words.denied : words.offline);

// Tries to enter until that succeeds: each time the reader says so.
async function enterAtLast(attempt) {
  try {
    return await attempt();
  } catch (error) {
    await offerAgain(why(error));
    return enterAtLast(attempt);
  }
}

// Says what has failed. Resolves when the reader wants to try again.
function offerAgain(sentence) {
  const button = document.getElementById('link');
  line.textContent = sentence;
  button.textContent = words.again;
  button.hidden = false;
  return new Promise((resolve) => {
    button.onclick = () => {
      button.hidden = true;
      line.textContent = words.wait;
      resolve(null);
    };
  });
}

// Offers the same board in a browser: the frame has a session, but no board comes.
function offerLink({ host, link }) {
  const button = document.getElementById('link');
  line.textContent = link ? words.stuck : words.offline;
  button.textContent = words.browser;
  button.hidden = !link;
  button.onclick = () => {
    button.disabled = true; // the link works once
    host.openLink(link).catch(() => {
      line.textContent = words.unheard;
    });
  };
}

// The addresses of what the frame shows: they change it without loading the page again, which would ask Discord anew.
const HOME = '#home';
const ANALYSIS = '#analysis=mine'; // a board of one's own
const studyOf = (study, chapter) => `#${new URLSearchParams({ study: study ?? '', ...(chapter ? { chapter } : {}) })}`;
const FIGURES = '#page=figures'; // a page of the player's own, as the server writes it
const addressOf = (match, more = {}) => `#${new URLSearchParams({ board: match, ...more })}`;

// The pages that the frame shows one after the other, for a user with a session.
class Pages {
  #entered;
  #load;
  #shown = new AbortController(); // ends what the page shows
  #isHome = false; // whether that is the home, which itself follows the addresses of its parts
  #loadAnalysis = (name) => this.#load(`/static/analysis/${name}.js`);
  #entranceStyles = [...document.adoptedStyleSheets];

  constructor(entered, load) {
    this.#entered = entered;
    this.#load = load;
    addEventListener('hashchange', () => this.show(location.hash, true));
  }

  // Shows what an address names. Resolves once it is there. A reader who comes from another page has the focus on it.
  async show(address, isNext = false) {
    const named = new URLSearchParams(address.slice(1));
    const match = named.get('board');
    const isHome = !match && !['analysis', 'study', 'page'].some((name) => named.has(name));
    this.#entered.host.show(address);
    if (isHome && this.#isHome) return;
    this.#isHome = isHome;
    if (match) await this.#showBoard(match, named);
    else if (named.has('analysis')) await this.#showOwnBoard();
    else if (named.has('study')) await this.#showStudies(named);
    else if (named.has('page')) await this.#showPage(named);
    else await this.#showHome();
    this.#entered.host.show(address); // in the colours of the page
    if (isNext) (byId('field') ?? document.querySelector('h1')).focus({ preventScroll: true });
  }

  // Takes the entrance away, which lies over the page until that has come.
  leaveEntrance() {
    entrance.remove();
    const styles = this.#entranceStyles;
    this.#entranceStyles = [];
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((style) => !styles.includes(style));
  }

  async #showBoard(match, named) {
    const { token, host } = this.#entered;
    const signal = await this.#open('board');
    const address = new URL(`/activity/live/${match}`, location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const connection = await showBoard({
      address,
      greeting: { do: 'enter', token },
      askWords: (page) => post('/activity/words', { token, for: page, match }),
      addressOf: (other, from) => addressOf(other, from ? { from } : {}),
      ownBoardOf: (other) => `${ANALYSIS}&game=${other}`,
      former: named.get('from'),
      home: HOME,
      lessons: '#quiz=lessons',
      isFramed: true,
      point: named.get('point'),
      loadSheet: () => this.#load('/static/sheet/sheet.js'),
      extend: (board) => {
        const ask = (path, code) => json(post(path, { token, code, match }));
        if (host.canShare) offerSharing({ ...board, host, signal, ask });
      },
      signal,
    });
    await new Promise((resolve) => {
      connection.addEventListener('board', resolve, { once: true });
      connection.addEventListener('down', ({ detail }) => detail.isFinal && resolve(detail), { once: true });
    });
  }

  async #showOwnBoard() {
    const { token, here, host } = this.#entered;
    const leave = (url) => host.openLink(url).catch(() => {});
    const ask = (body) => post('/activity/analysis', { ...body, token, here });
    const signal = await this.#open('analysis');
    const [{ showAnalysis }, told] = await Promise.all([this.#load('/static/analysis/analysis.js'), json(ask({ do: 'tell' }))]);
    if (signal.aborted) return; // another page is shown by now
    await showAnalysis(byId('analysis'), told, {
      post: ask, addressOf, home: HOME, studies: studyOf(null), signIn: null, isFramed: true, load: this.#loadAnalysis, leave, signal,
    });
  }

  async #showStudies(named) {
    const { token, here, host } = this.#entered;
    const leave = (url) => host.openLink(url).catch(() => {});
    const ask = (path) => (body) => post(path, { ...body, token, here });
    const signal = await this.#open('study');
    const asked = ask('/activity/study');
    const [{ showStudies }, told] = await Promise.all([this.#load('/static/study/study.js'), json(asked({ do: 'tell' }))]);
    if (signal.aborted) return; // another page is shown by now
    await showStudies(byId('study'), told, { study: named.get('study'), chapter: Number(named.get('chapter')), link: null }, {
      post: asked,
      postOwn: ask('/activity/analysis'),
      liveOf: (study, chapter) => {
        const live = new URL(`/activity/study/${study}/${chapter}/live`, location.href);
        live.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
        return live;
      },
      greeting: { do: 'enter', token },
      addressOf: studyOf,
      boardOf: addressOf,
      go: (study, chapter) => {
        location.hash = studyOf(study, chapter);
      },
      home: HOME,
      isFramed: true,
      load: this.#loadAnalysis,
      leave,
      signal,
    });
  }

  // A page that the server writes. Its links are addresses of the frame, and its form asks for another page.
  async #showPage(named) {
    const { token } = this.#entered;
    const { page, ...query } = Object.fromEntries(named);
    const signal = await this.#open('page');
    const main = byId('page');
    try {
      const told = await json(post('/activity/page', { token, page, query }));
      const theme = await loadStyle(`/theme/${told.theme}.css`);
      if (signal.aborted) return; // another page is shown by now
      document.documentElement.lang = told.language;
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, theme];
      main.replaceChildren(...new DOMParser().parseFromString(told.main, 'text/html').body.childNodes);
    } catch (error) {
      main.replaceChildren(h('h1', { tabIndex: -1 }, 'Kropka'), h('p', {}, why(error)), h('a', { href: HOME }, words.again));
    }
    // A sandboxed frame submits no forms.
    main.addEventListener('click', (event) => {
      const form = /** @type {HTMLElement} */ (event.target).closest('button')?.closest('form');
      if (!form) return;
      event.preventDefault();
      location.hash = `#${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`;
    });
  }

  async #showHome() {
    const { token, here, host } = this.#entered;
    const signal = await this.#open('home');
    await showHome({
      ask: (signal) => post('/activity/home', { token }, signal),
      act: (message) => post('/activity/home/do', { ...message, token, here }),
      addressOf,
      analysis: ANALYSIS,
      figures: FIGURES,
      load: (name) => this.#load(`/static/home/${name}.js`),
      leave: (url) => host.openLink(url).catch(() => {}),
      signal,
    });
  }

  // Puts the parts of a page in the place of those that are there; resolves with the signal that ends it.
  async #open(name) {
    this.#shown.abort();
    const shown = new AbortController();
    this.#shown = shown;
    const styles = await Promise.all(STYLES[name].map(loadStyle));
    document.adoptedStyleSheets = [...this.#entranceStyles, ...styles];
    for (const part of [...document.body.children]) {
      if (!['TEMPLATE', 'SCRIPT'].includes(part.tagName) && part !== entrance) part.remove();
    }
    document.body.append(byId(`${name}-parts`).content.cloneNode(true));
    return shown.signal;
  }
}

// Returns what enters by the client around the page; null where there is none.
function findEntry() {
  if (entrance.dataset.host === 'app') {
    const app = AppHost.find();
    return app && (() => enterApp(app));
  }
  const query = new URLSearchParams(location.search);
  return query.has('frame_id') && query.has('instance_id') ? () => enter(query) : null;
}

export async function open(load) {
  line.textContent = words.wait;
  const entry = findEntry();
  if (!entry) {
    line.textContent = words.nothing;
    return;
  }
  const entered = await enterAtLast(entry);
  const pages = new Pages(entered, load);
  const offer = () => offerLink(entered);
  const show = async () => {
    await pages.show(entered.match ? addressOf(entered.match) : location.hash || HOME);
    pages.leaveEntrance();
  };
  await waitFor(show(), offer).catch(offer);
}
