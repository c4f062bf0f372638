"""Addresses in Discord: of it, of channels and messages, of games, and of an application's Activity."""

from __future__ import annotations

from typing import Final

from bot.markup import DISCORD
from play.ids import GuildId, MatchId
from play.match.listed import OpenMatch
from play.match.match import Match
from web.ports import ChatLink

HOME: Final = "https://discord.com/channels/@me"
"""The address of Discord itself."""


def link(guild: GuildId | None, channel: int, message: int | None = None) -> str:
    """Returns the address of a channel, or of a message in it."""
    path = f"{guild or '@me'}/{channel}" + (f"/{message}" if message else "")
    return f"https://discord.com/channels/{path}"


def game_link(game: Match | OpenMatch, board: int | None) -> str:
    """Returns the address of a game's board; of one without a board yet, that of its card, if it has a thread to come:
    a thread opens on its card, has the number of that, and may never be."""
    if board is None and game.parent is not None:
        return link(game.guild, game.parent, game.channel)
    return link(game.guild, game.channel, board)


def activity_link(application: int, match: MatchId) -> str:
    """Returns the address that opens a match in an application's Activity: the page reads the `custom_id`."""
    return f"https://discord.com/activities/{application}?custom_id={match}"


class DiscordAddresses:
    """Implements web.ports.Addresses."""

    @property
    def home(self) -> ChatLink:
        """See web.ports.Addresses."""
        return ChatLink(HOME, DISCORD.platform)

    def of(self, guild: GuildId | None, channel: int, message: int | None = None) -> ChatLink:
        """See web.ports.Addresses."""
        return ChatLink(link(guild, channel, message), DISCORD.platform)
