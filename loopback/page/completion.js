// Completion: what the suggestions offer for one option: its own list, or what the bot says while it is typed.

import { offers } from './options.js';

const PAUSE = 180; // milliseconds without typing before an autocomplete request

export class Completion {
  #world;
  #suggestions;
  #ask;
  #question = 0; // numbers the requests, so that late responses are dropped
  #timer = 0;

  // `ask` gets the option and resolves with the bot's choices.
  constructor({ world, suggestions, ask }) {
    this.#world = world;
    this.#suggestions = suggestions;
    this.#ask = ask;
  }

  // Drops what was asked last.
  stop() {
    clearTimeout(this.#timer);
    this.#question += 1;
  }

  // Offers values for a chip; `choose` gets the item that the person takes.
  offer(chip, choose) {
    const { option } = chip;
    this.stop();
    this.#suggestions.serve(chip.input);
    this.#suggestions.head(option.label, option.description, false, option.required ? 'required' : 'optional');
    const list = offers(option, this.#world);
    const text = chip.input.value.trim().replace(/^@/, '').toLowerCase();
    if (chip.settled) this.#suggestions.rest();
    else if (list) {
      const fitting = list.filter((item) => `${item.title} ${item.detail ?? ''}`.toLowerCase().includes(text));
      this.#suggestions.show(withChoice(fitting, choose), 'Nothing on the list begins like this');
    } else if (option.autocomplete) this.#askBot(chip, choose);
    else this.#suggestions.rest();
  }

  #askBot(chip, choose) {
    const question = this.#question;
    this.#suggestions.wait();
    this.#timer = setTimeout(async () => {
      let items = [];
      let none = 'No suggestions: type a value';
      try {
        const { choices } = await this.#ask(chip);
        items = choices.map(({ name, value }) => ({ title: name, value }));
      } catch (error) {
        none = `Loading the options failed: ${error.message}`;
      }
      const isLate = question !== this.#question || document.activeElement !== chip.input;
      if (isLate || !this.#suggestions.open) return; // who closed the list wants none
      this.#suggestions.show(withChoice(items, choose), none);
    }, PAUSE);
  }
}

function withChoice(items, choose) {
  return items.map((item) => ({ ...item, choose: () => choose(item) }));
}
