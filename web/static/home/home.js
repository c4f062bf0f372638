// The home of a player: their games, challenges, what goes on around them, and ways to begin. The server's answer is the
// truth; it is asked for again when the page is looked at, and now and then.

import { applyTheme } from '../board/colours.js';
import { byId, h, keepChildren, write } from '../board/elements.js';
import { Pauses } from '../board/pauses.js';
import { loadWords } from '../board/words.js';
import { crossingAt, thumbnail } from './thumbnail.js';

const EVERY = 60_000; // milliseconds between two answers while the page is looked at
const SLOW = 1_500; // milliseconds after which a reader wonders what goes on
const LOST = 6_000; // milliseconds after which an answer no longer comes: a phone that has slept has no connection
const AROUND_EVERY = 300_000; // milliseconds for which what goes on around is still true enough
const LEVEL = 4; // the level that is offered first
const TILES = 6; // games that are in sight at once: the most urgent come first
const EXERCISE = '#quiz='; // begins the address of an exercise, in the place of the home
const HOME = '#home';

// Shows the home of a player in the parts of parts.html. `site` is how the page reaches the server: `ask(signal)`
// fetches the home, `act(message)` does something, `addressOf(match, more)` is that of a board, where a first dot may be laid at the
// `point` in `more`, `seat` is the open seat that the reader has come for, `leave(url)` opens a page of the chat, `load(name)` imports a script of this folder, and `figures` is the page of the player's
// figures, if there is a way to it. A `signal` ends it.
export async function showHome(site) {
  const home = new Home(site);
  await home.load();
  const { signal } = site;
  const wake = () => document.hidden || home.wake();
  const timer = setInterval(() => document.hidden || home.refresh(), EVERY);
  signal?.addEventListener('abort', () => {
    clearInterval(timer);
    home.rest();
  });
  document.addEventListener('visibilitychange', wake, { signal });
  addEventListener('online', wake, { signal });
  addEventListener('hashchange', () => home.turn(true), { signal });
  addEventListener('pageshow', ({ persisted }) => persisted && home.wake(), { signal });
  await Promise.all([home.turn(), home.lookAround()]);
}

class Home {
  #site;
  #told = null; // the newest answer
  #around = null; // the servers around, once they are known
  #aroundLine = ''; // why they are not
  #communities = () => []; // makes what their section shows, once its script has come
  #lookedAround = 0; // when they were asked for
  #attempt = null; // ends the newest request for the home
  #retrying = 0;
  #pauses = new Pauses();
  #isBusy = false;
  #exercise = null; // the address of the exercise that is shown
  #offers = new WeakMap(); // challenges that are put together, by their parts of the page
  #earlier = { finished: [], more: null }; // finished games that were asked for, and where the next ones begin
  #showsAll = false; // whether the other games are in sight, too
  #searches = null; // what the player's searches for a stranger show, once their script has come
  #searchPart = h('div.fields');
  #drawn = new Map(); // small boards by their games: each is drawn again only when it has changed

  constructor(site) {
    this.#site = site;
  }

  // Asks until there is an answer.
  async load() {
    this.#take(await loadWords(this.#site.ask, (line) => this.#complain(line ?? byId('lobby').dataset.away)));
  }

  // Brings the page up to date for a reader who comes back to it.
  async wake() {
    const isOld = Date.now() - this.#lookedAround > AROUND_EVERY;
    await Promise.all([this.refresh(), isOld && this.lookAround()]);
  }

