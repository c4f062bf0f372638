"""How the players of a league are split into divisions."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

MIN_SIZE, MAX_SIZE = 8, 12
"""Players of a division, where there are enough of them."""


def count_divisions(players: int) -> int:
    """Returns into how many divisions so many players are split: as many as `MIN_SIZE` allows.

    Thirteen to fifteen players make two small divisions, since one would be too large.
    """
    return 1 if players <= MAX_SIZE else max(2, players // MIN_SIZE)


SMALLEST: Final = 6
"""Players of the smaller of two divisions of 13."""


def split(players: int, boundaries: Sequence[int] = ()) -> list[int]:
    """Returns the sizes of the divisions, the best first.

    `boundaries` are how many players belong to the first division, to the first two, and so on, after those who go up
    and down. The sizes keep to them as closely as the limits allow, above all at the top; without a boundary they are
    as even as possible.
    """
    count = count_divisions(players)
    least = MIN_SIZE if players >= count * MIN_SIZE else SMALLEST if count > 1 else 0
    ends = [0]
    for number in range(1, count):
        left = count - number
        wished = boundaries[number - 1] if number <= len(boundaries) else ends[-1] + (players - ends[-1]) // (left + 1)
        lowest = max(ends[-1] + least, players - left * MAX_SIZE)
        highest = min(ends[-1] + MAX_SIZE, players - left * least)
        ends.append(min(max(wished, lowest), highest))
    return [end - start for start, end in pairwise([*ends, players])]
