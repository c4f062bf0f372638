"""The members of servers and their channels, as Discord has them now: rights, votes on the web, and what all can read.

Until a time-out of the bot itself ends it lacks what its roles allow, and no permission helps.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import discord

from bot.services.guild_directory import WITH_THREADS, GuildDirectory, is_as_wide, permissions_in
from bot.services.kept_answers import Json, KeptAnswers
from bot.services.names import MAX_SERVER_NAME
from play.ids import ChannelId, GuildId, Millis, RoleId, UserId, is_person
from play.match.match import Match
from play.people.membership import Member, Membership
from play.refusal import Reason, Refused
from play.votes import has_side
from presentation.text import plain_name
from rules.game import Seat
from storage import Database
from use_cases.channel_rights import Rights
from use_cases.votes import Votes
from web.ports import ServerRole

log = logging.getLogger(__name__)

PRIVATE_THREAD = discord.ChannelType.private_thread.value

GRACE_SECONDS = 15 * 60.0
"""Seconds for which rights outlive Discord's last answer by more than its minute, while it does not answer: an outage
of some minutes throws nobody out, and no outage lets anybody in for good."""

MAX_ROLE_NAME = 60
"""Characters of a role's name, as pages show it."""

READ = discord.Permissions(view_channel=True, read_message_history=True)
"""What members need to read a channel's older messages."""


class Standing(NamedTuple):
    """A member in a channel: their permissions and roles there, whether they can write, and why Discord lets them only
    read (`timed_out`, `pending`). `place` is the channel that a thread hangs in; `name` is that of the channel or
    thread. `opens_threads` tells whether a thread can open from a message there."""

    may: discord.Permissions
    writes: bool
    held_back: Reason | None
    roles: frozenset[int]
    place: ChannelId
    name: str
    opens_threads: bool = False


STRANGER = Standing(
    discord.Permissions.none(), writes=False, held_back=None, roles=frozenset(), place=ChannelId(0), name=""
)
"""One who is no member, or does not see the channel."""


def _now() -> datetime:
    return datetime.now(UTC)


