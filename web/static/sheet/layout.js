// Layout: the elements of the sheet, over the page of the board.

import { h } from '../board/elements.js';

// Returns the elements by their names. `root` is hidden until the sheet is opened.
export function layOut(words) {
  const parts = {
    title: h('h1', { id: 'sheet-title', tabindex: '-1' }, words.title),
    status: h('p', { id: 'sheet-status' }),
    back: h('button', { id: 'sheet-back' }, words.leave),
    field: h('section', {
      id: 'sheet-field', tabindex: '0', role: 'application', 'aria-label': words.field, 'aria-describedby': 'sheet-help',
    }),
    news: h('button', { id: 'sheet-news', hidden: true }),
    line: h('p', { id: 'sheet-line', role: 'status' }),
    choices: h('div', { role: 'group' }),
    walk: h('div', { id: 'sheet-walk', role: 'group', 'aria-label': words.walk }),
    deeds: h('div', { id: 'sheet-deeds', role: 'group' }),
    tree: h('ol'),
    note: h('textarea', { id: 'sheet-note', maxlength: '500', rows: '2' }),
    saved: h('span', { id: 'sheet-saved', role: 'status' }),
    typed: h('form', { autocomplete: 'off' }),
    shared: h('div', { id: 'sheet-shared', role: 'group' }),
    help: h('p', { id: 'sheet-help' }),
  };
  const note = h('div', { id: 'sheet-noted' }, h('label', { for: 'sheet-note' }, words.note), parts.saved, parts.note);
  parts.aside = h('aside', {}, parts.news, parts.line, parts.choices, parts.walk, parts.deeds, parts.shared,
    h('nav', { 'aria-label': words.tree }, parts.tree), note, parts.typed, parts.help);
  parts.root = h('section', { id: 'sheet', 'aria-labelledby': 'sheet-title', hidden: true },
    h('header', {}, parts.title, parts.status, parts.back), parts.field, parts.aside);
  return parts;
}
