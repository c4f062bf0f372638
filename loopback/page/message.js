// Message: one message of the log, as Discord shows it.

import { components } from './components.js';
import { h, icon } from './elements.js';
import { embed } from './embeds.js';
import { FILLING } from './interactions.js';
import { inline, markdown } from './markdown.js';
import { attachment } from './media.js';
import { appTag, avatar, nameOf } from './people.js';
import { clockTime, messageTime } from './times.js';
import { COMPONENTS_V2, EPHEMERAL, LOADING } from './world.js';

const REPLY = 19;
const THREAD_STARTER = 21;
const JOINS = /(^|:)join$/; // the ids of buttons by which any number of people join
const NOTES = { 6: 'pinned a message to this channel', 7: 'is here', 18: 'started a thread' };

// The first words of a message, from any of its parts.
export function gist(message) {
  const find = (list) => {
    for (const part of list ?? []) {
      const text =
        part.type === 10
          ? part.content
          : find([...(part.components ?? []), ...(part.accessory ? [part.accessory] : [])]);
      if (text) return text;
    }
    return '';
  };
  const text =
    message.content || find(message.components) || message.embeds?.[0]?.title || message.embeds?.[0]?.description || '';
  return text
    .replace(/^(#{1,3}|-#|>) +/gm, '')
    .replace(/\s+/g, ' ')
    .slice(0, 160);
}

function replyLine(message, world) {
  const original = message.referenced_message;
  if (!original) return h('div.above', {}, h('span.elbow'), h('em', {}, 'Original message was deleted'));
  const pinged = message.mentions?.some((user) => user.id === original.author.id);
  const text = gist(original);
  return h(
    'div.above',
    {},
    h('span.elbow'),
    avatar(original.author, 'tiny'),
    appTag(original.author),
    h('strong', {}, `${pinged ? '@' : ''}${nameOf(original.author)}`),
    h(
      'a.gist',
      { href: `#${original.channel_id}/${original.id}` },
      text ? inline(text, world) : h('em', {}, 'Press to see the attachment'),
      original.attachments?.length ? icon('image') : null,
    ),
  );
}

function commandLine(message) {
  const data = message.interaction_metadata ?? message.interaction;
  const name = message.interaction_metadata?.name ?? message.interaction?.name;
  if (data?.type !== 2 || !name) return null;
  return h(
    'div.above',
    {},
    h('span.elbow'),
    avatar(data.user, 'tiny'),
    h('strong', {}, nameOf(data.user)),
    ' used ',
    h('span.used', {}, `/${name}`),
  );
}

function threadCard(message, world) {
  const thread = world.channels.get(message.thread?.id) ?? world.channels.get(message.id) ?? message.thread;
  if (!thread) return null;
  const count = thread.total_message_sent ?? thread.message_count ?? 0;
  return h(
    'a.thread-card',
    { href: `#${thread.id}` },
    icon('thread'),
    h('strong', {}, thread.name),
    h('span.thread-open', {}, count ? `${count} ${count === 1 ? 'message' : 'messages'} ›` : 'Open thread ›'),
  );
}

function note(message, world) {
  const target = world.channels.get(message.message_reference?.channel_id);
  const thread = message.type === 18 && target && h('a', { href: `#${target.id}` }, target.name);
  return h(
    'div.note',
    {},
    icon(message.type === 18 ? 'thread' : 'info'),
    h(
      'div',
      {},
      h('strong', {}, nameOf(message.author)),
      ` ${NOTES[message.type]}`,
      thread && [': ', thread],
      message.content && message.type !== 18 && [' ', inline(message.content, world)],
      ' ',
      messageTime(message.timestamp),
    ),
  );
}

function body(message, scene) {
  if (message.flags & LOADING) {
    return [
      h(
        'div.thinking',
        { role: 'status' },
        h('span.dots', { 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
        `${nameOf(message.author)} is thinking…`,
      ),
    ];
  }
  const parts = message.components?.length ? components(message.components, scene) : [];
  const edited =
    message.edited_timestamp &&
    h('span.edited', { title: new Date(message.edited_timestamp).toLocaleString('en-GB') }, '(edited)');
  const reacted =
    message.reactions?.length > 0 &&
    h(
      'div.reactions',
      {},
      message.reactions.map(({ emoji }) => h('span.reaction', { title: `Kropka reacted with ${emoji.name}` }, emoji.name, ' 1')),
    );
  if (message.flags & COMPONENTS_V2) return [h('div.layout', {}, parts), edited, reacted];
  const embedded = new Set((message.embeds ?? []).flatMap((item) => [item.image?.url, item.thumbnail?.url]));
  const loose = (message.attachments ?? []).filter(
    (item) => !embedded.has(item.url) && !embedded.has(`attachment://${item.filename}`),
  );
  return [
    message.content && h('div.content', {}, markdown(message.content, scene.world)),
    message.content && edited,
    loose.length > 0 && h('div.attachments', {}, loose.map(attachment)),
    (message.embeds ?? []).map((item) => embed(item, message, scene.world)),
    parts.length > 0 && h('div.components', {}, parts),
    !message.content && edited,
    reacted,
  ];
}

// The button by which people join what the message is about; undefined if there is none.
function joinButton(parts) {
  for (const part of parts ?? []) {
    if (part.type === 2 && !part.disabled && JOINS.test(part.custom_id ?? '')) return part;
    const inside = joinButton(part.components);
    if (inside) return inside;
  }
  return undefined;
}

// The stand-in's own line below such a button: everyone else presses it.
function fillLine(message, scene) {
  const join = joinButton(message.components);
  if (!join || !scene.fill) return null;
  const busy = scene.pending === FILLING;
  return h(
    'div.fill',
    {},
    h('span', {}, 'Stand-in ·'),
    h(
      'button.text-link',
      { onclick: () => scene.fill(join.custom_id), disabled: busy, 'data-focus': FILLING },
      busy ? 'Filling the seats…' : 'Fill the seats',
    ),
    h('span', {}, `everyone else presses “${join.label}”`),
  );
}

// `scene` is {world, grouped, mine, failure, pending, act, fill, reply, dismiss}.
export function messageElement(message, scene) {
  const { world } = scene;
  if (message.type === THREAD_STARTER && message.referenced_message) {
    const starter = messageElement(message.referenced_message, {
      ...scene,
      grouped: false,
      act: () => {},
      fill: null,
      reply: null,
    });
    const from = world.channels.get(message.referenced_message.channel_id);
    const jump = h(
      'a.thread-card',
      { href: `#${message.referenced_message.channel_id}/${message.referenced_message.id}` },
      icon('thread'),
      h('span.thread-open', {}, `Jump to this message in ${from ? world.title(from) : 'the channel'} ›`),
    );
    starter.querySelector('.thread-card')?.remove();
    for (const control of starter.querySelectorAll('.components, .action-row')) control.remove();
    starter.querySelector('.message-body').append(jump);
    return starter;
  }
  const ephemeral = Boolean(message.flags & EPHEMERAL);
  const element = h('article.message', {
    class: `${scene.grouped ? 'grouped' : ''} ${scene.mine ? 'mentions-me' : ''} ${ephemeral ? 'ephemeral' : ''}`,
    'data-id': message.id,
  });
  if (NOTES[message.type]) {
    element.append(note(message, world));
    return element;
  }
  const above = message.type === REPLY ? replyLine(message, world) : commandLine(message);
  const head = scene.grouped ? h('span.aside-time', {}, clockTime(message.timestamp)) : avatar(message.author);
  const name = h(
    'header',
    { class: scene.grouped ? 'visually-hidden' : '' },
    h('strong.author', {}, nameOf(message.author, message.member)),
    appTag(message.author),
    messageTime(message.timestamp),
  );
  element.append(
    ...[
      above,
      head,
      h(
        'div.message-body',
        {},
        name,
        body(message, { ...scene, message }),
        threadCard(message, world),
        !ephemeral && fillLine(message, scene),
        scene.failure && h('div.failure', { role: 'alert' }, scene.failure),
        ephemeral &&
          h(
            'div.private',
            {},
            icon('eye'),
            'Only you can see this · ',
            h('button.text-link', { onclick: scene.dismiss }, 'Dismiss message'),
          ),
      ),
    ].filter(Boolean),
  );
  if (scene.reply && !ephemeral) {
    element.append(
      h(
        'div.toolbar',
        {},
        world.menus.length > 0 && h('button.tool', { onclick: scene.apps, 'aria-label': 'Apps', title: 'Apps' }, icon('apps')),
        h(
          'button.tool',
          { onclick: scene.reply, 'aria-label': `Reply to ${nameOf(message.author)}`, title: 'Reply' },
          icon('reply'),
        ),
      ),
    );
  }
  return element;
}

// A command of this person that is pending or failed.
export function attemptElement(attempt, world, dismiss) {
  const line = h(
    'div.above',
    {},
    h('span.elbow'),
    avatar(world.me, 'tiny'),
    h('strong', {}, nameOf(world.me)),
    ' used ',
    h('span.used', {}, attempt.label),
  );
  const text = attempt.error
    ? [
        h('div.failure', { role: 'alert' }, attempt.error),
        h(
          'div.private',
          {},
          icon('eye'),
          'Only you can see this · ',
          h('button.text-link', { onclick: dismiss }, 'Dismiss message'),
        ),
      ]
    : h(
        'div.thinking',
        { role: 'status' },
        h('span.dots', { 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
        'Sending command…',
      );
  return h(
    'article.message.ephemeral',
    {},
    line,
    avatar(world.bot ?? world.me),
    h('div.message-body', {}, h('header', {}, h('strong.author', {}, nameOf(world.bot)), appTag(world.bot)), text),
  );
}
