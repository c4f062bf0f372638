"""`/move`, `/board`, `/resign` and `/games`: what a player does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.features.match.actions.endings import ask_first
from bot.features.match.open_games import list_open_games
from bot.features.match.show_board import show_board
from bot.features.match.turn.point_form import MAX_MOVE
from bot.features.match.turn.suggestions import suggest_turns
from bot.features.match.turn.typed_moves import play_typed
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from play.refusal import Refused

if TYPE_CHECKING:
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The commands, described in `words`."""

    @app_commands.command(name="move", description=words("command.move"))
    @app_commands.describe(point=words("command.move.point"))
    @app_commands.autocomplete(point=_points)
    @takes_context
    async def move(ctx: Context, point: app_commands.Range[str, 1, MAX_MOVE]) -> None:
        await play_typed(ctx, ctx.here, point)

    @app_commands.command(name="board", description=words("command.board"))
    @app_commands.describe(text=words("command.board.text"))
    @takes_context
    async def board(ctx: Context, text: bool = False) -> None:
        await ctx.defer_private()
        await show_board(ctx, in_letters=text)

    @app_commands.command(name="resign", description=words("command.resign"))
    @takes_context
    async def resign(ctx: Context) -> None:
        await ctx.defer_private()
        match = await ctx.services.matches.load(ctx.here)
        await ask_first(ctx, match, "resign")

    @app_commands.command(name="games", description=words("command.games"))
    @takes_context
    async def games(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.reply(await list_open_games(ctx))

    return move, board, resign, games


@takes_context
async def _points(ctx: Context, typed: str) -> list[app_commands.Choice[str]]:
    try:
        match = await ctx.services.matches.load(ctx.here)
    except Refused:
        return []
    own = await ctx.words()
    suggestions = await asyncio.to_thread(suggest_turns, match, typed, own)
    return [app_commands.Choice(name=each.shown, value=each.turn) for each in suggestions]
