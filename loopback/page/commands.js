// Commands: the application's slash commands as a flat list, searched and read from typed text; those of context menus.

const CHAT_INPUT = 1;
const MENUS = [2, 3]; // of people, of messages
const PRIMARY_ENTRY_POINT = 4;
const SUBCOMMAND = 1;
const GROUP = 2;

// Discord's own fallbacks for words that a language lacks, before the default word.
const FALLBACKS = { 'en-GB': 'en-US', 'en-US': 'en-GB', 'es-419': 'es-ES' };

// The word of a command, option or choice in the language of a client: `key` is name or description.
function translated(node, key, locale) {
  const words = node[`${key}_localizations`];
  return words?.[locale] ?? words?.[FALLBACKS[locale]] ?? node[key];
}

function optionIn(option, locale) {
  return {
    ...option,
    label: translated(option, 'name', locale),
    description: translated(option, 'description', locale),
    choices: option.choices?.map((choice) => ({ ...choice, name: translated(choice, 'name', locale) })),
  };
}

// Every command in the language of a client, as {path, name, label, description, options}: it is shown by its label,
// and sent by its path. The order is the application's. Discord's own list begins with what a person uses most; how it
// orders the rest is not documented.
export function runnable(commands, locale) {
  const walk = (node, path, label) => {
    const inner = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
    const shown = [...label, translated(node, 'name', locale)];
    if (inner.length) return inner.flatMap((option) => walk(option, [...path, option.name], shown));
    return [
      {
        path,
        name: path.join(' '),
        label: shown.join(' '),
        description: translated(node, 'description', locale),
        options: (node.options ?? []).map((option) => optionIn(option, locale)),
      },
    ];
  };
  const typed = commands.filter((command) => [CHAT_INPUT, PRIMARY_ENTRY_POINT].includes(command.type ?? CHAT_INPUT));
  return typed.flatMap((command) => walk(command, [command.name], []));
}

// The commands of context menus in the language of a client, as {name, label, type}.
export function menus(commands, locale) {
  const found = commands.filter((command) => MENUS.includes(command.type));
  return found.map((command) => ({ name: command.name, label: translated(command, 'name', locale), type: command.type }));
}

// Commands that match the text after the slash: first those that begin with it, then those that contain it. A command
// is found by its default name as well.
export function matching(commands, typed) {
  const text = typed.trim().toLowerCase();
  const first = commands.filter((command) => command.label.startsWith(text) || command.name.startsWith(text));
  const then = commands.filter((command) => command.label.includes(text) || command.name.includes(text));
  return [...new Set([...first, ...then])];
}

// The command of exactly this name.
export function named(commands, text) {
  return commands.find(({ label, name }) => [label, name].includes(text.toLowerCase()));
}

// The command whose whole name and a space begin the text, with the rest: "/move k12" is {command, rest: "k12"}.
export function begun(commands, text) {
  if (!text.startsWith('/')) return undefined;
  const ends = [...text.matchAll(/(?<=\S) /gu)].map((space) => space.index).reverse(); // the longest name first
  const end = ends.find((at) => named(commands, text.slice(1, at)));
  return end && { command: named(commands, text.slice(1, end)), rest: text.slice(end + 1).trim() };
}

// "K12 size:20" as {start: "K12", given: Map {size option => "20"}}: the text before the first option name, and the
// text after each. Names of options count in any case, translated or not, at the start of a word.
export function readOptions(command, text) {
  const byName = new Map(
    command.options.flatMap((option) => [option.label, option.name].map((name) => [name.toLowerCase(), option])),
  );
  if (!byName.size) return { start: text, given: new Map() };
  const parts = text.split(new RegExp(`(?:^|\\s)(${[...byName.keys()].join('|')}):`, 'iu'));
  const given = new Map();
  for (let at = 1; at < parts.length; at += 2) given.set(byName.get(parts[at].toLowerCase()), parts[at + 1].trim());
  return { start: given.size ? parts[0].trim() : text, given };
}
