// Set-up: dots, areas and who moves first on a board of one's own. The server draws each step, by the rules.

import { h } from '../board/elements.js';

export class SetUp {
  #words;
  #rules;
  #change;
  #tool = 'dot 0';
  element = h('fieldset', { id: 'set-up', hidden: true });

  // `rules` are [key, name], and `change(make)` sends what `make(board)` returns: {rules, size, stones, areas, begins}.
  constructor(words, rules, change) {
    this.#words = words;
    this.#rules = rules;
    this.#change = change;
  }

  get isOpen() {
    return !this.element.hidden;
  }

  open(isOpen) {
    this.element.hidden = !isOpen;
  }

  // Shows the tools for a board whose seats have these names.
  show(board, names, startHere) {
    const focus = document.activeElement?.closest('#set-up') ? document.activeElement.dataset.focus : null;
    const seats = names.map((name, seat) => [seat, name]);
    const words = this.#words;
    const tools = [
      ...seats.map(([seat, name]) => [`dot ${seat}`, words.dot_tool.replace('{name}', name)]),
      ['clear', words.eraser],
      ...(board.closing === 'automatic' ? [] : seats.map(([seat, name]) => [`area ${seat}`, words.area_tool.replace('{name}', name)])),
    ];
    if (!tools.some(([key]) => key === this.#tool)) [[this.#tool]] = tools;
    const pick = (key) => () => {
      this.#tool = key;
      this.show(board, names, startHere);
    };
    const [width, height] = board.options.size.split('x');
    this.element.replaceChildren(
      h('legend', {}, words.setup),
      h('div', { role: 'group', 'aria-label': words.tools },
        ...tools.map(([key, label]) =>
          h('button', { onclick: pick(key), 'aria-pressed': `${key === this.#tool}`, 'data-focus': key }, label))),
      this.#select(words.first, seats.map(([seat, name]) => [`${seat}`, name]), `${board.set.begins}`, 'begins',
        (value) => this.#send(() => ({ begins: Number(value) }))),
      this.#select(words.rules, this.#rules, board.rules, 'rules', (value) => this.#send(() => ({ rules: value }))),
      h('label', {}, words.size, this.#size(`${width}x${height}`)),
      ...(startHere ? [h('button', { onclick: startHere, 'data-focus': 'here' }, words.from_here)] : []),
    );
    if (focus) this.element.querySelector(`[data-focus="${focus}"]`)?.focus();
  }

  // Takes a tap on a crossing.
  tap(name) {
    const [what, number] = this.#tool.split(' ');
    const seat = Number(number);
    this.#send(({ stones, areas }) => {
      const [dots, bases] = [stones, areas].map((all) => all.filter(([, at]) => at !== name));
      if (what === 'clear') return { stones: dots, areas: bases };
      if (what === 'area') return { areas: bases.length < areas.length ? bases : [...areas, [seat, name]] };
      const isThere = stones.some(([of, at]) => at === name && of === seat);
      return { stones: isThere ? dots : [...dots, [seat, name]] };
    });
  }

  // Changes the set-up that is there when all earlier taps are done.
  #send(make) {
    this.#change(({ rules, options, set }) => ({ rules, size: options.size, ...set, ...make(set) }));
  }

  #select(label, choices, chosen, focus, change) {
    const select = h('select', { 'data-focus': focus },
      ...choices.map(([value, name]) => h('option', { value, selected: value === chosen }, name)));
    select.addEventListener('change', () => change(select.value));
    return h('label', {}, label, select);
  }

  #size(size) {
    const input = h('input', { value: size, maxlength: '7', 'data-focus': 'size', autocomplete: 'off' });
    input.addEventListener('change', () => this.#send(() => ({ size: input.value.replaceAll(/\s/g, '').replace(/[×хX*]/, 'x') })));
    return input;
  }
}
