// Plies: the positions of a game, from the first picture and what each move changes in it (web/pages/gallery.py).

export class Plies {
  #pictures;
  #changes;

  constructor({ first, plies }) {
    this.#pictures = [first];
    this.#changes = plies;
  }

  get last() {
    return this.#changes.length;
  }

  // Returns the picture after so many moves.
  at(ply) {
    while (this.#pictures.length <= ply) {
      const before = this.#pictures.length - 1;
      this.#pictures.push(after(this.#pictures[before], this.#changes[before]));
    }
    return this.#pictures[ply];
  }
}

function after(picture, changes) {
  const next = { ...picture };
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) delete next[name];
    else next[name] = change.out ? edited(picture[name], change) : change;
  }
  return next;
}

function edited(list, { out, in: come }) {
  const gone = new Set(out);
  const items = list.filter((_, place) => !gone.has(place));
  for (const [place, item] of come) items.splice(place, 0, item);
  return items;
}
