"""The filler of openings: stores the positions of games that ended before there was a place for them."""

import asyncio

from play.ids import MatchId
from storage import Database
from storage.errors import Stale
from storage.openings import EndedGame, opening_rows
from storage.statements import Values
from use_cases.worker import Timing, Worker

BACKLOG_POLL_SECONDS = 600.0
"""Between two looks whether there is a backlog: nobody waits for it."""

GAMES_AT_ONCE = 20
"""Games that one transaction stores: their positions take a thread 20 ms."""

REST_SECONDS = 0.5
"""Between two transactions, so that moves have the database and the processor: 100,000 games take an hour."""


class OpeningFiller(Worker[MatchId]):
    """Goes through the backlog, the newest games first. Where it has come to is stored with the positions, so that it
    goes on there after a restart, and of several processes one stores each part."""

    def __init__(self, store: Database, timing: Timing = Timing(), at_once: int = GAMES_AT_ONCE) -> None:  # noqa: B008
        super().__init__(timing)
        self._store = store
        self._at_once = at_once

    async def pending(self, limit: int) -> list[MatchId]:
        async with self._store.read() as reader:
            begin = await reader.openings.begin_of_backlog()
        return [] if begin is None else [begin]

    async def process(self, key: MatchId) -> None:
        """Stores the games below a number, part by part."""
        before = key
        while before := await self._fill(before):
            if not await self.rest(REST_SECONDS):
                break

    async def _fill(self, before: MatchId) -> MatchId:
        """Stores a part; returns the number below which the next one is, 0 if there is none."""
        async with self._store.read() as reader:
            backlog = await reader.openings.backlog(before, self._at_once)
            wound = await reader.matches.of_ids(backlog.wound)
        rows = await asyncio.to_thread(_rows, [*backlog.games, *map(EndedGame.of, wound.values())])
        try:
            async with self._store.write() as tx:
                await tx.openings.catch_up(backlog, rows)
        except Stale:  # another process has stored it, and goes on
            return MatchId(0)
        return backlog.rest


def _rows(games: list[EndedGame]) -> list[Values]:
    return [row for each in games for row in opening_rows(each)]
