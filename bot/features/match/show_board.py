"""`/board`: the board for one person alone, as a picture or in letters."""

from __future__ import annotations

from bot.features.match.board.text_board import text_board
from bot.interactions.buttons import row
from bot.interactions.context import Context
from bot.services.text_limits import fit


async def show_board(ctx: Context, *, in_letters: bool) -> None:
    """Shows the match of the channel. The interaction is acknowledged."""
    words = await ctx.words()
    match = await ctx.services.matches.load(ctx.here)
    board = await ctx.services.boards.render(match, words, (await ctx.settings()).theme)
    plays = not match.outcome and ctx.user in match.players
    view = board.buttons if plays else row()
    if not in_letters:
        await ctx.reply(board.content, view=view, **board.pictures)
        return
    blocks = text_board(match.position)
    await ctx.reply(f"{board.content}\n-# {words('board.letters')}", view=row() if blocks else view)
    for number, block in enumerate(blocks, start=1):
        await ctx.interaction.followup.send(fit(block), ephemeral=True, view=view if number == len(blocks) else row())
