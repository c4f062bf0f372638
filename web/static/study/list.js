// The list of the studies of a player and of their servers, and how one begins.

import { applyTheme } from '../board/colours.js';
import { h } from '../board/elements.js';
import { onSubmit } from '../board/forms.js';
import { sourceOf } from './source.js';

// `site` reaches the server: `ask(body)`, `ownBoards()`, `addressOf(study)`, `go(study)`, `home`, `announce(line)`.
export async function showList(main, told, words, site) {
  applyTheme(told.theme);
  const heading = h('h1', { tabindex: -1 }, words.title);
  const back = h('a.back', { href: site.home }, words.leave);
  if (!told.player) {
    main.replaceChildren(back, heading, h('p', {}, words.visitor),
      ...(told.sign_in ? [h('a.primary', { href: told.sign_in }, words.sign_in)] : []));
    return;
  }
  const [found, boards] = await Promise.all([site.ask({ do: 'list' }), site.ownBoards()]);
  const trouble = h('p', { role: 'alert' }, found.line ?? '');
  const servers = found.servers ?? [];
  main.replaceChildren(back, heading,
    ...part(servers.length ? words.yours : '', (found.studies ?? []).map((each) => line(site, each, each.own ? '' : words.of_another)), words.none),
    ...servers.flatMap(({ name, studies }) => part(name, studies.map((each) => line(site, each)), words.server_none)),
    beginning(words, told.rules, boards, servers.filter(({ hosts }) => hosts), async (body) => {
      const answer = await site.ask({ do: 'begin', ...body });
      if (answer.is === 'done') site.go(answer.study);
      else trouble.replaceChildren(answer.line);
    }), trouble);
  site.announce(words.title);
}

function part(title, lines, none) {
  return [...(title ? [h('h2', {}, title)] : []), lines.length ? h('ul.studies', {}, ...lines) : h('p.empty', {}, none)];
}

function line(site, { study, name }, note = '') {
  return h('li', {}, h('a', { href: site.addressOf(study) }, name), note && h('span.quiet', {}, note));
}

function beginning(words, rules, boards, servers, begin) {
  const name = h('input', { maxlength: '60', required: true, autocomplete: 'off' });
  const owner = h('select', {}, h('option', { value: '' }, words.mine), ...servers.map((each) => h('option', { value: each.server }, each.name)));
  const source = sourceOf(words, rules, boards);
  const form = h('form', { id: 'begin-study' }, h('h2', {}, words.begin_study), h('label', {}, words.name, name),
    ...(servers.length ? [h('label', {}, words.owner, owner)] : []), ...source.parts,
    h('button.primary', { type: 'submit' }, words.begin));
  onSubmit(form, () => begin({ name: name.value, server: owner.value || null, ...source.value() }));
  return form;
}
