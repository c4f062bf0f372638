"""Messages: Discord's limits of their texts, whom they may ping, and what forwarded ones show.

Every text is cut to the limits, so that no answer is lost for its length. Forwarded messages are empty themselves: what
they show is in their snapshot.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import discord

from play.ids import UserId, is_person

MAX_CONTENT: Final = 2000
"""Characters of a message."""

MAX_PANEL_TEXT: Final = 4000
"""Characters of all texts of a panel (Components V2) together."""

ELLIPSIS: Final = "…"

Shown: TypeAlias = discord.Message | discord.MessageSnapshot
"""What has the text, the files and the components that readers of a message see."""


def fit(text: str, most: int = MAX_CONTENT) -> str:
    """Returns the text, or as many of its lines as fit, or the beginning of its only line."""
    if len(text) <= most:
        return text
    cut = text[: most - len(ELLIPSIS)]
    lines, _, _ = cut.rpartition("\n")
    return (lines or cut.rstrip("\\")) + ELLIPSIS


def fit_message(message: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments that send or change a message, with a content that fits."""
    content = message.get("content")
    return message if content is None else {**message, "content": fit(content)}


def mentions_of(users: Iterable[UserId]) -> discord.AllowedMentions:
    """Returns the permission to ping these users and nobody else, whatever the text says.

    Sides and deleted users have no account that Discord could ping.
    """
    pinged = [discord.Object(user) for user in users if is_person(user)]
    return discord.AllowedMentions(users=pinged, everyone=False, roles=False, replied_user=False)


def is_forward(message: discord.Message) -> bool:
    """Returns whether a message is one that its author has forwarded, from wherever they read it."""
    return bool(message.message_snapshots)


def shown_in(message: discord.Message) -> Shown:
    """Returns what a message shows: itself, or the message that was forwarded, whose author Discord doesn't tell."""
    return next(iter(message.message_snapshots), message)
