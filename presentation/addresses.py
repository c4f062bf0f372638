"""Addresses in Discord."""

from __future__ import annotations

from play.ids import GuildId


def link(guild: GuildId | None, channel: int, message: int | None = None) -> str:
    """Returns the address of a channel, or of a message in it."""
    path = f"{guild or '@me'}/{channel}" + (f"/{message}" if message else "")
    return f"https://discord.com/channels/{path}"
