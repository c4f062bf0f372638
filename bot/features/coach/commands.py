"""`/hint`, `/review`, `/puzzle` and `/learn`: the computer as a coach, and the path of lessons."""

from __future__ import annotations

from bot.features.coach.daily import puzzle_menu
from bot.features.coach.hints import show_hint
from bot.features.coach.lessons import show_start
from bot.features.coach.past_mistakes import show_review
from bot.interactions.commands import declare
from bot.interactions.context import Context


async def hint(ctx: Context) -> None:
    await show_hint(ctx, ctx.here)


async def review(ctx: Context) -> None:
    await show_review(ctx, await ctx.load_match(ctx.here))


async def puzzle(ctx: Context) -> None:
    await ctx.show(await puzzle_menu(ctx))


async def learn(ctx: Context) -> None:
    await show_start(ctx)


COMMANDS = declare(hint, review, puzzle, learn)
