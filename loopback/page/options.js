// Options: the values that a command option accepts and suggests, and the parsing of typed text.

import { avatar, nameOf } from './people.js';
import { DM } from './world.js';

const STRING = 3;
export const INTEGER = 4;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const MENTIONABLE = 9;
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
  if (option.type === USER || option.type === MENTIONABLE) {
    return [...world.users.values()].map((user) => ({
      title: nameOf(user),
      detail: user.username,
      lead: avatar(user, 'small'),
      value: user.id,
    }));
  }
  if (option.type === CHANNEL) {
    const channels = [...world.channels.values()].filter(
      (channel) =>
        channel.type !== DM && (!option.channel_types?.length || option.channel_types.includes(channel.type)),
    );
    return channels.map((channel) => ({ title: world.title(channel), value: channel.id }));
  }
  return null;
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

// {value}, {error}, or {} for an option left out.
export function read(option, text, world) {
  if (!text) return option.required ? { error: 'This option is required. Give it a value.' } : {};
  const list = offers(option, world);
  if (list) {
    const plain = text.replace(/^@/, '').toLowerCase();
    const found = list.find((item) =>
      [item.title, item.detail, `<@${item.value}>`].some((name) => name?.toLowerCase() === plain),
    );
    return found ? { value: found.value } : { error: 'Choose one from the list.' };
  }
  if (option.type === INTEGER || option.type === NUMBER) return numberOf(option, text);
  if (option.type !== STRING) return { error: 'The try-out cannot fill in an option of this kind.' };
  if (text.length < (option.min_length ?? 0)) return { error: `At least ${option.min_length} characters.` };
  if (text.length > (option.max_length ?? 6000)) return { error: `At most ${option.max_length ?? 6000} characters.` };
  return { value: text };
}
