"""`/move`, `/board`, `/resign` and `/games`: what a player does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.answers import acknowledge, privately
from bot.buttons import Resign, TypePoint, ask_to_resign, row
from bot.games import listed
from bot.modals import LONGEST_MOVE
from bot.moves import played
from bot.points import suggested
from bot.request import Request
from play.ids import UserId
from play.refused import Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The commands, described in `words`."""

    @app_commands.command(name="move", description=words("command.move"))
    @app_commands.describe(point=words("command.move.point"))
    @app_commands.autocomplete(point=_points)
    async def move(interaction: Interaction, point: app_commands.Range[str, 1, LONGEST_MOVE]) -> None:
        await acknowledge(interaction)
        await played(interaction, Request.of(interaction).here, point)

    @app_commands.command(name="board", description=words("command.board"))
    async def board(interaction: Interaction) -> None:
        await acknowledge(interaction)
        client, own = interaction.client, interaction.client.words(interaction)
        match = await client.tables.board(Request.of(interaction).here)
        drawn = await client.boards.of(match, own)
        plays = not match.outcome and interaction.user.id in match.players
        view = row(TypePoint.to(match, own), Resign.to(match, own)) if plays else row()
        await privately(interaction, drawn.content, file=drawn.file, view=view)

    @app_commands.command(name="resign", description=words("command.resign"))
    async def resign(interaction: Interaction) -> None:
        await acknowledge(interaction)
        match = await interaction.client.tables.board(Request.of(interaction).here)
        match.seat_of(UserId(interaction.user.id))
        if match.outcome:
            raise Refused("match_over")
        await ask_to_resign(interaction, match)

    @app_commands.command(name="games", description=words("command.games"))
    async def games(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await privately(interaction, await listed(interaction))

    return move, board, resign, games


async def _points(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    try:
        match = await interaction.client.tables.board(Request.of(interaction).here)
    except Refused:
        return []
    points = await asyncio.to_thread(suggested, match, typed)
    return [app_commands.Choice(name=point, value=point) for point in points]
