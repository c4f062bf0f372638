// Commands: the application's slash commands as a flat list, searched and read from typed text.

const CHAT_INPUT = 1;
const SUBCOMMAND = 1;
const GROUP = 2;

// Every command, as {path, name, description, options}.
export function runnable(commands) {
  const walk = (node, path) => {
    const inner = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
    if (inner.length) return inner.flatMap((option) => walk(option, [...path, option.name]));
    return [{ path, name: path.join(' '), description: node.description, options: node.options ?? [] }];
  };
  const typed = commands.filter((command) => (command.type ?? CHAT_INPUT) === CHAT_INPUT);
  return typed.flatMap((command) => walk(command, [command.name])).sort((a, b) => a.name.localeCompare(b.name));
}

// Commands that match the text after the slash: first those that begin with it, then those that contain it.
export function matching(commands, typed) {
  const text = typed.trim().toLowerCase();
  const first = commands.filter((command) => command.name.startsWith(text));
  const then = commands.filter((command) => !first.includes(command) && command.name.includes(text));
  return [...first, ...then];
}

// The command whose whole name and a space begin the text, with the rest: "/move k12" is {command, rest: "k12"}.
export function begun(commands, text) {
  const found = commands
    .filter((command) => text.toLowerCase().startsWith(`/${command.name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
  return found && { command: found, rest: text.slice(found.name.length + 2).trim() };
}

// "point:K12 size:20" by option names; text without a name belongs to the first option.
export function readOptions(command, rest) {
  const names = command.options.map((option) => option.name);
  const parts = rest.split(new RegExp(`(?:^|\\s)(${names.join('|')}):`, 'u'));
  if (!rest || !names.length) return {};
  const values = parts[0].trim() ? { [names[0]]: parts[0].trim() } : {};
  for (let at = 1; at < parts.length; at += 2) values[parts[at]] = parts[at + 1].trim();
  return values;
}
