"""`/games`: a player's open matches as a list."""

from __future__ import annotations

from bot.i18n.words import Words
from bot.interactions.context import Context
from bot.request import link
from bot.services.names import escape
from play.store.matches import OpenMatch

MAX_GAMES = 12
"""Lines, if they fit."""

MAX_TEXT = 1900
"""Characters; a message holds 2000."""


async def list_open_games(ctx: Context) -> str:
    """Returns the list, the player's turn first, the most urgent at the top; a hint where there is nothing to list."""
    words = await ctx.words()
    entries = await ctx.services.matches.list_open(ctx.user)
    if not entries:
        return words("games.none")
    text, count = words("games.head", count=len(entries)), 0
    for entry in entries[:MAX_GAMES]:
        line = await _line(ctx, entry, words)
        if len(text) + len(line) > MAX_TEXT:
            break
        text, count = f"{text}\n{line}", count + 1
    if len(entries) > count:
        text += "\n" + words("games.more", count=len(entries) - count)
    return text


async def _line(ctx: Context, entry: OpenMatch, words: Words) -> str:
    others = [player for player in entry.players if player != ctx.user]
    names = await ctx.services.names.of_all(others, entry.guild)
    whose = "yours" if entry.players[entry.to_act] == ctx.user else "theirs"
    clock = "untimed" if entry.deadline is None else "timed"
    line = words(
        f"games.entry.{clock}.{whose}",
        opponent=escape(", ".join(names)),
        size=entry.game.options["size"].replace("x", "×"),
        when="" if entry.deadline is None else f"<t:{entry.deadline // 1000}:R>",
        url=link(entry.guild, entry.channel, entry.board),
    )
    if ctx.user in entry.quiet:
        line += f" · {words('games.quiet')}"
    if not entry.lost:
        return line
    is_borrowed = entry.guild is None or ctx.services.channels.is_user_install(entry.channel)
    return f"{line}\n{words('games.borrowed' if is_borrowed else 'games.lost')}"
