// The page of the arena stays up to date: it is asked for again, and what has changed takes the place of what was there.

const EVERY = 5_000; // milliseconds between two questions

const main = document.querySelector('main');

async function renew() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.pathname);
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    if (fresh && main && !fresh.isEqualNode(main) && !main.contains(document.activeElement)) {
      main.replaceChildren(...fresh.childNodes);
    }
  } catch {
    // out of reach: the next question may find it
  }
}

setInterval(renew, EVERY);