class DiscordMembers:
    """An implementation of `use_cases.channel_rights.Members`."""

    def __init__(self, answers: KeptAnswers, now: Callable[[], datetime] = _now) -> None:
        """`now` is the time by which Discord's time-outs end."""
        self._answers = answers
        self._now = now

    async def rights(self, guild: GuildId, channel: ChannelId, user: UserId) -> Rights | None:
        found = await self.standing(guild, channel, user)
        return found and Rights(found.may.view_channel, found.may.view_channel and found.writes)

    async def standing(self, guild: GuildId, channel: ChannelId, user: UserId | None) -> Standing | None:
        """Returns what a user, or (None) each member, is and may do in a channel of a server; None where the bot is not
        in the server. All that tells of a channel asks this.

        Raises Refused (`chat_away`).
        """
        server = await self._answers.guild(guild)
        if server is None:
            return None
        there = await self._answers.channel(channel)
        member = {"roles": []} if user is None else await self._answers.member(guild, user)
        if there is None or member is None or there.get("guild_id") != str(guild):
            return STRANGER
        in_thread = "thread_metadata" in there
        parent = await self._answers.channel(int(there["parent_id"])) if in_thread else there
        if not parent:
            return STRANGER
        may = self._permissions(server, parent, member, user)
        is_private = there["type"] == PRIVATE_THREAD and not may.manage_threads
        if is_private and (user is None or not await self._answers.is_in_thread(channel, user)):
            return STRANGER
        held_back = None if may.administrator else self._brake_of(member)
        writes = (may.send_messages_in_threads if in_thread else may.send_messages) and held_back is None
        place = ChannelId(int(there["parent_id"])) if in_thread else channel
        roles, name = frozenset(map(int, member["roles"])), str(there.get("name", ""))
        return Standing(may, writes, held_back, roles, place, name, discord.ChannelType(there["type"]) in WITH_THREADS)

    async def check_not_held_back(self, guild: GuildId, user: UserId) -> None:
        """Raises Refused (`timed_out`, `pending`) for a member whom Discord lets press nothing either: a moderator has
        timed them out, or they have yet to accept the server's rules. Raises Refused (`chat_away`)."""
        member = await self._answers.member(guild, user)
        if member is None or (brake := self._brake_of(member)) is None:
            return
        if not await self._is_exempt(guild, member, user):
            raise Refused(brake)

    async def end_of_time_out(self, guild: GuildId, user: UserId) -> Millis | None:
        """Returns until when a moderator has timed a member of a server out; None for all others. Raises Refused
        (`chat_away`)."""
        member = await self._answers.member(guild, user)
        if member is None or (end := self._time_out_of(member)) is None:
            return None
        is_exempt = await self._is_exempt(guild, member, user)
        return None if is_exempt else Millis(int(end.timestamp() * 1000))

    async def left(self, guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        """See use_cases.channel_rights.MembersLeft."""
        try:
            if await self._answers.guild(guild) is None:
                return frozenset()
            people = filter(is_person, users)
            return frozenset([user for user in people if await self._answers.member(guild, user) is None])
        except Refused as away:
            log.info("who has left server %d is not known: %s", guild, away)
            return frozenset()

    async def membership(self, guild: GuildId, user: UserId) -> Membership | None:
        server, member = await self._answers.guild(guild), await self._answers.member(guild, user)
        if server is None or member is None:
            return None
        may = self._permissions(server, {}, member, user)
        held_back = None if may.administrator else self._brake_of(member)
        hosts = (may.manage_guild or may.manage_messages) and held_back is None
        return Membership(frozenset(RoleId(int(role)) for role in member["roles"]), hosts, held_back)

    async def roles_of(self, guild: GuildId) -> Sequence[ServerRole]:
        """Returns the roles of a server but that of all members, by their names. Raises Refused (`chat_away`)."""
        server = await self._answers.guild(guild)
        roles = [] if server is None else [each for each in server["roles"] if each["id"] != server["id"]]
        found = [ServerRole(RoleId(int(each["id"])), plain_name(each["name"], MAX_ROLE_NAME)) for each in roles]
        return sorted(found, key=lambda role: role.name.casefold())

    async def roles(self, guild: GuildId, user: UserId) -> frozenset[RoleId] | None:
        """Returns the roles of a member; None for all others. Raises Refused (`chat_away`)."""
        member = await self.member(guild, user)
        return None if member is None else member.roles

    async def member(self, guild: GuildId, user: UserId) -> Member | None:
        """Returns a user as Discord describes them now; None for one who is no member. Raises Refused
        (`chat_away`)."""
        member = await self._answers.member(guild, user)
        if member is None:
            return None
        joined = member.get("joined_at")
        since = Millis(int(datetime.fromisoformat(joined).timestamp() * 1000)) if joined else None
        return Member(user, guild, frozenset(RoleId(int(role)) for role in member["roles"]), since)

    async def guild_of(self, channel: ChannelId) -> GuildId | None:
        """Returns the server of a channel that the bot sees; None for all others. Raises Refused (`chat_away`)."""
        there = await self._answers.channel(channel)
        guild = there and there.get("guild_id")
        return GuildId(int(guild)) if guild else None

    async def is_there(self, channel: ChannelId) -> bool:
        return await self._answers.channel(channel) is not None

    async def is_private_thread(self, channel: ChannelId) -> bool:
        there = await self._answers.channel(channel)
        return there is not None and there.get("type", PRIVATE_THREAD) == PRIVATE_THREAD

    def _permissions(self, server: Json, channel: Json, member: Json, user: UserId | None) -> discord.Permissions:
        return permissions_in(server, channel, {server["id"], *member["roles"]}, user)

    async def _is_exempt(self, guild: GuildId, member: Json, user: UserId) -> bool:
        """Returns whether nothing holds a member back, as administrators."""
        server = await self._answers.guild(guild)
        return server is not None and self._permissions(server, {}, member, user).administrator

    def _brake_of(self, member: Json) -> Reason | None:
        """Returns what holds a member back who is no administrator."""
        if self._time_out_of(member) is not None:
            return Reason.TIMED_OUT
        return Reason.PENDING if member.get("pending") else None

    def _time_out_of(self, member: Json) -> datetime | None:
        """Returns when the time-out of a member ends; None if it has."""
        until: str | None = member.get("communication_disabled_until")
        end = None if until is None else datetime.fromisoformat(until)
        return end if end is not None and self._now() < end else None


class OwnTimeOuts:
    """Tells whether a moderator has timed the bot out, where it lacks a permission."""

    def __init__(self, members: DiscordMembers, own_id: Callable[[], UserId]) -> None:
        self._members = members
        self._own_id = own_id

    async def end(self, guild: GuildId | None) -> Millis | None:
        """Returns until when the bot is timed out on a server; None where it is not, or Discord does not say."""
        if guild is None:
            return None
        try:
            return await self._members.end_of_time_out(guild, self._own_id())
        except Refused as away:
            log.info("whether the bot is timed out on server %d is not known: %s", guild, away)
            return None

    async def check(self, guild: GuildId | None) -> None:
        """Raises Refused (`bot_timed_out`) while the bot is timed out on a server."""
        if (end := await self.end(guild)) is not None:
            raise Refused(Reason.BOT_TIMED_OUT, until=end // 1000)


class WebVoters:
    """An implementation of `web.ports.Voters`."""

    def __init__(self, members: DiscordMembers, votes: Votes, store: Database, directory: GuildDirectory) -> None:
        self._members = members
        self._votes = votes
        self._store = store
        self._directory = directory

    async def seat(self, match: Match, user: UserId) -> Seat | None:
        """See web.ports.Voters."""
        if not has_side(match):
            return None
        try:
            voter = await self._find(match, user)
            return match.seat_of(await self._votes.account_in(match, voter))
        except Refused as refused:
            if refused.key is Reason.CHAT_AWAY:
                raise
            return None

    async def voter(self, match: Match, user: UserId) -> Member:
        """See web.ports.Voters."""
        voter = await self._find(match, user)
        assert voter.guild is not None, "they were found on a server"
        await self._members.check_not_held_back(voter.guild, user)
        return voter

    async def _find(self, match: Match, user: UserId) -> Member:
        for guild in await self._votes.servers_of(match.id, user):
            member = await self._members.member(guild, user)
            if member is not None:
                async with self._store.read() as reader:
                    server = await reader.servers.get(guild)
                await self._directory.require_role(server, member.roles)
                return member
        raise Refused(Reason.NOT_A_VOTER)


class OpenChannels:
    """An implementation of `use_cases.public_pages.Channels`, which asks Discord: no server is cached."""

    def __init__(self, answers: KeptAnswers) -> None:
        self._answers = answers
        self._members = DiscordMembers(answers)

    async def server_name(self, guild: GuildId) -> str | None:
        server = await self._answers.guild(guild)
        return None if server is None else plain_name(server["name"], MAX_SERVER_NAME)

    async def is_open(self, guild: GuildId, channel: ChannelId) -> bool:
        every = await self._members.standing(guild, channel, None)
        return every is not None and every.may >= READ

    async def shows(self, guild: GuildId, here: ChannelId, channel: ChannelId) -> bool:
        if here == channel or await self.is_open(guild, channel):
            return True
        one, other = await self._channel_of(guild, here), await self._channel_of(guild, channel)
        return one is not None and other is not None and is_as_wide(other, one, READ)

    async def _channel_of(self, guild: GuildId, channel: ChannelId) -> Json | None:
        """Returns a channel of a server; of a public thread the channel that it hangs in, whose readers it has."""
        found = await self._answers.channel(channel)
        if found is not None and "thread_metadata" in found:
            found = None if found["type"] == PRIVATE_THREAD else await self._answers.channel(int(found["parent_id"]))
        return found if found is not None and found.get("guild_id") == str(guild) else None
