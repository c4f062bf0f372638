// The open seats of the world. Who sits down here signs in first, and takes the seat on their home page: only this tab knows which,
// so no address that others have made seats anybody.

const EVERY = 15_000; // milliseconds between two questions for the seats

const section = document.getElementById('open-seats');
const list = section.querySelector('.seats');
let shown = '';

function sitDown(seat) {
  sessionStorage.setItem('seat', `${seat} ${Date.now()}`);
  location.assign(section.dataset.to);
}

function item({ seat, line }, label) {
  const [row, text, button] = ['li', 'span', 'button'].map((kind) => document.createElement(kind));
  text.textContent = line;
  row.append(text);
  if (section.dataset.to) {
    button.textContent = label;
    button.addEventListener('click', () => sitDown(seat));
    row.append(button);
  }
  return row;
}

async function ask() {
  try {
    const answer = await fetch('/seats.json');
    if (!answer.ok) return;
    const { seats, sit } = await answer.json();
    const next = JSON.stringify(seats);
    if (next === shown) return; // a button that is being pressed stays
    shown = next;
    section.hidden = !seats.length;
    list.replaceChildren(...seats.map((each) => item(each, sit)));
  } catch {
    // the connection is lost: the seats stay, and are asked for again
  }
}

setInterval(() => document.hidden || ask(), EVERY);
document.addEventListener('visibilitychange', () => document.hidden || ask());
await ask();
