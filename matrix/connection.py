"""One account on Matrix: its platform for the chat, and the loop that hears its rooms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Self

import aiohttp

from matrix.homeserver import Homeserver
from matrix.listener import Hearer, Listener
from matrix.places import Places
from matrix.platform import MatrixPlatform
from matrix.rooms import Rooms
from matrix.sync import WAIT_SECONDS, Sync
from play.ids import GuildId, UserId
from presentation.words.words import Words
from use_cases import UseCases
from use_cases.worker import Timing


@dataclass(frozen=True, slots=True)
class Connection:
    """The parts of an account; `run` makes it hear."""

    homeserver: Homeserver
    rooms: Rooms
    places: Places
    platform: MatrixPlatform
    use_cases: UseCases
    timing: Timing

    @classmethod
    def build(
        cls,
        address: str,
        token: str,
        session: aiohttp.ClientSession,
        use_cases: UseCases,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> Self:
        """Returns the parts; `session` is the way out to the homeserver."""
        homeserver = Homeserver(address, token, session, timing)
        rooms = Rooms(homeserver, timing.clock)
        places = Places(use_cases.identities, rooms)
        return cls(homeserver, rooms, places, MatrixPlatform(homeserver, rooms, places), use_cases, timing)

    async def run(
        self,
        hearer: Hearer,
        words_for: Callable[[UserId | None, GuildId | None], Awaitable[Words]],
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        """Hears the rooms of the account, until it is cancelled or the token is known no more."""
        cases, parts = self.use_cases, (self.homeserver, self.rooms, self.places, self.platform)
        listener = Listener(*parts, hearer, words_for, cases.forget_guild, cases.forget_channel, self.timing)
        await cases.outages.load()
        sync = Sync(self.homeserver, cases.store, listener, cases.outages, self.timing, wait_seconds)
        await sync.run(self._log_in)

    async def _log_in(self) -> str:
        await self.platform.log_in()
        return self.platform.me
