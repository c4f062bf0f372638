// Chip: one option of a command line, with its text or file field.

import { h, icon } from './elements.js';
import { size } from './media.js';
import { ATTACHMENT, INTEGER, itemNamed, read } from './options.js';

class Chip {
  // `on` has the listeners of the field: {typed, focused, pressed}.
  constructor(option, on) {
    this.option = option;
    this.input = h('input', {
      ...this.field,
      'aria-label': `${option.label}: ${option.description}`,
      'aria-required': option.required ? 'true' : null,
      oninput: () => on.typed(this),
      onfocus: () => on.focused(this),
      onkeydown: (event) => on.pressed(event, this),
    });
    this.element = h('label.chip', {}, h('span.chip-name', {}, option.label), this.input);
  }

  // The attributes of the field that its kind adds.
  get field() {
    return {};
  }

  get isFile() {
    return this.input.type === 'file';
  }

  get empty() {
    return !this.input.value;
  }

  mark(error) {
    this.element.classList.toggle('wrong', Boolean(error));
    this.input.setAttribute('aria-invalid', String(Boolean(error)));
  }
}

class TextChip extends Chip {
  #chosen = null; // the item that was last taken from a list

  constructor(option, on) {
    super(option, on);
    this.fit();
  }

  get field() {
    return {
      type: 'text',
      role: 'combobox',
      'aria-expanded': 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      enterkeyhint: 'send',
      inputmode: this.option.type === INTEGER ? 'numeric' : null,
    };
  }

  // Takes typed text, and the item of the option's list that it names.
  write(text, world) {
    if (text !== this.#chosen?.title) this.#chosen = itemNamed(this.option, text, world) ?? null;
    this.input.value = this.#chosen?.title ?? text;
    this.fit();
  }

  choose(item) {
    this.#chosen = item;
    this.input.value = item.title;
    this.fit();
  }

  // Whether the value is a chosen item, and not text that was typed since.
  get settled() {
    return this.#chosen?.title === this.input.value;
  }

  fit() {
    this.input.size = Math.max(1, this.input.value.length);
  }

  // {value}, {error}, or {} for an option left out.
  result(world) {
    return this.settled ? { value: this.#chosen.value } : read(this.option, this.input.value.trim(), world);
  }
}

class FileChip extends Chip {
  #name = h('span', {});

  constructor(option, on) {
    super(option, on);
    this.input.classList.add('visually-hidden');
    this.element.classList.add('chip-file');
    this.element.append(h('span.chip-choice', {}, icon('file'), this.#name));
    this.fit();
  }

  get field() {
    return { type: 'file' };
  }

  get settled() {
    return false;
  }

  write() {} // a file is not typed

  clear() {
    this.input.value = '';
    this.fit();
  }

  fit() {
    const [file] = this.input.files;
    this.#name.textContent = file ? `${file.name}, ${size(file.size)}` : 'Choose a file';
  }

  result(world) {
    const [file] = this.input.files;
    if (!file) return read(this.option, '', world);
    return file.size > world.fileLimit ? { error: `A file has at most ${size(world.fileLimit)}.` } : { value: file };
  }
}

export function chipOf(option, on) {
  return option.type === ATTACHMENT ? new FileChip(option, on) : new TextChip(option, on);
}
