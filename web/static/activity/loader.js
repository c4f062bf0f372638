// Loader: the one script in the page itself. In a frame of opaque origin, behind a proxy that lets only inline scripts and
// blobs run, no module can be imported by its address: each is fetched, and imported as a blob whose imports are blobs.
// Styles come by the modules, for the same reason.

const IMPORT = /^(import [^;]*?from ')([^']+)/gm;
const blobs = new Map(); // path -> promise of the blob's address

function blobOf(path) {
  if (!blobs.has(path)) blobs.set(path, makeBlob(path));
  return blobs.get(path);
}

async function makeBlob(path) {
  const answer = await fetch(path, { credentials: 'omit' });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const source = await answer.text();
  const resolve = (name) => new URL(name, new URL(path, location.href)).pathname;
  const imported = new Map();
  const names = [...source.matchAll(IMPORT)].map(([, , name]) => name);
  await Promise.all(names.map(async (name) => imported.set(name, await blobOf(resolve(name)))));
  const text = source.replace(IMPORT, (_, before, name) => before + imported.get(name));
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
}

const load = async (path) => import(await blobOf(path));

const entrance = document.getElementById('entrance');

// Shows the entrance as soon as it has its styles.
async function showEntrance() {
  const { loadStyle } = await load('/static/board/styles.js');
  const styles = ['/static/shared/design.css', '/theme/paper.css', '/static/shared/notice.css', '/static/activity/page.css'];
  document.adoptedStyleSheets = await Promise.all(styles.map(loadStyle));
  entrance.hidden = false;
}

try {
  const [{ open }] = await Promise.all([load('/static/activity/page.js'), showEntrance()]);
  await open(load);
} catch {
  document.getElementById('line').textContent = JSON.parse(entrance.dataset.words).offline;
  entrance.hidden = false;
}
