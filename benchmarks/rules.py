"""The speed of the rules of Dots: replays of whole random games, and the effects of a dot."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from random import Random
from statistics import fmean, median
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.figure import Figure, times
from bot.cli.serving import spare_collector
from play.turns.dots import RecentMoves, step_at
from play.turns.step import CHOSEN
from rules.dots import DotsPosition, Turn
from rules.game import IllegalMove, point_name
from rules.registry import make_game

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rules.game import Point

GAMES = 9
SAMPLES = 25


class Timing(NamedTuple):
    """Of one game, in microseconds: the mean of its moves, and the worst one."""

    mean: float
    worst: float


def figures() -> Iterator[Figure]:
    for size in ("20x20", "39x32", "60x60"):
        timings = [_replay("zagram", size, seed) for seed in range(GAMES)]
        usual = size == "39x32"
        mean = median(timing.mean for timing in timings)
        yield Figure(f"a full random game on {size}, a move", mean, "µs", 15 if usual else None, processor=True)
        worst = median(timing.worst for timing in timings)
        yield Figure("  its worst move", worst, "µs", 1000 if usual else None, processor=True)
    sport = [_replay("sport", "39x32", seed) for seed in range(GAMES)]
    yield Figure("the same by the shortest chain (sport), a move", median(timing.mean for timing in sport), "µs")
    yield Figure("  its worst move", median(timing.worst for timing in sport), "µs", 1000, processor=True)
    position = crowded("zagram", dots=60)
    points = [move.dot for move in position.moves()]
    one = times(partial(position.consequences_of, point) for point in points)
    yield Figure("what one dot would do, 39x32", one * 1000, "µs", 30, processor=True)
    every = times([lambda: [position.consequences_of(point) for point in points]] * GAMES)
    yield Figure("what each dot would do, 39x32 with 60 dots", every, "ms", 20, processor=True)
    for dots in (200, 600):
        position = crowded("two-squares", dots)
        points = Random(1).sample([move.dot for move in position.moves()], SAMPLES)  # noqa: S311 - no secret
        taken = [times([partial(position.consequences_of, point)]) for point in points]
        yield Figure(f"what one dot would do, far links, {dots} dots, none drawn", median(taken), "ms")
        yield Figure("  the worst one", max(taken), "ms", 50, processor=True)
    yield from _ghosts(position, points)


def _ghosts(position: DotsPosition, points: Sequence[Point]) -> Iterator[Figure]:
    """Yields the cost of ghosts that close twelve areas each, in milliseconds and beside what their offers cost."""
    spare_collector()  # as the bot does
    taken = [times([partial(step_at, position, RecentMoves(), f"{point_name(point)}{CHOSEN}")]) for point in points]
    offers = fmean(times([partial(position.consequences_of, point)]) for point in points)
    yield Figure("a ghost with far links, 39x32 with 600 dots", fmean(taken), "ms", 40, processor=True)
    yield Figure("  the worst one", max(taken), "ms", 100, processor=True)
    yield Figure("  to the search for what it may close", fmean(taken) / offers, "times", 4)


def _replay(preset: str, size: str, seed: int) -> Timing:
    """Plays random dots of both players until the field is full; only `play` is timed."""
    luck = Random(seed)  # noqa: S311 - no secret
    position = make_game(preset, {"size": size}).start(seed)
    dots = [move.dot for move in position.moves()]
    luck.shuffle(dots)
    taken = []
    for dot in dots:
        with suppress(IllegalMove):  # it lies in a base by now
            start = process_time()
            position = position.play(Turn(dot))
            taken.append((process_time() - start) * 1e6)
    return Timing(sum(taken) / len(taken), max(taken))


def crowded(preset: str, dots: int) -> DotsPosition:
    """Returns a random position on 39x32."""
    luck = Random(1)  # noqa: S311 - no secret
    position = make_game(preset, {"size": "39x32"}).start(1)
    assert isinstance(position, DotsPosition)
    for _ in range(dots):
        position = position.play(luck.choice([*position.moves()]))
    return position
