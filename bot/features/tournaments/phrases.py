"""What a tournament's messages and picture say in the same words."""

from __future__ import annotations

from collections.abc import Iterable

from bot.i18n.words import Words
from play.ids import ChannelId, UserId
from play.tournaments.standings import Standing

MAX_NAME = 60
"""Characters of a tournament's name."""


def place_text(row: Standing) -> str:
    """Returns a place as tables write it: `2.`, and `=2.` if players share it."""
    return f"{'=' if row.shared else ''}{row.place}."


def points_text(row: Standing, words: Words) -> str:
    """Returns a player's points, and the tie-breaks that separate them from players of equal points."""
    broken = [words(f"tournament.tie-break.{each}", value=words.number(value)) for each, value in row.broken_by]
    return " · ".join((words.number(row.points), *broken))


def mention_or_name(user: UserId, name: str) -> str:
    """Returns a mention, or the name of a player whose account data is deleted."""
    return f"<@{user}>" if user > 0 else f"**{name}**"


def mention_all(users: Iterable[UserId]) -> str:
    """Returns the mentions of all players, without those whose data is deleted."""
    return ", ".join(f"<@{user}>" for user in users if user > 0)


def thread_link(channel: ChannelId | None) -> str:
    """Returns a link to the thread of a game; a dash if there is none."""
    return f"<#{channel}>" if channel else "–"
