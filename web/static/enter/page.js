// Exchanges the token behind the # of the address for a session. Servers and link previews never see what is behind it.

const line = document.getElementById("line");
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
addEventListener("hashchange", () => location.reload()); // another link, pasted into the same tab

async function words() {
  const answer = await fetch("/words.json?for=enter");
  return answer.ok ? await answer.json() : { language: "en", words: {} };
}

const { language, words: said } = await words();
document.documentElement.lang = language;
line.textContent = token ? said.wait : said.nothing;
if (token) {
  try {
    const answer = await fetch("/enter", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }),
    });
    const told = await answer.json();
    if (answer.ok) {
      location.replace(told.to);
    } else {
      line.textContent = told.line;
    }
  } catch {
    line.textContent = said.offline;
  }
}
