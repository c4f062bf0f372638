// Picker: the commands and the people that the suggestions list while plain text is typed.

import { matching } from './commands.js';
import { DIRECTORY } from './directory.js';
import { avatar, nameOf } from './people.js';

export function offerCommands(suggestions, world, text, choose) {
  const { bot } = world;
  const items = matching(world.runnable, text).map((command) => ({
    title: `/${command.label}`,
    detail: command.description,
    lead: bot && avatar(bot, 'small'),
    choose: () => choose(command),
  }));
  suggestions.head('Commands', bot ? `of ${nameOf(bot)}` : '');
  suggestions.show(
    items,
    world.runnable.length ? 'No command begins like this' : 'The bot has not told its commands yet',
  );
}

export function offerPeople(suggestions, world, text, choose) {
  const fitting = DIRECTORY.user(world).filter((item) =>
    `${item.title} ${item.detail}`.toLowerCase().includes(text.toLowerCase()),
  );
  if (!fitting.length) return suggestions.hide();
  suggestions.head('Mention', 'somebody');
  suggestions.show(fitting.map((item) => ({ ...item, choose: () => choose(world.users.get(item.value)) })));
}
