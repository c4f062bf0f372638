"""`/import`: a recorded game from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.features.records import imports
from bot.features.records.imported_game import PRESETS
from bot.interactions.commands import takes_context
from bot.interactions.context import Context

if TYPE_CHECKING:
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`."""

    @app_commands.command(name="import", description=words("command.import"))
    @app_commands.describe(file=words("command.import.file"), rules=words("command.import.rules"))
    @app_commands.choices(rules=[Choice(name=words(f"preset.{key}.name"), value=key) for key in PRESETS])
    @takes_context
    async def import_(ctx: Context, file: discord.Attachment, rules: str | None = None) -> None:
        await ctx.defer_private()
        await imports.show_import(ctx, file, rules)

    return (import_,)
