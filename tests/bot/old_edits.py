"""Discord's limit of edits of old messages, which reaches the bot once discord.py has given up."""

from __future__ import annotations

from loopback import Fault, errors
from tests.bot.room import Room

TRIES = 5
"""Requests that discord.py sends before it tells of a 429."""


def forbid_old_edits(room: Room) -> Fault:
    """Refuses one edit of a message in the way that it is refused within six seconds of three others."""
    route = "/channels/{channel_id}/messages/{message_id}"
    return room.discord.fault("PATCH", route, errors.TOO_MANY_OLD_EDITS, times=TRIES, retry_after=0.0)
