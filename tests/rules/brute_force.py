"""Dots by the letter of docs/rules-reference.md: slow, whole-field, independent of the engine, to check the engine.

A whole contest with its options is tests/rules/brute_contest.py.

Crossings are pairs (x, y) from 0, x to the right and **y down from the top**, as on the page (the engine counts up).
Seats are plain integers. Only the dots on the field are kept from one dot to the next.
"""

from __future__ import annotations

from typing import NamedTuple

Crossing = tuple[int, int]

BESIDE = ((0, -1), (1, 0), (0, 1), (-1, 0))
AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The eight steps clockwise on the page, from north."""
SOUTH = 4

LINE = -1
"""The owner of an empty crossing under a far link: of no player, and yet not free."""

COLOURS = "RBGV"
"""The letters of the seats in `Field.rows`: capitals for alive dots, small ones for captured dots."""


class Base(NamedTuple):
    """An enclosure made by a dot: its owner, the dots of its chain in their order, the crossings strictly inside.
    `taken` are those of the latter that it captures: all but its owner's alive dots."""

    seat: int
    chain: tuple[Crossing, ...]
    inside: frozenset[Crossing]
    hull: frozenset[Crossing]


class Field:
    """A field and its dots: `placed` and `owner` hold a crossing's seat, or None. `by_length` uses the chains with
    the fewest dots, not those with the smallest area."""

    def __init__(self, width: int, height: int, seats: int = 2, *, by_length: bool = False) -> None:
        self.width, self.height, self.seats, self.by_length = width, height, seats, by_length
        self.crossings = [(x, y) for y in range(height) for x in range(width)]
        self.placed: dict[Crossing, int | None] = dict.fromkeys(self.crossings)
        self.owner: dict[Crossing, int | None] = dict.fromkeys(self.crossings)

    # What there is

    @property
    def free(self) -> int:
        """Returns how many crossings can be played: no dot, in no base."""
        return sum(self.is_free(at) for at in self.crossings)

    @property
    def scores(self) -> tuple[int, ...]:
        """Returns for each seat the number of other players' dots in their bases."""
        return tuple(
            sum(self.owner[at] == seat and self.placed[at] not in (None, seat) for at in self.crossings)
            for seat in range(self.seats)
        )

    def is_free(self, at: Crossing) -> bool:
        """Returns whether a dot may be placed there."""
        return self.placed[at] is None and self.owner[at] is None

    def alive(self, seat: int) -> set[Crossing]:
        """Returns the dots of `seat` that are in no other player's base."""
        return {at for at in self.crossings if self.placed[at] == seat and self.owner[at] in (None, seat)}

    def rows(self) -> list[str]:
        """Returns the field as text from the top row. `.` is free, `R` alive, `r` captured, `1` an empty crossing in
        a base, `-` one under a far link."""
        return ["".join(self._letter((x, y)) for x in range(self.width)) for y in range(self.height)]

    def _letter(self, at: Crossing) -> str:
        placed, owner = self.placed[at], self.owner[at]
        if placed is not None:
            return COLOURS[placed] if owner in (None, placed) else COLOURS[placed].lower()
        return "." if owner is None else "-" if owner == LINE else str(owner + 1)

    def at_risk(self, seat: int) -> int:
        """Returns the loss of `seat` by grounding: their dots and prisoners in the groups that touch no edge."""
        theirs = self.alive(seat) | {at for at in self.crossings if self.owner[at] == seat}
        return sum(self.placed[at] is not None for group in self.ungrounded(theirs) for at in group)

    # What a dot does

    def place(self, seat: int, x: int, y: int) -> list[Base]:
        """Places a dot of `seat`; returns the bases that it made, in their order. ValueError: the crossing is not
        free."""
        at = (x, y)
        if at not in self.placed or not self.is_free(at):
            raise ValueError(f"{at} is not free")
        self.placed[at] = seat
        bases = []
        for base in sorted(self._candidates(seat, at), key=lambda base: doubled_area(base.chain)):
            if self.alive_enemy_in(base):
                self.take(base)
                bases.append(base)
        if not bases and (houses := self._houses_around(seat, at)):
            smallest = min(houses, key=lambda house: (len(house.hull), doubled_area(house.chain), house.seat))
            self.take(smallest)
            bases.append(smallest)
        return bases

    def set_up(self, seat: int, x: int, y: int) -> list[Base]:
        """Places a dot of a starting position: as `place`, but in a base it makes nothing."""
        at = (x, y)
        if at not in self.placed or self.placed[at] is not None:
            raise ValueError(f"{at} has a dot already")
        if self.owner[at] is None:
            return self.place(seat, x, y)
        self.placed[at] = seat
        return []

    def _candidates(self, seat: int, at: Crossing) -> list[Base]:
        beside = {(at[0] + dx, at[1] + dy) for dx, dy in BESIDE}
        return [self.enclosure(seat, face) for face in self.closed_faces(seat) if face & beside]

    def _houses_around(self, mover: int, at: Crossing) -> list[Base]:
        return [
            self.enclosure(seat, face)
            for seat in range(self.seats)
            if seat != mover
            for face in self.closed_faces(seat)
            if at in face
        ]

    def alive_enemy_in(self, base: Base) -> bool:
        """Returns whether the hull holds an alive dot of another player."""
        return any(base.hull & self.alive(enemy) for enemy in range(self.seats) if enemy != base.seat)

    def take(self, base: Base) -> None:
        """Makes a base of the inside of the chain, with the owner's alive dots in it."""
        for at in base.inside:
            self.owner[at] = base.seat

    # Faces, chains and hulls

    def closed_faces(self, seat: int) -> list[set[Crossing]]:
        """Returns the faces of `seat` without a crossing of the edge."""
        return self.ungrounded(set(self.crossings) - self.alive(seat))

    def ungrounded(self, crossings: set[Crossing]) -> list[set[Crossing]]:
        """Returns the 4-connected parts of `crossings` that hold no crossing of the edge."""
        return [part for part in self._components(crossings) if not self._on_edge(part)]

    def enclosure(self, seat: int, face: set[Crossing]) -> Base:
        """Returns the inside of the chain of `seat` around their closed `face`."""
        alive = self.alive(seat)
        return self.base(seat, (shortest_around if self.by_length else chain_around)(face, alive))

    def base(self, seat: int, chain: tuple[Crossing, ...]) -> Base:
        """Returns the inside of a chain of `seat`."""
        within = frozenset(at for at in self.crossings if inside(at, chain))
        return Base(seat, chain, within, within - self.alive(seat))

    def _on_edge(self, group: set[Crossing]) -> bool:
        return any(x in (0, self.width - 1) or y in (0, self.height - 1) for x, y in group)

    def _components(self, crossings: set[Crossing]) -> list[set[Crossing]]:
        """Returns `crossings` in its 4-connected parts."""
        left, parts = set(crossings), []
        while left:
            part = {left.pop()}
            frontier = list(part)
            while frontier:
                x, y = frontier.pop()
                for dx, dy in BESIDE:
                    beside = (x + dx, y + dy)
                    if beside in left:
                        left.remove(beside)
                        part.add(beside)
                        frontier.append(beside)
            parts.append(part)
        return parts


