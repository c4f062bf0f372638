"""The channels and roles of servers: whether a number belongs to one, and what members may do in a channel."""

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeVar

import discord
from cachetools import LRUCache

from play.ids import ChannelId, GuildId, RoleId, UserId
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from use_cases.operator import Blocked

log = logging.getLogger(__name__)

Json = Mapping[str, Any]

CACHE_SIZE = 20_000
"""Channels whose server is remembered, of 100 bytes: it never changes."""

ANSWER_SECONDS = 2.0
"""Seconds that Discord gets to answer, since a click has to be acknowledged within three."""

WITH_THREADS: Final = (discord.ChannelType.text, discord.ChannelType.news)
"""The kinds of channels in which a thread opens from a message: no voice channel, and no thread or forum post."""

T = TypeVar("T")


def permissions_in(guild: Json, channel: Json, roles: set[str], member: UserId | None) -> discord.Permissions:
    """Returns what a member with these `roles` may do in a channel; without a `member`, what any one with them may.

    Source: https://discord.com/developers/docs/topics/permissions#permission-overwrites
    """
    if member is not None and guild.get("owner_id") == str(member):
        return discord.Permissions.all()
    may = discord.Permissions.none()
    for role in guild["roles"]:
        if role["id"] in roles:
            may.value |= int(role["permissions"])
    if may.administrator:
        return discord.Permissions.all()
    overwrites = {each["id"]: each for each in channel.get("permission_overwrites", ())}
    _apply(may, overwrites.get(guild["id"]))
    _apply(may, *(each for role, each in overwrites.items() if role in roles and role != guild["id"]))
    _apply(may, overwrites.get(str(member)))
    return may if may.view_channel else discord.Permissions.none()


def is_as_wide(wide: Json, narrow: Json, needed: discord.Permissions) -> bool:
    """Returns whether all who have the `needed` permissions in one channel of a server have them in the `wide` one.

    That is so if the overwrites of the wide one allow nobody less and deny nobody more: each step of `permissions_in`
    keeps that order.
    """
    in_wide, in_narrow = (
        {each["id"]: (int(each["allow"]) & needed.value, int(each["deny"]) & needed.value) for each in overwrites}
        for overwrites in (channel.get("permission_overwrites", ()) for channel in (wide, narrow))
    )
    for who in in_wide.keys() | in_narrow.keys():
        (allowed, denied), (least, most) = in_wide.get(who, (0, 0)), in_narrow.get(who, (0, 0))
        if least & ~allowed or denied & ~most:
            return False
    return True


def _apply(may: discord.Permissions, *overwrites: Json | None) -> None:
    """Applies the overwrites of one step. One role's permission beats the denial of another."""
    found = [each for each in overwrites if each is not None]
    allow, deny = 0, 0
    for each in found:
        allow |= int(each["allow"])
        deny |= int(each["deny"])
    may.handle_overwrite(allow, deny)


class ForeignChannel(discord.NotFound):
    """A channel that is stored for a server and is not of that server. There it does not exist."""

    def __init__(self, guild: GuildId, channel: ChannelId) -> None:
        response: Any = SimpleNamespace(status=404, reason="Not Found")
        super().__init__(response, f"channel {channel} is not of server {guild}")


class BlockedServer(discord.Forbidden):
    """A server that the operator has blocked. All its channels are closed to the bot until that is lifted."""

    def __init__(self, guild: GuildId | None) -> None:
        response: Any = SimpleNamespace(status=403, reason="Forbidden")
        super().__init__(response, f"server {guild} is blocked by the operator")


class Named(NamedTuple):
    """A channel and its name."""

    id: ChannelId
    name: str


class MemberChannels(NamedTuple):
    """Channels for a member, and whether they manage the server."""

    channels: list[Named]
    manages: bool


