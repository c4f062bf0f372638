"""`/hint`, `/review`, `/puzzle` and `/learn`: the computer as a coach, and the path of lessons."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.features.coach.daily import puzzle_menu
from bot.features.coach.hints import show_hint
from bot.features.coach.lessons import show_start
from bot.features.coach.past_mistakes import show_review
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from presentation.words.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """Returns the commands, described in `words`."""

    @app_commands.command(name="hint", description=words("command.hint"))
    @takes_context
    async def hint(ctx: Context) -> None:
        await ctx.defer_private()
        await show_hint(ctx, ctx.here)

    @app_commands.command(name="review", description=words("command.review"))
    @takes_context
    async def review(ctx: Context) -> None:
        await ctx.open_panel()
        await show_review(ctx, await ctx.load_match(ctx.here))

    @app_commands.command(name="puzzle", description=words("command.puzzle"))
    @takes_context
    async def puzzle(ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await puzzle_menu(ctx))

    @app_commands.command(name="learn", description=words("command.learn"))
    @takes_context
    async def learn(ctx: Context) -> None:
        await ctx.defer_private()
        await show_start(ctx)

    return hint, review, puzzle, learn