def chain_around(face: set[Crossing], alive: set[Crossing]) -> tuple[Crossing, ...]:
    """Returns the chain of a closed face among the dots `alive`, as docs/rules-reference.md builds it.

    The chain runs counterclockwise on the page.

    It begins above the face's topmost-leftmost crossing and takes the leftmost step: the first dot clockwise from the
    one before. The dot to the left of that crossing is always there, so the first dot is passed only once.
    """
    top, left = min((y, x) for x, y in face)
    chain = [(left, top - 1)]
    came_from = SOUTH
    while True:
        x, y = chain[-1]
        step = next(
            turn % 8
            for turn in range(came_from + 1, came_from + 9)
            if (x + AROUND[turn % 8][0], y + AROUND[turn % 8][1]) in alive
        )
        dot = (x + AROUND[step][0], y + AROUND[step][1])
        came_from = (step + 4) % 8
        if dot == chain[0]:
            return tuple(chain)
        if dot in chain:
            del chain[chain.index(dot) + 1 :]
        else:
            chain.append(dot)


def shortest_around(face: set[Crossing], alive: set[Crossing]) -> tuple[Crossing, ...]:
    """Returns the chain with the fewest dots around a closed face, in either direction.

    Of several it is the one with the smallest area, of these the first in reading order.

    Tries every closed walk as short as the shortest that passes an odd number of times above the crossing that it goes
    round, to its left. A search by breadth gives the least length of the way home.
    """
    px, py = min(face)

    def steps(at: Crossing, odd: bool) -> list[tuple[Crossing, bool]]:
        """Lists the dots one step away, and whether the ray has then been crossed an odd number of times."""
        beside = [(at[0] + dx, at[1] + dy) for dx, dy in AROUND]
        passes = [{at[1], to[1]} == {py, py - 1} and (at if at[1] == py else to)[0] < px for to in beside]
        return [(to, odd != passed) for to, passed in zip(beside, passes, strict=True) if to in alive]

    best: tuple[int, int, list[Crossing], tuple[Crossing, ...]] | None = None
    for start in sorted(dot for dot in alive if dot[1] == py and dot[0] < px):
        home = {(start, True): 0}
        frontier = [(start, True)]
        for at, odd in frontier:
            for to in steps(at, odd):
                if to not in home:
                    home[to] = home[at, odd] + 1
                    frontier.append(to)
        if (start, False) not in home:
            continue
        shortest = home[start, False]
        walks: list[tuple[tuple[Crossing, ...], bool]] = [((start,), False)]
        for length in range(1, shortest):
            walks = [
                ((*walk, to), odd)
                for walk, was_odd in walks
                for to, odd in steps(walk[-1], was_odd)
                if home.get((to, odd), shortest) <= shortest - length
            ]
        for walk, odd in walks:
            if (start, True) in steps(walk[-1], odd):
                found = (len(walk), doubled_area(walk), sorted(walk, key=lambda dot: dot[::-1]), walk)
                best = found if best is None else min(best, found)
    assert best is not None, "the face is closed"
    return best[3]


def doubled_area(chain: tuple[Crossing, ...]) -> int:
    """Returns twice the area inside the polygon (the shoelace formula), so that it is a whole number."""
    following = chain[1:] + chain[:1]
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(chain, following, strict=True)))


def inside(at: Crossing, chain: tuple[Crossing, ...]) -> bool:
    """Returns whether `at` is strictly inside: a ray to the right, just below its row, meets the chain an odd number of
    times.

    A segment that leaves the row downwards meets that ray next to its upper end. (Filling from outside would be wrong:
    a chain may all but touch itself and still leave the bay between outside.)
    """
    if at in chain:
        return False
    segments = zip(chain, chain[1:] + chain[:1], strict=True)
    upper_ends = [min(ends, key=lambda end: end[1]) for ends in segments if ends[0][1] != ends[1][1]]
    return sum(y == at[1] and x > at[0] for x, y in upper_ends) % 2 == 1
