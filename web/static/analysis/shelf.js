// Shelf: the boards that a player keeps, each with a small picture, what it has come from, and when it was changed last.

import { h } from '../board/elements.js';
import { thumbnail } from '../home/thumbnail.js';
import { form, show } from './dialogs.js';

// Shows the boards. `deeds` has `list()`, `open(id)`, `rename(id, name)` and `remove(id)`; all but `open` resolve with an
// answer. Resolves with why there is no list, or with null.
export async function showBoards({ words, theme, language }, deeds, current) {
  const found = await deeds.list();
  if (!found.boards) return found.line;
  const [items, room, trouble] = [h('ul', { id: 'own-boards' }), h('p.quiet'), h('p.trouble', { role: 'alert' })];
  const draw = (told, close) => {
    trouble.textContent = told.boards ? '' : told.line;
    if (!told.boards) return;
    room.textContent = told.line;
    items.replaceChildren(...(told.boards.length ? told.boards.map((board) => item(board, close)) : [h('li.empty', {}, words.empty)]));
  };
  const again = async (answer, close) => draw(answer.line && !answer.board ? answer : await deeds.list(), close);
  const item = (each, close) => {
    const { board, name, about, changed, small } = each;
    const open = () => {
      deeds.open(board);
      close();
    };
    const lines = h('span.lines', {}, h('strong', {}, name), h('span', {}, about),
      h('span.quiet', {}, words.changed.replace('{when}', moment(changed, language))));
    const way = h('button.wide', { onclick: open, 'aria-current': board === current ? 'true' : false },
      ...(small ? [thumbnail(small, theme)] : []), lines);
    const rename = h('button', { onclick: () => line.replaceChildren(field(each, close)), 'aria-label': `${words.rename}: ${name}` }, words.rename);
    const line = h('li', {}, way, h('span.row', {}, rename, remover(each, close)));
    return line;
  };
  const field = ({ board, name }, close) => {
    const input = h('input', { value: name, maxlength: '60', 'aria-label': words.name });
    requestAnimationFrame(() => input.focus());
    return form(words.rename, async () => again(await deeds.rename(board, input.value), close), input);
  };
  const remover = ({ board, name }, close) => {
    const remove = h('button.danger', {
      onclick: async () => {
        if (remove.dataset.sure) {
          draw(await deeds.remove(board), close);
          (items.querySelector('button') ?? items.closest('dialog').querySelector('button:last-child')).focus();
        } else {
          remove.dataset.sure = 'yes';
          remove.textContent = words.sure_delete;
          remove.setAttribute('aria-label', `${words.sure_delete} ${name}`);
        }
      },
      'aria-label': `${words.remove}: ${name}`,
    }, words.remove);
    return remove;
  };
  await show(words.boards, words, (close) => {
    draw(found, close);
    return [room, trouble, items];
  });
  return null;
}

// Returns a moment in the reader's own time and language.
function moment(millis, language) {
  /** @type {Intl.DateTimeFormatOptions} */
  const how = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' };
  return new Date(millis).toLocaleString(language, how);
}
