"""Chains that a player draws after a dot, or dots named to be enclosed (docs/rules-reference.md, Drawn closing)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.dots.enclosure import Enclosure, area, enclosure, face
from rules.dots.field import Field
from rules.dots.grid import Grid
from rules.dots.link_graph import LinkGraph, crosses_itself, is_chord, segments
from rules.dots.options import Links, Reuse
from rules.dots.smallest import MAX_TURN_STEPS, SmallestChains
from rules.dots.turn import Chain
from rules.game import IllegalMove, Point, point_name

MAX_SHARED_DOTS = {Reuse.NONE: 0, Reuse.ONE: 1}
"""Dots that a new boundary may share with the older ones inside it. With `any` there is no bound."""


class Canvas:
    """A field on which `player` draws chains; `links` and `reuse` are those of the rules. It never changes: each chain
    leads to another canvas. Turns that begin with the same chains share the canvas after them, and most of what was
    found out about a canvas is known on the next."""

    def __init__(
        self, field: Field, player: int, links: Links, reuse: Reuse, far: SmallestChains | None = None
    ) -> None:
        self.field = field
        self._player, self._links, self._reuse = player, links, reuse
        self._far = far or SmallestChains(field, player)
        self._next: dict[Chain, Canvas] = {}

    def draw(self, chain: Chain) -> Canvas:
        """Returns the canvas after this chain; one point names the smallest chain round it. Raises IllegalMove."""
        after = self._next.get(chain)
        if after is None:
            after = self._next[chain] = self._draw(chain)
        return after

    def drawable(self, max_steps: int = MAX_TURN_STEPS) -> list[tuple[int, Enclosure]]:
        """Returns the smallest chains that the player may draw, the smallest first, each with a dot that it encloses.
        `max_steps` bounds the search for far links (`rules.dots.smallest`)."""
        field, player = self.field, self._player
        targets = set(_capturable(field, player, field.grid.crossings))
        if self._links is Links.FAR:
            rounds = _far_rounds(field, self._far, targets, max_steps)
        else:
            rounds = _near_rounds(field, player, targets)
        found: dict[frozenset[int], tuple[int, Enclosure]] = {}
        for cell, closed in rounds:
            if not _shares_too_much(field, closed, self._reuse):
                found.setdefault(frozenset(closed.chain), (cell, closed))
        return sorted(found.values(), key=lambda one: (area(field.grid, one[1].chain), one[0]))

    def _draw(self, chain: Chain) -> Canvas:
        field, player = self.field, self._player
        if len(chain) == 1:
            closed = self._smallest_round(field.grid.index(chain[0]))
            if closed is None:
                raise IllegalMove("not_enclosed", point=point_name(chain[0]))
        else:
            closed = _enclosed_by(field, player, chain, self._links, self._reuse)
        _check(field, player, closed, self._reuse)
        after = field.copy()
        _capture(after, player, closed)
        return Canvas(after, player, self._links, self._reuse, self._far.on(after, closed))

    def _smallest_round(self, cell: int) -> Enclosure | None:
        if self._links is Links.FAR:
            return _far_round(self.field, self._player, cell, self._far)
        return _near_round(self.field, self._player, cell)


def _enclosed_by(field: Field, player: int, chain: Chain, links: Links, reuse: Reuse) -> Enclosure:
    """Returns what a chain of `player` encloses, drawn dot by dot. Raises IllegalMove."""
    grid = field.grid
    if links is Links.FAR:
        chain = tuple(_stepping_on_dots(field, player, chain))
    if len(set(chain)) < len(chain) or len(chain) < 3:
        raise IllegalMove("chain_repeats")
    walls = _walls(field, player)
    if any(walls[grid.index(dot)] != player for dot in chain):
        raise IllegalMove("chain_not_of_own_dots")
    if links is Links.FAR:
        _check_segments(LinkGraph(field, player), chain)
    elif any(max(abs(a.x - b.x), abs(a.y - b.y)) > 1 for a, b in segments(chain)):
        raise IllegalMove("chain_has_gaps")
    elif reuse is Reuse.ANY:
        _check_chords(field, chain)
    if crosses_itself(chain):
        raise IllegalMove("chain_crosses_itself")
    return _enclosed(grid, chain)


def draw_all(field: Field, reuse: Reuse) -> None:
    """Draws round everything that near chains enclose, the smallest area first: an agreed end counts it."""
    while areas := [
        (area(field.grid, closed.chain), player, cell, closed)
        for player in range(1, len(field.scores) + 1)
        for cell, closed in Canvas(field, player, Links.NEAR, reuse).drawable()
    ]:
        _, player, _, closed = min(areas, key=lambda one: one[:3])
        _capture(field, player, closed)


def enclose_last(field: Field, cell: int, links: Links) -> None:
    """Encloses the last dot of the game in the area of the opponent that it was put into: no turn is left to draw a
    chain."""
    dot = field.alive[cell]
    opponents = (player for player in range(1, len(field.scores) + 1) if dot not in (0, player))
    houses = [(player, closed) for player in opponents if (closed := _smallest_round(field, player, cell, links))]
    if houses:
        _capture(field, *min(houses, key=lambda house: area(field.grid, house[1].chain)))


def _check_segments(graph: LinkGraph, chain: tuple[Point, ...]) -> None:
    for a, b in segments(chain):
        if max(abs(a.x - b.x), abs(a.y - b.y)) > 2:
            raise IllegalMove("section_too_long", start=point_name(a), end=point_name(b))
        if not graph.joins(a, b):
            raise IllegalMove("section_blocked", start=point_name(a), end=point_name(b))


def _check_chords(field: Field, chain: tuple[Point, ...]) -> None:
    """Refuses a step that cuts through an older base. With fewer shared dots its boundary cannot be met twice."""
    rings = [field.points(base.chain) for base in field.bases]
    for a, b in segments(chain):
        if any(is_chord(ring, a, b) for ring in rings):
            raise IllegalMove("section_blocked", start=point_name(a), end=point_name(b))


def _check(field: Field, player: int, closed: Enclosure, reuse: Reuse) -> None:
    """Raises IllegalMove for a chain that encloses nothing to capture, or shares too many dots."""
    if not any(_capturable(field, player, closed.inside)):
        raise IllegalMove("chain_catches_nothing")
    if _shares_too_much(field, closed, reuse):
        if reuse is Reuse.NONE:
            raise IllegalMove("chain_shares_a_dot")
        raise IllegalMove("chain_shares_too_much", most=MAX_SHARED_DOTS[reuse])


def _capture(field: Field, player: int, closed: Enclosure) -> None:
    field.capture(player, closed)
    for cell in _midpoints(field.grid, field.points(closed.chain)):
        if field.is_free(cell):
            field.block(cell)


def _smallest_round(field: Field, player: int, cell: int, links: Links) -> Enclosure | None:
    """Returns the smallest chain of `player` round `cell`, and its inside; with far links only round a dot."""
    if links is Links.FAR:
        return _far_round(field, player, cell, SmallestChains(field, player))
    return _near_round(field, player, cell)


def _far_round(field: Field, player: int, cell: int, far: SmallestChains) -> Enclosure | None:
    chain = None if field.placed[cell] in (0, player) else far.chain_round(field.grid.point(cell))
    return None if chain is None else _enclosed(field.grid, chain)


def _near_round(field: Field, player: int, cell: int) -> Enclosure | None:
    walls = _walls(field, player)
    cells = _face(field, walls, player, cell)
    return enclosure(field.grid, walls, player, cells) if cells else None


def _near_rounds(field: Field, player: int, targets: set[int]) -> Iterator[tuple[int, Enclosure]]:
    """Lists the smallest near chains round all of `targets`, each once."""
    walls = _walls(field, player)
    while targets:
        cell = min(targets)
        cells = _face(field, walls, player, cell)
        targets -= cells or {cell}
        if cells:
            yield cell, enclosure(field.grid, walls, player, cells)


def _far_rounds(
    field: Field, far: SmallestChains, targets: set[int], max_steps: int
) -> Iterator[tuple[int, Enclosure]]:
    """Lists the smallest far chains round all of `targets`, mostly each once."""
    for cell, chain in far.chains_round(targets, max_steps):
        yield cell, _enclosed(field.grid, chain)


def _walls(field: Field, player: int) -> bytearray:
    """Returns the dots that `player` may draw through: alive, and in no base."""
    return bytearray(
        player if dot == player and not owner else 0 for dot, owner in zip(field.alive, field.owner, strict=True)
    )


def _capturable(field: Field, player: int, cells: list[int] | tuple[int, ...]) -> Iterator[int]:
    """Lists those of `cells` with an opponent's dot that is not in a base of `player` already."""
    return (cell for cell in cells if field.placed[cell] not in (0, player) and field.owner[cell] != player)


