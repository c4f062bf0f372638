// Play: the dialog of a game that begins at a position, against the computer or a person.

import { h, write } from '../board/elements.js';
import { copyText } from '../board/forms.js';
import { Offer } from '../home/offer.js';
import { form, show } from './dialogs.js';

// Asks how to play from here. `site` has `names` of the seats, the `mover`, `levels` of the computer, if it plays there,
// `ask(message)`, which resolves with an answer, `open(match)`, and `leave(url)`.
export function askGame(words, site) {
  return show(words.play, words, (close) => [
    ...(site.levels ? [computer(words, site, close)] : []),
    person(words, site),
  ]);
}

function computer(words, { levels, names, mover, ask, open }, close) {
  const level = h('select', { id: 'play-level' }, ...levels.map(([value, name]) => h('option', { value, selected: value === 4 }, name)));
  const seat = seats('play-seat', names, mover);
  const trouble = h('p.trouble', { role: 'alert' });
  const id = crypto.randomUUID();
  const go = async () => {
    const answer = await ask({ do: 'play', id, level: Number(level.value), seat: Number(seat.value) });
    write(trouble, answer.match ? '' : answer.line);
    if (!answer.match) return;
    close();
    open(answer.match);
  };
  return h('section', { 'aria-labelledby': 'play-computer' }, h('h3', { id: 'play-computer' }, words.against_computer),
    form(words.begin, go, h('label', { for: 'play-level' }, words.level), level, h('label', { for: 'play-seat' }, words.play_as), seat, trouble));
}

function seats(id, names, mover) {
  return h('select', { id }, ...names.map((name, value) => h('option', { value, selected: value === mover }, name)));
}

// A challenge, whose fields come when it is asked for, and a code for a friend.
function person(words, site) {
  const { names, mover, ask } = site;
  const seat = seats('person-seat', names, mover);
  seat.append(h('option', { value: '' }, words.any_colour));
  const sides = names.length === 2 ? [h('label', { for: 'person-seat' }, words.play_as), seat] : [];
  const fields = h('div.form');
  const part = h('details', {}, h('summary', {}, words.against_person), h('div.form', {}, h('p', {}, words.person_about), ...sides, fields));
  let offer = null;
  const open = async () => {
    if (!part.open || offer) return;
    const more = () => ({ seat: seat.value === '' || names.length > 2 ? null : Number(seat.value) });
    const first = await ask({ do: 'draft', code: null, field: '', values: [], ...more() });
    if (first.code) {
      offer = new Offer({
        words: first.words, first, isPosition: true, leave: site.leave, posted: () => {},
        send: (message) => ask({ ...message, ...more() }),
      });
      await offer.begin();
      fields.append(offer.element);
    }
    fields.append(invitation(words, ask, () => offer?.code ?? null));
  };
  part.addEventListener('toggle', open);
  return part;
}

function invitation(words, ask, codeOf) {
  const part = h('div.form');
  const trouble = h('p.trouble', { role: 'alert' });
  const make = h('button', {
    onclick: async () => {
      make.disabled = true;
      const answer = await ask({ do: 'invite', code: codeOf() });
      make.disabled = false;
      write(trouble, answer.link ? '' : answer.line);
      if (!answer.link) return;
      const field = h('input', { readonly: true, value: answer.link, 'aria-label': words.invite_link });
      const copy = h('button', { onclick: () => copyText(field, copy, words.copied) }, words.copy_link);
      part.replaceChildren(h('p', { role: 'status' }, words.invited), field, copy);
      copy.focus();
    },
  }, words.invite);
  part.append(h('p', {}, words.invite_about), make, trouble);
  return part;
}
