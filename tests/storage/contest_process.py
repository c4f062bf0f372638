"""A process that directs the contests which are due, and is stopped by a signal at a moment of that:
`python -m tests.storage.contest_process URL STATE NOW MOMENT NUMBER SIGNAL`.

The file STATE has what both servers have been sent, before and after. The moments: `before` and `after` the post with
that NUMBER, and `match`, when so many games have been stored and nobody was told. A process that was frozen there does
what it was at, and ends.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from play.competitions.contest import Board, Contest, Side
from play.ids import MessageId, Millis
from play.match.match import Match
from storage import Database
from tests.director import called_games
from tests.keepers import kept_posts
from tests.storage.interruption import Interruption
from use_cases import UseCases
from use_cases.competitions.contest_director import ContestDirector


@dataclass
class Servers:
    """Both servers: what is posted with the same nonce is one message."""

    posts: dict[tuple[Side, str], MessageId] = field(default_factory=dict)
    shown: list[tuple[Side, int]] = field(default_factory=list)
    told: list[tuple[Side, str]] = field(default_factory=list)

    def save(self, state: Path) -> None:
        """Keeps what survives a process."""
        state.write_bytes(pickle.dumps((self.posts, self.shown, self.told)))

    @classmethod
    def load(cls, state: Path) -> Servers:
        return Servers(*pickle.loads(state.read_bytes()))  # noqa: S301 - the test's own file

    async def show(self, contest: Contest, side: Side) -> MessageId:
        return self._post(side, "contest", lambda: self.shown.append((side, contest.version)))

    async def call(self, contest: Contest, board: Board, side: Side) -> MessageId:
        return self._post(side, f"{board.number}:{board.tries}")

    async def tell(self, contest: Contest, side: Side, notice: str) -> None:
        self._post(side, notice, lambda: self.told.append((side, notice)))

    def _post(self, side: Side, nonce: str, note: Callable[[], None] | None = None) -> MessageId:
        if note and (nonce == "contest" or (side, nonce) not in self.posts):
            note()
        return self.posts.setdefault((side, nonce), MessageId(10_000 + len(self.posts)))


class InterruptedServers(Servers):
    """Servers of a process that is stopped at a post, or when a game is stored."""

    def __init__(self, state: Path, moment: str, number: int, signal: str) -> None:
        kept = Servers.load(state)
        super().__init__(kept.posts, kept.shown, kept.told)
        self.was_stopped = False
        self._state = state
        self._interruption = Interruption(moment, number, signal, self.keep)

    def keep(self) -> None:
        self.was_stopped = True
        self.save(self._state)

    def note_match(self, _: Match) -> None:
        self._interruption.reach("match")

    def _post(self, side: Side, nonce: str, note: Callable[[], None] | None = None) -> MessageId:
        self._interruption.reach("before")
        message = super()._post(side, nonce, note)
        self._interruption.reach("after")
        return message


def make_director(use_cases: UseCases, servers: Servers) -> ContestDirector:
    return ContestDirector(
        use_cases.store,
        kept_posts(use_cases.store),
        called_games(use_cases),
        use_cases.capacity,
        use_cases.votes,
        servers,
    )


async def main(url: str, servers: InterruptedServers, now: Millis) -> None:
    async with Database.open(url, now=lambda: now) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        use_cases.events.match_changed.subscribe(servers.note_match)
        director = make_director(use_cases, servers)
        while not servers.was_stopped:  # the test waits for a time
            await director.poll()
    servers.keep()


if __name__ == "__main__":
    _, url, state, now, moment, number, signal = sys.argv
    asyncio.run(main(url, InterruptedServers(Path(state), moment, int(number), signal), Millis(int(now))))
