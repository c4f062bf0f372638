"""`/rules`: how the games are played, with pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from discord import app_commands
from discord.app_commands import Choice

from bot.features.help.rulebook import LESSONS, rulebook_page
from bot.interactions.commands import takes_context
from bot.interactions.context import Context

if TYPE_CHECKING:
    from bot.i18n.words import Words


def commands(words: Words, presets: Sequence[str]) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The command, described in `words`, for the rules of `presets`."""

    @app_commands.command(name="rules", description=words("command.rules"))
    @app_commands.describe(rules=words("command.rules.rules"))
    @app_commands.choices(rules=[Choice(name=words(f"preset.{preset}.name"), value=preset) for preset in presets])
    @takes_context
    async def rules(ctx: Context, rules: str | None = None) -> None:
        await ctx.defer_private()
        await ctx.show(await rulebook_page(ctx, rules or next(iter(LESSONS))))

    return (rules,)
