"""`/help`, `/rules` and `/learn`: how the games are played, and what the commands do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import app_commands
from discord.app_commands import Choice

from bot.features.help.lesson import show_lesson
from bot.features.help.manual import manual_page
from bot.features.help.rulebook import BASICS, rulebook_page
from bot.i18n.words import Words
from bot.interactions.commands import takes_context
from bot.interactions.context import Context


def commands(words: Words, presets: Sequence[str]) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """Returns the commands, described in `words`, for the rules of `presets`."""

    @app_commands.command(name="rules", description=words("command.rules"))
    @app_commands.describe(rules=words("command.rules.rules"))
    @app_commands.choices(rules=[Choice(name=words(f"preset.{preset}.name"), value=preset) for preset in presets])
    @takes_context
    async def rules(ctx: Context, rules: str | None = None) -> None:
        await ctx.defer_private()
        await ctx.show(await rulebook_page(ctx, rules or next(iter(BASICS))))

    @app_commands.command(name="help", description=words("command.help"))
    @takes_context
    async def help_(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.show(await manual_page(ctx, 0))

    @app_commands.command(name="learn", description=words("command.learn"))
    @takes_context
    async def learn(ctx: Context) -> None:
        await ctx.defer_private()
        await show_lesson(ctx, 0)

    return rules, help_, learn
