// The list of a player's studies, and how one begins.

import { applyTheme } from '../board/colours.js';
import { h } from '../board/elements.js';
import { ownBoards, sourceOf } from './source.js';

export async function showList(main, told, words, ask, go, announce) {
  applyTheme(told.theme);
  const heading = h('h1', {}, words.title);
  const back = h('a.back', { href: told.player ? `/home${location.search}` : '/front' }, words.leave);
  if (!told.player) {
    main.replaceChildren(back, heading, h('p', {}, words.visitor),
      ...(told.sign_in ? [h('a.primary', { href: told.sign_in }, words.sign_in)] : []));
    return;
  }
  const [found, boards] = await Promise.all([ask({ do: 'list' }), ownBoards()]);
  const trouble = h('p', { role: 'alert' }, found.line ?? '');
  const studies = (found.studies ?? []).map(({ study, name, own }) =>
    h('li', {}, h('a', { href: `/study/${study}${location.search}` }, name), own ? '' : h('span.quiet', {}, words.of_another)));
  main.replaceChildren(back, heading, studies.length ? h('ul', { id: 'studies' }, ...studies) : h('p.empty', {}, words.none),
    beginning(words, told.rules, boards, async (body) => {
      const answer = await ask({ do: 'begin', ...body });
      if (answer.is === 'done') go(answer.study);
      else trouble.replaceChildren(answer.line);
    }), trouble);
  announce(words.title);
}

function beginning(words, rules, boards, begin) {
  const name = h('input', { maxlength: '60', required: true, autocomplete: 'off' });
  const source = sourceOf(words, rules, boards);
  const form = h('form', { id: 'begin-study' }, h('h2', {}, words.begin_study), h('label', {}, words.name, name), ...source.parts,
    h('button.primary', { type: 'submit' }, words.begin));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    begin({ name: name.value, ...source.value() });
  });
  return form;
}
