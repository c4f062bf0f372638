// Directory: the people, roles and channels of the guild, as items of a list.

import { avatar, nameOf } from './people.js';
import { DM } from './world.js';

function people(world) {
  return [...world.users.values()].map((user) => ({
    title: nameOf(user),
    detail: user.username,
    mention: `<@${user.id}>`,
    lead: avatar(user, 'small'),
    value: user.id,
  }));
}

// The highest role first, as in Discord's own lists.
function roles(world) {
  const byRank = [...world.roles].sort((a, b) => b.position - a.position);
  return byRank.map((role) => ({
    title: role.name.startsWith('@') ? role.name : `@${role.name}`,
    mention: `<@&${role.id}>`,
    value: role.id,
  }));
}

function channels(world, types) {
  return [...world.channels.values()]
    .filter((channel) => channel.type !== DM && (!types?.length || types.includes(channel.type)))
    .map((channel) => ({ title: world.title(channel), mention: `<#${channel.id}>`, value: channel.id }));
}

// What can be chosen, by what is asked for; `types` restricts channels.
export const DIRECTORY = {
  user: people,
  role: roles,
  mentionable: (world) => [...people(world), ...roles(world)],
  channel: channels,
};
