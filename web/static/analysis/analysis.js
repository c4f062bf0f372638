// Analysis: a board of one's own, over the sheet of a game: set up, played on in branches, noted, marked, and looked at by
// the computer. `site` is how the page reaches the server: `post(body)`, `addressOf(match)`, `load(name)`, `leave(url)`, `own`,
// `home` and `signIn`; that of a chapter of a study also has its `keeper`, its `panel`, and `drawn(drawing, place, pointOf,
// nameOf)`.

import { applyTheme } from '../board/colours.js';
import { h, write } from '../board/elements.js';
import { Sheet } from '../sheet/sheet.js';
import { askName, askNew, askRecord, encode, save, showPicture } from './dialogs.js';
import { Keeper } from './keeper.js';
import { drawMarks, KINDS, toggleMark } from './marks.js';
import { SetUp } from './setup.js';

export async function showAnalysis(element, told, site) {
  const analysis = new Analysis(element, told, site);
  await analysis.begin();
  return analysis;
}

class Analysis {
  #element;
  #told;
  #site;
  #words;
  #keeper;
  #sheet;
  #setUp;
  #names = []; // of the seats, by their colours
  #coordinates = { columns: [], rows: [] };
  #scene = null;
  #mark = null; // the kind of marks that a tap makes
  #parts = {};
  #isMore = false; // whether the further tools are in sight
  #game = ''; // the rules and the set-up that are shown

  constructor(element, told, site) {
    this.#element = element;
    this.#told = told;
    this.#site = site;
    const { computer, player, shared = null } = told;
    this.#words = shared ? { ...told.words, title: told.title, private: told.words.read_only, help: '' } : told.words;
    const reader = { computer, isPlayer: player, isFramed: site.isFramed, link: shared };
    this.#keeper = site.keeper ?? new Keeper(site.post, told.words, reader);
  }

