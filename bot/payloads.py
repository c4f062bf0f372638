"""Events of Discord on their way to discord.py: interactions are completed, and what it can't read is dropped."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import discord

Json = dict[str, Any]
Parsers = dict[str, Callable[[Json], Any]]

log = logging.getLogger(__name__)

MAX_FILE_BYTES = 10 << 20
"""The size of files that Discord takes from everybody: that of an interaction which names none."""

CHANNEL_DEFAULTS: Final[Json] = {
    "name": "",
    "position": 0,
    "bitrate": 0,
    "user_limit": 0,
    "owner_id": 0,
    "message_count": 0,
    "member_count": 0,
    "thread_metadata": {"archived": False, "auto_archive_duration": 0, "archive_timestamp": None},
}
"""Keys of a channel that discord.py demands and the bot doesn't need.

The channel of an interaction is partial, and Discord lists no keys of it.
Source: https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
"""

_KINDS = frozenset(kind.value for kind in discord.ChannelType)


def guard_parsers(parsers: Parsers, count: Callable[[str], None]) -> None:
    """Makes an event that a parser can't read a line in the log; it would end the process, for all servers.

    `count` gets the name of such an event.
    """
    for event, parse in parsers.items():
        parsers[event] = partial(_parse, event, parse, count)


def complete_interaction(interaction: Json) -> Json:
    """Returns an interaction with all that discord.py demands of it.

    One without a channel has its number at least. A channel of a kind that discord.py doesn't know becomes a text
    channel, or a direct message outside of servers.
    """
    kinds = discord.ChannelType
    channel = {**CHANNEL_DEFAULTS, "id": interaction["channel_id"], **(interaction.get("channel") or {})}
    if channel.get("type") not in _KINDS:
        channel["type"] = (kinds.text if interaction.get("guild_id") else kinds.private).value
    return {"attachment_size_limit": MAX_FILE_BYTES, **interaction, "channel": channel}


def _parse(event: str, parse: Callable[[Json], Any], count: Callable[[str], None], data: Json) -> None:
    try:
        parse(data)
    except Exception as error:
        count(event)
        # No traceback: the messages of most errors quote what people wrote.
        log.error("%s is dropped, it can't be read (%s); its keys: %s", event, _reason(error), ", ".join(_keys(data)))


def _reason(error: Exception) -> str:
    """Returns the kind and the place of an error, without its message unless that is a key."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    key = f" {error}" if isinstance(error, KeyError) else ""
    return f"{type(error).__name__}{key} at {Path(place.filename).name}:{place.lineno}"


def _keys(data: Json) -> Iterator[str]:
    """Yields the names of the keys, and of those one level below."""
    for key, value in data.items():
        yield f"{key}({' '.join(value)})" if isinstance(value, dict) else key
