// Source: with which board a chapter begins: a copy of one of the player's own, or an empty one by some rules.

import { h } from '../board/elements.js';

// Returns the fields by which a board is chosen, and its `value()` for a message.
export function sourceOf(words, rules, boards) {
  const source = h('select', { 'data-focus': 'source' }, h('option', { value: '' }, words.empty_board),
    ...boards.map(({ board, name }) => h('option', { value: board }, name)));
  const preset = h('select', { 'data-focus': 'source_rules' }, ...rules.map(([value, name]) => h('option', { value, selected: value === 'zagram' }, name)));
  const size = h('input', { value: '20x20', maxlength: '7', autocomplete: 'off', 'data-focus': 'source_size' });
  const further = [h('label', {}, words.rules, preset), h('label', {}, words.size, size)];
  source.addEventListener('change', () => further.forEach((each) => {
    each.hidden = source.value !== '';
  }));
  return {
    parts: [h('label', {}, words.source, source), ...further],
    value: () => ({ board: source.value ? Number(source.value) : null, rules: preset.value, size: size.value.trim() }),
  };
}
