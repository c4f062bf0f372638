// Command line: a chosen slash command in the composer, with one chip for each option and a field behind them.

import { chipOf } from './chip.js';
import { readOptions } from './commands.js';
import { Completion } from './completion.js';
import { h, icon } from './elements.js';

export class CommandLine {
  #command;
  #world;
  #suggestions;
  #completion;
  #onsend;
  #onleave;
  #chips = [];
  #row;
  #more;

  // `given` has typed text by option.
  constructor({ command, given, world, suggestions, complete, onsend, onleave }) {
    this.#command = command;
    this.#world = world;
    this.#suggestions = suggestions;
    this.#completion = new Completion({
      world,
      suggestions,
      ask: (chip) => complete(command.path, this.#values(chip), chip.option.name),
    });
    this.#onsend = onsend;
    this.#onleave = onleave;
    this.#more = h('input.chip-more', {
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      enterkeyhint: 'send',
      oninput: () => this.#moreTyped(),
      onfocus: () => this.#offerOptions(),
      onkeydown: (event) => this.#moreKey(event),
    });
    this.#row = h('div.chips', {}, h('span.chip-command', {}, `/${command.label}`), this.#more);
    // The button is left out of the order of Tab, so that Tab and Enter never drop a command. Escape does that.
    this.element = h(
      'div.command-line',
      { role: 'group', 'aria-label': `Command ${command.label}: ${command.description}` },
      this.#row,
      h('button.tool', { onclick: () => onleave(''), 'aria-label': 'Drop this command', tabindex: -1 }, icon('close')),
    );
    for (const option of command.options) if (option.required) this.#add(option);
    for (const [option, text] of given) this.#chipFor(option).write(text, world);
    this.#drawMore();
  }

  // Focuses the typed value that the suggestions may complete, or what comes next.
  begin() {
    const last = this.#chips.at(-1);
    if (last && !last.empty && !last.settled) last.input.focus();
    else this.focus();
  }

  // Focuses the next required option, or the field behind the chips: what is typed next belongs to no chosen value.
  focus() {
    const next = this.#chips.find((chip) => chip.option.required && chip.empty);
    (next?.input ?? this.#more).focus();
  }

  get #left() {
    return this.#command.options.filter((option) => !this.#chips.some((chip) => chip.option === option));
  }

  #drawMore() {
    const count = this.#left.length;
    this.#more.placeholder = count ? `+${count} ${this.#command.options.length > count ? 'more' : 'optional'}` : '';
    this.#more.size = Math.max(1, this.#more.placeholder.length);
    this.#more.setAttribute('aria-label', count ? `${count} more options: type a name` : 'Press Enter to send');
  }

  #chipFor(option) {
    return this.#chips.find((chip) => chip.option === option) ?? this.#add(option);
  }

  #add(option) {
    const chip = chipOf(option, {
      typed: (it) => this.#typed(it),
      focused: (it) => this.#entered(it),
      pressed: (event, it) => this.#key(event, it),
    });
    this.#chips.push(chip);
    this.#more.before(chip.element);
    this.#drawMore();
    return chip;
  }

  // Text that names further options, as in "Максим size:10x10", goes on in their chips.
  #typed(chip) {
    const { start, given } = readOptions(this.#command, chip.input.value);
    if (given.size && !chip.isFile) {
      chip.write(start, this.#world);
      return this.#fill(given);
    }
    chip.fit();
    const { value, error } = chip.result(this.#world);
    this.#mark(chip, null);
    if (!chip.isFile) this.#offer(chip);
    else if (error) this.#mark(chip, error);
    else if (value) this.focus();
  }

  #moreTyped() {
    const { start, given } = readOptions(this.#command, this.#more.value);
    if (!given.size) return this.#offerOptions();
    this.#more.value = start;
    this.#fill(given);
  }

  // Writes typed values into the chips of their options; the focus goes behind the last one.
  #fill(given) {
    let chip;
    for (const [option, text] of given) {
      chip = this.#chipFor(option);
      chip.write(text, this.#world);
    }
    chip.input.focus();
  }

  #mark(chip, error) {
    chip.mark(error);
    if (error) this.#suggestions.head(chip.option.label, error, true);
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

  #entered(chip) {
    if (chip.settled) chip.input.select(); // typing replaces a chosen value as a whole
    this.#offer(chip);
  }

  #offer(chip) {
    this.#completion.offer(chip, (item) => {
      chip.choose(item);
      this.#mark(chip, null);
      this.focus();
    });
  }

  // The field after the chips lists the remaining options that match the text.
  #offerOptions() {
    const typed = this.#more.value.trim().toLowerCase();
    this.#completion.stop();
    this.#suggestions.serve(this.#more);
    this.#suggestions.head(
      `/${this.#command.label}`,
      this.#left.length ? 'Optional settings; Enter sends the command as it is' : 'Press Enter to send',
      false,
    );
    // Nothing is preselected, so that Enter sends the command as it is.
    const fitting = this.#left.filter(({ name, label }) => label.includes(typed) || name.includes(typed));
    const items = fitting.map((option) => ({
      title: option.label,
      detail: option.description,
      choose: () => {
        this.#more.value = '';
        this.#add(option).input.focus();
      },
    }));
    this.#suggestions.show(items, typed ? 'There is no such option' : null, typed ? 0 : -1);
  }

  #moreKey(event) {
    if (event.isComposing || this.#suggestions.key(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      this.send();
    } else if (event.key === 'Escape') this.#onleave('');
    else if (event.key === 'Backspace' && !this.#more.value) {
      event.preventDefault();
      if (this.#chips.length) this.#chips.at(-1).input.focus();
      else this.#onleave(`/${this.#command.label}`);
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
    else if (chip.option.required || !this.#chips.length) this.#onleave(`/${this.#command.label}`);
    else this.#chips[0].input.focus();
  }

  send() {
    if (this.#more.value.trim()) return this.#more.focus(); // it names no option: the suggestions say so
    const wrong = this.#chips.map((chip) => [chip, chip.result(this.#world).error]).filter(([, error]) => error);
    if (!wrong.length) {
      this.#completion.stop();
      this.#onsend(this.#command.path, this.#values());
      return;
    }
    wrong[0][0].input.focus();
    for (const [chip, error] of wrong.reverse()) this.#mark(chip, error);
  }
}
