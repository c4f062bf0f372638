"""The use cases of home posts: a server chooses a channel for its own, has it posted anew, and ends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from play.community.home import MAX_CHALLENGES, Home, first_number
from play.ids import MINUTE, ChannelId, GuildId, Millis, RoleId, UserId
from storage import Database
from use_cases.events import Events
from use_cases.match_writer import retry_on_conflict
from use_cases.undoing import undone_by

MIN_RENEWAL_MILLIS = MINUTE
"""Between two posts that managers ask for: a minute, however often they press."""


class Homes:
    """What managers of a server do with its home."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

    async def of(self, guild: GuildId) -> Home | None:
        """Returns the home of a server."""
        async with self._store.read() as reader:
            return await reader.homes.get(guild)

    async def settle(self, guild: GuildId, channel: ChannelId, zone: str | None, by: UserId) -> Home:
        """Gives a server a home, or moves its home; it is posted at once, and each morning in `zone`. Of its troubles
        `by` is told."""

        async def attempt() -> Home:
            async with self._store.write() as tx:
                home = await tx.homes.get(guild)
                if home is not None and home.channel == channel and home.trouble is None:
                    return home
                if home is None:
                    known = await tx.challenges.open_to_all(guild, 1)
                    number = first_number(await tx.clock.now())
                    home = Home(guild, channel, posts=number, announced=known[0].id if known else 0)
                moved = await tx.homes.save(home.moved(channel, zone))
                await tx.kept_posts.place(moved.post.key, by)
                return moved

        settled = await retry_on_conflict(attempt)
        self._events.home_set()
        return settled

    async def set_role(self, guild: GuildId, role: RoleId | None) -> None:
        """Chooses whom the home pings for open challenges: those made from now on."""

        async def attempt() -> None:
            async with self._store.write() as tx:
                if (home := await tx.homes.get(guild)) is not None:
                    newest = await tx.challenges.open_to_all(guild, MAX_CHALLENGES)
                    announced = max([home.announced, *(challenge.id for challenge in newest)])
                    await tx.homes.save(replace(home, role=role, announced=announced))

        await retry_on_conflict(attempt)

    async def post_now(self, guild: GuildId, at: Millis) -> None:
        """Has the home posted anew, also where it could not be posted before."""
        await self._change(guild, lambda home: _renew(home, at))

    @undone_by("settle")
    async def stop(self, guild: GuildId) -> None:
        """Ends the home; its message stays, as it was last."""
        async with self._store.write() as tx:
            await tx.homes.remove(guild)

    async def _change(self, guild: GuildId, change: Callable[[Home], Home]) -> None:
        async def attempt() -> None:
            async with self._store.write() as tx:
                if (home := await tx.homes.get(guild)) is not None and (changed := change(home)) != home:
                    await tx.homes.save(changed)

        await retry_on_conflict(attempt)
        self._events.home_set()


def _renew(home: Home, at: Millis) -> Home:
    is_new = home.trouble is None and (home.message is None or at - (home.posted or 0) < MIN_RENEWAL_MILLIS)
    return home if is_new else home.renewed()
