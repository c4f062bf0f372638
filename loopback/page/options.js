// Options: the values that a command option accepts and suggests, and the parsing of typed text.

import { DIRECTORY } from './directory.js';

const STRING = 3;
export const INTEGER = 4;
const BOOLEAN = 5;
const FROM_DIRECTORY = { 6: 'user', 7: 'channel', 8: 'role', 9: 'mentionable' };
const NUMBER = 10;
export const ATTACHMENT = 11;

// All values of an option as list items, or null if it accepts any text.
export function offers(option, world) {
  if (option.choices?.length) return option.choices.map((choice) => ({ title: choice.name, value: choice.value }));
  if (option.type === BOOLEAN)
    return [
      { title: 'True', value: true },
      { title: 'False', value: false },
    ];
  return DIRECTORY[FROM_DIRECTORY[option.type]]?.(world, option.channel_types) ?? null;
}

function numberOf(option, text) {
  const value = Number(text.replace(',', '.'));
  if (Number.isNaN(value) || (option.type === INTEGER && !Number.isInteger(value))) {
    return { error: option.type === INTEGER ? 'Enter a whole number.' : 'Enter a number.' };
  }
  if (value < (option.min_value ?? -Infinity)) return { error: `Enter ${option.min_value} or more.` };
  if (value > (option.max_value ?? Infinity)) return { error: `Enter ${option.max_value} or less.` };
  return { value };
}

// The item of an option's list that the text names, whole and in any case; undefined if none does.
export function itemNamed(option, text, world) {
  const plain = (name) => name?.toLowerCase().replace(/^[@#]/, '');
  return offers(option, world)?.find((item) =>
    [item.title, item.detail, item.mention].some((name) => plain(name) === plain(text)),
  );
}

// {value}, {error}, or {} for an option left out.
export function read(option, text, world) {
  if (!text) return option.required ? { error: 'This option is required. Give it a value.' } : {};
  if (offers(option, world)) {
    const item = itemNamed(option, text, world);
    return item ? { value: item.value } : { error: 'Choose one from the list.' };
  }
  if (option.type === INTEGER || option.type === NUMBER) return numberOf(option, text);
  if (option.type !== STRING) return { error: 'The try-out cannot fill in an option of this kind.' };
  if (text.length < (option.min_length ?? 0)) return { error: `At least ${option.min_length} characters.` };
  if (text.length > (option.max_length ?? 6000)) return { error: `At most ${option.max_length ?? 6000} characters.` };
  return { value: text };
}
