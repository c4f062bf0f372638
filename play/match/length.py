"""How long games take, roughly: moves by their board, time by the clock and by games that were played."""

from collections.abc import Sequence
from statistics import median
from typing import Final

from play.clock import Speed, TimeControl, Untimed
from play.ids import DAY, HOUR, MINUTE, Millis
from rules.game import AnyGame, parse_size

_SHARES: Final = ((100, 0.9), (400, 0.6), (1248, 0.31))
"""Moves of a game as a share of its crossings, by crossings (docs/decisions/community.md#0205)."""

_MIN_MOVES: Final = 4
"""Moves of the shortest game that is estimated."""

MIN_PLAYED: Final = 5
"""Games that tell more than the clock does."""

_USED: Final = {Speed.LIVE: 2, Speed.DAYS: 6}
"""Which part of the time that a clock allows players use: half, and a sixth. Both are assumptions."""

_UNTIMED_MOVE: Final = Millis(12 * HOUR)
"""The time of a move without a clock: as with three days a move."""

_UNITS: Final = (DAY, HOUR, Millis(10 * MINUTE))


def expected_moves(game: AnyGame) -> int:
    """Returns how many moves a game of this size takes, roughly: large boards are left with more crossings free."""
    columns, rows = parse_size(game.options["size"]) or (0, 0)
    crossings = columns * rows
    (below, share), *others = _SHARES
    for above, next_share in others:
        if crossings <= below:
            break
        part = min(1.0, (crossings - below) / (above - below))
        share, below = share + part * (next_share - share), above
    return max(_MIN_MOVES, round(crossings * share))


def usual_move_time(control: TimeControl, played: Sequence[Millis] = ()) -> Millis:
    """Returns the time that a move usually takes: the median of what moves took in games that were `played` with that
    clock, or of few games a part of what the clock allows."""
    if len(played) >= MIN_PLAYED:
        return Millis(round(median(played)))
    if isinstance(control, Untimed):
        return _UNTIMED_MOVE
    return Millis(control.forty_turns // 40 // _USED[control.speed])


def estimate(
    game: AnyGame, move_time: Millis, *, rounds: int = 1, longest: Millis | None = None, made: int = 0
) -> Millis:
    """Returns about how long `rounds` of such games take, one after the other, each for `longest` at most and with so
    many moves `made` already. It is rounded for a sentence: to days, from two on; to hours; or to ten minutes."""
    length = Millis(max(_MIN_MOVES, expected_moves(game) - made) * move_time)
    total = rounds * (length if longest is None else min(length, longest))
    unit = next((unit for unit in _UNITS if total >= 2 * unit), _UNITS[-1])
    return Millis(max(1, round(total / unit)) * unit)
