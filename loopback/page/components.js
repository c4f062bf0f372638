// Components: buttons, menus and the layout parts of Components V2 inside a message.

import { h, icon } from './elements.js';
import { colour } from './embeds.js';
import { markdown, spoiler, target } from './markdown.js';
import { file, picture, resolve } from './media.js';
import { emojiOf, Select } from './select.js';

const STYLES = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link' };

// `scene` is {message, world, pending, act(custom_id, values)}.
const BUILDERS = {
  1: actionRow,
  2: button,
  3: select,
  5: select,
  6: select,
  7: select,
  8: select,
  9: section,
  10: (component, scene) => h('div.text-display', {}, markdown(component.content, scene.world)),
  11: thumbnail,
  12: gallery,
  13: fileBox,
  14: separator,
  17: container,
};

export function components(list, scene) {
  return list.map((component) => {
    const build = BUILDERS[component.type];
    return build
      ? build(component, scene)
      : h('div.unknown', { role: 'note' }, `This page cannot show a component of type ${component.type}`);
  });
}

function actionRow(component, scene) {
  return h('div.action-row', {}, components(component.components, scene));
}

function button(component, scene) {
  const face = [emojiOf(component.emoji), component.label && h('span', {}, component.label)];
  const name = component.label ? null : component.emoji?.name;
  if (component.style === 5) {
    const blocked = component.disabled || !/^https?:/i.test(component.url ?? '');
    return h(
      'a.button.link',
      {
        ...(blocked ? {} : target(component.url, scene.world)),
        'aria-disabled': blocked ? 'true' : null,
        'aria-label': name,
      },
      face,
      icon('open'),
    );
  }
  const busy = scene.pending === component.custom_id;
  return h(
    'button.button',
    {
      class: `${STYLES[component.style] ?? 'secondary'} ${busy ? 'busy' : ''}`,
      disabled: component.disabled,
      'aria-busy': busy ? 'true' : null,
      'aria-label': name,
      'data-focus': component.custom_id,
      onclick: () => scene.act(component.custom_id),
    },
    face,
    busy && h('span.dots', { 'aria-label': 'waiting for the bot' }, h('i'), h('i'), h('i')),
  );
}

function select(component, scene) {
  return new Select(component, scene.world, {
    onpick: (values) => values.length >= (component.min_values ?? 1) && scene.act(component.custom_id, values),
    busy: Boolean(scene.pending),
  }).element;
}

function section(component, scene) {
  return h(
    'div.section',
    {},
    h('div.section-text', {}, components(component.components, scene)),
    components([component.accessory], scene),
  );
}

function thumbnail(component, scene) {
  return h(
    'div.thumbnail',
    {},
    picture(resolve(component.media, scene.message), {
      alt: component.description ?? '',
      hidden: component.spoiler,
      widest: 85,
      tallest: 85,
    }),
  );
}

function gallery(component, scene) {
  const alone = component.items.length === 1;
  const pictures = component.items.map((item) =>
    picture(resolve(item.media, scene.message), {
      alt: item.description ?? '',
      hidden: item.spoiler,
      tallest: alone ? 350 : 270,
    }),
  );
  return h('div.gallery', { class: alone ? 'alone' : '' }, pictures);
}

function fileBox(component, scene) {
  const media = resolve(component.file, scene.message);
  const name = component.name ?? media.filename ?? decodeURIComponent(media.url.split(/[?#]/)[0].split('/').pop());
  const box = file({ url: media.url, filename: name, bytes: component.size ?? media.size });
  return component.spoiler ? spoiler([box]) : box;
}

function separator(component) {
  return h('div.separator', {
    class: `${component.spacing === 2 ? 'large' : ''} ${component.divider === false ? 'bare' : ''}`,
    role: 'separator',
  });
}

function container(component, scene) {
  const box = h('div.container', {}, components(component.components, scene));
  if (component.accent_color !== null && component.accent_color !== undefined) {
    box.classList.add('accented');
    box.style.borderInlineStartColor = colour(component.accent_color);
  }
  return component.spoiler ? spoiler([box]) : box;
}
