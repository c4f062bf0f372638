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

from bot.services.channel_permissions import permissions_in
from bot.services.guild_directory import from_top
from play.ids import ChannelId, GuildId, Millis, UserId

Json = Mapping[str, Any]

NEEDED = discord.Permissions(view_channel=True, send_messages=True, embed_links=True, attach_files=True)
"""What a greeting needs in its channel."""

READ = discord.Permissions(view_channel=True)
"""What everybody needs to see it there."""

TEXTS = (discord.ChannelType.text.value, discord.ChannelType.news.value)
"""The kinds of channels to greet in."""

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
    texts = [each for each in from_top(guild["channels"]) if each["type"] in TEXTS]
    reserved = {guild.get(each) for each in RESERVED}
    yield from (each for each in texts if each["id"] == guild.get("system_channel_id"))
    for each in texts:
        if each["id"] not in reserved and permissions_in(guild, each, {guild["id"]}, None) >= READ:
            yield each


def _own_roles(guild: Json, own_id: UserId) -> set[str]:
    """Returns the ids of the bot's roles: that of everybody, the one that came with it, and those it was given."""
    own = next((each for each in guild["members"] if int(each["user"]["id"]) == own_id), None)
    managed = (each["id"] for each in guild["roles"] if (each.get("tags") or {}).get("bot_id") == str(own_id))
    return {guild["id"], *managed, *(own["roles"] if own else ())}
