// Times: message times and the live timestamps of <t:...> mentions.

import { h } from './elements.js';

const LOCALE = 'en-GB';
/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = {
  t: { hour: '2-digit', minute: '2-digit' },
  T: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  d: { day: '2-digit', month: '2-digit', year: 'numeric' },
  D: { day: 'numeric', month: 'long', year: 'numeric' },
  f: { day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  F: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
};
const FORMATS = Object.fromEntries(
  Object.entries(STYLES).map(([key, style]) => [key, new Intl.DateTimeFormat(LOCALE, style)]),
);
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE);
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ['year', 31557600],
  ['month', 2629800],
  ['day', 86400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

export function relative(date, now = Date.now()) {
  const seconds = Math.round((date - now) / 1000);
  // A larger unit applies when the time rounds up to one of it: 59.6 minutes are an hour.
  const at = UNITS.findIndex(([, span], index) => Math.abs(seconds) >= span - (UNITS[index + 1]?.[1] ?? 2) / 2);
  const [unit, length] = UNITS[at] ?? UNITS.at(-1);
  return RELATIVE.format(Math.round(seconds / length), unit);
}

// A time element in one of Discord's styles: t T d D f F R; undefined if the seconds are out of range.
export function timestamp(seconds, style = 'f') {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return undefined;
  const element = h('time.timestamp', { datetime: date.toISOString(), title: FORMATS.F.format(date) });
  if (style === 'R') element.dataset.relative = seconds;
  element.textContent = style === 'R' ? relative(date) : FORMATS[style].format(date);
  return element;
}

function tick() {
  for (const element of document.querySelectorAll('[data-relative]')) {
    const text = relative(new Date(Number(element.dataset.relative) * 1000));
    if (element.textContent !== text) element.textContent = text;
  }
}

export function startTicking() {
  setInterval(tick, 1000);
}

export function dayOf(date) {
  return FORMATS.D.format(date);
}

export function clockTime(iso) {
  const date = new Date(iso);
  return h('time', { datetime: iso, title: FORMATS.F.format(date) }, FORMATS.t.format(date));
}

export function messageTime(iso) {
  const date = new Date(iso);
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  const clock = FORMATS.t.format(date);
  let text = `${FORMATS.d.format(date)} ${clock}`;
  if (dayOf(date) === dayOf(new Date())) text = `Today at ${clock}`;
  else if (dayOf(date) === dayOf(yesterday)) text = `Yesterday at ${clock}`;
  return h('time', { datetime: iso, title: FORMATS.F.format(date) }, text);
}
