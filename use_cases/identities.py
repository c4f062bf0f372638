"""The use cases of identities: what a platform calls a user, place or message, and the number that it has here."""

from play.ids import IdentityKind, Platform, UserId
from storage import Database
from use_cases.match_writer import retry_on_conflict


class Identities:
    """Translates between native ids of platforms and ours. A native id that is a number of ours has no row."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def native(self, id_: int) -> str | None:
        """Returns what its platform calls a user, place or message; None if it was deleted."""
        async with self._store.read() as reader:
            return await reader.identities.native(id_)

    async def find(self, platform: Platform, kind: IdentityKind, native: str) -> int | None:
        """Returns the id of a user, place or message, if it has one."""
        async with self._store.read() as reader:
            return await reader.identities.find(platform, kind, native)

    async def move(self, platform: Platform, old: str, new: str) -> None:
        """Gives a place another native id, and those in it. Raises Refused (`busy`)."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                await tx.identities.move(platform, old, new)

        await retry_on_conflict(attempt)

    async def take(self, platform: Platform, kind: IdentityKind, native: str, user: UserId | None = None) -> int:
        """Returns the id of a user, place or message, from now on always the same.

        `user` is the person with whom alone the bot shares a place, or a message there: it is deleted with their data.
        Raises Refused (`busy`), and ValueError if `native` is empty or too long.
        """
        if (known := await self.find(platform, kind, native)) is not None:
            return known

        async def attempt() -> int:
            async with self._store.write() as tx:
                await tx.identities.lock()
                return await tx.identities.take(platform, kind, native, await tx.clock.now(), user=user)

        return await retry_on_conflict(attempt)

    async def rename(self, id_: int, native: str) -> None:
        """Lets an id mean something else on its platform. Raises Refused (`busy`) if that has one already."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                await tx.identities.rename(id_, native)

        await retry_on_conflict(attempt)
