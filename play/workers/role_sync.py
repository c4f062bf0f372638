"""The steward: gives the roles of a podium to those who stand on it, and takes them from those who do not any more."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from play.community.role_rewards import SHARED, Honour, Podium, Trouble, honours
from play.ids import GuildId, RoleId, UserId
from play.ratings.leaderboard import Leader, Scorer
from play.ratings.season import Season
from play.store import Store
from play.workers.retry_queue import Errands, Unfinished


class Absent(Exception):
    """Whom it is about is not on the server."""


class Ungiven(Exception):
    """A role could not be given or taken."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


class Wardrobe(Protocol):
    """Roles on Discord; bot/ implements it. Both may be done over and over. Raises Absent, Ungiven; anything else is
    tried again."""

    async def give(self, guild: GuildId, honour: Honour) -> None: ...

    async def take(self, guild: GuildId, honour: Honour) -> None: ...


class Steward(Errands[GuildId]):
    """Compares who is to have a role with whom one was given, and does the difference. So it asks Discord for nothing
    where nothing has changed, and whichever process does it, the result is the same."""

    def __init__(self, store: Store, wardrobe: Wardrobe, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._store = store
        self._wardrobe = wardrobe

    async def found(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            return await reader.role_rewards.to_update(await reader.clock.now(), limit)

    async def do(self, key: GuildId) -> None:
        async with self._store.read() as reader:
            season = Season.at(await reader.clock.now())
            podium, known = await reader.role_rewards.get(key), await reader.role_rewards.grants_in(key)
            if podium is None:
                return
            lines: Sequence[Leader | Scorer]
            if podium.seasonal:
                lines = await reader.leaderboards.scorers(season, podium.pool, key, 0, SHARED)
            else:
                lines = await reader.leaderboards.leaders(podium.pool, key, 0, SHARED)
        due, given = honours(podium, lines), {honour for honour, given in known.items() if given}
        changes = [(self._take, honour) for honour in sorted(known.keys() - due)]
        changes += [(self._give, honour) for honour in sorted(due - given)]
        troubles: dict[RoleId, Trouble] = {}
        for change, honour in changes:
            if honour.role in troubles or Trouble.AWAY in troubles.values():
                continue
            try:
                await change(podium, honour)
            except Ungiven as error:
                troubles[honour.role] = error.trouble
        again = Trouble.PERMISSION in troubles.values()
        trouble = Trouble.PERMISSION if again else next(iter(troubles.values()), None)
        async with self._store.write() as tx:
            until = season.ends if podium.seasonal else None
            await tx.role_rewards.mark_synced(podium, until, trouble, done=not again)
        if again:
            raise Unfinished("the bot may not give these roles")

    async def forget(self, user: UserId) -> None:
        """Takes all his roles from somebody who is about to be forgotten. Discord may refuse: then he keeps them."""
        async with self._store.read() as reader:
            found = await reader.role_rewards.grants_of(user)
        for guild, honour in found:
            try:
                await self._wardrobe.take(guild, honour)
            except (Absent, Ungiven):
                continue

    async def _take(self, podium: Podium, honour: Honour) -> None:
        try:
            await self._wardrobe.take(podium.guild, honour)
        except Absent:
            pass
        except Ungiven as error:
            if error.trouble is not Trouble.ROLE:
                raise
        async with self._store.write() as tx:
            await tx.role_rewards.mark_revoked(podium, honour)

    async def _give(self, podium: Podium, honour: Honour) -> None:
        async with self._store.write() as tx:
            await tx.role_rewards.mark_granting(podium, honour)
        try:
            await self._wardrobe.give(podium.guild, honour)
        except Absent:
            return  # when he comes back, the next change of places brings him his role
        async with self._store.write() as tx:
            await tx.role_rewards.mark_granted(podium, honour)
