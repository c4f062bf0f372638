"""Interactions that no client of Discord sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from loopback import Channel, Interaction, Message, Person
from loopback.client import visible_commands
from loopback.interaction import InteractionKind
from tests.bot.room import Room

BUTTON, STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 2, 3, 5, 6, 7, 8
FORGED = "x"
"""The text of messages that the bot never wrote."""

_KINDS = {str: 3, int: 4, bool: 5}


def click(
    room: Room,
    person: Person,
    channel: Channel,
    custom_id: str,
    kind: int = BUTTON,
    *,
    sent_as: int | None = None,
    options: tuple[str, ...] = (),
    flags: int = 0,
    **data: Any,
) -> Interaction:
    """Clicks a component that the bot never wrote, in a new message; it is of one `kind`, and `sent_as` another."""
    part: dict[str, Any] = {"type": kind, "id": 9, "custom_id": custom_id}
    if kind == BUTTON:
        part |= {"style": 1, "label": "x"}
    if kind == STRING_SELECT:
        part |= {"options": [{"label": each, "value": each} for each in options or ("x",)]}
    sent = {"custom_id": custom_id, "component_type": sent_as or kind, "id": 9, **data}
    message = Message(
        room.discord.world.ids.next(),
        channel.id,
        room.discord.bot.id,
        FORGED,
        components=({"type": 1, "id": 8, "components": [part]},),
    )
    return room.discord.interactions.begin(
        InteractionKind.COMPONENT, person.user, channel.id, sent, _put(room, message)
    )


def send(room: Room, person: Person, message: Message, data: dict[str, Any]) -> Interaction:
    """Sends what no client would of a component that a message has."""
    return room.discord.interactions.begin(InteractionKind.COMPONENT, person.user, message.channel_id, data, message)


def click_on(room: Room, person: Person, message: Message, custom_id: str) -> Interaction:
    """Clicks a button that the message does not have."""
    part: dict[str, Any] = {"type": BUTTON, "style": 1, "id": 9, "label": "x", "custom_id": custom_id}
    data = {"custom_id": custom_id, "component_type": BUTTON, "id": 9}
    edited = replace(message, content=FORGED, components=({"type": 1, "id": 8, "components": [part]},), attachments=())
    return room.discord.interactions.begin(InteractionKind.COMPONENT, person.user, message.channel_id, data, edited)


def submit(room: Room, person: Person, channel: Channel, custom_id: str, components: Any) -> Interaction:
    """Submits a form that the bot never showed, opened from a new message."""
    data = {"custom_id": custom_id, "components": components}
    message = Message(room.discord.world.ids.next(), channel.id, room.discord.bot.id, FORGED)
    return room.discord.interactions.begin(InteractionKind.MODAL, person.user, channel.id, data, _put(room, message))


def send_command(
    room: Room,
    person: Person,
    channel: Channel,
    path: str,
    options: Mapping[str, str | int | bool],
    kind: InteractionKind = InteractionKind.COMMAND,
) -> Interaction:
    """Sends a command whose options no client has checked; or asks for suggestions for the last of them."""
    name, *groups = path.split()
    found = next(each for each in visible_commands(room.discord.wire, person.user, channel) if each["name"] == name)
    given: list[dict[str, Any]] = [
        {"name": option, "value": value, "type": _KINDS[type(value)]} for option, value in options.items()
    ]
    if kind is InteractionKind.AUTOCOMPLETE:
        given[-1]["focused"] = True
    for group in reversed(groups):
        given = [{"type": 1, "name": group, "options": given}]
    data = {"id": found["id"], "name": name, "type": 1, "options": given}
    return room.discord.interactions.begin(kind, person.user, channel.id, data)


def input_(field: str, value: Any) -> dict[str, Any]:
    """Returns a text input of a form, below its label."""
    return {"type": 18, "id": 1, "component": {"type": 4, "id": 2, "custom_id": field, "value": value}}


def _put(room: Room, message: Message) -> Message:
    """Puts a message into its channel that the bot has not written; returns it."""
    room.discord.world.messages[message.id] = message
    return message