def _face(field: Field, walls: bytearray, player: int, cell: int) -> set[int]:
    """Returns the closed face between the walls of `player` that holds `cell`; empty if it is open, or `cell` a wall.

    Areas that their alive dots close are marked. Alive dots that are not walls lie in bases, whose chains are walls.
    """
    if walls[cell] == player or not field.enclosed[cell] >> player & 1:
        return set()
    return face(field.grid, walls, player, cell)


def _shares_too_much(field: Field, closed: Enclosure, reuse: Reuse) -> bool:
    return reuse is not Reuse.ANY and _shared(field, closed) > MAX_SHARED_DOTS[reuse]


def _shared(field: Field, closed: Enclosure) -> int:
    """Returns how many dots the new chain shares with the boundaries of the bases inside it."""
    inside, chain = set(closed.inside), set(closed.chain)
    older = [chain.intersection(base.chain) for base in field.bases]
    return len(
        {
            cell
            for shared, base in zip(older, field.bases, strict=True)
            if shared and not inside.isdisjoint(_strictly_inside(field.grid, field.points(base.chain)))
            for cell in shared
        }
    )


def _stepping_on_dots(field: Field, player: int, chain: tuple[Point, ...]) -> Iterator[Point]:
    """Lists the dots of a far chain: a double step over an own dot is two steps."""
    for a, b in segments(chain):
        yield a
        for cell in _midpoints(field.grid, (a, b)):
            if field.alive[cell] == player:
                yield field.grid.point(cell)


