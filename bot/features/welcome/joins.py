"""Servers that the bot has joined, as the gateway tells of them: when, and where to greet.

GUILD_CREATE comes for a new server, and also for every server at each start and after each outage. Nothing in it says
which of these it is, so the time at which the bot joined decides.

Source: https://discord.com/developers/docs/events/gateway-events#guild-create
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import discord
from discord.utils import parse_time

from play.ids import ChannelId, GuildId, Millis, UserId

Json = Mapping[str, Any]

NEEDED = discord.Permissions(view_channel=True, send_messages=True, embed_links=True, attach_files=True)
"""What a greeting needs in its channel."""

READ = discord.Permissions(view_channel=True)
"""What everybody needs to see it there."""

RESERVED = ("rules_channel_id", "public_updates_channel_id", "safety_alerts_channel_id")
"""Channels that are no place to greet, however many read them."""


class Join(NamedTuple):
    """When the bot joined a server."""

    guild: GuildId
    at: Millis


def read_join(guild: Json) -> Join | None:
    """Returns the join of the server of GUILD_CREATE; None during an outage of it, when only its id is known."""
    if guild.get("unavailable") or not (joined := parse_time(guild.get("joined_at"))):
        return None
    return Join(GuildId(int(guild["id"])), Millis(int(joined.timestamp() * 1000)))


def choose_channel(guild: Json, own_id: UserId) -> ChannelId | None:
    """Returns where to greet: the system channel, else the first text channel that everybody reads.

    None if the bot may not write in any of them.
    """
    roles = _own_roles(guild, own_id)
    found = (each["id"] for each in _candidates(guild) if permissions_in(guild, each, roles, own_id) >= NEEDED)
    channel = next(found, None)
    return ChannelId(int(channel)) if channel else None


def _candidates(guild: Json) -> Iterable[Json]:
    """Returns the channels in which the greeting makes sense, the best first."""
    texts = [each for each in guild["channels"] if each["type"] == discord.ChannelType.text.value]
    places = {each["id"]: each.get("position", 0) for each in guild["channels"]}

    def order(channel: Json) -> tuple[int, int, int]:
        """Returns the place of a channel in a client's list, where those outside of categories come first."""
        return places.get(channel.get("parent_id"), -1), channel.get("position", 0), int(channel["id"])

    reserved = {guild.get(each) for each in RESERVED}
    yield from (each for each in texts if each["id"] == guild.get("system_channel_id"))
    for each in sorted(texts, key=order):
        if each["id"] not in reserved and permissions_in(guild, each, {guild["id"]}, None) >= READ:
            yield each


def _own_roles(guild: Json, own_id: UserId) -> set[str]:
    """Returns the ids of the bot's roles: that of everybody, the one that came with it, and those it was given."""
    own = next((each for each in guild["members"] if int(each["user"]["id"]) == own_id), None)
    managed = (each["id"] for each in guild["roles"] if (each.get("tags") or {}).get("bot_id") == str(own_id))
    return {guild["id"], *managed, *(own["roles"] if own else ())}


def permissions_in(guild: Json, channel: Json, roles: set[str], member: UserId | None) -> discord.Permissions:
    """Returns what a member with these `roles` may do in a channel; without a `member`, what any one with them may.

    Source: https://discord.com/developers/docs/topics/permissions#permission-overwrites
    """
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


def _apply(may: discord.Permissions, *overwrites: Json | None) -> None:
    """Applies the overwrites of one step. One role's permission beats the denial of another."""
    found = [each for each in overwrites if each is not None]
    allow, deny = 0, 0
    for each in found:
        allow |= int(each["allow"])
        deny |= int(each["deny"])
    may.handle_overwrite(allow, deny)
