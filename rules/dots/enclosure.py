"""Closed faces, their chains and hulls (docs/rules-reference.md, Terms and Which chain), found by walking along
walls.

`alive` gives for each cell the number of the player whose alive dot is there (seat + 1), or 0. A chain may be the
one with the fewest dots round a face.
"""

from typing import NamedTuple

from rules.dots.grid import Grid
from rules.dots.options import Measure

Reached = dict[int, int]
"""The length of the shortest walks to each dot. Keys are cells, doubled, plus 1 if the ray was crossed an odd number of
times."""


class _Ray(NamedTuple):
    """The `cells` from one behind the face to the edge. It runs just beside them, so that the steps from them
    counterclockwise, `across`, cross it. A chain shorter than the known one goes through one of the `starts`."""

    cells: range
    across: tuple[int, ...]
    starts: list[int]


class _Walk(NamedTuple):
    """The best walk so far to a dot: compared by area, then by order, never by its dots."""

    area: int
    order: int
    dots: tuple[int, ...]


def shortest_chain(
    grid: Grid, alive: bytearray, player: int, inside: list[int], smallest: tuple[int, ...]
) -> tuple[int, ...]:
    """Returns the shortest chain of `player`, counterclockwise, round what lies `inside` their chain with the smallest
    area.

    Every chain round the face goes round everything inside the smallest one. So if none is shorter, the smallest is
    returned.
    """
    ray = min(_rays(grid, alive, player, inside, len(smallest)), key=lambda ray: len(ray.starts), default=None)
    if ray is None:
        return smallest
    shortest = len(smallest)
    searched: list[tuple[int, Reached]] = []
    for start in ray.starts:
        length, reached = _search(grid, alive, player, ray, start, shortest)
        if length < shortest:
            searched.clear()
            shortest = length
        if length == shortest < len(smallest):
            searched.append((start, reached))
    if not searched:
        return smallest
    found = [_best(grid, ray, start, shortest, reached) for start, reached in searched]
    return min(walk for walk in found if walk).dots


