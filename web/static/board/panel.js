// Panel: whose turn it is, clocks, offers and actions beside the board. What is under a finger stays where it is: the
// buttons of a turn keep their place, and actions that an offer makes impossible stay until the turn is played.

import { byId, h, keepChildren, write } from './elements.js';
import { markOf } from './stones.js';

export function clockText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const A_DAY = 86_400_000;
const LARGE = 13; // lines of a board from which a finger needs a closer look at it on a phone
const MAX_SAID = 30; // announcements that stay on the page

export class Panel {
  #words;
  #turn;
  #site;
  #clocks = [];
  #view = null;
  #actions = [];
  #isPlanning = false;
  #undone = 0; // until then the last move can be taken back at once

  // `site` has `act(key, asks)`, which does an action, `read(seat)`, which opens the sheet of a player or, for null, the
  // reader's own, `addressOf(match)`, `ownBoardOf(match)`, and the match from which the page has gone on to this one as `former`.
  constructor(words, turn, site) {
    this.#words = words;
    this.#turn = turn;
    this.#site = site;
    write(byId('play'), words.play);
    write(byId('clear'), words.clear);
    byId('undo').addEventListener('click', () => site.act('takeback', false));
    byId('menu').setAttribute('aria-label', words.more);
    byId('menu').title = words.more;
    write(byId('try'), words.try);
    byId('try').addEventListener('click', () => site.read(null));
    byId('play').addEventListener('click', () => turn.play());
    byId('clear').addEventListener('click', () => turn.undo());
    const ticking = setInterval(() => this.#tick(), 250);
    site.signal?.addEventListener('abort', () => clearInterval(ticking));
  }

  // Leads back to the chat of the game, if it has an address, and the page isn't in it.
  #leadBack(chat) {
    const there = byId('there');
    there.hidden = !chat || Boolean(this.#site.isFramed);
    if (!chat) return;
    there.href = chat.url;
    write(there, chat.label);
  }

  show({ view, picture }) {
    this.#view = view;
    document.title = view.title;
    this.#showStatus();
    write(byId('last'), view.last);
    write(byId('notes'), (view.notes ?? []).join(' '));
    this.#takeSide(view, picture);
    const onlyAsks = view.you === null || view.over;
    write(byId('help'), onlyAsks ? this.#words.help_asking : this.#words.help);
    const { turn: typed } = byId('typed').elements;
    typed.placeholder = onlyAsks ? this.#words.ask : this.#words.type;
    typed.setAttribute('aria-label', typed.placeholder);
    byId('try').hidden = !view.sheet;
    this.#leadBack(view.chat);
    byId('steps').hidden = !view.over || view.turn < 2;
    this.#undone = view.undo ? performance.now() + view.undo.ms : 0;
    if (view.undo) write(byId('undo'), view.undo.label);
    this.#showUndo();
    this.#keepFocus(() => {
      keepChildren(byId('players'), view.players, {
        key: ({ seat }) => `${seat}`,
        make: ({ seat }) => this.#player(seat, picture.blocks),
        update: (row, player) => this.#update(row, player),
      });
      this.#showActions();
      this.#showOffers();
    });
    this.time(view.players);
  }

