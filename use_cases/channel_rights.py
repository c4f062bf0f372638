"""The rights of users in the channels of matches, as the chat has them now, and those who watch on the web: who reads
whose name."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final, NamedTuple, Protocol

from play.ids import DAY, ChannelId, GuildId, MatchId, Millis, UserId
from play.match.match import Match
from play.people.membership import Membership
from play.people.web_session import WATCHING_MILLIS, Watching, WebWatch
from play.refusal import Reason, Refused
from storage import Database
from use_cases.barriers import check_not_banned

UNTOLD_MILLIS: Final = DAY
"""How long a right to watch lasts, after each link, where the chat tells the bot nothing: in direct messages, groups,
and servers that the bot is not in."""

MAX_NAMED: Final = 10
"""Spectators of a game whose names are shown; the others are counted."""


class Rights(NamedTuple):
    """The rights of a user in a channel: to see it, and to write there."""

    sees: bool
    writes: bool


MembersLeft = Callable[[GuildId, Collection[UserId]], Awaitable[frozenset[UserId]]]
"""Returns those of some users who are no members of a server any more: nobody while the chat does not say, or the bot
is not there itself. Each is one request to the chat, unless the last minute has its answer."""


class Members(Protocol):
    """The members of servers, as the chat knows them; implemented in bot/services/members.py."""

    async def rights(self, guild: GuildId, channel: ChannelId, user: UserId) -> Rights | None:
        """Returns what a user may do in a channel of a server; None where the bot is not in the server.

        Raises Refused (`chat_away`).
        """

    async def membership(self, guild: GuildId, user: UserId) -> Membership | None:
        """Returns a member of a server; None for all others, and where the bot is not in the server. Raises Refused
        (`chat_away`)."""

    async def is_there(self, channel: ChannelId) -> bool:
        """Returns whether there is a channel, which may be closed to the bot. Raises Refused (`chat_away`)."""

    async def left(self, guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        """See `MembersLeft`."""

    async def is_private_thread(self, channel: ChannelId) -> bool:
        """Returns whether a channel is a private thread, or may be one, since it is closed to the bot.

        Raises Refused (`chat_away`).
        """


class ChannelRights:
    """Rights that users have on the web since they have them in a channel. All methods raise Refused."""

    def __init__(self, store: Database, members: Members) -> None:
        self._store = store
        self._members = members

    async def check_watching(self, match: Match, watch: WebWatch, now: Millis) -> None:
        """Raises Refused unless a user may still watch a match: `banned`, `banned_until`, `chat_away`, and
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
        joined it. Raises Refused (`chat_away`)."""
        found = await self._members.rights(guild, channel, user)
        return found is not None and found.sees

    async def membership(self, guild: GuildId, user: UserId) -> Membership | None:
        """Returns a member of a server that the bot is in, and who is not banned there; None for all others. Raises
        Refused (`chat_away`)."""
        async with self._store.read() as reader:
            ban = await reader.bans.get(guild, user)
            is_banned = ban is not None and ban.holds(await reader.clock.now())
        return None if is_banned else await self._members.membership(guild, user)

    async def hides(self, guild: GuildId, channel: ChannelId, user: UserId) -> bool:
        """Returns whether a user does not see a channel, so that nothing that goes on in it is told to them. One that
        was deleted, or is of a server without the bot, is hidden from nobody.

        Raises Refused (`chat_away`).
        """
        if not await self._members.is_there(channel):
            return False
        found = await self._members.rights(guild, channel, user)
        return found is not None and not found.sees

    async def left(self, guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        """See `MembersLeft`."""
        return await self._members.left(guild, users)

    async def is_private(self, channel: ChannelId) -> bool:
        """Returns whether a channel is a private thread, or may be one, since it is closed to the bot. Raises Refused
        (`chat_away`)."""
        return await self._members.is_private_thread(channel)

    async def check_posting(self, match: Match, user: UserId) -> None:
        """Raises Refused unless a user may write in the channel of a match: `banned`, `banned_until`, `chat_away`,
        and `cannot_post_there` for members who may not, and for all who are none.

        Where the chat tells the bot nothing, it refuses posts itself.
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


class Spectators:
    """The users who have games of others open on the web, in all processes."""

    def __init__(self, store: Database, rights: ChannelRights) -> None:
        self._store = store
        self._rights = rights

    async def note(self, here: Collection[Watching], gone: Collection[Watching]) -> None:
        """Notes who watches on a process, for `WATCHING_MILLIS`, and who does so no more."""
        async with self._store.write() as tx:
            await tx.web.note_watching(gone, None)
            await tx.web.note_watching(here, Millis(await tx.clock.now() + WATCHING_MILLIS))

    async def of(self, matches: Collection[MatchId]) -> dict[MatchId, list[UserId]]:
        """Returns the spectators of matches; no match without any."""
        async with self._store.read() as reader:
            return await reader.web.watching(matches, await reader.clock.now())

    async def names_for(
        self, readers: Collection[UserId], match: Match, spectators: Sequence[UserId]
    ) -> dict[UserId, tuple[UserId, ...]]:
        """Returns for each reader the spectators whose names they may read: members of the match's server who have not
        switched that off, for members of it, and not where one of the two has blocked the other.

        Where the chat tells the bot nothing of members, there are no names. All `readers` play the match or watch it.
        """
        async with self._store.read() as reader:
            unnamed = await reader.people.unnamed(spectators)
            asked = [user for user in spectators if user not in unnamed][:MAX_NAMED]
            blocks = await reader.blocks.among({*asked, *readers})
        inside = await asyncio.gather(*(self._is_member(match, user) for user in asked))
        named = [user for user, is_member in zip(asked, inside, strict=True) if is_member]
        apart = {(block.user, block.blocked) for block in blocks}
        apart |= {(blocked, user) for user, blocked in apart}
        found: dict[UserId, tuple[UserId, ...]] = {}
        for who in readers:
            # Spectators were asked about within a minute; players keep their board when they leave the server.
            is_inside = who not in match.players or not named or await self._is_member(match, who)
            found[who] = tuple(user for user in named if is_inside and (who, user) not in apart)
        return found

    async def _is_member(self, match: Match, user: UserId) -> bool:
        """Returns whether a user is a member of the match's server, and sees its channel; False if the chat does not
        answer."""
        try:
            return match.guild is not None and await self._rights.sees(match.guild, match.channel, user)
        except Refused:
            return False