def _rays(grid: Grid, alive: bytearray, player: int, inside: list[int], known: int) -> list[_Ray]:
    """Returns rays from every row and column of the inside, to all four edges; none if no chain can be shorter.

    A chain leads round the longer side of the inside and back, a crossing a step. So one with fewer than `known` dots
    goes no farther than half of that from the other end.
    """
    points = grid.points
    columns, rows = [points[cell].x for cell in inside], [points[cell].y for cell in inside]
    left, right, bottom, top = min(columns), max(columns), min(rows), max(rows)
    if known <= 2 * (max(right - left, top - bottom) + 2):
        return []
    reach = (known - 1) // 2 - 1
    outermost: dict[tuple[int, int], int] = {}
    for cell in sorted(inside):
        x, y = points[cell]
        outermost[0, y] = outermost[2, x] = cell
        outermost.setdefault((4, y), cell)
        outermost.setdefault((6, x), cell)
    rays = []
    for (way, _), cell in outermost.items():
        x, y = points[cell]
        to_edge = (grid.width - 1 - x, grid.height - 1 - y, x, y)[way // 2]
        near = (left + reach - x, bottom + reach - y, x - right + reach, y - top + reach)[way // 2]
        step = grid.steps[way]
        cells = range(cell + step, cell + step * (to_edge + 1), step)
        starts = [dot for dot in cells[:near] if alive[dot] == player]
        rays.append(_Ray(cells, tuple(grid.steps[turn & 7] for turn in (way + 1, way + 2, way + 3)), starts))
    return rays


def _search(grid: Grid, alive: bytearray, player: int, ray: _Ray, start: int, known: int) -> tuple[int, Reached]:
    """Returns the number of dots of the shortest chain through `start`, and the walks that lead half way round it.
    The number is above `known` if no chain has as few."""
    cells, across, _ = ray
    shortest = known + 1
    reached = {2 * start: 0}
    layer, length = [2 * start], 0
    while layer and 2 * length < shortest - 1:
        length += 1
        following = []
        for key in layer:
            cell, odd = key >> 1, key & 1
            leaves = cell in cells
            for step in grid.steps:
                after = cell + step
                if alive[after] == player:
                    crossed = step in across if leaves else -step in across and after in cells
                    side = 2 * after + (odd ^ crossed)
                    if side not in reached:
                        reached[side] = length
                        following.append(side)
                        if (other := reached.get(side ^ 1)) is not None:
                            shortest = min(shortest, length + other)
        layer = following
    return shortest, reached


def _best(grid: Grid, ray: _Ray, start: int, length: int, reached: Reached) -> _Walk | None:
    """Returns the best of the walks of that length from `start` counterclockwise back to it, if there is one."""
    points = grid.points
    useful = _useful(grid, ray, length, reached)
    dots = {side >> 1 for side in useful}
    layer = {(start, 0): _Walk(0, _order(grid, start), (start,))}
    for done in range(1, length + 1):
        following: dict[tuple[int, int], _Walk] = {}
        for (cell, winding), walk in layer.items():
            x, y = points[cell]
            for step in grid.steps:
                after = cell + step
                if after not in dots:
                    continue
                now = winding + _winds(ray, cell, step)
                side = 2 * after + (now & 1)
                out = side in useful and reached[side] == done
                back = side ^ 1 in useful and reached[side ^ 1] == length - done
                if out or back:
                    to = points[after]
                    order = walk.order + (_order(grid, after) if after != start else 0)
                    longer = _Walk(walk.area + x * to.y - to.x * y, order, (*walk.dots, after))
                    following[after, now] = min(following.get((after, now), longer), longer)
        layer = following
    whole = layer.get((start, 1))
    return whole and whole._replace(dots=whole.dots[:-1])


def _useful(grid: Grid, ray: _Ray, length: int, reached: Reached) -> set[int]:
    """Returns those of the walks reached that are halves of a closed walk of that length."""
    half = length // 2
    meeting = [side for side, done in reached.items() if done == half and reached.get(side ^ 1) == length - half]
    waiting = [*meeting, *(side ^ 1 for side in meeting)]
    useful = set(waiting)
    dots = {side >> 1 for side in reached}
    for side in waiting:
        for step in grid.steps:
            cell = (side >> 1) - step
            if cell not in dots:
                continue
            before = 2 * cell + (side & 1 ^ _winds(ray, cell, step) & 1)
            if before not in useful and reached.get(before) == reached[side] - 1:
                useful.add(before)
                waiting.append(before)
    return useful


def _winds(ray: _Ray, cell: int, step: int) -> int:
    """Returns whether a step crosses the ray counterclockwise (1), clockwise (-1) or not at all (0)."""
    if step in ray.across:
        return int(cell in ray.cells)
    return -(-step in ray.across and cell + step in ray.cells)


def _order(grid: Grid, cell: int) -> int:
    """Returns a number that is less, the earlier a cell comes in reading order. Of two sets of dots, the one with
    the first dot that is not in both has the smaller sum."""
    x, y = grid.points[cell]
    return -(1 << (grid.width * y + grid.width - 1 - x))


class Enclosure(NamedTuple):
    """A chain of alive dots of one player, each once, counterclockwise, and the crossings strictly `inside` it. The
    first of them lies in the face that is closed; some may have alive dots of the same player."""

    chain: tuple[int, ...]
    inside: list[int]


def encloses(grid: Grid, alive: bytearray, player: int, start: int, wall: int) -> tuple[bool, int]:
    """Returns whether the wall that leaves the dot `start` in the direction `wall` encloses the cells on its left.

    Walks once round, close to the cells on the left, and adds up the turns: one full turn to the left means that the
    wall goes round them. Also returns a bit for each direction in which the walk left `start`: gaps behind those walls
    are the same face.
    """
    steps = grid.steps
    here, way = start + steps[wall], wall
    left_by = 1 << wall
    turns = 0
    while True:
        turn = 3  # from the sharpest left to straight back
        way = way + 3 & 7
        while alive[here + steps[way]] != player:
            turn -= 1
            way = way - 1 & 7
        turns += turn
        if here == start:
            if way == wall:
                return turns > 0, left_by
            left_by |= 1 << way
        here += steps[way]


def enclosure(grid: Grid, alive: bytearray, player: int, face: set[int]) -> Enclosure:
    """Returns the chain with the smallest area of `player` round their closed `face`, and its inside."""
    top = max(cell // grid.stride for cell in face)
    first = min(cell for cell in face if cell // grid.stride == top)
    chain = _chain(grid, alive, player, first)
    return Enclosure(chain, _inside(grid, first, chain))


def measured(grid: Grid, alive: bytearray, player: int, face: set[int], measure: Measure) -> Enclosure:
    """Returns the smallest chain of `player` round their closed `face` by the measure of the game, and its inside."""
    closed = enclosure(grid, alive, player, face)
    return closed if measure is Measure.AREA else shortened(grid, alive, player, closed)


def shortened(grid: Grid, alive: bytearray, player: int, closed: Enclosure) -> Enclosure:
    """Returns the chain with the fewest dots round the same face."""
    chain = shortest_chain(grid, alive, player, closed.inside, closed.chain)
    return closed if chain is closed.chain else Enclosure(chain, _inside(grid, closed.inside[0], chain))


def face(grid: Grid, alive: bytearray, player: int, cell: int) -> set[int]:
    """Returns the closed face of `player` that holds `cell`: all cells connected with it without an alive dot of
    theirs."""
    right, _, up, _, left, _, down, _ = grid.steps
    region = {cell}
    waiting = [cell]
    for cell in waiting:
        for neighbour in (cell + right, cell + up, cell + left, cell + down):
            if alive[neighbour] != player and neighbour not in region:
                region.add(neighbour)
                waiting.append(neighbour)
    return region


def area(grid: Grid, chain: tuple[int, ...]) -> int:
    """Returns twice the area of a chain, by the shoelace formula, in squares of the paper."""
    total = 0
    x0, y0 = grid.point(chain[-1])
    for cell in chain:
        x, y = grid.point(cell)
        total += x0 * y - x * y0
        x0, y0 = x, y
    return abs(total)


def _chain(grid: Grid, alive: bytearray, player: int, top: int) -> tuple[int, ...]:
    """Returns the smallest chain around the face whose topmost crossing (of these the leftmost) is `top`.

    Walks from the dot above `top` round the face, with the face on the left, by the leftmost step. A dot that is met
    again has a loop or a tail hanging on it inside the face, which is cut off. The first dot is met again only at the
    end, since no crossing of the face lies beside or above it.
    """
    steps = grid.steps
    start = here = top + steps[2]
    way = 2
    chain = [start]
    place = {start: 0}
    while True:
        way = way + 3 & 7
        while alive[here + steps[way]] != player:
            way = way - 1 & 7
        here += steps[way]
        if here == start:
            return tuple(chain)
        if here in place:
            keep = place[here] + 1
            for cell in chain[keep:]:
                del place[cell]
            del chain[keep:]
        else:
            place[here] = len(chain)
            chain.append(here)


def _inside(grid: Grid, cell: int, chain: tuple[int, ...]) -> list[int]:
    """Returns the crossings strictly inside `chain`, of which `cell` is one. They are connected: two dots of the
    chain that separated them diagonally would be neighbours, and a chain through both would be smaller."""
    right, _, up, _, left, _, down, _ = grid.steps
    seen = set(chain)
    seen.add(cell)
    inside = [cell]
    for cell in inside:
        for neighbour in (cell + right, cell + up, cell + left, cell + down):
            if neighbour not in seen:
                seen.add(neighbour)
                inside.append(neighbour)
    return inside
