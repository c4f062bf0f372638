// Sheet: turns that are tried in private, over the page of a board. Nothing here plays but the one button that says so;
// the board below keeps its socket and the turn that was begun there.

import { Drawing } from '../board/drawing.js';
import { write } from '../board/elements.js';
import { Keyboard } from '../board/keyboard.js';
import { markOf } from '../board/stones.js';
import { loadStyle } from '../board/styles.js';
import { Turn } from '../board/turn.js';
import { Viewport } from '../board/viewport.js';
import { Branches } from './branches.js';
import { Desk } from './desk.js';
import { layOut } from './layout.js';
import { Tools } from './tools.js';
import { Tree } from './tree.js';

const KEYS = { PageUp: 'back', PageDown: 'on', Home: 'first', End: 'now', ArrowLeft: 'back', ArrowRight: 'on' };

export class Sheet {
  #words;
  #announce;
  #main = document.querySelector('main');
  #opener = null; // what had the focus when the sheet was opened
  #parts;
  #desk;
  #drawing;
  #viewport;
  #turn = null; // the turn that is entered at the place that is shown
  #ground = null; // that place, as the turn takes it
  #branches;
  #tools;
  #board; // what the page below shows
  #tree = new Tree([], []);
  #here = 'm0';
  #ways = new Map(); // where one went on from a place
  #scene = null; // the place that is shown, as the server tells it
  #moves = 0; // moves of the game that the reader knows of
  #shown = ''; // the turns up to the place that is shown
  #reader = null; // the seat whose notes are read
  #shows = 0;
  #resume = null; // ends the wait for a place that was asked for when the connection was lost
  #arrival = Promise.resolve(); // until the place that was gone to is shown

  #own; // a board of one's own, in the place of a game

  // `announce` says a line to those who listen to the page.
  static async load(connection, theme, words, announce) {
    document.adoptedStyleSheets.push(await loadStyle('/static/sheet/sheet.css'));
    return new Sheet(connection, theme, words, announce);
  }