class GuildDirectory:
    """The channels and roles of servers, by what Discord says: no server is cached."""

    def __init__(self, client: discord.Client, blocked: Blocked) -> None:
        self._client = client
        self._blocked = blocked
        self._guilds: LRUCache[ChannelId, GuildId | None] = LRUCache(CACHE_SIZE)

    def remember(self, channel: ChannelId, guild: GuildId | None) -> None:
        """Remembers the server of a channel, as Discord has told it."""
        self._guilds[channel] = guild

    async def messageable(self, guild: GuildId | None, channel: ChannelId) -> discord.PartialMessageable:
        """Returns a channel to post into for a server, or outside of servers without one.

        Every post of the bot by its own right passes here. Discord is asked once about each channel. Raises
        ForeignChannel, BlockedServer and discord.HTTPException.
        """
        if self._blocked.has_server(guild):
            raise BlockedServer(guild)
        if guild is not None:
            if channel not in self._guilds:
                found: Any = await self._client.http.get_channel(channel)
                self.remember(channel, GuildId(int(found["guild_id"])) if "guild_id" in found else None)
            if self._guilds[channel] != guild:
                raise ForeignChannel(guild, channel)
        return self._client.get_partial_messageable(channel)

    async def channels(self, guild: GuildId) -> dict[ChannelId, int]:
        """Returns the channels of a server with their types, threads excepted.

        Raises Refused (`chat_away`) and discord.HTTPException.
        """
        found = await _answer(self._client.http.get_all_guild_channels(guild))
        return {ChannelId(int(each["id"])): each["type"] for each in found}

    async def roles(self, guild: GuildId) -> set[RoleId]:
        """Returns the roles of a server. Raises Refused (`chat_away`) and discord.HTTPException."""
        return {RoleId(int(each["id"])) for each in await _answer(self._client.http.get_roles(guild))}

    async def existing_choices(self, server: ServerSettings) -> ServerSettings:
        """Returns the settings without the chosen roles and channels that were deleted: these count as not chosen.

        While Discord does not say what there is, all count.
        """
        try:
            roles = server.roles and server.roles & await self.roles(server.id)
            channels = server.channels and server.channels & (await self.channels(server.id)).keys()
        except (discord.HTTPException, Refused) as error:
            log.info("the chosen roles and channels of server %d count as they are: %s", server.id, error)
            return server
        return replace(server, roles=roles, channels=channels)

    async def require_role(self, server: ServerSettings, roles: Iterable[int]) -> ServerSettings:
        """Returns the settings of a server. Raises Refused (`role_needed`) if members with these roles may not play,
        and so neither vote nor predict nor sign up."""
        own = frozenset(roles)
        if not server.allows_roles(own) and not (server := await self.existing_choices(server)).allows_roles(own):
            raise Refused(Reason.ROLE_NEEDED, roles=" ".join(f"<@&{role}>" for role in sorted(server.roles)))
        return server

    async def channels_for(self, guild: GuildId, user: UserId, needed: discord.Permissions) -> MemberChannels:
        """Returns the channels with threads in which the bot has what is `needed` and that a member sees, as Discord
        shows them from the top. Raises Refused (`chat_away`) and discord.HTTPException; NotFound for no member."""
        http, own = self._client.http, self._client.user
        assert own is not None, "the bot is logged in"
        server = await _answer(http.get_guild(guild, with_counts=False))
        bot, member = await _answer(http.get_member(guild, own.id)), await _answer(http.get_member(guild, user))
        channels = await _answer(http.get_all_guild_channels(guild))

        def may(who: Any, id: int, channel: Any) -> discord.Permissions:  # noqa: A002 - Discord's name
            return permissions_in(server, channel, {str(server["id"]), *map(str, who["roles"])}, UserId(id))

        found = [
            Named(ChannelId(int(each["id"])), str(each["name"]))
            for each in from_top(channels)
            if discord.ChannelType(each["type"]) in WITH_THREADS
            and may(bot, own.id, each) >= needed
            and may(member, user, each).view_channel
        ]
        return MemberChannels(found, may(member, user, {}).manage_guild)

    async def require_member(self, guild: GuildId, user: UserId) -> None:
        """Raises discord.NotFound for a user who is no member of a server.

        Raises Refused (`chat_away`) and discord.HTTPException.
        """
        await _answer(self._client.http.get_member(guild, user))


def from_top(channels: Sequence[Any]) -> list[Any]:
    """Returns the channels of a server as a client lists them: those outside of categories come first."""
    places = {each["id"]: each.get("position", 0) for each in channels}

    def order(channel: Any) -> tuple[int, int, int]:
        return places.get(channel.get("parent_id"), -1), channel.get("position", 0), int(channel["id"])

    return sorted(channels, key=order)


async def _answer(request: Coroutine[Any, Any, T]) -> T:
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await request
    except TimeoutError as error:
        raise Refused(Reason.CHAT_AWAY) from error
