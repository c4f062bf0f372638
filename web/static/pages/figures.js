// The parts of one's figures that a link shows. A tick changes them at once; without one the link ends.

const find = (id) => document.getElementById(id);
const [form, shared, link, look, end, line] = ['sharing', 'shared', 'link', 'look', 'end', 'line'].map(find);
const boxes = [...form.querySelectorAll('input[type=checkbox]')];
let kept = ticked(); // what the server knows
let changes = 0;
let last = Promise.resolve();

function ticked() {
  return boxes.filter((box) => box.checked).map((box) => box.name);
}

async function send(parts) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(form.dataset.deed, { method: 'POST', headers, body: JSON.stringify({ parts }) });
  return { isDone: answer.ok, ...(await answer.json()) };
}

function show(told, wasShared) {
  kept = told.parts;
  shared.hidden = !told.link;
  link.value = look.href = told.link ?? '';
  line.textContent = wasShared && !told.link ? form.dataset.ended : '';
}

async function keep(change) {
  const wasShared = !shared.hidden;
  let told;
  try {
    told = await send(ticked());
  } catch {
    told = { line: form.dataset.offline };
  }
  if (told.isDone) show(told, wasShared);
  else line.textContent = told.line;
  if (change < changes) return; // more was ticked meanwhile
  for (const box of boxes) box.checked = kept.includes(box.name);
}

// One after the other: what was ticked last counts.
function change() {
  changes += 1;
  const own = changes;
  last = last.then(() => keep(own));
}

form.addEventListener('submit', (event) => event.preventDefault());
for (const box of boxes) box.addEventListener('change', change);
link.addEventListener('focus', () => link.select());
end.addEventListener('click', () => {
  for (const box of boxes) box.checked = false;
  change();
});