def _midpoints(grid: Grid, chain: tuple[Point, ...]) -> set[int]:
    """Returns the crossings in the middle of the double steps of a chain."""
    return {
        grid.index(a) + grid.index(b) >> 1
        for a, b in segments(chain)
        if abs(a.x - b.x) in (0, 2) and abs(a.y - b.y) in (0, 2)
    }


def _enclosed(grid: Grid, chain: tuple[Point, ...]) -> Enclosure:
    return Enclosure(tuple(map(grid.index, chain)), _strictly_inside(grid, chain))


def _strictly_inside(grid: Grid, chain: tuple[Point, ...]) -> list[int]:
    """Returns the crossings strictly inside: a ray to the right, just above the row, meets the chain an odd number of
    times."""
    crossed: dict[int, list[int]] = {}
    for a, b in segments(chain):
        low, high = (a, b) if a.y < b.y else (b, a)
        for y in range(low.y, high.y):
            # In half squares: all segments cross the rows there.
            crossed.setdefault(y, []).append(2 * low.x + 2 * (high.x - low.x) * (y - low.y) // (high.y - low.y))
    on_chain = {*map(grid.index, chain), *_midpoints(grid, chain)}
    inside = []
    for y, halves in crossed.items():
        halves.sort()
        for left, right in zip(halves[::2], halves[1::2], strict=True):
            row = grid.index(Point(0, y))
            inside += [row + x for x in range(-(-left // 2), right // 2 + 1) if row + x not in on_chain]
    return inside
