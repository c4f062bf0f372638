// Afterwards: a game that is over, looked back at: its moves one after the other, and its turning points, each of which is
// one tap away. Both come when they are first asked for (docs/web-protocol.md).

import { Plies } from '../pages/plies.js';
import { byId, h, keepChildren } from './elements.js';
import { svg } from './svg.js';

// The ways through the moves, with what is on their buttons.
const WAYS = {
  first: 'M5 5v14M19 5 9 12l10 7z',
  before: 'M17 5 7 12l10 7z',
  after: 'M7 5l10 7-10 7z',
  last: 'M19 5v14M5 5l10 7-10 7z',
};

export class Afterwards {
  #connection;
  #words;
  #page;
  #game = null; // {plies, moves, scores}
  #ply = null; // the moves up to the position that is shown; null for the end, as the page shows it by itself
  #turns = []; // the turning points
  #turn = null; // the one that is shown
  #isLoading = false; // the moves are on their way
  #isReviewing = false;

  // `page` has `draw()`, and `say(line, isTrouble)`.
  constructor(connection, words, page) {
    this.#connection = connection;
    this.#words = words;
    this.#page = page;
    byId('steps').setAttribute('aria-label', words.replay);
    byId('steps').append(...Object.entries(WAYS).map(([way, d]) => h('button', {
      'data-way': way, 'aria-label': words[way], title: words[way], onclick: () => this.step(way),
    }, svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d })))));
  }

  // The board that is looked back at; null where the page shows the end.
  get picture() {
    return this.#turn?.picture ?? (this.#ply === null ? null : this.#game.plies.at(this.#ply));
  }

  // Goes to the first position, a move back or on, or to the end.
  async step(way) {
    if (this.#isLoading || !(await this.#load())) return;
    const { last } = this.#game.plies;
    const here = this.#turn ? this.#turn.number - 1 : this.#ply ?? last;
    this.#turn = null;
    this.#ply = { first: 0, before: Math.max(0, here - 1), after: Math.min(last, here + 1), last }[way];
    this.#show(this.#told);
    if (this.#ply === last) this.#ply = null;
    this.#page.draw();
  }

  // Fetches the turning points and shows them as buttons.
  async review() {
    if (this.#isReviewing) return;
    this.#isReviewing = true;
    this.#page.say(this.#words.reviewing);
    const answer = await this.#connection.ask({ do: 'review' }, { isLong: true });
    this.#isReviewing = false;
    if (answer?.is !== 'review') {
      this.#page.say(answer?.line ?? this.#words.away, true);
      return;
    }
    this.#turns = answer.turns;
    this.#show(answer.line);
  }

  async #load() {
    if (this.#game) return true;
    this.#isLoading = true;
    const answer = await this.#connection.ask({ do: 'replay' }, { isLong: true });
    this.#isLoading = false;
    if (answer?.is !== 'replay') {
      this.#page.say(answer?.line ?? this.#words.away, true);
      return false;
    }
    const { game, moves, scores } = answer;
    this.#game = { plies: new Plies(game), moves, scores };
    return true;
  }

  // The position in words: its number, the move, and the score.
  get #told() {
    const { plies, moves, scores } = this.#game;
    const move = this.#ply ? [moves[this.#ply - 1]] : [];
    return [`${this.#ply} / ${plies.last}`, ...move, scores[this.#ply].join(' : ')].join(' · ');
  }

  #open(turn) {
    this.#turn = turn;
    this.#show(turn.line);
    this.#page.draw();
  }

  #show(line) {
    this.#page.say(line);
    keepChildren(byId('points'), this.#turns, {
      key: ({ number }) => `${number}`,
      make: (turn) => h('button', { onclick: () => this.#open(turn) }, turn.label),
      update: (button, turn) => button.setAttribute('aria-pressed', String(turn === this.#turn)),
    });
    const isAt = { first: this.#ply === 0, last: this.#ply === this.#game?.plies.last };
    for (const button of byId('steps').children) {
      const { way } = button.dataset;
      button.disabled = !this.#turn && (['first', 'before'].includes(way) ? isAt.first : isAt.last);
    }
  }
}
