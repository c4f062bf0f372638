"""A person's open matches as a list: those that wait for him first, the most urgent at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.interactions.context import Context
from bot.request import link
from bot.services.names import escape
from play.store.matches import OpenMatch

if TYPE_CHECKING:
    from bot.i18n.words import Words

MAX_GAMES = 12
"""Entries, if they fit."""

MAX_TEXT = 1900
"""Characters; a message holds 2000."""


async def list_open_games(ctx: Context) -> str:
    """The list, or what to do while there is nothing to list."""
    words = await ctx.words()
    entries = await ctx.services.matches.list_open(ctx.user)
    if not entries:
        return words("games.none")
    text, shown = words("games.head", count=len(entries)), 0
    for entry in entries[:MAX_GAMES]:
        line = await _line(ctx, entry, words)
        if len(text) + len(line) > MAX_TEXT:
            break
        text, shown = f"{text}\n{line}", shown + 1
    if len(entries) > shown:
        text += "\n" + words("games.more", count=len(entries) - shown)
    return text


async def _line(ctx: Context, entry: OpenMatch, words: Words) -> str:
    user = ctx.user
    others = [player for player in entry.players if player != user]
    names = await ctx.services.names.of_all(others, entry.guild)
    whose = "yours" if entry.players[entry.to_act] == user else "theirs"
    clock = "untimed" if entry.deadline is None else "timed"
    line = words(
        f"games.entry.{clock}.{whose}",
        opponent=escape(", ".join(names)),
        size=entry.game.options["size"].replace("x", "×"),
        when="" if entry.deadline is None else f"<t:{entry.deadline // 1000}:R>",
        url=link(entry.guild, entry.channel, entry.board),
    )
    is_borrowed = entry.guild is None or ctx.services.channels.is_user_install(entry.channel)
    return f"{line}\n{words('games.borrowed' if is_borrowed else 'games.lost')}" if entry.lost else line
