"""`/move`, `/board`, `/resign` and `/games`, and a context menu of messages."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot.features.match.actions.endings import ask_first
from bot.features.match.button import match_on
from bot.features.match.open_games import games_panel
from bot.features.match.turn.point_form import MAX_MOVE
from bot.features.match.turn.suggestions import suggest_turns
from bot.features.match.turn.typed_moves import play_typed
from bot.interactions.buttons import row
from bot.interactions.commands import Command, Declared, Menu, declare
from bot.interactions.context import Context
from bot.interactions.permissions import load_visible_match
from bot.request import own_id
from bot.services.forwards import is_forward, shown_in
from bot.services.text_limits import fit
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.match.text_board import text_board


async def move(ctx: Context, point: app_commands.Range[str, 1, MAX_MOVE]) -> None:
    await play_typed(ctx, ctx.here, point)


async def board(ctx: Context, text: bool = False) -> None:
    await _show_board(ctx, await ctx.load_match(ctx.here), in_letters=text)


async def resign(ctx: Context) -> None:
    match = await ctx.load_match(ctx.here)
    await ask_first(ctx, match, "resign")


async def games(ctx: Context) -> None:
    await ctx.show(await games_panel(ctx))


async def board_as_text(ctx: Context, message: discord.Message) -> None:
    is_own = message.author.id == own_id(ctx.interaction.client)
    shown = match_on(shown_in(message)) if is_own or is_forward(message) else None
    if not (is_own or shown):
        raise Refused(Reason.NO_BOARD_HERE)
    # An older board has no buttons left.
    match = await load_visible_match(ctx, shown) if shown else await ctx.load_match(ctx.here)
    await _show_board(ctx, match, in_letters=True)


async def _show_board(ctx: Context, match: Match, *, in_letters: bool) -> None:
    """Shows one user a match, as a picture or in letters. The interaction is acknowledged."""
    words = await ctx.words()
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


async def _suggest_points(ctx: Context, typed: str) -> list[app_commands.Choice[str]]:
    try:
        match = await ctx.load_match(ctx.here)
    except Refused:
        return []
    suggestions = await asyncio.to_thread(suggest_turns, match, typed, await ctx.words())
    return [app_commands.Choice(name=each.label, value=each.turn) for each in suggestions]


COMMANDS: tuple[Declared, ...] = (
    Command(move, suggests={"point": _suggest_points}, private=False),
    *declare(board, resign, games),
    Menu("text", board_as_text),
)
