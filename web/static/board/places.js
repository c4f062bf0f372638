// Places: crossings on the page, one unit apart and y down, and what lies inside a ring of them.

// The page of a field: its box has room for all that is drawn at the outer lines.
export function pageOf({ width, height }) {
  return {
    width,
    height,
    box: { x: -0.6, y: -0.6, width: width + 0.2, height: height + 0.2 },
    at: ([x, y]) => [x, height - 1 - y],
  };
}

export function isInside(ring, [x, y]) {
  let inside = false;
  for (let k = 0, before = ring.length - 1; k < ring.length; before = k, k += 1) {
    const [a, b] = ring[k];
    const [c, d] = ring[before];
    const across = (b - y) * (c - x) - (a - x) * (d - y);
    if (across === 0 && (a - x) * (c - x) + (b - y) * (d - y) <= 0) return false; // on the chain
    if (b > y !== d > y && x < ((c - a) * (y - b)) / (d - b) + a) inside = !inside;
  }
  return inside;
}

// The crossing of an area's number, as renderer/sheet.py finds it.
export function spotOf(ring, taken) {
  const near = ring.every(([x, y], k) => {
    const [a, b] = ring[(k + 1) % ring.length];
    return Math.max(Math.abs(a - x), Math.abs(b - y)) === 1;
  });
  const points = (near && crossingsIn(ring)) || ring;
  const [x, y] = [0, 1].map((axis) => points.reduce((all, point) => all + point[axis], 0) / points.length);
  const rank = (point) => [taken.has(String(point)), (point[0] - x) ** 2 + (point[1] - y) ** 2];
  return points.reduce((best, point) => {
    const [[a, b], [c, d]] = [rank(point), rank(best)];
    return a < c || (a === c && b < d) ? point : best;
  });
}

function crossingsIn(ring) {
  const [columns, rows] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const found = [];
  for (let x = Math.min(...columns) + 1; x < Math.max(...columns); x += 1) {
    for (let y = Math.min(...rows) + 1; y < Math.max(...rows); y += 1) {
      if (isInside(ring, [x, y])) found.push([x, y]);
    }
  }
  return found.length ? found : null;
}
