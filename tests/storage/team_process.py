"""A process that directs the contests which are due, and is killed by SIGKILL at a moment of that:
`python -m tests.storage.team_process URL STATE NOW MOMENT NUMBER`.

The file STATE has what both servers have been sent, before and after. The moments: `before` and `after` the post with
that NUMBER, and `match`, when so many games have been stored and nobody was told.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from play.ids import MessageId, Millis
from play.match.match import Match
from play.services.use_cases import UseCases
from play.teams.contest import Board, Contest, Side
from play.workers.team_director import TeamDirector
from storage import Database
from tests.director import PROGRAM


@dataclass
class Servers:
    """Both servers: what is posted with the same nonce is one message."""

    posts: dict[tuple[Side, str], MessageId] = field(default_factory=dict)
    shown: list[tuple[Side, int]] = field(default_factory=list)
    told: list[tuple[Side, str]] = field(default_factory=list)

    @property
    def kept(self) -> tuple[object, ...]:
        """The state that survives a process."""
        return self.posts, self.shown, self.told

    async def show(self, contest: Contest, side: Side) -> MessageId:
        return self._post(side, "contest", lambda: self.shown.append((side, contest.version)))

    async def call(self, contest: Contest, board: Board, side: Side) -> MessageId:
        return self._post(side, f"{board.number}:{board.tries}")

    async def tell(self, contest: Contest, side: Side, notice: str) -> None:
        self._post(side, notice, lambda: self.told.append((side, notice)))

    async def warn_manager(self, contest: Contest, side: Side) -> None:
        raise AssertionError

    def _post(self, side: Side, nonce: str, note: Callable[[], None] | None = None) -> MessageId:
        if note and (nonce == "contest" or (side, nonce) not in self.posts):
            note()
        return self.posts.setdefault((side, nonce), MessageId(10_000 + len(self.posts)))


class DyingServers(Servers):
    """Servers of a process that is killed at a post."""

    def __init__(self, state: Path, moment: str, number: int) -> None:
        super().__init__(*pickle.loads(state.read_bytes()))  # noqa: S301 - the test's own file
        self._state, self._moment, self._left = state, moment, number

    def _post(self, side: Side, nonce: str, note: Callable[[], None] | None = None) -> MessageId:
        if self._moment in ("before", "after"):
            self._left -= 1
        if self._moment == "before" and not self._left:
            self.die()
        message = super()._post(side, nonce, note)
        if self._moment == "after" and not self._left:
            self.die()
        return message

    def note_match(self, _: Match) -> None:
        if self._moment == "match":
            self._left -= 1
            if not self._left:
                self.die()

    def die(self) -> None:
        self._state.write_bytes(pickle.dumps(self.kept))
        os.kill(os.getpid(), signal.SIGKILL)


def make_director(use_cases: UseCases, servers: Servers) -> TeamDirector:
    return TeamDirector(use_cases.store, use_cases, servers, user=lambda: PROGRAM, seeds=lambda: 4)


async def main(url: str, servers: DyingServers, now: Millis) -> None:
    async with Database.open(url, now=lambda: now) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        use_cases.events.match_changed.subscribe(servers.note_match)
        director = make_director(use_cases, servers)
        while True:  # until it is killed; the test waits for a time
            await director.poll()


if __name__ == "__main__":
    _, url, state, now, moment, number = sys.argv
    asyncio.run(main(url, DyingServers(Path(state), moment, int(number)), Millis(int(now))))
