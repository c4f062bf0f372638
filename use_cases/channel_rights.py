"""The rights of users in the channels of matches: the web lets them do what Discord lets them do there now."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

from play.ids import DAY, ChannelId, GuildId, Millis, UserId
from play.match.match import Match
from play.people.web_session import WebWatch
from play.refusal import Reason, Refused
from storage import Database
from use_cases.barriers import check_not_banned

UNTOLD_MILLIS: Final = DAY
"""How long a right to watch lasts, after each link, where Discord tells the bot nothing: in direct messages, in groups,
and on servers that the bot is not in."""


class Rights(NamedTuple):
    """The rights of a user in a channel: to see it, and to write there."""

    sees: bool
    writes: bool


class Members(Protocol):
    """The members of servers, as Discord knows them; implemented in bot/services/members.py."""

    async def rights(self, guild: GuildId, channel: ChannelId, user: UserId) -> Rights | None:
        """Returns what a user may do in a channel of a server; None where the bot is not in the server.

        Raises Refused (`discord_away`).
        """

    async def is_there(self, channel: ChannelId) -> bool:
        """Returns whether there is a channel, which may be closed to the bot. Raises Refused (`discord_away`)."""

    async def is_private_thread(self, channel: ChannelId) -> bool:
        """Returns whether a channel is a private thread, or may be one, since it is closed to the bot.

        Raises Refused (`discord_away`).
        """


class ChannelRights:
    """Rights that users have on the web since they have them in a channel. All methods raise Refused."""

    def __init__(self, store: Database, members: Members) -> None:
        self._store = store
        self._members = members

    async def check_watching(self, match: Match, watch: WebWatch, now: Millis) -> None:
        """Raises Refused unless a user may still watch a match: `banned`, `banned_until`, `discord_away`, and
        `watch_over` for all else.

        The match must be where they saw it, they must see that channel, and no player may have blocked them. The last
        reads like the others: it is not told.
        """
        user = watch.user
        async with self._store.read() as reader:
            await check_not_banned(reader, match.guild, user, now)
            blocks = await reader.blocks.among({user, *match.players})
        if any(block.blocked == user for block in blocks) or (watch.seen or match.channel) != match.channel:
            raise Refused(Reason.WATCH_OVER)
        found = None if match.guild is None else await self._members.rights(match.guild, match.channel, user)
        may_watch = _is_fresh(watch, now) if found is None else found.sees
        if not may_watch:
            raise Refused(Reason.WATCH_OVER)

    async def sees(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool:
        """Returns whether a user sees a channel of a server that the bot is in, and of a private thread also that they
        joined it. Raises Refused (`discord_away`)."""
        found = await self._members.rights(guild, channel, user)
        return found is not None and found.sees

    async def hides(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool:
        """Returns whether a user does not see a channel, so that nothing that goes on in it is told to them. One that
        was deleted, or is of a server without the bot, is hidden from nobody.

        Raises Refused (`discord_away`).
        """
        if not await self._members.is_there(channel):
            return False
        found = await self._members.rights(guild, channel, user)
        return found is not None and not found.sees

    async def is_private(self, channel: ChannelId) -> bool:
        """Returns whether a channel is a private thread, or may be one, since it is closed to the bot. Raises Refused
        (`discord_away`)."""
        return await self._members.is_private_thread(channel)

    async def check_posting(self, match: Match, user: UserId) -> None:
        """Raises Refused unless a user may write in the channel of a match: `banned`, `banned_until`, `discord_away`,
        and `cannot_post_there` for members who may not, and for all who are none.

        Where Discord tells the bot nothing, it refuses posts itself.
        """
        if match.guild is None:
            return
        async with self._store.read() as reader:
            await check_not_banned(reader, match.guild, user, await reader.clock.now())
        found = await self._members.rights(match.guild, match.channel, user)
        if found is not None and not found.writes:
            raise Refused(Reason.CANNOT_POST_THERE)


def _is_fresh(watch: WebWatch, now: Millis) -> bool:
    return watch.seen is not None and now < watch.given + UNTOLD_MILLIS
