"""`/move`, `/board`, `/resign` and `/games`."""

from __future__ import annotations

import asyncio
from typing import Any

from discord import app_commands

from bot.features.match.actions.endings import ask_first
from bot.features.match.open_games import games_panel
from bot.features.match.turn.point_form import MAX_MOVE
from bot.features.match.turn.suggestions import suggest_turns
from bot.features.match.turn.typed_moves import play_typed
from bot.interactions.buttons import row
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.services.text_limits import fit
from play.refusal import Refused
from presentation.match.text_board import text_board
from presentation.words.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """Returns the commands, described in `words`."""

    @app_commands.command(name="move", description=words("command.move"))
    @app_commands.describe(point=words("command.move.point"))
    @app_commands.autocomplete(point=_suggest_points)
    @takes_context
    async def move(ctx: Context, point: app_commands.Range[str, 1, MAX_MOVE]) -> None:
        await play_typed(ctx, ctx.here, point)

    @app_commands.command(name="board", description=words("command.board"))
    @app_commands.describe(text=words("command.board.text"))
    @takes_context
    async def board(ctx: Context, text: bool = False) -> None:
        await ctx.defer_private()
        await _show_board(ctx, in_letters=text)

    @app_commands.command(name="resign", description=words("command.resign"))
    @takes_context
    async def resign(ctx: Context) -> None:
        await ctx.defer_private()
        match = await ctx.use_cases.matches.load(ctx.here)
        await ask_first(ctx, match, "resign")

    @app_commands.command(name="games", description=words("command.games"))
    @takes_context
    async def games(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await games_panel(ctx))

    return move, board, resign, games


async def _show_board(ctx: Context, *, in_letters: bool) -> None:
    """Shows one user the match of the channel, as a picture or in letters. The interaction is acknowledged."""
    words = await ctx.words()
    match = await ctx.use_cases.matches.load(ctx.here)
    board = await ctx.services.boards.renderer.render(match, words, reader=ctx.user)
    plays = not match.outcome and ctx.user in match.players
    view = board.buttons if plays else row()
    if not in_letters:
        await ctx.reply(board.content, view=view, **board.pictures)
        return
    blocks = text_board(match.position)
    await ctx.reply(f"{board.content}\n-# {words('board.letters')}", view=row() if blocks else view)
    for number, block in enumerate(blocks, start=1):
        await ctx.interaction.followup.send(fit(block), ephemeral=True, view=view if number == len(blocks) else row())


@takes_context
async def _suggest_points(ctx: Context, typed: str) -> list[app_commands.Choice[str]]:
    try:
        match = await ctx.use_cases.matches.load(ctx.here)
    except Refused:
        return []
    suggestions = await asyncio.to_thread(suggest_turns, match, typed, await ctx.words())
    return [app_commands.Choice(name=each.label, value=each.turn) for each in suggestions]
