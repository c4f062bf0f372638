// Media: images at Discord's inline size, and plain files.

import { h, icon } from './elements.js';
import { lightbox } from './lightbox.js';
import { spoiler } from './markdown.js';

const WIDEST = 550; // Discord's inline limits, CSS pixels
const TALLEST = 350;

// The media of a component or embed; an attachment:// address refers to a file of the message.
export function resolve(media, message) {
  if (!media?.url?.startsWith('attachment://')) return media;
  const name = media.url.slice('attachment://'.length);
  return { ...media, ...message.attachments?.find((file) => file.filename === name) };
}

function fit(element, width, height, widest, tallest) {
  if (!width || !height) return;
  const scale = Math.min(1, widest / width, tallest / height);
  element.width = Math.round(width * scale);
  element.height = Math.round(height * scale);
}

export function picture(media, { alt = '', hidden = false, widest = WIDEST, tallest = TALLEST } = {}) {
  const image = h('img', { src: media.url, alt, loading: 'eager', decoding: 'async', draggable: 'false' });
  fit(image, media.width, media.height, widest, tallest);
  const frame = h('button.picture', { 'aria-haspopup': 'dialog', onclick: () => lightbox(media, alt) }, image);
  if (!alt) frame.setAttribute('aria-label', 'Image without description, show it whole');
  if (!media.width) image.classList.add('unsized');
  image.addEventListener('error', () => frame.classList.add('broken'));
  return hidden ? spoiler([frame]) : frame;
}

export function size(bytes) {
  if (bytes === undefined || bytes === null) return '';
  return bytes < 1024
    ? `${bytes}\u00a0B`
    : bytes < 1048576
      ? `${(bytes / 1024).toFixed(1)}\u00a0kB`
      : `${(bytes / 1048576).toFixed(1)}\u00a0MB`;
}

export function file({ url, filename, bytes }) {
  const name = h('a', { href: url, download: filename, target: '_blank', rel: 'noopener' }, filename);
  return h('div.file', {}, icon('file'), h('div', {}, name, h('small', {}, size(bytes))));
}

export function attachment(item) {
  if (item.content_type?.startsWith('image/')) {
    return picture(item, { alt: item.description ?? '', hidden: item.filename.startsWith('SPOILER_') });
  }
  return file({ url: item.url, filename: item.filename, bytes: item.size });
}
