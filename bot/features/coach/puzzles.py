"""*Puzzle of this server*: today's puzzle from one of its games, or what the player has answered to it."""

from __future__ import annotations

from bot.features.coach.puzzle_answers import show_answer
from bot.features.coach.rush import BeginRush
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import row
from bot.interactions.components import Component
from bot.interactions.context import Context
from play.community.puzzle import Answer, Solver
from play.ids import ChannelId, GuildId
from presentation.addresses import link
from presentation.text import escape
from presentation.words.words import Words


class OwnPuzzle(Component, id=ids.OWN_PUZZLE):
    """Links to today's puzzle of the server, or shows what the player has answered, with the best solvers."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        guild = permissions.require_guild(ctx)
        words = await ctx.words()
        with ctx.services.jobs.one_at_a_time(ctx.user):
            puzzle = await ctx.services.coach.post_puzzle(guild, await _place(ctx), ctx.at)
        table = await _table(ctx, guild, words)
        if puzzle is None:
            await ctx.reply("\n".join([words("puzzle.own.none"), *table]))
            return
        puzzles = ctx.services.coach.puzzles
        given = await puzzles.attempt(puzzle, ctx.user)
        if given is not None:
            await show_answer(ctx, await puzzles.task(puzzle), Answer(given, first=False), words, *table)
            return
        here = words("puzzle.here", url=link(puzzle.guild, puzzle.channel or ctx.channel, puzzle.message))
        await ctx.reply("\n".join([here, *table]), view=row(BeginRush.make(words("rush.button"))))


async def _place(ctx: Context) -> ChannelId:
    """Returns where the puzzle of the server is posted: here, or above the thread of a game, which it would disturb."""
    async with ctx.services.store.read() as reader:
        return await reader.matches.parent_of_thread(ctx.channel) or ctx.channel


async def _table(ctx: Context, guild: GuildId, words: Words) -> list[str]:
    """Returns the lines of the best solvers of a server; none before the first solved puzzle."""
    table = await ctx.services.coach.puzzles.table(guild, ctx.at)
    names = await ctx.services.names.of_all([solver.user for solver in table], guild)
    lines = [
        _line(place, name, solver, words) for place, (name, solver) in enumerate(zip(names, table, strict=True), 1)
    ]
    return [words("puzzle.table"), *lines] if lines else []


def _line(place: int, name: str, solver: Solver, words: Words) -> str:
    line = words("puzzle.solver", place=place, name=escape(name), solved=solver.solved, tried=solver.tried)
    return f"{line} · 🔥 {solver.streak}" if solver.streak else line


BUTTONS: tuple[type[OwnPuzzle], ...] = (OwnPuzzle,)
