"""Addresses in Discord."""

from __future__ import annotations

from play.ids import GuildId, MatchId


def link(guild: GuildId | None, channel: int, message: int | None = None) -> str:
    """Returns the address of a channel, or of a message in it."""
    path = f"{guild or '@me'}/{channel}" + (f"/{message}" if message else "")
    return f"https://discord.com/channels/{path}"


def activity_link(application: int, match: MatchId) -> str:
    """Returns the address that opens a match in an application's Activity: the page reads the `custom_id`."""
    return f"https://discord.com/activities/{application}?custom_id={match}"
