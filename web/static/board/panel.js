// Panel: whose turn it is, clocks, offers and actions beside the board.

const h = (tag, attributes = {}, ...children) => {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (name === 'button') element.type = 'button';
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children);
  return element;
};

const byId = (id) => document.getElementById(id);

export function clockText(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const A_DAY = 86_400_000;

export class Panel {
  #words;
  #theme;
  #act;
  #clocks = [];

  // `act` takes the key of an action and whether it has a question.
  constructor(words, theme, act) {
    this.#words = words;
    this.#theme = theme;
    this.#act = act;
    setInterval(() => this.#tick(), 250);
  }

  show({ view }) {
    document.title = view.title;
    byId('status').textContent = view.line;
    byId('notes').textContent = (view.notes ?? []).join(' ');
    byId('players').replaceChildren(...view.players.map((player) => this.#player(player, view)));
    this.time(view.players);
    byId('actions').replaceChildren(...(view.actions ?? []).map((action) => this.#button(action)));
    byId('offers').replaceChildren(
      ...(view.offers ?? []).map((offer) =>
        h('p', {}, offer.text, ' ', ...offer.actions.map((action) => this.#button(action)))),
      ...(view.rematch ? [h('a', { href: view.rematch, target: '_blank', rel: 'noopener' }, this.#words.rematch)] : []),
    );
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
    byId('ghost').textContent = trouble || ghost?.line || '';
    byId('ghost').classList.toggle('trouble', Boolean(trouble));
    byId('choices').replaceChildren(
      ...(ghost?.choices ?? []).map((choice) =>
        h('button', {
          onclick: () => turn.choose(choice.step), disabled: choice.disabled || false,
          'aria-pressed': String(Boolean(choice.chosen)),
        }, choice.label)),
    );
    const buttons = [];
    if (turn.isBegun) {
      buttons.push(
        h('button.primary', { onclick: () => turn.play(), disabled: !turn.mayPlay }, this.#words.play),
        h('button', { onclick: () => turn.undo(), disabled: turn.isSending }, this.#words.undo),
      );
    }
    byId('turn').replaceChildren(...buttons);
  }

  // Asks before something is done. Resolves with the answer.
  confirm({ line, sure, keep }) {
    const dialog = byId('question');
    return new Promise((resolve) => {
      const close = (answer) => {
        dialog.close();
        resolve(answer);
      };
      dialog.replaceChildren(
        h('p', {}, line),
        h('div', {}, h('button.danger', { onclick: () => close(true) }, sure),
          h('button', { onclick: () => close(false), autofocus: true }, keep)),
      );
      dialog.addEventListener('cancel', () => resolve(false), { once: true });
      dialog.showModal();
    });
  }

  announce(line) {
    byId('live').textContent = line;
  }

  showTrouble(line) {
    byId('trouble').hidden = !line;
    byId('trouble').textContent = line ?? '';
  }

  #player(player, view) {
    const mark = h('span.mark');
    mark.style.background = `rgb(${this.#theme.inks[player.seat].colour.join(' ')})`;
    const turn = view.to_act.includes(player.seat) && !view.over;
    return h(
      'li',
      { 'aria-current': turn ? 'true' : false },
      mark,
      h('span.name', { title: player.colour }, player.name),
      h('span.score', {}, player.score),
      h('time', { id: `clock-${player.seat}` }),
    );
  }

  #button({ key, label, style, ask }) {
    return h(`button.${style}`, { onclick: () => this.#act(key, ask) }, label);
  }

  #tick() {
    for (const clock of this.#clocks) {
      const element = byId(`clock-${clock.seat}`);
      if (!element) continue;
      const left = clock.running ? clock.ends - performance.now() : clock.ms;
      const text = left > A_DAY ? clock.text : clockText(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle('low', clock.running && left < 30_000);
    }
  }
}
