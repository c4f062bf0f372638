"""`/move`, `/board`, `/resign` and `/games`: what a player does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.features.match.actions.endings import ask_first
from bot.features.match.open_games import listed
from bot.features.match.show_board import shown
from bot.features.match.turn.point_form import LONGEST_MOVE
from bot.features.match.turn.suggestions import suggested
from bot.features.match.turn.typed_moves import entered
from bot.interactions.responses import acknowledge, privately
from bot.request import Request
from play.refusal import Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The commands, described in `words`."""

    @app_commands.command(name="move", description=words("command.move"))
    @app_commands.describe(point=words("command.move.point"))
    @app_commands.autocomplete(point=_points)
    async def move(interaction: Interaction, point: app_commands.Range[str, 1, LONGEST_MOVE]) -> None:
        await entered(interaction, Request.of(interaction).here, point)

    @app_commands.command(name="board", description=words("command.board"))
    @app_commands.describe(text=words("command.board.text"))
    async def board(interaction: Interaction, text: bool = False) -> None:
        await acknowledge(interaction)
        await shown(interaction, in_letters=text)

    @app_commands.command(name="resign", description=words("command.resign"))
    async def resign(interaction: Interaction) -> None:
        await acknowledge(interaction)
        match = await interaction.client.matches.load(Request.of(interaction).here)
        await ask_first(interaction, match, "resign")

    @app_commands.command(name="games", description=words("command.games"))
    async def games(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await privately(interaction, await listed(interaction))

    return move, board, resign, games


async def _points(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    try:
        match = await interaction.client.matches.load(Request.of(interaction).here)
    except Refused:
        return []
    own = await interaction.client.audience.alone(interaction)
    suggestions = await asyncio.to_thread(suggested, match, typed, own)
    return [app_commands.Choice(name=each.shown, value=each.turn) for each in suggestions]
