// Chip: one option of a command line, with its text or file field.

import { h, icon } from './elements.js';
import { size } from './media.js';
import { ATTACHMENT, INTEGER, read } from './options.js';

class Chip {
  chosen = null; // the chosen list item, if any

  // `on` has the listeners of the field: {typed, focused, pressed}.
  constructor(option, on) {
    this.option = option;
    this.input = h('input', {
      ...this.field,
      'aria-label': `${option.name}: ${option.description}`,
      'aria-required': option.required ? 'true' : null,
      oninput: () => on.typed(this),
      onfocus: () => on.focused(this),
      onkeydown: (event) => on.pressed(event, this),
    });
    this.element = h('label.chip', {}, h('span.chip-name', {}, option.name), this.input);
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
  constructor(option, on, text) {
    super(option, on);
    this.write(text);
  }

  get field() {
    return {
      type: 'text',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      enterkeyhint: 'send',
      inputmode: this.option.type === INTEGER ? 'numeric' : null,
    };
  }

  write(text) {
    this.input.value = text;
    this.fit();
  }

  fit() {
    this.input.size = Math.max(1, this.input.value.length);
  }

  // {value}, {error}, or {} for an option left out.
  result(world) {
    return this.chosen && this.chosen.title === this.input.value
      ? { value: this.chosen.value }
      : read(this.option, this.input.value.trim(), world);
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

export function chipOf(option, on, text) {
  return option.type === ATTACHMENT ? new FileChip(option, on) : new TextChip(option, on, text);
}