  // Ends what goes on in the background.
  rest() {
    this.#attempt?.abort();
    this.#attempt = null;
    clearTimeout(this.#retrying);
  }

  // Asks for the home as it is now. That there is no answer yet is told; one that does not come is asked for again.
  async refresh() {
    this.rest();
    const attempt = new AbortController();
    this.#attempt = attempt;
    const waits = [setTimeout(() => this.#complain(this.#words.slow), SLOW), setTimeout(() => attempt.abort(), LOST)];
    try {
      const answer = await this.#site.ask(attempt.signal);
      const told = await answer.json();
      if (this.#attempt !== attempt) return;
      this.#pauses.reset();
      if (!answer.ok) this.#complain(told.line);
      else this.#take(told);
    } catch {
      if (this.#attempt !== attempt) return;
      this.#complain(attempt.signal.aborted ? this.#words.slow : this.#words.away);
      this.#retrying = setTimeout(() => document.hidden || this.refresh(), this.#pauses.next());
    } finally {
      for (const wait of waits) clearTimeout(wait);
    }
  }

  // Fetches what the platform has to be asked about: the rest of the page does not wait for it.
  async lookAround() {
    this.#lookedAround = Date.now();
    const [answer, script] = await Promise.all([this.#send({ do: 'around' }), this.#site.load('community').catch(() => null)]);
    if (!script) {
      this.#complain(this.#words.away);
      return;
    }
    this.#communities = () => script.communities({
      around: this.#around,
      line: this.#aroundLine,
      words: this.#words,
      act: (message) => this.#do(message),
      leave: this.#site.leave,
    });
    this.#around = answer.servers ?? this.#around;
    this.#aroundLine = answer.servers ? '' : answer.line;
    this.#show();
  }

  // Shows what the address names: an exercise, or the home, which `isNext` to another page.
  async turn(isNext = false) {
    const named = location.hash.startsWith(EXERCISE) ? location.hash.slice(EXERCISE.length) : null;
    if (named && named === this.#exercise) return;
    document.querySelector('main.puzzles')?.remove();
    this.#exercise = named;
    byId('sections').hidden = Boolean(named);
    if (named) await this.#openExercise(named);
    else if (isNext) {
      await this.refresh();
      document.querySelector('[data-focus="puzzles"]')?.focus();
    }
  }

  // Their script comes when the first one is asked for.
  async #openExercise(address) {
    const { words, theme } = this.#told;
    try {
      const { Quiz } = await this.#site.load('quiz');
      if (address !== this.#exercise || this.#site.signal?.aborted) return;
      const site = {
        send: (message) => this.#send(message),
        hrefOf: (to) => EXERCISE + to,
        addressOf: (match) => this.#site.addressOf(match),
        analysis: this.#site.analysis,
        begin: () => this.#do({ do: 'computer', level: null }),
        moved: (to) => this.#noteExercise(to),
        go: (to) => this.#go(to),
      };
      const quiz = new Quiz({ site, words, theme, home: HOME });
      byId('sections').after(quiz.element);
      await quiz.open(address);
    } catch {
      this.#complain(words.away);
    }
  }

  // Puts the address of the exercise as it is now in the place of the one by which it was opened, for a reload.
  #noteExercise(to) {
    this.#exercise = to;
    location.replace(EXERCISE + to);
  }

  // Opens another exercise, or the same one anew.
  async #go(to) {
    if (to !== this.#exercise) location.hash = EXERCISE + to;
    else {
      this.#exercise = null;
      await this.turn();
    }
  }

  get #words() {
    return this.#told.words;
  }

  #take(told) {
    if (told.language !== this.#told?.language) this.#earlier = { finished: [], more: null };
    this.#told = told;
    document.documentElement.lang = told.language;
    write(document.querySelector('#lobby h1'), told.words.title);
    document.title = `${told.next ? `(${told.games.filter(({ yours }) => yours).length}) ` : ''}${told.words.title} · Kropka`;
    applyTheme(told.theme);
    byId('who').textContent = told.who;
    this.#complain('');
    this.#show();
    this.#showSearches();
  }

  // Shows the player's searches for a stranger. The rest of the page does not wait for their script.
  async #showSearches() {
    try {
      const { Searches } = await this.#site.load('searches');
      this.#searches ??= new Searches(this.#searchPart, {
        words: () => this.#words,
        send: (message) => this.#send(message),
        say: (line) => this.#say(line),
        complain: (line) => this.#complain(line),
        open: (match, more = {}) => location.assign(this.#site.addressOf(match, more)),
        called: () => { if (this.#exercise) location.hash = HOME; },
        daily: `${EXERCISE}daily`,
        signal: this.#site.signal,
      });
      await this.#searches.follow(this.#told.searches);
      await this.#sitDown();
    } catch {
      this.#complain(this.#words.away);
    }
  }

  // Takes the seat for which the reader has come.
  async #sitDown() {
    const { seat } = this.#site;
    if (!seat) return;
    this.#site.seat = null;
    this.#enter('play');
    await this.#searches.sit(seat);
  }

  #complain(line) {
    byId('trouble').hidden = !line;
    write(byId('trouble'), line ?? '');
  }

  // Has a screen reader say a line, and shows it for a while.
  #say(line) {
    byId('live').replaceChildren(h('p', {}, line));
  }

  // Resolves with the answer to a message; {line} says why nothing was done.
  async #send(message) {
    try {
      const answer = await this.#site.act(message);
      const told = await answer.json();
      return answer.ok ? told : { line: told.line, isRefused: true };
    } catch {
      return { line: this.#words.away, isRefused: true };
    }
  }

  // Does something once at a time: goes on to the board that it leads to, asks where it has to, or tells.
  async #do(message, point) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    byId('lobby').setAttribute('aria-busy', 'true');
    try {
      const answer = await this.#send({ id: crypto.randomUUID(), ...message });
      if (answer.match) {
        location.assign(this.#site.addressOf(answer.match, point ? { point } : {}));
        return;
      }
      if (answer.ask && (await this.#confirm(answer))) {
        this.#isBusy = false;
        await this.#do({ ...message, sure: true });
        return;
      }
      if (answer.isRefused) this.#complain(answer.line);
      else if (answer.line) this.#say(answer.line);
      if (!answer.isRefused) {
        await this.refresh();
        if (this.#around) await this.lookAround();
      }
    } finally {
      this.#isBusy = false;
      byId('lobby').removeAttribute('aria-busy');
    }
  }

  #confirm({ ask, sure }) {
    const dialog = byId('question');
    return new Promise((resolve) => {
      dialog.returnValue = '';
      dialog.replaceChildren(
        h('p', { id: 'asked' }, ask),
        h('div.row', {}, h('button.danger', { onclick: () => dialog.close('sure') }, sure),
          h('button', { onclick: () => dialog.close(), autofocus: true }, this.#words.keep)),
      );
      dialog.addEventListener('close', () => resolve(dialog.returnValue === 'sure'), { once: true });
      dialog.showModal();
    });
  }

  // The sections of the page in their order: the part of the page that each is in, what it is called, whether it is there,
  // and what it shows. One that `stays` is left as it is, since a player is filling it in.
  get #sections() {
    const told = this.#told;
    return [
      { part: 'own', key: 'first', when: told.first, show: () => this.#first() },
      { part: 'own', key: 'asked', when: told.asked.length, show: () => [this.#challenges(told.asked)] },
      { part: 'own', key: 'games', when: !told.first, show: () => this.#games() },
      { part: 'side', key: 'play', when: true, show: () => this.#play(), stays: true },
      { part: 'side', key: 'puzzles', when: true, show: () => this.#puzzles() },
      { part: 'side', key: 'offered', when: told.offered.length, show: () => [this.#challenges(told.offered)] },
      { part: 'rest', key: 'featured', when: told.featured, show: () => this.#featured() },
      { part: 'rest', key: 'around', when: this.#around?.length, show: () => this.#servers() },
      { part: 'rest', key: 'community', when: this.#around ?? this.#aroundLine, show: () => this.#communities() },
      { part: 'rest', key: 'finished', when: !told.first, show: () => this.#finished() },
      { part: 'rest', key: 'settings', when: true, show: () => this.#settings() },
    ];
  }

  #show() {
    const focused = document.activeElement?.dataset.focus;
    const shown = this.#sections.filter(({ when }) => when);
    for (const part of byId('sections').children) {
      keepChildren(part, shown.filter((each) => part.classList.contains(each.part)), {
        key: ({ key }) => key,
        make: ({ key }) => h(`section.${key}`, { 'aria-labelledby': `is-${key}` }, h('h2', { id: `is-${key}` })),
        update: (section, { key, show, stays }) => {
          write(section.firstChild, this.#words[key]);
          if (!stays || section.dataset.language !== this.#told.language) section.replaceChildren(section.firstChild, ...show());
          section.dataset.language = this.#told.language;
        },
      });
    }
    this.#showWays();
    this.#showDoors(shown);
    if (focused && document.activeElement === document.body) {
      document.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
  }

  #showWays() {
    const { next } = this.#told;
    keepChildren(byId('ways'), next ? [next] : [], {
      key: ({ match, label }) => `${match} ${label}`,
      make: ({ match, label }) => this.#way(match, h('a.primary', { 'data-focus': 'next' }, label)),
    });
  }

  // The way to each part of the page, and to the lessons, which are beside it.
  #showDoors(shown) {
    const doors = [['door_play', 'play'], ['door_puzzles', 'puzzles'], ['door_learn'], ['door_board'], ['door_watch', 'around'], ['community', 'community']];
    const there = doors.filter(([name, part]) => (name === 'door_board' ? this.#site.analysis : !part) || shown.some(({ key }) => key === part));
    keepChildren(byId('doors'), there, {
      key: ([name]) => `${name} ${this.#told.language}`,
      make: ([name, part]) => {
        const label = this.#words[name];
        if (!part) return h('a', { href: name === 'door_board' ? this.#site.analysis : `${EXERCISE}lessons`, 'data-focus': name }, label);
        return h('button', { onclick: () => this.#enter(part), 'data-focus': name }, label);
      },
    });
  }

  // Goes to a part of the page, also with the keyboard.
  #enter(part) {
    const section = document.querySelector(`#sections > * > .${part}`);
    section.scrollIntoView();
    section.querySelector('a, button, select, summary')?.focus({ preventScroll: true });
  }

  // Makes a link the way to a board.
  #way(match, link) {
    link.href = this.#site.addressOf(match);
    return link;
  }

  // An account without a game: a board on which the first dot begins one.
  #first() {
    const { first, theme } = this.#told;
    const board = thumbnail(first, theme);
    const begin = (point) => this.#do({ do: 'computer', level: null }, point);
    const field = h('button.field', { 'aria-label': this.#words.begin, 'data-focus': 'field' }, board);
    field.addEventListener('click', (event) => begin(event.detail ? crossingAt(board, first, event) : undefined));
    return [h('p', {}, this.#words.invitation), field];
  }

  #games() {
    const { games } = this.#told;
    if (!games.length) return [h('p.empty', {}, this.#words.none)];
    const tiles = (some) => h('ul.tiles', {}, ...some.map((game) => this.#tile(game)));
    const others = games.slice(TILES);
    return [tiles(games.slice(0, TILES)), ...(others.length ? [this.#others(others.length, tiles(others))] : [])];
  }

  #others(count, tiles) {
    const summary = h('summary', { 'data-focus': 'others' }, `${this.#words.others} (${count})`);
    const others = h('details', { open: this.#showsAll }, summary, tiles);
    others.addEventListener('toggle', () => { this.#showsAll = others.open; });
    return others;
  }

  // A game as a tile that leads to its board.
  #tile({ match, yours, title, turn, about, state, time, server, watchers, board }, lead = (link) => this.#way(match, link)) {
    const quiet = [about, state, time, watchers, server].filter(Boolean).map((text) => h('span.quiet', {}, text));
    const lines = [h('strong', {}, title), h('span', {}, turn), ...quiet];
    const link = h(board ? 'a.tile' : 'a.tile.brief', { 'data-focus': `game ${match}` }, ...(board ? [this.#board(match, board)] : []), h('span.lines', {}, ...lines));
    if (yours) link.classList.add('yours');
    return h('li', {}, lead(link));
  }

  #board(match, board) {
    const state = JSON.stringify([board, this.#told.theme.name]);
    const known = this.#drawn.get(match);
    if (known?.state === state) return known.drawing;
    const drawing = thumbnail(board, this.#told.theme);
    this.#drawn.set(match, { state, drawing });
    return drawing;
  }

  #challenges(challenges) {
    return h('ul.list', {}, ...challenges.map((each) => this.#challenge(each)));
  }

  #challenge({ challenge, changes, title, terms, server, accept, decline, url }) {
    const does = (what, more) => () => this.#do({ do: what, challenge, ...more });
    const named = (button) => {
      button.setAttribute('aria-label', `${button.textContent}: ${title}`);
      return button;
    };
    const buttons = [
      accept && named(h('button.primary', { onclick: does('accept', { changes }), 'data-focus': `accept ${challenge}` }, accept)),
      decline && named(h('button', { onclick: does('decline', { sure: false }), 'data-focus': `decline ${challenge}` }, decline)),
      url && named(h('button', { onclick: () => this.#site.leave(url), 'data-focus': `card ${challenge}` }, this.#words.card)),
    ];
    const lines = [h('strong', {}, title), h('span', {}, terms), ...(server ? [h('span.quiet', {}, server)] : [])];
    return h('li', {}, h('span.lines', {}, ...lines), h('span.row', {}, ...buttons.filter(Boolean)));
  }

  // The computer by one tap, strangers, and a challenge to friends.
  #play() {
    const { levels } = this.#told;
    const words = this.#words;
    const parts = [];
    if (levels.length) {
      const options = levels.map(({ level, label }) => h('option', { value: level, selected: level === LEVEL }, label));
      const level = h('select', { id: 'level', 'data-focus': 'level' }, ...options);
      const play = h('button.primary', { onclick: () => this.#do({ do: 'computer', level: Number(level.value) }), 'data-focus': 'computer' }, words.computer);
      parts.push(h('div.row', {}, play, h('label', {}, h('span.quiet', {}, words.level), level)));
    }
    const challenge = h('details', {}, h('summary', { 'data-focus': 'offer' }, words.challenge));
    challenge.addEventListener('toggle', () => challenge.open && this.#openOffer(challenge));
    return [...parts, h('h3', {}, words.seek), this.#searchPart, challenge];
  }

  // Its script comes when it is asked for.
  async #openOffer(challenge) {
    try {
      const { Offer } = await this.#site.load('offer');
      if (!this.#offers.has(challenge)) {
        const site = { send: (message) => this.#send(message), leave: this.#site.leave, posted: () => this.refresh() };
        const offer = new Offer({ words: this.#words, ...site });
        this.#offers.set(challenge, offer);
        challenge.append(offer.element);
      }
      await this.#offers.get(challenge).begin();
    } catch {
      this.#complain(this.#words.away);
    }
  }

  // What there is to solve: today's puzzles, and what is left of each other kind.
  #puzzles() {
    const { line, label, others } = this.#told.puzzles;
    const open = h('a.primary', { href: `${EXERCISE}daily`, 'data-focus': 'puzzles' }, label);
    const own = (this.#around ?? []).flatMap(({ server, puzzle }) => (puzzle ? [{ ...puzzle, title: [puzzle.title, server].filter(Boolean).join(' · ') }] : []));
    const item = ({ to, title, line: left }) =>
      h('li', {}, h('a.line', { href: EXERCISE + to, 'data-focus': to }, h('strong', {}, title), h('span.quiet', {}, left)));
    return [h('p', {}, line), open, h('ul.list', {}, ...[...others, ...own].map(item))];
  }

  // The game that everybody may watch, on a page of its own.
  #featured() {
    const { title, about, line, board, players, url } = this.#told.featured;
    const score = players.map(({ score: points }) => points).join(':');
    const game = { match: 'featured', yours: false, title, turn: line, about, state: score, time: null, server: null, watchers: null, board };
    const lead = (link) => {
      link.href = url;
      link.addEventListener('click', (event) => {
        event.preventDefault();
        this.#site.leave(url);
      });
      return link;
    };
    return [h('ul.tiles', {}, this.#tile(game, lead))];
  }

  #servers() {
    const busy = this.#around.filter(({ challenges, games }) => challenges.length || games.length);
    if (!busy.length) return [h('p.empty', {}, this.#words.nothing_around)];
    return busy.flatMap((each) => this.#server(each));
  }

  #server({ server, challenges, games }) {
    const watch = ({ match }) => (link) => {
      link.setAttribute('href', '#watch');
      link.addEventListener('click', (event) => {
        event.preventDefault();
        this.#do({ do: 'watch', match });
      });
      return link;
    };
    return [
      ...(server ? [h('h3', {}, server)] : []),
      ...(challenges.length ? [this.#challenges(challenges)] : []),
      ...(games.length ? [h('ul.tiles', {}, ...games.map((game) => this.#tile(game, watch(game))))] : []),
    ];
  }

  #finished() {
    const { finished, more } = this.#told;
    if (!finished.length) return [h('p.empty', {}, this.#words.none_finished)];
    const games = [...finished, ...this.#earlier.finished.filter(({ match }) => finished.every((each) => each.match !== match))];
    const start = this.#earlier.finished.length ? this.#earlier.more : more;
    const item = ({ match, title, result, details, rematch }) => {
      const way = h('a.line', { 'data-focus': `finished ${match}` }, h('strong', {}, `${result} · ${title}`), h('span.quiet', {}, details));
      const again = () => this.#do({ do: 'rematch', match });
      const button = rematch && h('button', { onclick: again, 'data-focus': `rematch ${match}`, 'aria-label': `${rematch}: ${title}` }, rematch);
      return h('li', {}, this.#way(match, way), ...(button ? [button] : []));
    };
    const further = h('button', { onclick: () => this.#showEarlier(games, start), 'data-focus': 'earlier' }, this.#words.earlier);
    const own = this.#site.figures && h('p', {}, h('a', { href: this.#site.figures, 'data-focus': 'figures' }, this.#words.figures));
    return [...(own ? [own] : []), h('ul.list', {}, ...games.map(item)), ...(start ? [h('div.row', {}, further)] : [])];
  }

  // Asks for games before those that are `known`, and keeps them all.
  async #showEarlier(known, start) {
    const { finished, more, line } = await this.#send({ do: 'finished', start });
    if (!finished) {
      this.#complain(line);
      return;
    }
    const isNew = ({ match }) => known.every((each) => each.match !== match); // one that ends meanwhile moves the others
    this.#earlier = { finished: [...known, ...finished.filter(isNew)], more };
    this.#show();
  }

  #settings() {
    const field = ({ field: name, label, choices }) => {
      const options = choices.map(({ value, label: text, chosen }) => h('option', { value, selected: chosen }, text));
      const chosen = h('select', { 'data-focus': `set ${name}` }, ...options);
      chosen.addEventListener('change', () => this.#do({ do: 'set', field: name, value: chosen.value }));
      return h('label', {}, h('span.quiet', {}, label), chosen);
    };
    return [h('div.row', {}, ...this.#told.settings.map(field)), h('p.quiet', {}, this.#told.elsewhere)];
  }
}