  // Gives the page the colours of the reader's side and of the other one, and room for a board that is seen in parts.
  #takeSide({ you, players, over }, { width, height }) {
    const { style, classList } = document.querySelector('main');
    classList.toggle('over', over);
    classList.toggle('large', Math.max(width, height) > LARGE);
    style.setProperty('--others', `${players.length - 1}`);
    style.setProperty('--mine', `var(--seat${you ?? 0})`);
    style.setProperty('--theirs', `var(--seat${you === 1 ? 0 : 1})`);
  }

  // Sets the clocks, as the server has just told them.
  time(players) {
    const now = performance.now();
    this.#clocks = players
      .filter((player) => player.clock)
      .map((player) => ({ seat: player.seat, ends: now + player.clock.ms, ...player.clock }));
    this.#tick();
  }

  // Shows the turn that is being entered. Trouble that `isAnswer` is said also where the same was told before.
  showTurn({ trouble, isAnswer }) {
    const turn = this.#turn;
    const ghost = turn.ghost;
    this.say(trouble || ghost?.line || '', Boolean(trouble), isAnswer);
    this.#keepFocus(() => {
      byId('choices').classList.toggle('compass', ghost?.columns === 3);
      keepChildren(byId('choices'), ghost?.choices ?? [], {
        key: ({ label, point }) => `${label} ${point}`,
        make: ({ label }) => h('button', {}, label),
        update: (button, { step, chosen, disabled }) => {
          button.onclick = () => turn.choose(step);
          button.disabled = Boolean(disabled);
          button.setAttribute('aria-pressed', String(Boolean(chosen)));
        },
      });
      for (const button of [byId('play'), byId('clear')]) button.classList.toggle('idle', !turn.isBegun);
      byId('play').disabled = !turn.mayPlay;
      byId('clear').disabled = turn.isSending;
      this.#showUndo();
      this.#isPlanning = turn.isBegun;
      if (this.#view && !turn.isBegun) this.#showActions();
    });
  }

  // The last move is taken back in the place where a turn that is begun loses its last step.
  #showUndo() {
    const isThere = performance.now() < this.#undone && !this.#turn.isBegun;
    byId('undo').hidden = !isThere;
    byId('clear').hidden = isThere;
  }

  // Shows a line about the turn, or the answer to what was typed.
  say(line, isTrouble = false, isAnswer = true) {
    const isThere = byId('ghost').textContent === line;
    if (isThere && isAnswer) this.announce(line); // a text that does not change is not read out again
    write(byId('ghost'), line);
    byId('ghost').classList.toggle('trouble', isTrouble);
  }

  // Asks before something is done, or shows it where there is no answer to be `sure` of. Resolves with the answer; false if `overtaken` closes the question.
  confirm({ line, sure, keep, style = 'danger', link = null }) {
    const dialog = byId('question');
    const main = document.querySelector('main');
    return new Promise((resolve) => {
      dialog.returnValue = '';
      dialog.replaceChildren(
        h('p', { id: 'asked' }, line, ...(link ? ['\n', h('a', { href: link.href }, link.label)] : [])),
        h('div', {}, ...(sure ? [h(`button.${style}`, { onclick: () => dialog.close('sure') }, sure)] : []),
          h('button', { onclick: () => dialog.close(), autofocus: true }, keep)),
      );
      dialog.addEventListener('close', () => {
        main.classList.remove('asked');
        resolve(dialog.returnValue === 'sure');
      }, { once: true });
      dialog.showModal();
      main.style.setProperty('--question', `${dialog.offsetHeight}px`);
      main.classList.add('asked');
    });
  }

  // Shows how many watch, and those who let their names be read.
  watch({ count, line }) {
    const [, number, unseen] = byId('watchers').children;
    byId('watchers').hidden = !count;
    byId('watchers').title = line;
    write(number, String(count));
    write(unseen, line);
    write(byId('spectators'), line);
  }

  // Closes an open question. Returns whether there was one.
  overtake() {
    const wasOpen = byId('question').open;
    if (wasOpen) byId('question').close();
    return wasOpen;
  }

  // Has a screen reader say a line, after those that it has still to say.
  announce(line) {
    if (!line) return;
    const log = byId('live');
    log.append(h('p', {}, line));
    while (log.children.length > MAX_SAID) log.firstChild.remove();
  }

  showTrouble(line) {
    byId('trouble').hidden = !line;
    if (line) write(byId('trouble'), line);
  }

  // What others do fits into a line: the names are below it, and what the reader has to do is never cut.
  #showStatus() {
    const { line, over, you, to_act: movers } = this.#view;
    write(byId('status'), line);
    byId('status').title = line;
    byId('status').classList.toggle('brief', !over && !movers.includes(you));
  }

  #showActions() {
    const now = (this.#view.actions ?? []).filter(({ key, style }) => style !== 'primary' && key !== 'review');
    const known = (action) => (other) => other.key === action.key;
    const stay = this.#actions.map((action) => now.find(known(action)) ?? { ...action, isGone: true });
    const come = now.filter((action) => !this.#actions.some(known(action)));
    this.#actions = this.#isPlanning ? [...stay, ...come] : now;
    keepChildren(byId('actions'), this.#actions, {
      key: ({ key }) => key,
      make: (action) => this.#button(action),
      update: (button, { label, isGone }) => {
        write(button, label);
        button.disabled = Boolean(isGone);
      },
      settles: true,
    });
  }

  #showOffers() {
    const { offers = [] } = this.#view;
    keepChildren(byId('offers'), [...offers, ...this.#formerGame(), ...this.#nextGame(), ...this.#afterGame()], {
      key: ({ key, text, actions: answers }) => (text ? `${key} ${text} ${answers.map((each) => each.key)}` : key),
      make: (item) => this.#offer(item),
      settles: true,
    });
  }

  // The way to the next game that waits for the player, until it is their turn here again.
  #nextGame() {
    const { over, you, to_act: movers } = this.#view;
    const { onward } = this.#turn;
    if (!onward || over || movers.includes(you)) return [];
    return [{ key: `onward ${onward.match} ${onward.label}`, href: this.#site.addressOf(onward.match), label: onward.label }];
  }

  // The way back to the game from which the page has gone on to this one, as long as the reader is to move here.
  #formerGame() {
    const { over, you, to_act: movers } = this.#view;
    const { addressOf, former } = this.#site;
    if (!former || over || !movers.includes(you)) return [];
    return [{ key: `former ${former}`, href: addressOf(former), label: this.#words.back, class: 'back' }];
  }

  // What a game that is over leads to: another one, its review, notes that others have published, and a board of one's own.
  #afterGame() {
    const { over, shared = [], actions = [], next, own, match } = this.#view;
    if (!over) return [];
    const here = next && { key: `next ${next}`, href: this.#site.addressOf(next), label: this.#words.rematch };
    const links = here ? [here] : actions.filter(({ style }) => style === 'primary');
    const notes = shared.map(({ seat, name }) => ({ key: `notes ${seat} ${name}`, seat, label: this.#words.notes.replace('{name}', name) }));
    const onOwn = own ? [{ key: 'own', href: this.#site.ownBoardOf(match), label: this.#words.own, class: 'back' }] : [];
    return [...links, ...actions.filter(({ key }) => key === 'review'), ...notes, ...onOwn];
  }

  #offer(item) {
    const { href, seat, label, text, actions, class: look = 'primary' } = item;
    if (href) return h(`a.${look}`, { href }, label);
    if (seat !== undefined) return h('button', { onclick: () => this.#site.read(seat) }, label);
    if (!text) return this.#button(item);
    return h('section', {}, h('p', {}, text), h('div', {}, ...actions.map((action) => this.#button(action))));
  }

  // Keeps the focus on the page when the element that had it goes.
  #keepFocus(change) {
    const focused = document.activeElement?.closest('aside button, aside a');
    change();
    if (!focused || byId('question').open) return;
    const isGone = !focused.isConnected || focused.matches(':disabled, [hidden]') || focused.classList.contains('idle');
    if (isGone) byId('field').focus({ preventScroll: true });
  }

  #player(seat, blocks) {
    const mark = markOf(seat, blocks);
    mark.setAttribute('role', 'img');
    return h(
      'li',
      {},
      mark,
      h('span.name'),
      h('span.score'),
      h('time', { id: `clock-${seat}` }),
      h('strong.result'),
    );
  }

  #update(row, { seat, name, colour, score, clock, result = '' }) {
    const { to_act: movers, over, you } = this.#view;
    row.classList.toggle('mine', seat === (you ?? 0)); // who watches sees the first player's side
    if (movers.includes(seat) && !over) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
    write(row.querySelector('.name'), name);
    row.querySelector('.name').title = name;
    row.querySelector('.mark').setAttribute('aria-label', colour);
    write(row.querySelector('.score'), score);
    write(row.querySelector('.result'), result);
    if (!clock) write(row.querySelector('time'), '');
  }

  #button({ key, label, style, ask }) {
    return h(`button.${style}`, { onclick: () => this.#site.act(key, ask) }, label);
  }

  #tick() {
    if (this.#undone && performance.now() >= this.#undone) {
      this.#undone = 0;
      this.#keepFocus(() => this.#showUndo());
    }
    for (const clock of this.#clocks) {
      const element = byId(`clock-${clock.seat}`);
      if (!element) continue;
      const left = clock.running ? clock.ends - performance.now() : clock.ms;
      write(element, left > A_DAY ? clock.text : clockText(left));
      element.classList.toggle('low', clock.running && left < 30_000);
    }
  }
}
