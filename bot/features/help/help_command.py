"""`/help`: how to play, in a few lines and two pictures, and all commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.features.help import manual
from bot.interactions.commands import takes_context
from bot.interactions.context import Context

if TYPE_CHECKING:
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`."""

    @app_commands.command(name="help", description=words("command.help"))
    @takes_context
    async def help_(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await manual.manual_page(ctx, 0))

    return (help_,)
