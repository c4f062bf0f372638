"""`/board`: the board for one person alone, as a picture or in letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.match.board.text_board import text_board
from bot.features.match.turn.play import person
from bot.interactions.buttons import row
from bot.interactions.responses import privately
from bot.request import Request
from bot.services.text_limits import fitted

if TYPE_CHECKING:
    from bot.client import Interaction


async def shown(interaction: Interaction, *, in_letters: bool) -> None:
    """Shows the match of the channel. The interaction is acknowledged."""
    client, request = interaction.client, Request.of(interaction)
    words = await client.audience.alone(interaction)
    match = await client.matches.load(request.here)
    board = await client.boards.of(match, words, (await person(client, request.user)).theme)
    plays = not match.outcome and request.user in match.players
    view = board.buttons if plays else row()
    if not in_letters:
        await privately(interaction, board.content, view=view, **board.pictures)
        return
    blocks = text_board(match.position)
    await privately(interaction, f"{board.content}\n-# {words('board.letters')}", view=row() if blocks else view)
    for number, block in enumerate(blocks, start=1):
        await interaction.followup.send(fitted(block), ephemeral=True, view=view if number == len(blocks) else row())
