"""Private answers: in the panel whose button a player pressed, or in a new one."""

from __future__ import annotations

from contextlib import suppress

import discord

from bot.features.match.board_link import with_board_link
from bot.interactions.context import Context
from play.match.match import Match


async def show_line(ctx: Context, line: str, match: Match | None = None) -> None:
    """Tells the player in private, in place of the question that they answered. The interaction is acknowledged.

    With a `match`, links to the board of that version.
    """
    if match is not None:
        here = match.for_reader(ctx.user, ctx.guild)
        line = await with_board_link(ctx.services, here, line, await ctx.words())
    message = ctx.interaction.message
    if ctx.is_panel:
        await ctx.show([line])
    elif _is_click(ctx) and message is not None and message.reference is not None:
        # In a direct message the question is a reply. The next board shows the result.
        await ctx.interaction.delete_original_response()
    else:
        await ctx.reply(line)


async def delete_prompt(ctx: Context) -> None:
    """Deletes the bot's answer to a player's message, once it has led to the panel or the turn that it was for."""
    message = ctx.interaction.message
    if message is not None and message.reference is not None and not message.flags.ephemeral:
        with suppress(discord.HTTPException):
            await message.delete()


def _is_click(ctx: Context) -> bool:
    return ctx.interaction.type is discord.InteractionType.component
