// Dialogs: what is asked in front of a board of one's own.

import { h } from '../board/elements.js';
import { copyText, onSubmit } from '../board/forms.js';

// Shows a dialog with a heading; `parts(close)` makes what is in it. Resolves when it is closed.
export function show(title, words, parts) {
  const dialog = h('dialog', { id: 'asked', 'aria-labelledby': 'asked-title' });
  const close = () => dialog.close();
  dialog.append(h('h2', { id: 'asked-title' }, title), ...parts(close), h('button', { onclick: close }, words.close));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(null);
    }, { once: true });
  });
}

// Returns fields with a button of this label: it, and Enter in a field, call `go`, once until that is done.
export function form(label, go, ...fields) {
  const button = h('button.primary', { type: 'submit' }, label);
  const asked = h('form.form', {}, ...fields, button);
  onSubmit(asked, async () => {
    button.disabled = true;
    await go();
    button.disabled = false;
  });
  return asked;
}

// Asks for a record: a text that is pasted, or a file. `open({text} or {file}, name)` resolves with why it is refused.
export function askRecord(words, rules, open) {
  return show(words.open, words, (close) => {
    const text = h('textarea', { rows: '6', maxlength: '200000', id: 'record-text', spellcheck: 'false' });
    const file = h('input', { type: 'file', id: 'record-file', accept: '.sgf,.sgfs,.sav,.txt' });
    const by = h('select', { id: 'record-rules' }, h('option', { value: '' }, words.any_rules),
      ...rules.map(([value, name]) => h('option', { value }, name)));
    const trouble = h('p.trouble', { role: 'alert' });
    const go = async () => {
      const [chosen] = file.files;
      const sent = chosen ? { file: await encode(chosen) } : { text: text.value };
      const refusal = await open({ ...sent, name: chosen?.name ?? '', rules: by.value || null });
      if (refusal) trouble.textContent = refusal;
      else close();
    };
    return [form(words.import, go,
      h('label', { for: 'record-text' }, words.paste), text,
      h('label', { for: 'record-file' }, words.file), file,
      h('label', { for: 'record-rules' }, words.rules), by,
      trouble)];
  });
}

// Returns a file in base64.
export async function encode(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let signs = '';
  for (const byte of bytes) signs += String.fromCharCode(byte);
  return btoa(signs);
}

// Asks for the rules and the size of a new board. Resolves with {rules, size}, or null.
export async function askNew(words, rules) {
  let chosen = null;
  await show(words.new, words, (close) => {
    const by = h('select', { id: 'new-rules' }, ...rules.map(([value, name]) => h('option', { value }, name)));
    const size = h('input', { id: 'new-size', value: '20x20', maxlength: '7', autocomplete: 'off' });
    const go = () => {
      chosen = { rules: by.value, size: size.value.replaceAll(/\s/g, '').replace(/[×хX*]/, 'x') };
      close();
    };
    return [form(words.begin, go, h('label', { for: 'new-rules' }, words.rules), by, h('label', { for: 'new-size' }, words.size), size)];
  });
  return chosen;
}

// Asks for a name. Resolves with it, or null.
export async function askName(words, name) {
  let chosen = null;
  await show(words.rename, words, (close) => {
    const input = h('input', { id: 'board-name', value: name, maxlength: '60' });
    const go = () => {
      chosen = input.value;
      close();
    };
    return [form(words.rename, go, h('label', { for: 'board-name' }, words.name), input)];
  });
  return chosen;
}

// Shows a picture, to be saved, copied, or shared by the `link` to its board, if it may have one; a `hint` says why not.
export function showPicture(words, png, name, { link, hint }) {
  const address = `data:image/png;base64,${png}`;
  return show(words.picture, words, () => {
    const copy = async () => {
      const blob = toBlob(png);
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]).catch(() => {});
    };
    const isCopied = typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write;
    return [
      h('img', { src: address, alt: name }),
      h('a.primary', { href: address, download: `${name}.png` }, words.download),
      ...(isCopied ? [h('button', { onclick: copy }, words.copy)] : []),
      ...(link ? [linkPart(words, link)] : [h('p', {}, hint)]),
    ];
  });
}

// Returns what makes, shows and ends a link.
function linkPart(words, { address, ask }) {
  const part = h('div.form', { id: 'own-link' });
  const press = (deed) => async () => {
    const answer = await ask(deed);
    draw(answer.is === 'done' ? answer.link : address, answer.line ?? '');
    part.querySelector('button')?.focus();
  };
  const draw = (shown, trouble = '') => {
    address = shown;
    const copy = h('button', { onclick: () => copyText(field, copy, words.copied) }, words.copy_link);
    const field = h('input', { readonly: true, value: shown ?? '', 'aria-label': words.link });
    part.replaceChildren(
      h('p', {}, words.share_about),
      ...(shown ? [field, copy, h('button.danger', { onclick: press('unshare') }, words.unshare)]
        : [h('button', { onclick: press('share') }, words.share)]),
      h('p.trouble', { role: 'alert' }, trouble),
    );
  };
  draw(address);
  return part;
}

function toBlob(png) {
  const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: 'image/png' });
}

// Saves a text as a file.
export function save(text, name, kind) {
  const address = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = h('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