  // `own` is a board without a game: its `element`, its `start` with the note there, `tap(point, name)`, which says whether
  // a tool has taken a tap, `arrived(scene)`, which returns what stands for the game, and `drawn(drawing, place)`.
  constructor(connection, theme, words, announce, own = null) {
    this.#own = own;
    this.#words = words;
    this.#announce = announce;
    const parts = layOut(words);
    this.#parts = parts;
    if (own) own.element.append(parts.root);
    else this.#main.after(parts.root);
    this.#desk = new Desk(connection);
    this.#drawing = new Drawing(theme);
    this.#viewport = new Viewport(parts.field, this.#drawing);
    const mark = (seat) => markOf(seat, this.#board.picture.blocks);
    this.#branches = new Branches(parts.tree, words, mark, (key) => this.#go(key));
    this.#tools = new Tools(parts, words, this.#desk, {
      walk: (way) => this.#walk(way),
      go: (key) => this.#go(key),
      goTo: (turn) => this.#go(this.#tree.keyOf(turn)),
      before: (place) => this.#tree.at(place.parent),
      version: () => this.#board.version,
      draw: () => this.#draw(),
      show: (picture) => this.#drawing.show(picture, this.#board.view.coordinates),
    });
    this.#listen(connection);
  }

  get #picture() {
    return this.#turn?.ghost?.picture ?? this.#scene.picture;
  }

  get parts() {
    return this.#parts;
  }

  get place() {
    return this.#place();
  }

  // Shows a place, or the start where there is none any more.
  show(key = this.#here) {
    return this.#go(this.#tree.at(key) ? key : 'm0');
  }

  // Shows a turn by its id.
  showTurn(id) {
    return this.show(this.#tree.keyOf(id));
  }

  tell(line, isTrouble = true) {
    this.#tools.tell(line, isTrouble);
  }

  // Takes in what the board has become, as the server or the browser has it.
  async renew(board) {
    this.#board = board;
    this.#head();
    await this.#desk.read();
    if (this.#scene) this.#own.drawn(this.#drawing, this.#place()); // its marks may be others
  }

  // Opens the sheet at the game's current position: that which the player of a `seat` has published, or for null the
  // reader's own. A turn that was begun on the board comes along.
  async open(board, begun, seat) {
    if (!this.#parts.root.hidden) return;
    this.#board = board;
    this.#moves = Infinity;
    this.#opener = document.activeElement;
    this.#main.inert = !this.#own;
    this.#parts.root.hidden = false;
    this.#parts.title.focus();
    this.#head();
    await this.#desk.read();
    this.#desk.turnTo(seat);
    await this.#go(this.#tree.end);
    if (begun && this.#scene?.enter) await this.#turn.play(begun);
  }

  #close() {
    this.#tools.save();
    this.#parts.root.hidden = true;
    this.#main.inert = false;
    document.title = this.#board.view.title;
    const field = document.getElementById('field');
    (this.#opener.getClientRects().length ? this.#opener : field).focus(); // one that is hidden now takes no focus
  }

  #listen(connection) {
    const { field, root, back, typed, news } = this.#parts;
    back.addEventListener('click', () => this.#close());
    news.addEventListener('click', () => this.#go(this.#tree.end));
    this.#viewport.addEventListener('tap', ({ detail }) => this.#tap(detail.point));
    this.#desk.addEventListener('change', () => this.#grow());
    connection.addEventListener('board', ({ detail }) => this.#follow(detail));
    connection.addEventListener('up', async () => {
      if (root.hidden) return;
      this.#tools.tell(this.#scene?.line, false);
      await this.#desk.read();
      this.#turn?.follow(this.#ground);
    });
    connection.addEventListener('down', ({ detail }) => root.hidden || this.#tools.tell(detail.line || this.#words.away));
    connection.addEventListener('slow', () => root.hidden || this.#tools.tell(this.#words.slow));
    root.addEventListener('keydown', (event) => this.#press(event));
    new Keyboard(field, typed, this.#words, {
      size: () => this.#drawing.size,
      move: (point) => {
        this.#drawing.point(point);
        if (point) this.#viewport.reveal(point);
      },
      name: (point) => this.#nameOf(point),
      enter: (point) => this.#tap(point),
      type: (text) => this.#turn.play(text),
      describe: (what) => this.#describe(what.replace('at ', '')),
      undo: () => (this.#turn.isBegun ? this.#turn.undo() : this.#walk('back')),
    });
  }

  #nameOf([x, y]) {
    const { columns, rows } = this.#board.view.coordinates;
    return `${columns[x]}${rows[y]}`;
  }

  // A tap waits for the place that is on its way.
  #tap(point) {
    this.#arrival.then(() => {
      if (this.#own?.tap(point, this.#nameOf(point))) return;
      if (this.#scene?.enter && this.#desk.reader === null) this.#turn.tap(point, this.#nameOf(point));
    });
  }

  // A turn with nothing left to choose is laid at once: on a sheet a tap costs nothing.
  #changed(trouble) {
    const { ghost, isBegun, isSending } = this.#turn;
    if (!this.#scene) return;
    if (ghost?.turn && isBegun && !isSending && !trouble && !ghost.choices?.length) {
      this.#turn.play();
      return;
    }
    this.#drawing.show(this.#picture, this.#board.view.coordinates);
    this.#own?.drawn(this.#drawing, this.#place());
    this.#tools.showTurn(this.#turn, trouble, this.#scene.line);
  }

  async #lay(text) {
    const from = this.#here;
    const answer = await this.#desk.lay(this.#place(), text);
    if (answer.is === 'done' && this.#here === from) this.#go(this.#tree.keyOf(answer.turn));
    return answer;
  }

  #place() {
    return this.#tree.at(this.#here);
  }

  // Takes in a board of the game: it moves nothing here.
  #follow(board) {
    const moved = board.version !== this.#board?.version;
    this.#board = board;
    if (this.#parts.root.hidden) return;
    this.#head();
    if (moved) {
      this.#tools.guard();
      this.#desk.read();
    }
  }

  #head() {
    document.title = `${this.#words.title} · ${this.#board.view.title}`;
    write(this.#parts.status, this.#board.view.line);
  }

  // Takes in what the sheet has become. Where the game has played the turns that are shown, they are the game's now.
  #grow() {
    const id = this.#place().turns[0]?.id;
    const isOther = this.#desk.reader !== this.#reader;
    this.#reader = this.#desk.reader;
    this.#tree = new Tree(this.#desk.moves, this.#desk.turns, this.#own?.start ?? null);
    const key = isOther ? null : this.#tree.at(this.#here) ? this.#here : this.#tree.keyOf(id);
    if (key && this.#wayTo(key) === this.#shown) {
      this.#here = key;
      this.#draw();
    } else {
      this.#go(key ?? this.#tree.end);
    }
  }

  #wayTo(key) {
    return this.#tree.path(key).map(({ text }) => text).join();
  }

  #go(key) {
    this.#arrival = this.#visit(key);
    return this.#arrival;
  }

  async #visit(key) {
    if (!this.#tree.at(key)) return;
    this.#tools.save();
    this.#here = key;
    this.#shown = this.#wayTo(key);
    for (const { key: step, parent } of this.#tree.path(key)) if (parent) this.#ways.set(parent, step);
    if (key === this.#tree.end) this.#moves = this.#tree.length;
    this.#draw();
    this.#shows += 1;
    const mine = this.#shows;
    const scene = await this.#desk.show(this.#place());
    if (mine !== this.#shows) return;
    if (!scene) {
      this.#shown = null; // the connection was lost: it is asked for anew
      await new Promise((resolve) => {
        this.#resume = resolve;
      });
      return;
    }
    if (scene.is === 'refused') {
      this.#tools.tell(scene.line);
      return;
    }
    const sized = this.#scene && `${this.#drawing.size}`; // a board of one's own may become another size
    this.#scene = scene;
    if (this.#own) this.#board = this.#own.arrived(scene);
    this.#begin(mine);
    this.#resume?.();
    if (sized !== `${this.#drawing.size}`) this.#viewport.showAll();
    this.#tools.weigh(this.#place());
  }

  // Draws what is beside the board.
  #draw() {
    const { news } = this.#parts;
    const count = this.#tree.length - this.#moves;
    news.hidden = count <= 0;
    news.textContent = this.#words.news.replace('{arrived}', count);
    this.#branches.show(this.#tree, this.#here);
    this.#tools.showPlace(this.#place(), this.#lead());
  }

  // Returns the branch that leads here from the current position, as far as it can be planned: `own` is the turn that
  // the reader has to play first. Null if there is none.
  #lead() {
    const { view } = this.#board;
    const path = this.#tree.path(this.#here);
    const start = path.findIndex(({ key }) => key === this.#tree.end);
    if (start < 0 || view.over || view.you === null || view.players.length !== 2) return null;
    const turns = path.slice(start + 1);
    const own = view.to_act.includes(view.you) ? turns.shift()?.text : null;
    return turns.length < 2 || own === undefined ? null : { own };
  }

  // Begins to enter a turn at the place that is shown.
  #begin(version) {
    const turn = new Turn({
      ask: async ({ steps }) => {
        const answer = await this.#desk.attempt(this.#place(), steps);
        return answer && { ...answer, version };
      },
      act: ({ turn: text }) => this.#lay(text),
    });
    this.#turn = turn;
    turn.addEventListener('change', ({ detail }) => turn === this.#turn && this.#changed(detail.trouble));
    this.#ground = { version, view: this.#scene, picture: this.#scene.picture };
    turn.follow(this.#ground);
  }

  #walk(way) {
    const { key, parent, children } = this.#place();
    const on = this.#ways.get(key) ?? children[0];
    this.#go({ back: parent, on, first: 'm0', now: this.#own ? this.#tree.lastOf(key) : this.#tree.end }[way]);
  }

  #press(event) {
    const way = KEYS[event.key];
    const isField = event.target === this.#parts.field;
    if (!way || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (isField && event.key.startsWith('Arrow')) return; // these move over the crossings
    event.preventDefault();
    this.#walk(way);
  }

  // Says what is at a crossing.
  #describe(name) {
    const picture = this.#picture;
    const at = (point) => this.#nameOf(point) === name;
    const stone = picture.stones?.find(({ point }) => at(point));
    const colour = (seat) => this.#board.view.players[seat].name;
    let said = stone ? this.#words.dot.replace('{name}', colour(stone.seat)) : this.#words.free;
    if (stone?.captured) said = this.#words.captured.replace('{name}', colour(stone.seat));
    this.#announce(said.replace('{point}', name));
  }
}
