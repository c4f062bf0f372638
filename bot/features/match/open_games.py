"""A person's open matches as a list: those that wait for him first, the most urgent at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.request import Request, link
from bot.services.names import escaped
from play.store.store import Entry

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words

SHOWN = 12
"""Entries, if they fit."""

LONGEST = 1900
"""Characters; a message holds 2000."""


async def listed(interaction: Interaction) -> str:
    """The list, or what to do while there is nothing to list."""
    words = await interaction.client.audience.alone(interaction)
    entries = await interaction.client.matches.list_open(Request.of(interaction).user)
    if not entries:
        return words("games.none")
    text, shown = words("games.head", count=len(entries)), 0
    for entry in entries[:SHOWN]:
        line = await _line(interaction, entry, words)
        if len(text) + len(line) > LONGEST:
            break
        text, shown = f"{text}\n{line}", shown + 1
    if len(entries) > shown:
        text += "\n" + words("games.more", count=len(entries) - shown)
    return text


async def _line(interaction: Interaction, entry: Entry, words: Words) -> str:
    user = interaction.user.id
    others = [player for player in entry.players if player != user]
    names = await interaction.client.names.of_all(others, entry.guild)
    whose = "yours" if entry.players[entry.to_act] == user else "theirs"
    clock = "untimed" if entry.deadline is None else "timed"
    line = words(
        f"games.entry.{clock}.{whose}",
        opponent=escaped(", ".join(names)),
        size=entry.game.options["size"].replace("x", "×"),
        when="" if entry.deadline is None else f"<t:{entry.deadline // 1000}:R>",
        url=link(entry.guild, entry.channel, entry.board),
    )
    is_borrowed = entry.guild is None or interaction.client.doors.borrows(entry.channel)
    return f"{line}\n{words('games.borrowed' if is_borrowed else 'games.lost')}" if entry.lost else line
