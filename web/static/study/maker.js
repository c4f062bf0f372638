// Maker: makes a lesson or a puzzle for a server of the position on the board. The solver looks at it first, and says what
// is not unique, or why it is none.

import { h } from '../board/elements.js';
import { onSubmit } from '../board/forms.js';

const GOALS = ['capture', 'save', 'ending', 'stop'];

export class Maker {
  #words;
  #site;
  #servers = null; // those that the player hosts; null before they are known
  #isKnown = false; // whether the solver has found the position good
  #parts;
  #made = h('div', { class: 'stack' });
  #said = h('div', { role: 'status', class: 'stack' }); // what the computer says
  #done = h('p', { role: 'status' }); // what has become of it
  element;

  // `site` has `ask(body)`, and `place()` that returns the turn on the board.
  constructor(words, name, site) {
    this.#words = words;
    this.#site = site;
    const select = (options, key) => h('select', { 'data-focus': key }, ...options.map(([value, label]) => h('option', { value }, label)));
    this.#parts = {
      goal: select(GOALS.map((goal) => [goal, words[`goal_${goal}`]]), 'goal'),
      server: select([], 'for_server'),
      as: select([['lesson', words.as_lesson], ['puzzle', words.as_puzzle]], 'as'),
      name: h('input', { value: name, maxlength: '60', required: true, autocomplete: 'off', 'data-focus': 'made_name' }),
      text: h('textarea', { maxlength: '1000', rows: '3', 'data-focus': 'told' }),
      make: h('button.primary', { type: 'submit', hidden: true }, words.make),
    };
    this.element = h('details', {}, h('summary', {}, words.make_title), h('div', { class: 'stack' }));
    this.element.addEventListener('toggle', () => this.element.open && this.#servers === null && this.#begin());
  }

  // The board shows another position: what was said of the former one holds no longer.
  forget() {
    if (!this.#isKnown) return;
    this.#isKnown = false;
    this.#parts.make.hidden = true;
    this.#said.replaceChildren();
  }

  async #begin() {
    const answer = await this.#site.ask({ do: 'made' });
    const inside = this.element.lastChild;
    if (answer.is !== 'done') {
      inside.replaceChildren(h('p', { role: 'alert' }, answer.line));
      return;
    }
    this.#take(answer.servers);
    inside.replaceChildren(...(answer.servers.length ? this.#form() : [h('p', {}, this.#words.no_host)]));
  }

  #form() {
    const { goal, server, as, name, text, make } = this.#parts;
    const words = this.#words;
    const label = (key, field) => h('label', {}, words[key], field);
    const form = h('form', { class: 'stack' }, label('goal', goal), h('button', { type: 'button', onclick: () => this.#check(), 'data-focus': 'check' }, words.check),
      this.#said, label('for_server', server), label('as', as), label('name', name), label('told', text), this.#done, make);
    onSubmit(form, () => (this.#isKnown ? this.#make() : this.#check()));
    goal.addEventListener('change', () => this.forget());
    return [h('p.quiet', {}, words.make_about), form, this.#made];
  }

  #place() {
    return { turn: this.#site.place(), goal: this.#parts.goal.value };
  }

  async #check() {
    this.#done.replaceChildren();
    this.#say([this.#words.checking]);
    const answer = await this.#site.ask({ do: 'examine', ...this.#place() });
    this.#isKnown = answer.is === 'done';
    this.#parts.make.hidden = !this.#isKnown;
    this.#say(this.#isKnown ? answer.lines : [answer.line]);
  }

  async #make() {
    const { server, as, name, text } = this.#parts;
    const isLesson = as.value === 'lesson';
    const answer = await this.#site.ask({
      do: 'make', ...this.#place(), server: server.value, lesson: isLesson, name: name.value, text: text.value,
    });
    if (answer.is !== 'done') {
      this.#done.replaceChildren(answer.line);
      return;
    }
    const { name: made } = answer.servers.find((each) => each.server === server.value);
    this.forget();
    this.#take(answer.servers);
    this.#done.replaceChildren(this.#words[isLesson ? 'made_lesson' : 'made_puzzle'].replace('{server}', made));
  }

  #say(lines) {
    this.#said.replaceChildren(...lines.map((line) => h('p', {}, line)));
  }

  #take(servers) {
    const { server } = this.#parts;
    const chosen = server.value;
    this.#servers = servers;
    server.replaceChildren(...servers.map((each) => h('option', { value: each.server, selected: each.server === chosen }, each.name)));
    this.#made.replaceChildren(...servers.flatMap(({ name, lessons, waiting }) => [
      ...this.#list(this.#words.lessons_of, name, lessons), ...this.#list(this.#words.waiting_of, name, waiting),
    ]));
  }

  #list(title, server, made) {
    return made.length ? [h('h2', {}, title.replace('{server}', server)), ...made.map((each) => this.#line(each))] : [];
  }

  // A button that asks once more before it deletes what was made.
  #line({ made, name }) {
    const button = h('button.danger', {}, this.#words.unmake.replace('{name}', name));
    button.addEventListener('click', async () => {
      if (!button.dataset.sure) {
        button.dataset.sure = 'yes';
        button.replaceChildren(this.#words.sure);
        return;
      }
      const answer = await this.#site.ask({ do: 'unmake', made });
      if (answer.is === 'done') this.#take(answer.servers);
      else this.#done.replaceChildren(answer.line);
    });
    return button;
  }
}
