"""A process that directs the league, and is stopped by a signal at a moment of that:
`python -m tests.storage.league_process URL STATE NOW MOMENT NUMBER SIGNAL`.

The file STATE has what the server has been sent, before and after. The moments: `before` and `after` the post with that
NUMBER, and the `commit` with that number. It ends when nothing is due.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from play.competitions.league import League, LeagueNotice, first_season
from play.competitions.season import LeagueGame, Season
from play.ids import ChannelId, MessageId, Millis
from storage import Database
from tests.clock import NOON
from tests.director import called_games
from tests.keepers import kept_posts
from tests.storage.interruption import InterruptedStore, Interruption
from use_cases import UseCases
from use_cases.competitions.league_director import LeagueDirector

BEGINS = first_season(NOON)
"""When the first season of a league begins that was opened at noon."""


@dataclass
class Server:
    """A `use_cases.competitions.league_director.LeagueDisplay`: what is posted with the same nonce is one message."""

    posts: dict[str, MessageId] = field(default_factory=dict)
    shown: list[int] = field(default_factory=list)
    """The versions that the message of the league has shown."""
    pins: list[tuple[MessageId, bool]] = field(default_factory=list)
    reach: Callable[[str], None] = lambda _: None

    def save(self, state: Path) -> None:
        state.write_bytes(pickle.dumps((self.posts, self.shown, self.pins)))

    @classmethod
    def load(cls, state: Path) -> Server:
        return cls(*pickle.loads(state.read_bytes()))  # noqa: S301 - the test's own file

    async def show(self, league: League) -> MessageId:
        message = self._post(f"lg:{league.channel:x}")
        self.shown.append(league.version)
        return message

    async def pin(self, league: League, message: MessageId, *, pinned: bool) -> bool:
        self.pins.append((message, pinned))
        return True

    async def call(self, league: League, season: Season, index: int, game: LeagueGame) -> MessageId:
        return self._post(f"call {season.number}:{index}:{season.divisions[index].games.index(game)}")

    async def announce(self, league: League, notice: LeagueNotice, season: Season | None) -> None:
        self._post(f"{notice.kind} {notice.season}, version {notice.version}, game {notice.game}")

    async def tell_moved(self, league: League, channel: ChannelId, message: MessageId) -> None:
        self._post(f"moved from {channel}")

    def _post(self, nonce: str) -> MessageId:
        self.reach("before")
        message = self.posts.setdefault(nonce, MessageId(10_000 + len(self.posts)))
        self.reach("after")
        return message


def make_director(store: Database, use_cases: UseCases, server: Server) -> LeagueDirector:
    return LeagueDirector(
        store,
        kept_posts(store),
        called_games(use_cases),
        server,
        computer=True,
    )


async def direct(director: LeagueDirector) -> None:
    """Does all that is due."""
    while await director.pending(1):
        await director.poll()


async def main(url: str, state: Path, now: Millis, moment: str, number: int, signal: str) -> None:
    server = Server.load(state)
    interruption = Interruption(moment, number, signal, lambda: server.save(state))
    server.reach = interruption.reach
    async with Database.open(url, now=lambda: now) as database:
        store = InterruptedStore(database, interruption)
        await direct(make_director(store, UseCases.over(store, seeds=lambda: 4), server))
    server.save(state)


if __name__ == "__main__":
    _, url, state, now, moment, number, signal = sys.argv
    asyncio.run(main(url, Path(state), Millis(int(now)), moment, int(number), signal))
