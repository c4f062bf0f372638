// Exchanges the token behind the # of the address for a session. Servers and link previews never see what is behind it.

const line = document.getElementById('line');
const { words, ways: others } = JSON.parse(document.getElementById('script').dataset.told);
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
addEventListener('hashchange', () => location.reload()); // another link, pasted into the same tab

function say(sentence, ways = []) {
  line.textContent = sentence;
  const links = ways.map(({ label, url }) => Object.assign(document.createElement('a'), { textContent: label, href: url }));
  document.getElementById('ways').replaceChildren(...links);
}

// Goes on to the page that a session is for, unless the browser has not kept its cookie.
async function goOn(to) {
  const { status } = await fetch(to, { method: 'HEAD', redirect: 'manual' });
  if (status === 401) say(words.cookies, others);
  else location.replace(`${to}#in`);
}

async function enter() {
  const answer = await fetch('/enter', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const told = await answer.json();
  if (answer.ok) await goOn(told.to);
  else say(told.line, told.ways);
}

if (token) enter().catch(() => say(words.offline));
else say(words.nothing, others);
