"""The victims of greedy accounts: the computer's move beside players who ask for its view, and ghosts beside ten boards
of one account, each beside its idle time. `python -m benchmarks.shares`."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from benchmarks.boards import Site, ghost_seconds, open_site
from benchmarks.figure import Figure, percentile
from benchmarks.program import report
from benchmarks.rules import crowded
from bot.features.coach.computer import Helper
from opponent.captures import corrected
from opponent.choice import HELP, Budget
from opponent.pool import Pool
from play.clock import parse_control
from play.ids import ChannelId, IdempotencyKey, MatchId, UserId
from play.match import moves
from play.match.match import Match
from play.refusal import Refused
from rules.game import point_name
from rules.registry import make_game
from tests.web.visit import Board, Visit, link_for

if TYPE_CHECKING:
    from typing import Any

    from rules.dots import DotsPosition

ASKERS = 5, 20
"""Accounts that ask for the computer's view, again and again."""

MOVE_BUDGET = Budget(nodes=50, fresh=True)
"""A move of a weak level, which costs a few milliseconds: what is measured is the wait."""

MOVES, MOVE_SECONDS = 40, 0.5
"""Moves that are measured, and the seconds between two."""

BOARDS, TAPS_SECONDS = 10, 0.1
"""Boards of one account, and the seconds between two taps on any of them, as the limits allow."""

TAPS, TAP_SECONDS = 150, 0.1
"""Taps of the victim, and the seconds between two."""

FAR, DOTS = MatchId(2), 600


def figures() -> Iterator[Figure]:
    yield from asyncio.run(_wait_for_moves())
    yield from asyncio.run(_wait_for_ghosts())


async def _wait_for_moves() -> list[Figure]:
    pool, position = Pool(), crowded("zagram", dots=300)
    running = asyncio.create_task(pool.run())
    await pool.choose(position, MOVE_BUDGET, 0)
    idle = await _move_seconds(pool, position)
    found = [Figure("the computer's move, no one asks, 99 %", 1000 * percentile(idle, 0.99), "ms")]
    for askers in ASKERS:
        answered = [0]
        asking = [asyncio.create_task(_ask(Helper(pool, asker), position, answered)) for asker in range(1, askers + 1)]
        await asyncio.sleep(5)  # until the worker for help has begun
        taken = await _move_seconds(pool, position)
        found += [
            Figure(
                f"  beside {askers} accounts that ask for the view, 99 %", 1000 * percentile(taken, 0.99), "ms", 1000
            ),
            Figure("  its median, to that of the idle time", percentile(taken, 0.5) / percentile(idle, 0.5), "times"),
            Figure("  searches for them that were done meanwhile", answered[0], "", 1, least=True),
        ]
        await _cancel(*asking)
    await _cancel(running)
    return found


async def _ask(helper: Helper, position: DotsPosition, answered: list[int]) -> None:
    """Asks for the computer's view without end."""
    while True:
        with suppress(Refused):
            found = await helper.help(position, HELP, 0)
            answered[0] += 1
            await corrected(position, found, helper.look)
        await asyncio.sleep(0.1)


async def _move_seconds(pool: Pool, position: DotsPosition) -> list[float]:
    """Returns the seconds that each of the computer's moves takes."""
    taken = []
    for seed in range(MOVES):
        await asyncio.sleep(MOVE_SECONDS)
        begun = time.perf_counter()
        await pool.choose(position, MOVE_BUDGET, seed)
        taken.append(time.perf_counter() - begun)
    return taken


async def _wait_for_ghosts() -> list[Figure]:
    async with open_site() as site, Visit(site.address) as visit:
        board = await visit.open(await link_for(site.room, site.room.ola, site.room.boards(site.thread)[-1]))
        idle = await ghost_seconds(board, TAPS, TAP_SECONDS)
        match = await _far_match(site)
        async with _greedy(site, match) as answers:
            taken = await ghost_seconds(board, TAPS, TAP_SECONDS)
            drawn = answers.count("ghost")
    return [
        Figure("a ghost, no other board, median", 1000 * percentile(idle, 0.5), "ms"),
        Figure("  its 99 %", 1000 * percentile(idle, 0.99), "ms"),
        Figure(f"  beside {BOARDS} boards of one account, median", 1000 * percentile(taken, 0.5), "ms"),
        Figure("  its 99 %", 1000 * percentile(taken, 0.99), "ms", 250),
        Figure("  the median, to that of the idle time", percentile(taken, 0.5) / percentile(idle, 0.5), "times", 3),
        Figure("  ghosts of the account meanwhile", drawn, "", 1, least=True),
    ]


async def _far_match(site: Site) -> Match:
    """Returns a game of two squares with many dots, in which the attacker is to move for the first time."""
    chance, game = Random(1), make_game("two-squares", {"size": "39x32"})  # noqa: S311 - no secret
    match = Match.begin(
        FAR,
        guild=None,
        channel=ChannelId(site.room.general.id),
        parent=None,
        game=game,
        seed=0,
        players=(UserId(site.room.kasia.id), UserId(site.room.maksim.id)),
        control=parse_control("3d"),
        at=site.room.clock(),
    )
    async with site.room.services.store.write() as tx:
        match = await tx.matches.add(match)
        for number in range(DOTS):
            turn = str(chance.choice([*match.position.moves()]))
            key, user = IdempotencyKey(10**6 + number), match.players[match.to_act or 0]
            match = moves.move(match, user, turn, site.room.clock(), key)
            await tx.matches.save(match)
        await tx.matches.move_to_channel(match.id, match.guild, match.channel)  # where only the last is posted
    await site.room.wait_for_outbox()
    return match


@asynccontextmanager
async def _greedy(site: Site, match: Match) -> AsyncIterator[list[str]]:
    """Taps on all boards of one account for the block; yields the kinds of the answers."""
    answers, numbers, links = list[str](), count(1), site.room.services.web_links
    assert links is not None
    names = [point_name(turn.dot) for turn in match.position.moves()]

    async def tap(board: Board) -> None:
        while True:
            await asyncio.sleep(BOARDS * TAPS_SECONDS)
            answers.append((await board.attempt(f"{names[next(numbers) % len(names)]}"))["is"])

    async with Visit(site.address) as visit:
        key = await site.room.services.web_sessions.link_key(match.players[0])
        link = links.make(match.players[0], match.id, site.room.clock(), key=key, seen=None)
        _, entered = await visit.enter(link)
        boards = [await visit.live(entered["to"]) for _ in range(BOARDS)]
        for board in boards:
            await board.read()
        tapping = [asyncio.create_task(tap(board)) for board in boards]
        yield answers
        await _cancel(*tapping)


async def _cancel(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def main() -> int:
    return report(figures())


if __name__ == "__main__":
    sys.exit(main())
