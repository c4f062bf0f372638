// Embeds: the classic rich boxes with a coloured edge.

import { h } from './elements.js';
import { inline, link, markdown } from './markdown.js';
import { picture, resolve } from './media.js';
import { messageTime } from './times.js';

export function colour(number) {
  return `#${Number(number).toString(16).padStart(6, '0')}`;
}

function field({ name, value, inline: beside }, world) {
  return h(
    'div.embed-field',
    { class: beside ? 'beside' : '' },
    h('h6', {}, inline(name, world)),
    markdown(value, world),
  );
}

export function embed(data, message, world) {
  const title = data.title && inline(data.title, world);
  const image = data.image && resolve(data.image, message);
  const thumbnail = data.thumbnail && resolve(data.thumbnail, message);
  const element = h(
    'article.embed',
    {},
    thumbnail &&
      h('div.embed-thumbnail', {}, picture(thumbnail, { alt: thumbnail.description ?? '', widest: 80, tallest: 80 })),
    data.author &&
      h('div.embed-author', {}, data.author.url ? link(data.author.url, [data.author.name]) : data.author.name),
    title && h('h5.embed-title', {}, data.url ? link(data.url, title) : title),
    data.description && h('div.embed-description', {}, markdown(data.description, world)),
    data.fields?.length &&
      h(
        'div.embed-fields',
        {},
        data.fields.map((item) => field(item, world)),
      ),
    image && picture(image, { alt: image.description ?? '', widest: 400, tallest: 300 }),
    (data.footer || data.timestamp) &&
      h(
        'footer.embed-footer',
        {},
        data.footer?.text,
        data.footer && data.timestamp && ' · ',
        data.timestamp && messageTime(data.timestamp),
      ),
  );
  if (data.color !== undefined && data.color !== null) element.style.borderInlineStartColor = colour(data.color);
  return element;
}