  async begin() {
    this.#dress();
    const waiting = h('p', { role: 'status' }); // says why nothing comes
    this.#element.append(waiting);
    this.#keeper.addEventListener('down', ({ detail }) => write(waiting, detail.line));
    const trouble = await this.#openFirst();
    if (this.#site.signal?.aborted) return; // another page is shown by now
    if (!this.#keeper.board) {
      write(waiting, trouble);
      return;
    }
    this.#element.replaceChildren(); // what the page came with
    this.#game = gameIn(this.#keeper.board);
    this.#lay();
    const sheet = this.#sheet;
    await sheet.open(this.#view, null, null);
    this.#complain(trouble);
    if (this.#told.turn) await sheet.showTurn(this.#told.turn);
    if (!this.#site.isFramed) this.#note();
    this.#keeper.addEventListener('changed', () => this.#renew());
    this.#keeper.addEventListener('signedout', () => {
      sheet.tell(this.#words.signed_out);
      this.#renew();
    });
    document.addEventListener('visibilitychange', async () => {
      if (!document.hidden && await this.#keeper.refresh()) sheet.show();
    }, { signal: this.#site.signal });
  }

  #dress() {
    const { theme, dark } = this.#told;
    const prefers = matchMedia('(prefers-color-scheme: dark)');
    this.#theme = dark && prefers.matches ? dark : theme;
    applyTheme(this.#theme);
    if (dark) prefers.addEventListener('change', () => location.reload(), { signal: this.#site.signal });
  }

  #theme = null;

  // Opens the board that the address names, that this browser has kept, or that was changed last, else a new one. Resolves
  // with why the one that was asked for is not there.
  async #openFirst() {
    if (this.#keeper.isShared) return null;
    if (this.#told.shared) return this.#openShared();
    const named = new URLSearchParams(location.hash.slice(1));
    const kept = Keeper.kept();
    const game = gameOf(named);
    const attempts = [
      game && (kept?.match === game.match && !this.#told.player ? { do: 'load', board: kept } : { do: 'game', ...game }),
      named.has('diagram') && { do: 'import', text: named.get('diagram'), name: '', rules: named.get('rules'), origin: 'puzzle' },
      named.has('board') && { do: 'load', board: Number(named.get('board')) },
      kept && { do: this.#told.player ? 'keep' : 'load', board: kept },
      this.#told.player ? { do: 'last' } : { do: 'new', rules: 'zagram', size: '20x20' },
    ].filter(Boolean);
    let trouble = null;
    for (const body of attempts) {
      const answer = await this.#keeper.open(body);
      if (answer.is === 'done') {
        if (body.do === 'keep') Keeper.forget();
        return trouble;
      }
      trouble ??= answer.line;
    }
    return trouble;
  }

  async #openShared() {
    const answer = await this.#keeper.open({ do: 'load', board: this.#told.shared });
    return answer.is === 'done' ? null : answer.line;
  }

  // What the sheet takes for the game below it.
  get #view() {
    const { name, about, version } = this.#keeper.board;
    const players = this.#names.map((each) => ({ name: each }));
    const state = this.#told.shared ? this.#words.reading : !this.#keeper.isKept && this.#words.local;
    const line = [name, about, state].filter(Boolean).join(' · ');
    return { version, picture: {}, view: { title: name, line, players, coordinates: this.#coordinates, over: null, you: null, to_act: [] } };
  }

  #lay() {
    const words = this.#words;
    const analysis = this;
    this.#sheet = new Sheet(this.#keeper, this.#theme, words, (line) => write(document.getElementById('live'), line), {
      element: this.#element,
      get start() {
        const { note, marks } = analysis.#keeper.board;
        return { id: null, note, marks };
      },
      tap: (point, name) => this.#tap(name),
      arrived: (scene) => this.#arrive(scene),
      drawn: (drawing, place) => this.#drawn(drawing, place),
    });
    this.#setUp = new SetUp(words, this.#told.rules, (make) => this.#act((board) => ({ do: 'set', ...make(board) })));
    const { root, back, line, typed } = this.#sheet.parts;
    typed.hidden = Boolean(this.#told.shared);
    back.textContent = words.leave;
    back.addEventListener('click', () => location.assign(this.#site.home));
    this.#parts = {
      tools: h('div', { id: 'own-tools', role: 'group', 'aria-label': words.tools }),
      marks: h('div', { id: 'own-marks', role: 'group', 'aria-label': words.marks, hidden: true }),
      turns: h('ol', { id: 'own-turns', hidden: true }),
    };
    line.before(...(this.#site.panel ? [this.#site.panel] : []), this.#parts.tools, this.#setUp.element, this.#parts.marks);
    line.after(this.#parts.turns);
    root.addEventListener('keydown', (event) => this.#press(event));
    root.addEventListener('dragover', (event) => event.preventDefault());
    root.addEventListener('drop', (event) => this.#drop(event));
    this.#showTools();
  }

  #arrive(scene) {
    this.#scene = scene;
    this.#names = scene.names;
    this.#coordinates = scene.coordinates;
    return this.#view;
  }

  #drawn(drawing, place) {
    drawMarks(drawing, place.turns[0]?.marks ?? [], (name) => this.#pointOf(name));
    this.#site.drawn?.(drawing, place, (name) => this.#pointOf(name), ([x, y]) => this.#coordinates.columns[x] + this.#coordinates.rows[y]);
    this.#showTools();
  }

  showTurn(id) {
    this.#sheet.showTurn(id);
  }

  #pointOf(name) {
    const { columns, rows } = this.#coordinates;
    const [, column, row] = /^([A-Z]+)(\d+)$/.exec(name);
    return [columns.indexOf(column), rows.indexOf(row)];
  }

  // The address names a board that is kept, for a reload.
  #note() {
    if (this.#keeper.isShared || this.#told.shared) return;
    const { board } = this.#keeper.board;
    history.replaceState(null, '', location.pathname + location.search + (board ? `#board=${board}` : ''));
  }

  async #renew() {
    if (!this.#site.isFramed) this.#note();
    const [shown, game] = [this.#game, gameIn(this.#keeper.board)];
    this.#game = game;
    await this.#sheet.renew(this.#view);
    this.#showTools();
    if (this.#keeper.isShared && game !== shown) await this.#sheet.show(); // another has set it up
  }

  // Takes a tap on a crossing, if a tool is for it.
  #tap(name) {
    if (this.#told.shared) {
      this.#sheet.tell(this.#words.read_only, false);
      return true;
    }
    if (this.#setUp.isOpen) {
      this.#setUp.tap(name);
      return true;
    }
    if (!this.#mark) return false;
    const [kind, [{ id }]] = [this.#mark, this.#sheet.place.turns];
    this.#act((board) => {
      const { marks = [] } = id === null ? board : board.turns.find((turn) => turn.id === id) ?? {};
      return { do: 'mark', turn: id, marks: toggleMark(marks, kind, name) };
    });
    return true;
  }

  // Does something to the board, and shows what it has become.
  async #act(message) {
    const had = this.#keeper.board.turns.length;
    const answer = await this.#keeper.act(message);
    await this.#sheet.show();
    if (answer.is === 'refused') this.#sheet.tell(answer.line); // the place that is shown says its own line
    if (answer.is === 'done' && had && !this.#keeper.board.turns.length) this.#sheet.tell(this.#words.dropped, false);
  }

  async #turnBack(deed) {
    const answer = await deed;
    await this.#sheet.show();
    if (answer.is === 'refused') this.#sheet.tell(answer.line);
  }

  #showTools() {
    const words = this.#words;
    const keeper = this.#keeper;
    const { tools, marks } = this.#parts;
    const focus = document.activeElement?.closest('#own-tools, #own-marks') ? document.activeElement.dataset.focus : null;
    const button = (key, press, more = {}) => h('button', { onclick: press, 'data-focus': key, ...more }, words[key]);
    const toggle = (key, isOn, press) => button(key, press, { 'aria-pressed': `${isOn}` });
    const more = [
      ...(keeper.isShared || this.#told.shared ? [] : [
        button('new', () => this.#begin()),
        button('open', () => askRecord(words, this.#told.rules, (sent) => this.#import(sent))),
        ...(keeper.isPlayer ? [button('boards', () => this.#list())] : []),
        ...(keeper.isPlayer && this.#site.studies ? [h('a.primary', { href: this.#site.studies, 'data-focus': 'studies' }, words.studies)] : []),
      ]),
      ...(keeper.isKept && keeper.mayDraw ? [button('rename', () => this.#rename())] : []),
      ...(keeper.isPlayer || !this.#site.signIn ? [] : [h('a.primary', { href: this.#site.signIn, 'data-focus': 'sign_in' }, words.sign_in)]),
      button('sgf', () => this.#save()),
      button('picture', () => this.#picture()),
      ...(this.#computerPlays ? [button('review', () => this.#review())] : []),
      ...(keeper.isPlayer ? [button('play', () => this.#play())] : []),
    ];
    tools.replaceChildren(...(keeper.mayDraw ? [
      button('undo', () => this.#turnBack(keeper.undo()), { disabled: !keeper.mayUndo, 'aria-keyshortcuts': 'Control+Z' }),
      button('redo', () => this.#turnBack(keeper.redo()), { disabled: !keeper.mayRedo, 'aria-keyshortcuts': 'Control+Y' }),
      toggle('setup', this.#setUp.isOpen, () => this.#choose(this.#setUp.isOpen ? null : 'setup')),
      toggle('marks', !marks.hidden, () => this.#choose(marks.hidden ? 'marks' : null)),
      toggle('other', keeper.seat !== null, () => this.#changeSeat()),
    ] : []), ...(this.#told.shared ? [button('take', () => this.#take())] : []), this.#more(more));
    marks.replaceChildren(...KINDS.map((kind) => toggle(kind, this.#mark === kind, () => {
      this.#mark = kind;
      this.#showTools();
    })));
    if (this.#setUp.isOpen) {
      const isStart = this.#sheet.place.parent === null;
      this.#setUp.show(keeper.board, this.#names, isStart ? null : () => this.#startHere());
    }
    if (focus) this.#element.querySelector(`:is(#own-tools, #own-marks) [data-focus="${focus}"]`)?.focus();
  }

  // What is asked for now and then.
  #more(buttons) {
    const more = h('details', { open: this.#isMore }, h('summary', { 'data-focus': 'more' }, this.#words.more),
      h('div', { role: 'group', 'aria-label': this.#words.more }, ...buttons));
    more.addEventListener('toggle', () => {
      this.#isMore = more.open;
    });
    return more;
  }

  #choose(what) {
    this.#isMore = false;
    this.#setUp.open(what === 'setup');
    this.#parts.marks.hidden = what !== 'marks';
    this.#mark = what === 'marks' ? KINDS[0] : null;
    if (what === 'setup' && this.#sheet.place.parent !== null) this.#sheet.tell(this.#words.setup_start, false);
    this.#showTools();
  }

  // Lets the other colour play the next dot, out of turn.
  #changeSeat() {
    const seats = this.#names.length;
    this.#keeper.seat = this.#keeper.seat === null ? (this.#scene.to_act + 1) % seats : null;
    this.#sheet.show();
  }

  async #startHere() {
    await this.#act({ do: 'start', turn: this.#sheet.place.turns[0].id });
    await this.#sheet.show('m0');
  }

  async #openBoard(body) {
    const answer = await this.#keeper.open(body);
    if (answer.is !== 'done') return answer.line;
    await this.#sheet.show('m0');
    if (answer.line) this.#sheet.tell(answer.line, false);
    return null;
  }

  async #begin() {
    const chosen = await askNew(this.#words, this.#told.rules);
    if (chosen) this.#complain(await this.#openBoard({ do: 'new', ...chosen }));
  }

  #import(sent) {
    return this.#openBoard({ do: 'import', ...sent });
  }

  async #drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData('text');
    if (file) this.#complain(await this.#import({ file: await encode(file), name: file.name, rules: null }));
    else if (text) this.#complain(await this.#import({ text, name: '', rules: null }));
  }

  async #list() {
    const { board: current } = this.#keeper.board;
    let isGone = false;
    const script = await this.#load('shelf');
    this.#complain(await script?.showBoards({ words: this.#words, theme: this.#theme, language: this.#told.language }, {
      list: () => this.#keeper.send({ do: 'list' }),
      open: async (board) => this.#complain(await this.#openBoard({ do: 'load', board })),
      rename: (board, name) => (board === current ? this.#keeper.act({ do: 'rename', name }) : this.#keeper.send({ do: 'rename', board, name })),
      remove: (board) => {
        isGone ||= board === current;
        return this.#keeper.send({ do: 'delete', board });
      },
    }, current));
    if (isGone && this.#keeper.board.board === current) this.#complain(await this.#openBoard({ do: 'last' }));
  }

  // Resolves with a script that comes when it is asked for; null without a connection.
  async #load(name) {
    try {
      return await this.#site.load(name);
    } catch {
      this.#complain(this.#words.away);
      return null;
    }
  }

  async #rename() {
    const name = await askName(this.#words, this.#keeper.board.name);
    if (name !== null) await this.#act({ do: 'rename', name });
  }

  async #save() {
    const answer = await this.#keeper.call({ do: 'sgf' });
    if (answer.sgf) save(answer.sgf, `${this.#keeper.board.name}.sgf`, 'application/x-go-sgf');
    else this.#complain(answer.line);
  }

  async #picture() {
    const answer = await this.#keeper.call({ do: 'picture', turn: this.#sheet.place.turns[0].id });
    const hint = this.#keeper.isPlayer || this.#told.shared ? '' : this.#words.share_sign_in;
    if (answer.png) await showPicture(this.#words, answer.png, this.#keeper.board.name, { hint, link: await this.#link() });
    else this.#complain(answer.line);
  }

  // Returns how the board is shared: `address` is its link, or null, and `ask(deed)` makes or ends it. Null where it is not
  // the reader's own, or not kept.
  async #link() {
    if (!this.#keeper.isKept || this.#keeper.isShared) return null;
    const ask = (deed) => this.#keeper.call({ do: deed, turn: this.#sheet.place.turns[0].id });
    return { address: (await ask('link')).link ?? null, ask };
  }

  // Goes on with a copy of a board that is only read.
  #take() {
    Keeper.put(this.#keeper.copy);
    location.assign(this.#site.own);
  }

  async #review() {
    this.#sheet.tell(this.#words.reviewing, false);
    const [{ id: turn }] = this.#sheet.place.turns;
    let answer;
    do answer = await this.#keeper.call({ do: 'review', turn });
    while (answer.is === 'reviewing');
    const { turns } = this.#parts;
    turns.hidden = !answer.turns?.length;
    turns.replaceChildren(...(answer.turns ?? []).map((each) =>
      h('li', {}, h('button', { onclick: () => this.#sheet.showTurn(each.turn) }, each.label), h('p', {}, each.line))));
    this.#sheet.tell(answer.line, answer.is === 'refused');
  }

  get #computerPlays() {
    return this.#told.computer && this.#keeper.isPlayer && this.#names.length === 2;
  }

  async #play() {
    const [{ id: turn }] = this.#sheet.place.turns;
    const script = await this.#load('play');
    await script?.askGame(this.#words, {
      names: this.#names,
      mover: this.#scene.to_act,
      levels: this.#computerPlays ? this.#told.levels : null,
      ask: (message) => this.#keeper.call({ ...message, turn }),
      open: (match) => location.assign(this.#site.addressOf(match)),
      leave: this.#site.leave,
    });
  }

  #complain(line) {
    if (line) this.#sheet.tell(line);
  }

  #press(event) {
    if (!(event.ctrlKey || event.metaKey) || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    this.#turnBack(key === 'y' || event.shiftKey ? this.#keeper.redo() : this.#keeper.undo());
  }
}

// Returns what tells one set-up from another.
function gameIn({ rules, options }) {
  return JSON.stringify([rules, options]);
}

// Returns the game that an address names: by its number, or also by the tag of its page.
function gameOf(named) {
  if (named.has('game')) return { match: Number(named.get('game')) };
  const [, match, tag] = /^\/game\/(\d+)-([\w-]+)\//.exec(named.get('record') ?? '') ?? [];
  return match ? { match: Number(match), tag } : null;
}
