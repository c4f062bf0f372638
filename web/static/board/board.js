// The board: joins the drawing, the turn that is entered and the panel with the socket.

import { Afterwards } from './afterwards.js';
import { applyTheme } from './colours.js';
import { Commands } from './commands.js';
import { Connection } from './connection.js';
import { Drawing } from './drawing.js';
import { byId } from './elements.js';
import { Keyboard } from './keyboard.js';
import { Panel } from './panel.js';
import { Strokes } from './strokes.js';
import { Turn } from './turn.js';
import { Viewport } from './viewport.js';
import { loadWords } from './words.js';

const GOING_ON = 900; // milliseconds to see one's move before the page goes on to the next game
const ARROWS = '→↘↓↙←↖↑↗';

// Whether a popover is open. Safari before 17 has none, and does not take the question.
const isOpen = (element) => CSS.supports('selector(:popover-open)') && element.matches(':popover-open');

const isShown = (element) => element.offsetParent !== null;

// Shows the board of a match in the parts of parts.html; resolves with its connection. `site` is how a page reaches the
// server: `askWords(page)` fetches words, `loadSheet()` imports the sheet, `address` and `greeting` are the socket's,
// `addressOf(match)` is the page of another board, `ownBoardOf(match)` a board of one's own with its game, `home` that of the reader's games, `lessons` that of
// lessons, `isFramed` says that the chat has the page in it; `former` is the match from which the
// page has gone on to this one. A first dot may be laid at the `point` "x,y", and a `signal` ends it.
// `extend({ connection, words, line })` adds to it, where there is more to do; `line` says something.
export async function showBoard(site) {
  const { signal } = site;
  const field = byId('field');
  const whole = byId('whole');
  const outOfReach = byId('trouble').textContent;
  const { language, words, who, theme } = await loadWords(() => site.askWords('board'), (line) => {
    byId('trouble').textContent = line ?? outOfReach;
    byId('trouble').hidden = false;
  });
  if (signal?.aborted) return new Promise(() => {}); // another page is shown by now
  document.documentElement.lang = language;
  applyTheme(theme);
  field.setAttribute('aria-label', words.field);
  whole.textContent = words.whole;
  whole.title = words.whole;
  byId('home').setAttribute('aria-label', words.home);
  byId('home').title = words.home;
  byId('home').href = site.home;
  byId('who').textContent = who;

  const connection = new Connection(site.address, words.gone, { greeting: site.greeting, signal });
  const drawing = new Drawing(theme);
  const viewport = new Viewport(field, drawing);
  const turn = new Turn(connection, ({ view }) => (view.over ? words.changed_over
    : view.to_act.includes(view.you) ? words.changed : words.changed_turn));
  const panel = new Panel(words, turn, { ...site, act, read });
  const strokes = new Strokes(viewport, turn, (point) => nameOf(point));
  const commands = new Commands(words);
  const afterwards = new Afterwards(connection, words, { draw: () => draw(), say: (...told) => panel.say(...told) });
  site.extend?.({ connection, words, line: (text, isTrouble) => panel.say(text, isTrouble) });

  let board = null;
  let told = 0; // the newest version whose story was announced
  let isActing = false;
  let asked = null; // the picture of the question that is open
  let tally = null; // the board with the votes, after one's own vote about this version

  const nameOf = ([x, y]) => `${board.view.coordinates.columns[x]}${board.view.coordinates.rows[y]}`;

  new Keyboard(field, byId('typed'), words, {
    size: () => drawing.size,
    move: (point) => {
      drawing.point(point);
      if (point) viewport.reveal(point);
    },
    name: nameOf,
    enter: (point) => tap(point),
    type,
    describe: async (what) => panel.announce((await connection.ask({ do: 'describe', what }))?.line),
    undo: () => turn.undo(),
  });

  // Takes a typed line. Resolves with whether it is done with.
  async function type(text) {
    byId('more').hidePopover?.();
    const what = commands.read(text);
    if (!what) return turn.type(text);
    const answer = await connection.ask({ do: 'describe', what });
    panel.say(answer?.line ?? words.away, answer?.is !== 'text');
    return answer?.is === 'text';
  }

  async function act(action, asks) {
    if (action === 'review') afterwards.review(); // which takes long, and others act meanwhile
    if (isActing || action === 'review') return;
    isActing = true;
    byId('more').hidePopover?.();
    try {
      const version = asks ? await confirm(action) : board.version;
      if (action === 'rematch') panel.say(words.offering); // its card is posted before the answer comes
      if (version !== null) settle(await connection.act({ do: 'act', version, action }));
    } finally {
      isActing = false;
    }
  }

  // Shows what an action would do, the rules, or a hint, whose turn is played by the answer. Resolves with the version that
  // was agreed to, or with null.
  async function confirm(action) {
    const isHint = action === 'hint';
    const { version } = board;
    if (isHint) panel.say(words.thinking);
    const question = await connection.ask(isHint ? { do: 'hint', version } : { do: 'ask', version, action }, { isLong: isHint });
    if (isHint) panel.say('');
    if (question?.is !== 'asked' || question.version !== board.version) {
      turn.complain(question?.is === 'asked' ? words.overtaken : question?.line ?? words.away);
      return null;
    }
    asked = question.picture;
    draw();
    const link = action === 'rules' ? { href: site.lessons, label: words.lessons } : null;
    const isSure = await panel.confirm({ ...question, link, style: isHint ? 'primary' : 'danger' });
    asked = null;
    draw();
    if (isSure && question.turn) {
      turn.clear();
      await turn.type(question.turn);
      return null;
    }
    return isSure ? question.version : null;
  }

  function settle(answer) {
    if (answer.is === 'refused') turn.complain(answer.line);
    else if (answer.tally) showVotes(answer);
    else if (answer.match) location.assign(site.addressOf(answer.match));
    else tell(answer.version, answer.line);
    if (answer.is === 'done' && board?.view.over && !answer.tally) panel.say('');
  }

  // Shows the votes to one who has just voted.
  function showVotes(answer) {
    tally = answer.tally.picture;
    draw();
    panel.say(answer.line);
    panel.announce(answer.tally.line); // which the picture has
  }

  function tell(version, line) {
    if (version <= told) return;
    told = version;
    panel.announce(line);
  }

  function draw() {
    const picture = asked ?? turn.ghost?.picture ?? tally ?? afterwards.picture ?? board.picture;
    drawing.show({ ...picture, recent: board.view.since }, board.view.coordinates);
  }

  // Points to the last move where that is out of view.
  function pointOut() {
    const point = board.picture.last?.at(-1);
    const way = point ? viewport.bearing(point) : null;
    byId('last').disabled = way === null;
    byId('last').dataset.arrow = way === null ? '' : `${ARROWS.at(Math.round(way * ARROWS.length) % ARROWS.length)} `;
  }

  function showLast() {
    if (!byId('last').disabled) viewport.seek(board.picture.last.at(-1));
  }

  function tap(point) {
    if (board?.view.enter) turn.tap(point, nameOf(point));
    else if (board && !turn.isGuarded) panel.say(board.view.idle, true);
  }

  // Goes on to the next game, as a `line` says, unless the reader does something else here meanwhile.
  async function goOn(match, line, from) {
    panel.announce(line);
    await new Promise((resolve) => setTimeout(resolve, GOING_ON));
    const isBusy = turn.isBegun || turn.isSending || board.view.to_act.includes(board.view.you) || byId('question').open
      || isOpen(byId('more')) || byId('typed').elements.turn.value || document.querySelector('main').inert;
    if (!isBusy && !signal?.aborted) location.assign(site.addressOf(match, from));
  }

  // Goes on to the rematch once it has begun: also on a page that was asleep, or that the browser has loaded anew.
  function goOnToRematch(before) {
    const { next } = board.view;
    if (!next || (before ? before.view.next === next : !document.wasDiscarded)) return;
    panel.say(words.begins);
    goOn(next, words.begins);
  }

  // Says what a game that is over leads to, where that is new.
  function tellAfterGame(before) {
    const linesOf = ({ view }) => [...(view.offers ?? []).map(({ text }) => text), ...(view.notes ?? [])];
    const known = linesOf(before);
    for (const line of linesOf(board)) if (!known.includes(line)) panel.announce(line);
  }

  // Opens the analysis sheet, which comes when it is first asked for: the reader's own, or what a player has published.
  let sheet = null;
  async function read(seat) {
    byId('more').hidePopover?.();
    sheet ??= Promise.all([site.loadSheet(), site.askWords('sheet').then((answer) => answer.json())])
      .then(([{ Sheet }, { words: own }]) =>
        Sheet.load(connection, theme, { ...own, slow: words.slow }, (line) => panel.announce(line)))
      .catch(() => null);
    const opened = await sheet;
    if (opened) opened.open(board, turn.ghost?.turn, seat);
    else {
      sheet = null;
      turn.complain(words.away);
    }
  }

  connection.addEventListener('board', ({ detail }) => {
    if (board && detail.version < board.version) return;
    const before = board;
    const isFree = !viewport.isHeld && (!turn.isBegun || turn.isSending) && !byId('question').open;
    if (before?.version !== detail.version) tally = null;
    board = detail;
    const isMoved = turn.follow(board);
    strokes.follow(board, isMoved);
    draw();
    panel.show(board);
    if (before) pointOut();
    if (isMoved && isFree) showLast();
    if (before && before.version < board.version && panel.overtake()) turn.complain(words.overtaken);
    if (!before) {
      if (site.begins && isShown(byId('who'))) panel.announce(who);
      else if (site.begins) panel.say(who);
      viewport.showAll();
      told = board.version;
      if (site.former) panel.say(words.arrived);
      for (const line of [...board.view.notes, board.view.last, board.view.line]) panel.announce(line);
      if (site.point && board.view.enter) tap(site.point.split(',').map(Number));
    }
    tell(board.version, board.view.last);
    if (before && before.view.line !== board.view.line) panel.announce(board.view.line);
    if (before?.view.over) tellAfterGame(before);
    goOnToRematch(before);
  });
  connection.addEventListener('clock', ({ detail }) => panel.time(detail.players));
  connection.addEventListener('refused', ({ detail }) => turn.complain(detail.line));
  connection.addEventListener('settled', ({ detail: { message, answer } }) => {
    if (['play', 'act'].includes(message.do)) settle(answer); // what else there is belongs to the sheet
  });
  connection.addEventListener('watching', ({ detail }) => panel.watch(detail));
  connection.addEventListener('down', ({ detail }) => {
    panel.showTrouble(detail.line || words.away);
    if (!connection.isOpen) panel.watch({ count: 0, line: '' }); // the next socket tells who watches then
  });
  connection.addEventListener('slow', () => panel.showTrouble(words.slow));
  connection.addEventListener('up', () => panel.showTrouble(null));

  turn.addEventListener('change', ({ detail }) => {
    if (!board) return;
    draw();
    panel.showTurn(detail);
  });

  turn.addEventListener('voted', ({ detail }) => showVotes(detail));
  turn.addEventListener('onward', ({ detail }) => goOn(detail.match, words.onward, board.view.match));

  viewport.chooses = (point) => turn.offers(point);
  viewport.addEventListener('seen', ({ detail }) => {
    whole.hidden = detail.whole;
    pointOut();
  });
  byId('last').addEventListener('click', () => {
    showLast();
    field.focus({ preventScroll: true }); // the button is disabled now
  });
  whole.addEventListener('click', () => viewport.showAll());
  // Safari before 18.3 closes no popover by a tap beside it.
  document.addEventListener('pointerdown', ({ target }) => {
    const isBeside = !byId('more').contains(target) && target !== byId('menu');
    if (isBeside && isOpen(byId('more'))) byId('more').hidePopover?.();
  }, { signal });
  viewport.addEventListener('tap', ({ detail }) => tap(detail.point));
  return connection;
}
