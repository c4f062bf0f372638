"""What is stored of a person, handed out or forgotten."""

from __future__ import annotations

from typing import Any

from play.ids import Millis, UserId
from play.services.ladder import Climbing
from play.services.matches import Tables
from play.services.tournaments import Organising
from play.store import Store
from play.workers.computer_player import source_of
from play.workers.role_sync import Steward

Rows = list[dict[str, Any]]


class Privacy:
    """The use cases of a person for himself."""

    def __init__(self, store: Store, tables: Tables, tournaments: Organising, steward: Steward) -> None:
        self._store = store
        self._tables = tables
        self._tournaments = tournaments
        self._steward = steward
        self._climbing = Climbing(store)

    async def everything(self, user: UserId) -> dict[str, Rows]:
        """All rows in which `user` stands, by table, and those that belong to his seats."""
        async with self._store.read() as reader:
            return await reader.privacy.export(user)

    async def forget(self, user: UserId, at: Millis) -> None:
        """Ends what `user` has begun, then forgets him: the games that he played stay, by nobody."""
        async with self._store.read() as reader:
            tournaments = await reader.tournaments.open_of(user)
            offers = await reader.challenges.open_of(user)
            ladders = await reader.ladders.of_user(user)
        for guild in ladders:
            await self._climbing.leave(guild, user)
        for tournament in tournaments:
            await self._tournaments.withdraw(tournament, user, at)
        for entry in await self._tables.games(user):
            match = await self._tables.board(entry.id)
            end = self._tables.resign if match.all_have_moved else self._tables.abort
            await end(match.id, user, at, source_of(match))
        for offer in offers:
            challenge = await self._tables.offer(offer)
            if user in challenge.joined:
                challenge = await self._tables.leave(offer, user, at)
            if user in (challenge.challenger, challenge.opponent):
                await self._tables.decline(offer, user, at)
        await self._steward.forget(user)
        async with self._store.write() as tx:
            await tx.privacy.forget(user)
        self._steward.wake()
