// Command line: a chosen slash command in the composer, with one chip for each option.

import { chipOf } from './chip.js';
import { h, icon } from './elements.js';
import { offers } from './options.js';

const PAUSE = 180; // milliseconds without typing before an autocomplete request

export class CommandLine {
  #command;
  #world;
  #suggestions;
  #complete;
  #onsend;
  #onleave;
  #chips = [];
  #row;
  #more;
  #question = 0; // numbers the autocomplete requests, so that late responses are dropped
  #timer = 0;

  constructor({ command, given = {}, world, suggestions, complete, onsend, onleave }) {
    this.#command = command;
    this.#world = world;
    this.#suggestions = suggestions;
    this.#complete = complete;
    this.#onsend = onsend;
    this.#onleave = onleave;
    this.#more = h('input.chip-more', {
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      enterkeyhint: 'send',
      oninput: () => this.#offerOptions(),
      onfocus: () => this.#offerOptions(),
      onkeydown: (event) => this.#moreKey(event),
      onblur: () => {
        this.#more.value = '';
      },
    });
    this.#row = h('div.chips', {}, h('span.chip-command', {}, `/${command.name}`));
    this.element = h(
      'div.command-line',
      { role: 'group', 'aria-label': `Command ${command.name}: ${command.description}` },
      this.#row,
      h('button.tool', { onclick: () => onleave(''), 'aria-label': 'Drop this command' }, icon('close')),
    );
    for (const option of command.options)
      if (option.required || option.name in given) this.#add(option, given[option.name]);
    this.#drawMore();
  }

  focus() {
    const chip =
      this.#chips.find((candidate) => candidate.option.required && candidate.empty) ?? this.#chips.at(-1);
    if (chip) chip.input.focus();
    else this.#more.focus();
  }

  get #left() {
    return this.#command.options.filter((option) => !this.#chips.some((chip) => chip.option === option));
  }

  #drawMore() {
    const count = this.#left.length;
    this.#more.value = '';
    this.#more.placeholder = count ? `+${count} ${this.#command.options.length > count ? 'more' : 'optional'}` : '';
    this.#more.size = Math.max(1, this.#more.placeholder.length);
    this.#more.setAttribute('aria-label', count ? `${count} more options: type a name` : 'Press Enter to send');
    // Without a chip this field has the focus, for Enter and Escape.
    this.#more.hidden = !count && this.#chips.length > 0;
    this.#row.append(this.#more);
  }

  #add(option, text = '') {
    const chip = chipOf(
      option,
      {
        typed: (it) => this.#typed(it),
        focused: (it) => this.#offer(it),
        pressed: (event, it) => this.#key(event, it),
      },
      text,
    );
    this.#chips.push(chip);
    this.#more.before?.(chip.element);
    if (!chip.element.isConnected) this.#row.append(chip.element);
    this.#drawMore();
    return chip;
  }

  #typed(chip) {
    chip.chosen = null;
    chip.fit();
    const { value, error } = chip.result(this.#world);
    this.#mark(chip, null);
    if (!chip.isFile) this.#offer(chip);
    else if (error) this.#mark(chip, error);
    else if (value) this.#onward(chip);
  }

  #mark(chip, error) {
    chip.mark(error);
    if (error) this.#suggestions.head(chip.option.name, error, true);
  }

  // The values so far, with the typed text of the focused option, without files.
  #values(focused) {
    const values = {};
    for (const chip of this.#chips) {
      const { value } = chip === focused ? { value: chip.input.value } : chip.result(this.#world);
      if (value !== undefined && !(focused && value instanceof File)) values[chip.option.name] = value;
    }
    return values;
  }

  #offer(chip) {
    const { option } = chip;
    clearTimeout(this.#timer);
    this.#question += 1;
    this.#suggestions.serve(chip.input);
    this.#suggestions.head(option.name, option.description, false, option.required ? 'required' : 'optional');
    const list = offers(option, this.#world);
    const text = chip.input.value.trim().replace(/^@/, '').toLowerCase();
    if (chip.chosen) this.#suggestions.rest();
    else if (list) {
      const fitting = list.filter((item) => `${item.title} ${item.detail ?? ''}`.toLowerCase().includes(text));
      this.#suggestions.show(
        fitting.map((item) => this.#item(chip, item)),
        'Nothing on the list begins like this',
      );
    } else if (option.autocomplete) this.#ask(chip, this.#question);
    else this.#suggestions.rest();
  }

  #item(chip, item) {
    return { ...item, choose: () => this.#choose(chip, item) };
  }

  #ask(chip, question) {
    this.#suggestions.wait();
    this.#timer = setTimeout(async () => {
      let items = [];
      let none = 'No suggestions: type a value';
      try {
        const { choices } = await this.#complete(this.#command.path, this.#values(chip), chip.option.name);
        items = choices.map((choice) => this.#item(chip, { title: choice.name, value: choice.value }));
      } catch (error) {
        none = `Loading the options failed: ${error.message}`;
      }
      if (question === this.#question && document.activeElement === chip.input) this.#suggestions.show(items, none);
    }, PAUSE);
  }

  #choose(chip, item) {
    chip.chosen = item;
    chip.write(item.title);
    this.#mark(chip, null);
    this.#onward(chip);
  }

  // Focuses the next required option.
  #onward(chip) {
    this.#suggestions.rest();
    const next = this.#chips.find((other) => other.option.required && other.empty);
    (next ?? chip).input.focus();
    if (!next) this.#suggestions.head(chip.option.name, 'Press Enter to send', false);
  }

  // The field after the chips lists the remaining options that match the text; "size:" chooses one at once.
  #offerOptions() {
    const typed = this.#more.value.trim().toLowerCase();
    const named = this.#left.find((option) => `${option.name}:` === typed);
    if (named) return this.#add(named).input.focus();
    this.#question += 1;
    this.#suggestions.serve(this.#more);
    this.#suggestions.head(
      `/${this.#command.name}`,
      this.#left.length ? 'Optional settings; Enter sends the command as it is' : 'Press Enter to send',
      false,
    );
    // Nothing is preselected, so that Enter sends the command as it is.
    const fitting = this.#left.filter((option) => option.name.includes(typed));
    const items = fitting.map((option) => ({
      title: option.name,
      detail: option.description,
      choose: () => this.#add(option).input.focus(),
    }));
    this.#suggestions.show(items, typed ? 'There is no such option' : null, typed ? 0 : -1);
  }

  #moreKey(event) {
    if (this.#suggestions.key(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (!this.#more.value) this.send();
    } else if (event.key === 'Escape') this.#onleave('');
    else if (event.key === 'Backspace' && !this.#more.value) {
      event.preventDefault();
      if (this.#chips.length) this.#chips.at(-1).input.focus();
      else this.#onleave(`/${this.#command.name}`);
    }
  }

  #key(event, chip) {
    if (event.isComposing || this.#suggestions.key(event)) return;
    if (event.key === 'Enter') {
      if (chip.isFile && chip.empty) return; // the browser lets the person choose one
      event.preventDefault();
      this.send();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      this.#onleave('');
    } else if (event.key === 'Backspace' && (chip.isFile || chip.empty)) {
      event.preventDefault();
      if (chip.empty) this.#back(chip);
      else {
        chip.clear();
        this.#offer(chip);
      }
    }
  }

  // Backspace in an empty chip removes an optional one and steps back, before the first one to the bare command.
  #back(chip) {
    const at = this.#chips.indexOf(chip);
    if (!chip.option.required) {
      this.#chips.splice(at, 1);
      chip.element.remove();
      this.#drawMore();
    }
    if (at > 0) this.#chips[at - 1].input.focus();
    else if (chip.option.required || !this.#chips.length) this.#onleave(`/${this.#command.name}`);
    else this.#chips[0].input.focus();
  }

  send() {
    const wrong = this.#chips.map((chip) => [chip, chip.result(this.#world).error]).filter(([, error]) => error);
    if (!wrong.length) {
      clearTimeout(this.#timer);
      this.#question += 1;
      this.#onsend(this.#command.path, this.#values());
      return;
    }
    wrong[0][0].input.focus();
    for (const [chip, error] of wrong.reverse()) this.#mark(chip, error);
  }
}
