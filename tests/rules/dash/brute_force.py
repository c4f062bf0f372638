"""Dot Dash implemented again from the page of its rules, slowly: stones in a dictionary, every turn tried."""

from __future__ import annotations

from collections.abc import Iterator

Crossing = tuple[int, int]
Row = frozenset[Crossing]
"""A five by its crossings."""

EIGHT = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Table:
    """A moment between two dashes."""

    def __init__(
        self,
        size: int,
        variant: str,
        stones: dict[Crossing, int],
        to_act: int,
        frozen: tuple[frozenset[Row], frozenset[Row]] = (frozenset(), frozenset()),
    ) -> None:
        self.size = size
        self.variant = variant
        self.stones = stones
        self.to_act = to_act
        self.frozen = frozen

    def rows_of_five(self, seat: int) -> set[Row]:
        """Returns every five crossings in a line with stones of `seat` alone."""
        mine = {at for at, owner in self.stones.items() if owner == seat}
        rows = set()
        for x, y in mine:
            for dx, dy in EIGHT:
                row = frozenset((x + dx * step, y + dy * step) for step in range(5))
                if row <= mine:
                    rows.add(row)
        return rows

    def score(self) -> tuple[int, int]:
        if self.variant == "frozen":
            return len(self.frozen[0]), len(self.frozen[1])
        first, second = (largest_number(self.rows_of_five(seat)) for seat in (0, 1))
        return first, second

    def reserve(self, seat: int) -> int:
        return 60 - list(self.stones.values()).count(seat)

    def winner(self) -> tuple[int, str] | None:
        mine, other = self.to_act, 1 - self.to_act
        score = self.score()
        if score[mine] > score[other]:
            return mine, "fives"
        if self.reserve(mine) < 2:
            return other, "reserve"
        if not any(self.landings(start) for start in self.stones):
            return other, "blocked"
        return None

    def landings(self, start: Crossing) -> list[Crossing]:
        """Returns the crossings where the stone at `start` may dash to."""
        if self.stones[start] != self.to_act or any(start in row for row in self.frozen[self.to_act]):
            return []
        found = []
        for dx, dy in EIGHT:
            for length in range(3, self.size):
                passed = [(start[0] + dx * step, start[1] + dy * step) for step in range(1, length)]
                end = (start[0] + dx * length, start[1] + dy * length)
                if not (0 <= end[0] < self.size and 0 <= end[1] < self.size) or any(at in self.stones for at in passed):
                    continue
                hit = self.stones.get(end)
                if hit is None or (self.variant == "sacrifice" and hit != self.to_act):
                    found.append(end)
        return found

    def results(self, start: Crossing, end: Crossing) -> Iterator[Table]:
        """Returns the positions to which a legal dash can lead: several if there is a choice of fives to freeze."""
        dx, dy = ((b > a) - (b < a) for a, b in zip(start, end, strict=True))
        stones = dict(self.stones)
        del stones[start]
        if end in stones:
            del stones[end]
        else:
            stones[end] = self.to_act
        stones[end[0] - dx, end[1] - dy] = self.to_act
        stones[end[0] - 2 * dx, end[1] - 2 * dy] = self.to_act
        after = Table(self.size, self.variant, stones, 1 - self.to_act, self.frozen)
        if self.variant != "frozen":
            yield after
            return
        credited = self.frozen[self.to_act]
        fresh = {row for row in after.rows_of_five(self.to_act) if all(len(row & old) <= 1 for old in credited)}
        for chosen in largest(fresh):
            kept = credited | chosen
            frozen = (kept, self.frozen[1]) if self.to_act == 0 else (self.frozen[0], kept)
            yield Table(self.size, self.variant, stones, 1 - self.to_act, frozen)


def largest(rows: set[Row]) -> set[frozenset[Row]]:
    """Returns, of all sets of fives of which no two share more than one crossing, the largest ones. Grows every set
    five by five, with no regard to lines."""
    sets = {frozenset[Row]()}
    while True:
        grown = {
            chosen | {row} for chosen in sets for row in rows - chosen if all(len(row & other) <= 1 for other in chosen)
        }
        if not grown:
            return sets
        sets = grown


def largest_number(rows: set[Row]) -> int:
    """Returns the size of the sets that `largest` gives, for more fives than memory can hold."""
    ordered = sorted(rows, key=sorted)
    clashes = {row: {other for other in rows if other != row and len(row & other) > 1} for row in ordered}

    def best(left: list[Row]) -> int:
        if not left:
            return 0
        first, *others = left
        without = best(others) if clashes[first] & set(others) else 0
        return max(without, 1 + best([row for row in others if row not in clashes[first]]))

    return best(ordered)
