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
const MAX_SAID = 30; // announcements that stay on the page

export class Panel {
  #act;
  #rematch;
  #clocks = [];
  #view = null;
  #actions = [];
  #isPlanning = false;

  // `act` takes the key of an action and whether it has a question.
  constructor(words, turn, act) {
    this.#act = act;
    this.#rematch = words.rematch;
    write(byId('play'), words.play);
    write(byId('undo'), words.undo);
    byId('menu').setAttribute('aria-label', words.more);
    byId('menu').title = words.more;
    write(byId('help'), words.help);
    byId('play').addEventListener('click', () => turn.play());
    byId('undo').addEventListener('click', () => turn.undo());
    setInterval(() => this.#tick(), 250);
  }

  show({ view, picture }) {
    this.#view = view;
    document.title = view.title;
    write(byId('status'), view.line);
    write(byId('last'), view.last);
    write(byId('notes'), (view.notes ?? []).join(' '));
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

  // Sets the clocks, as the server has just told them.
  time(players) {
    const now = performance.now();
    this.#clocks = players
      .filter((player) => player.clock)
      .map((player) => ({ seat: player.seat, ends: now + player.clock.ms, ...player.clock }));
    this.#tick();
  }

  // Shows the turn that is being entered.
  showTurn(turn, trouble) {
    const ghost = turn.ghost;
    this.say(trouble || ghost?.line || '', Boolean(trouble));
    this.#keepFocus(() => {
      keepChildren(byId('choices'), ghost?.choices ?? [], {
        key: ({ label, point }) => `${label} ${point}`,
        make: ({ label }) => h('button', {}, label),
        update: (button, { step, chosen, disabled }) => {
          button.onclick = () => turn.choose(step);
          button.disabled = Boolean(disabled);
          button.setAttribute('aria-pressed', String(Boolean(chosen)));
        },
      });
      for (const button of [byId('play'), byId('undo')]) button.classList.toggle('idle', !turn.isBegun);
      byId('play').disabled = !turn.mayPlay;
      byId('undo').disabled = turn.isSending;
      this.#isPlanning = turn.isBegun;
      if (this.#view && !turn.isBegun) this.#showActions();
    });
  }

  // Shows a line about the turn, or the answer to what was typed.
  say(line, isTrouble = false) {
    write(byId('ghost'), line);
    byId('ghost').classList.toggle('trouble', isTrouble);
  }

  // Asks before something is done. Resolves with the answer; false if `overtaken` closes the question.
  confirm({ line, sure, keep }) {
    const dialog = byId('question');
    return new Promise((resolve) => {
      dialog.returnValue = '';
      dialog.replaceChildren(
        h('p', { id: 'asked' }, line),
        h('div', {}, h('button.danger', { onclick: () => dialog.close('sure') }, sure),
          h('button', { onclick: () => dialog.close(), autofocus: true }, keep)),
      );
      dialog.addEventListener('close', () => resolve(dialog.returnValue === 'sure'), { once: true });
      dialog.showModal();
    });
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

  #showActions() {
    const now = (this.#view.actions ?? []).filter(({ style }) => style !== 'primary');
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
    const { offers = [], actions = [], rematch } = this.#view;
    const links = rematch ? [{ key: 'link', rematch }] : [];
    const firsts = rematch ? [] : actions.filter(({ style }) => style === 'primary');
    keepChildren(byId('offers'), [...offers, ...links, ...firsts], {
      key: ({ key, text, actions: answers }) => (text ? `${key} ${text} ${answers.map((each) => each.key)}` : key),
      make: (item) => this.#offer(item),
      settles: true,
    });
  }

  #offer(item) {
    if (item.rematch) return h('a.primary', { href: item.rematch, target: '_blank', rel: 'noopener' }, this.#rematch);
    if (!item.text) return this.#button(item);
    return h('section', {}, h('p', {}, item.text), h('div', {}, ...item.actions.map((action) => this.#button(action))));
  }

  // Keeps the focus on the page when the element that had it goes.
  #keepFocus(change) {
    const focused = document.activeElement?.closest('aside button, aside a');
    change();
    if (!focused || byId('question').open) return;
    const isGone = !focused.isConnected || focused.disabled || focused.classList.contains('idle');
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
    );
  }

  #update(row, { seat, name, colour, score }) {
    const { to_act: movers, over } = this.#view;
    if (movers.includes(seat) && !over) row.setAttribute('aria-current', 'true');
    else row.removeAttribute('aria-current');
    write(row.querySelector('.name'), name);
    row.querySelector('.name').title = name;
    row.querySelector('.mark').setAttribute('aria-label', colour);
    write(row.querySelector('.score'), score);
  }

  #button({ key, label, style, ask }) {
    return h(`button.${style}`, { onclick: () => this.#act(key, ask) }, label);
  }

  #tick() {
    for (const clock of this.#clocks) {
      const element = byId(`clock-${clock.seat}`);
      if (!element) continue;
      const left = clock.running ? clock.ends - performance.now() : clock.ms;
      write(element, left > A_DAY ? clock.text : clockText(left));
      element.classList.toggle('low', clock.running && left < 30_000);
    }
  }
}
