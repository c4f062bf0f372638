"""`/privacy`: what is stored of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.features.players import privacy
from bot.interactions.commands import takes_context
from bot.interactions.context import Context

if TYPE_CHECKING:
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """The commands, described in `words`."""
    group = app_commands.Group(name="privacy", description=words("command.privacy"))

    @group.command(name="export", description=words("command.privacy.export"))
    @takes_context
    async def export(ctx: Context) -> None:
        await ctx.defer_private()
        await privacy.send_stored_data(ctx)

    @group.command(name="delete", description=words("command.privacy.delete"))
    @takes_context
    async def delete(ctx: Context) -> None:
        await ctx.defer_private()
        await privacy.ask_to_delete(ctx)

    return (group,)
