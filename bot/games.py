"""A person's open matches as a list, his turn first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.names import escaped
from bot.request import Request, link
from play.store import Entry

if TYPE_CHECKING:
    from bot.client import Interaction

SHOWN = 12
"""Entries; a message holds 2000 characters."""


async def listed(interaction: Interaction) -> str:
    """The list, or what to do while there is nothing to list."""
    words = interaction.client.words(interaction)
    entries = await interaction.client.tables.games(Request.of(interaction).user)
    if not entries:
        return words("games.none")
    lines = [await _line(interaction, entry) for entry in entries[:SHOWN]]
    if len(entries) > SHOWN:
        lines.append(words("games.more", count=len(entries) - SHOWN))
    return "\n".join((words("games.head", count=len(entries)), *lines))


async def _line(interaction: Interaction, entry: Entry) -> str:
    words, user = interaction.client.words(interaction), interaction.user.id
    others = [player for player in entry.players if player != user]
    names = await interaction.client.names.of_all(others, entry.guild)
    return words(
        "games.yours" if entry.players[entry.to_act] == user else "games.theirs",
        opponent=escaped(", ".join(names)),
        size=entry.game.options["size"].replace("x", "×"),
        when=f"<t:{(entry.deadline or 0) // 1000}:R>",
        url=link(entry.guild, entry.channel, entry.board),
    )
