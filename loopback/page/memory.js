// Memory: values that this browser keeps between visits and shares between its windows.

const PREFIX = 'tryout:';

function load(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key)) ?? {};
  } catch {
    return {};
  }
}

function save(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Storage may be full or forbidden; the page works without it.
  }
}

// Ids are snowflakes: decimal, increasing with time, too long for a Number.
export function newer(one, other) {
  const a = String(one ?? '0');
  const b = String(other ?? '0');
  return a.length === b.length ? a > b : a.length > b.length;
}

export function readMark(seat, channel) {
  return load(`read:${seat}`)[channel] ?? '0';
}

export function setReadMark(seat, channel, id) {
  save(`read:${seat}`, { ...load(`read:${seat}`), [channel]: id });
}

export function dismissed(seat) {
  return new Set(load(`dismissed:${seat}`).ids ?? []);
}

export function dismiss(seat, id) {
  save(`dismissed:${seat}`, { ids: [...dismissed(seat), id].slice(-500) });
}

export function noticeClosed(text) {
  return load('notice').closed === text;
}

export function closeNotice(text) {
  save('notice', { closed: text });
}

export function onOtherWindow(listener) {
  addEventListener('storage', (event) => event.key?.startsWith(PREFIX) && listener());
}
