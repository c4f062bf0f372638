"""Sixty days of players who look for strangers, through the use cases: `python -m benchmarks.seeks [SEEKERS] [DAYS]`.

Each of them has a strength, hours, a server on one of three platforms, or none, and manners (`benchmarks.seekers`).
With `--without-levels` each strike is forgotten at once.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from statistics import median, quantiles
from time import process_time

from benchmarks.arena_goers import arena_figures
from benchmarks.figure import Figure
from benchmarks.seekers import START, Player, World, draw_players
from play.clock import Speed
from play.community.conduct import Level
from play.community.seek import AGAIN_MILLIS, SeekState
from play.ids import DAY, HOUR, MINUTE, Millis, UserId
from storage import Database, schema
from storage.statements import AnyRow
from tests.memory import memory_folder
from tools.program import argument_parser, say

SEEKERS, DAYS = 2000, 60
MAX_HALF_WAIT, MIN_SHARE = Millis(MINUTE), 0.8
"""With 2,000 seekers: half of the live searches that find a partner take no longer, in the evening; and so many of all
searches end in a game."""

BANDS = ((0, 1250), (1250, 1500), (1500, 1750), (1750, 9999))
HOURS = {"evening": range(17, 22), "day": range(8, 17), "night": (22, 23, *range(8))}


async def live_through(number: int, days: int, *, has_levels: bool = True) -> list[Figure]:
    chance, now = random.Random(number), [START]  # noqa: S311 - the same each time
    with tempfile.TemporaryDirectory(dir=memory_folder()) as folder:
        async with Database.open(f"sqlite:///{folder}/seeks.sqlite", now=lambda: now[0]) as store:
            world = World(store, now, draw_players(number, chance, days), chance, has_levels)
            await world.rate()
            await world.fill_weeks()
            begun = process_time()
            await world.live_through(days)
            say(f"     {number} players, {days} days, {world.rounds} rounds: {process_time() - begun:.0f} s")
            return [*await _figures(world, number), *arena_figures(await world.arenas.hours())]


async def _figures(world: World, number: int) -> list[Figure]:
    async with world.store.read() as reader:
        alone = schema.seek.c.arena.is_(None), schema.seek.c.since >= START
        rows = (await reader.connection.execute(schema.seek.select().where(*alone))).all()
        conduct = await reader.seeks.conduct([each.id for each in world.players], world.now[0])
    found = list[Figure]()
    for speed in Speed:
        over = [row for row in rows if row.speed == speed.value and row.state not in ("waiting", "called")]
        played = [row for row in over if row.state == SeekState.PLAYED.value]
        if len(played) < 2:
            continue
        states = Counter(row.state for row in over)
        found.append(Figure(f"{speed}: searches that are over", len(over), ""))
        least = MIN_SHARE if number >= SEEKERS else None
        found.append(Figure(f"{speed}: share that ends in a game", len(played) / len(over), "", least, least=True))
        found += [Figure(f"{speed}: share {state}", states[state] / len(over), "") for state in ("missed", "expired")]
        limit = MAX_HALF_WAIT / MINUTE if speed is Speed.LIVE and number >= SEEKERS else None
        for name, hours in HOURS.items():
            waits = [_wait(row) for row in played if row.since % DAY // HOUR in hours]
            found += _spread(f"{speed}, {name}: wait", waits, limit if name == "evening" else None)
        for low, high in BANDS:
            waits = [_wait(row) for row in played if low <= world.by_id[row.user].rating < high]
            found += _spread(f"{speed}, rating {low} to {high}: wait", waits)
        gaps = [_gap(world, pair) for pair, met, _ in world.meetings if met is speed]
        found += _spread(f"{speed}: difference of ratings", gaps, unit="points")
    games = len(world.meetings)
    stuck = sum(row.state == SeekState.CALLED.value and row.met < world.now[0] - HOUR for row in rows)
    found.append(Figure("games", games, ""))
    found.append(Figure("pairs that met again too soon", _repeats(world), "", 0))
    found.append(Figure("pairs that met behind a block", _blocked(world), "", 0))
    found.append(Figure("pairs called for more than an hour", stuck, "", 0))
    found.append(Figure("games left by one of the two", 1000 * world.left_by_rude / max(1, games), "of 1,000"))
    spoilt = 1000 * world.spoilt / max(1, world.played_by_polite)
    found.append(Figure("games that the other left", spoilt, "of 1,000 of polite ones"))
    found.append(Figure("searches refused for conduct", world.refused["seek_out"], ""))
    rude = [each for each in world.players if each.is_rude]
    polite = [each for each in world.players if not each.is_rude and each.gone_on is None]
    for level in Level:
        for name, people in (("without manners", rude), ("with manners", polite)):
            share = sum(conduct[each.id].level is level for each in people) / max(1, len(people))
            found.append(Figure(f"players {name} of level {level}", share, "of them"))
    found += _of_a_player(world, polite)
    return found


def _wait(row: AnyRow) -> float:
    return float(row.met - row.since) / MINUTE


def _gap(world: World, pair: frozenset[UserId]) -> float:
    one, other = (world.by_id[user].rating for user in pair)
    return abs(one - other)


def _spread(name: str, values: list[float], limit: float | None = None, unit: str = "minutes") -> Iterator[Figure]:
    """Yields the half and the 95 of 100 of some values, if they are enough."""
    if len(values) > 1:
        yield Figure(f"{name}, half at most", median(values), unit, limit)
        yield Figure(f"{name}, 95 of 100 at most", quantiles(values, n=20)[-1], unit)


def _of_a_player(world: World, people: list[Player]) -> Iterator[Figure]:
    """Yields what single players get: games in a week, and different strangers."""
    games, strangers = Counter[UserId](), Counter[UserId]()
    for pair, _, _ in world.meetings:
        games.update(pair)
    for pair in {pair for pair, _, _ in world.meetings}:
        strangers.update(pair)
    weeks = max(1, (world.now[0] - START) / (7 * DAY))
    each_week = sorted(games[each.id] / weeks for each in people)
    yield Figure("games of a polite player in a week, half at least", median(each_week), "")
    yield Figure("games of a polite player in a week, 95 of 100 at least", quantiles(each_week, n=20)[0], "")
    yield Figure("strangers that a polite player met, half at least", median(strangers[each.id] for each in people), "")


def _repeats(world: World) -> int:
    """Counts the pairs that met again before they may."""
    met: dict[tuple[frozenset[UserId], Speed], list[Millis]] = {}
    for pair, speed, at in world.meetings:
        met.setdefault((pair, speed), []).append(at)
    return sum(
        later - earlier < AGAIN_MILLIS[speed]
        for (_, speed), times in met.items()
        for earlier, later in pairwise(sorted(times))
    )


def _blocked(world: World) -> int:
    """Counts the games of pairs between whom there was a block already."""
    never = Millis(2**62)
    return sum(at > world.blocks.get(pair, never) for pair, _, at in world.meetings)


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("seekers", nargs="?", type=int, default=SEEKERS)
    parser.add_argument("days", nargs="?", type=int, default=DAYS)
    parser.add_argument("--without-levels", action="store_true")
    chosen = parser.parse_args()
    levels = not chosen.without_levels
    figures = asyncio.run(live_through(chosen.seekers, chosen.days, has_levels=levels))
    for figure in figures:
        say(figure)
    return not all(figure.holds for figure in figures)


if __name__ == "__main__":
    raise SystemExit(main())
