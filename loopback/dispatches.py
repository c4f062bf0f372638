"""The gateway events for each event of the world, with the intent that each needs.

Source: https://discord.com/developers/docs/events/gateway-events
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntFlag
from typing import Any

from loopback import events
from loopback.events import Event
from loopback.interaction import Interaction, InteractionKind
from loopback.model import Channel, Message, MessageKind
from loopback.wire import Wire

Json = dict[str, Any]


class Intent(IntFlag):
    """The intents that this stand-in's events need, and the privileged ones, which it does not grant."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


NO_INTENT = Intent(0)
PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A gateway event: its name and data, the intent that a session needs for it, and whether it concerns a DM."""

    name: str
    data: Json
    intent: Intent
    dm: bool = False


def dispatches(wire: Wire, event: Event) -> Iterator[Dispatch]:
    """Yields the gateway events for an event; none where Discord does not tell bots."""
    match event:
        case events.MessagePosted(message) if _is_visible_to_bot(wire, message):
            yield _message(wire, "MESSAGE_CREATE", message)
        case events.MessageEdited(message) if _is_visible_to_bot(wire, message):
            yield _message(wire, "MESSAGE_UPDATE", message)
        case events.MessageDeleted(message) if _is_visible_to_bot(wire, message):
            yield _deletion(wire, "MESSAGE_DELETE", message.channel_id, {"id": str(message.id)})
        case events.MessagesPurged(messages):
            if seen := [each for each in messages if _is_visible_to_bot(wire, each)]:
                ids = {"ids": [str(each.id) for each in seen]}
                yield _deletion(wire, "MESSAGE_DELETE_BULK", seen[0].channel_id, ids)
        case events.ChannelCreated(channel) | events.ChannelChanged(channel) if _is_hidden_thread(wire, channel):
            return
        case events.ChannelCreated(channel) if channel.is_thread:
            yield Dispatch("THREAD_CREATE", wire.channel(channel) | {"newly_created": True}, Intent.GUILDS)
        case events.ChannelCreated(channel) if channel.in_guild:
            yield Dispatch("CHANNEL_CREATE", wire.channel(channel), Intent.GUILDS)
        case events.ChannelChanged(channel) if channel.in_guild:
            yield Dispatch(
                "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE", wire.channel(channel), Intent.GUILDS
            )
        case events.ChannelDeleted(channel) if channel.is_thread and channel.parent_id not in wire.world.channels:
            return  # CHANNEL_DELETE of its channel was all that Discord sends
        case events.ChannelDeleted(channel):
            keys = ("id", "guild_id", "parent_id", "type")
            whole = wire.channel(channel)
            if channel.is_thread:
                yield Dispatch("THREAD_DELETE", {key: whole[key] for key in keys}, Intent.GUILDS)
            else:
                yield Dispatch("CHANNEL_DELETE", whole, Intent.GUILDS)
        case events.RoleDeleted(role):
            data = {"guild_id": str(role.guild_id or wire.world.guild.id), "role_id": str(role.id)}
            yield Dispatch("GUILD_ROLE_DELETE", data, Intent.GUILDS)
        case events.BotJoined(guild):
            yield Dispatch("GUILD_CREATE", wire.joined_guild(guild), Intent.GUILDS)
        case events.BotLeft(guild):
            yield Dispatch("GUILD_DELETE", {"id": str(guild.id)}, Intent.GUILDS)
        case events.InteractionBegun(interaction):
            dm = not wire.world.channels[interaction.channel_id].in_guild
            yield Dispatch("INTERACTION_CREATE", interaction_json(wire, interaction), NO_INTENT, dm)


def _is_hidden_thread(wire: Wire, channel: Channel) -> bool:
    """Returns whether a channel is a thread that the bot does not see."""
    return channel.is_thread and not wire.world.sees(wire.world.bot.id, channel)


def _is_visible_to_bot(wire: Wire, message: Message) -> bool:
    """Returns whether the bot sees a message: no ephemeral one, and none in a channel that it cannot view."""
    channel = wire.world.channels[message.channel_id]
    return not message.ephemeral and wire.world.sees(wire.world.bot.id, channel)


def _deletion(wire: Wire, name: str, channel_id: int, gone: Json) -> Dispatch:
    channel = wire.world.channels[channel_id]
    where = {"guild_id": str(wire.world.guild_of(channel).id)} if channel.in_guild else {}
    data = {**gone, "channel_id": str(channel_id), **where}
    return Dispatch(name, data, _message_intent(channel), channel.is_dm)


def _message_intent(channel: Channel) -> Intent:
    return Intent.DIRECT_MESSAGES if channel.is_dm else Intent.GUILD_MESSAGES


def _message(wire: Wire, name: str, message: Message) -> Dispatch:
    channel = wire.world.channels[message.channel_id]
    data = wire.message(message) | {"channel_type": int(channel.kind)}
    if not channel.is_dm:
        guild, users = wire.world.guild_of(channel), wire.world.users
        data["guild_id"] = str(guild.id)
        if message.origin is None:
            data["member"] = wire.partial_member(users[message.author_id], guild)
        mentioned = zip(data["mentions"], message.mentions, strict=True)
        data["mentions"] = [user | {"member": wire.partial_member(users[each], guild)} for user, each in mentioned]
    if message.kind is MessageKind.REPLY and data.get("referenced_message") is None:
        data["referenced_message"] = None
    return Dispatch(name, data, _message_intent(channel), channel.is_dm)


def interaction_json(wire: Wire, interaction: Interaction) -> Json:
    """Returns an interaction object as INTERACTION_CREATE carries it."""
    world = wire.world
    channel = world.channels[interaction.channel_id]
    user = interaction.user
    json: Json = {
        "id": str(interaction.id),
        "application_id": str(world.application_id),
        "type": int(interaction.kind),
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": (wire.channel if world.has_full_channels else wire.partial_channel)(channel, user.id),
        "app_permissions": str(int(world.may_answer(user.id, channel))),
        "locale": user.locale,
        "entitlements": [],
        "entitlement_sku_ids": [],
        "attachment_size_limit": world.attachment_limit,
    }
    owners = wire.owners(channel, interaction.installer)
    if interaction.message is not None and interaction.kind in (InteractionKind.COMPONENT, InteractionKind.MODAL):
        json["message"] = wire.message(interaction.message)
    if not channel.in_guild:
        json["channel"].pop("recipients", None)
        context = 1 if channel.is_dm else 2
        return json | {"user": wire.user(user), "context": context, "authorizing_integration_owners": owners}
    guild = world.guild_of(channel)
    locale = guild.preferred_locale
    return json | {
        "guild_id": str(guild.id),
        "guild": {"id": str(guild.id), "locale": locale, "features": list(guild.features)},
        "guild_locale": locale,
        "member": wire.member(user, guild) | {"permissions": str(int(world.permissions(user.id, channel)))},
        "context": 0,
        "authorizing_integration_owners": owners,
    }
