// Tree: the moves of the game as a trunk, and what was tried beside them as branches. A place in it has a key: `m12`
// is the game after its twelfth move, `t5` the sheet after its turn 5.

const RUN = 6; // moves in a row from which on they are folded
const AROUND = 2; // moves of the game beside a place that stay in view
const LONG = 8; // turns of a branch that are shown before the rest is folded

export class Tree {
  #places = new Map();
  #keys = new Map(); // the place of each turn of the sheet, by its id

  // `moves` are those of the game, `turns` those of the sheet, as the server tells them. A board of one's own has a
  // `start` with its note and no moves: its first line is the trunk.
  constructor(moves, turns, start = null) {
    this.length = moves.length;
    this.isOwn = start !== null;
    this.#add({ key: 'm0', number: 0, text: '', seat: null, parent: null, isGame: true });
    if (start) this.at('m0').turns.push(start);
    moves.forEach((move, k) => this.#grow(`m${k}`, { ...move, key: `m${k + 1}`, isGame: true }));
    for (const turn of [...turns].sort((one, other) => one.id - other.id)) this.#attach(turn);
  }

  get end() {
    return `m${this.length}`;
  }

  at(key) {
    return this.#places.get(key);
  }

  // Returns the place of a turn of the sheet, which is the game's own where that has played it.
  keyOf(id) {
    return this.#keys.get(id);
  }

  // Returns the places from the beginning of the game to this one.
  path(key) {
    const path = [];
    for (let place = this.at(key); place; place = this.at(place.parent)) path.unshift(place);
    return path;
  }

  // Returns the last place of the line that goes on from this one.
  lastOf(key) {
    let last = key;
    while (this.at(last).children.length) [last] = this.at(last).children;
    return last;
  }

  // Returns how many turns of the sheet come with this one, itself included.
  sizeOf(key) {
    return this.at(key).children.reduce((sum, child) => sum + this.sizeOf(child), 1);
  }

  #attach(turn) {
    const parent = turn.parent === null ? `m${turn.after}` : this.#keys.get(turn.parent);
    const before = this.at(parent);
    if (!before) return; // a turn after moves that were taken back
    const known = before.children.map((key) => this.at(key)).find(({ text, seat }) => text === turn.text && seat === turn.seat);
    const place = known ?? this.#grow(parent, { ...turn, key: `t${turn.id}`, isGame: false });
    place.turns.push(turn);
    this.#keys.set(turn.id, place.key);
  }

  #grow(parent, place) {
    const before = this.at(parent);
    before.children.push(place.key);
    return this.#add({ ...place, parent, number: before.number + 1 });
  }

  #add(place) {
    const full = { ...place, children: [], turns: [] };
    this.#places.set(place.key, full);
    return full;
  }
}

// Returns what is shown of a tree: moves `{key}`, folds `{fold}` with the places in them, and branches `{branch}`, which
// are such lists themselves. What leads to `here` is not folded, nor is what is near it or begins with a key of `open`.
export function outline(tree, here, open) {
  const way = new Set(tree.path(here).map(({ key }) => key));
  const now = tree.isOwn ? tree.at(here).number : tree.path(here).findLast(({ isGame }) => isGame).number;
  const items = line(tree, 'm0', way, open);
  const stays = ({ key, branch }, k) => {
    if (branch || items[k + 1]?.branch) return true;
    const { number, turns } = tree.at(key);
    if (tree.isOwn) return number <= 1 || Math.abs(number - now) <= AROUND || turns.some(({ note }) => note);
    return number <= 1 || tree.length - number <= AROUND || Math.abs(number - now) <= AROUND || turns.length > 0;
  };
  return fold(items, stays, open);
}

function line(tree, first, way, open) {
  /** @type {{ key?: string, branch?: any[] }[]} */
  const items = [{ key: first }];
  for (let place = tree.at(first); place;) {
    const [main, ...others] = place.key === tree.end && !tree.isOwn ? [undefined, ...place.children] : place.children;
    if (main) items.push({ key: main });
    for (const key of others) {
      const branch = line(tree, key, way, open);
      const stays = (item, k) => k < LONG || branch.slice(k).some((later) => way.has(later.key));
      items.push({ branch: fold(branch, stays, open) });
    }
    place = tree.at(main);
  }
  return items;
}

// Folds each long run of items that may be folded.
function fold(items, stays, open) {
  const found = [];
  let run = [];
  const close = () => {
    const keys = run.filter(({ key }) => key).map(({ key }) => key);
    if (keys.length >= RUN && !open.has(keys[0])) found.push({ fold: keys });
    else found.push(...run);
    run = [];
  };
  items.forEach((item, k) => {
    if (!stays(item, k)) {
      run.push(item);
      return;
    }
    close();
    found.push(item);
  });
  close();
  return found;
}
