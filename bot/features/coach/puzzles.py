"""*Puzzle of this server*: today's puzzle from one of its games, played on the board."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Self

import discord

from bot.features.coach.daily_posts import theme_of
from bot.features.coach.puzzle_poster import puzzle_text, puzzle_title
from bot.features.coach.quiz import Quiz
from bot.features.coach.quiz_controls import controls, form
from bot.features.coach.rush import BeginRush
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Audience, Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from bot.services.messages import fit
from play.community.exercise import Exercise
from play.community.puzzle import Puzzle, PuzzleId, Solver
from play.community.solving import Solved, Solving, Verdict, Wrong
from play.ids import ChannelId, GuildId
from play.refusal import Reason, Refused
from presentation.text import escape
from presentation.words.words import Words
from use_cases.puzzles import PuzzleState

log = logging.getLogger(__name__)


class OwnQuiz(Quiz):
    """The puzzle of a day from a game of the server. The first try counts."""

    board_ids = ids.PUZZLE_MOVES
    answer_id = ids.PUZZLE

    state: PuzzleState

    @classmethod
    async def load(cls, ctx: Context, *, puzzle: PuzzleId) -> Self:
        state = await ctx.services.coach.puzzles.open(puzzle, ctx.user)
        if state.puzzle.guild != permissions.installed_guild(ctx):
            raise Refused(Reason.NO_PUZZLE)  # its table names members
        quiz = cls(ctx, await Audience.reader(ctx), state.solving)
        quiz.state = state
        return quiz

    @property
    def key(self) -> Mapping[str, object]:
        return {"puzzle": self.state.puzzle.id}

    async def offers_choices(self) -> bool:
        return (await self.ctx.use_cases.dailies.place(self.state.puzzle.guild)).choices

    async def judge(self, move: str | None, *, chosen: bool = False) -> Verdict | None:
        ctx = self.ctx
        self.state = state = await ctx.services.coach.puzzles.play(self.state.puzzle.id, ctx.user, move, ctx.at)
        if state.first and state.attempt and state.attempt.right and state.attempt.scored:
            await _name_solver(ctx, state.puzzle, state.solving.exercise)
        return state.verdict

    async def head(self) -> str:
        lines = [puzzle_title(self.state.puzzle, self.words)]
        if self.state.attempt is not None and not self.state.first:
            lines.append(self.words("puzzle.again"))
        return "\n".join(lines)

    def verdict(self, verdict: Solved | Wrong, judged: Solving, *, shown: bool) -> str:
        said = super().verdict(verdict, judged, shown=shown)
        if self.state.first and self.state.attempt and not self.state.attempt.scored:
            return f"{said}\n{self.words('puzzle.unscored')}"
        return said

    async def judged(self, verdict: Solved | Wrong, judged: Solving, *, shown: bool = False) -> Sequence[Part]:
        *parts, ways = await super().judged(verdict, judged, shown=shown)
        table = await _table(self.ctx, self.state.puzzle.guild, self.words)
        return [*parts, *(["\n".join(table)] if table else []), ways]

    async def ways(self) -> list[Control]:
        return [BeginRush.make(self.words("rush.button"))]


class OwnPuzzle(Component, id=ids.OWN_PUZZLE):
    """Opens today's puzzle of the server, and posts it first if it is nowhere yet."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        guild = permissions.require_guild(ctx)
        with ctx.services.jobs.one_at_a_time(ctx.user):
            puzzle = await ctx.services.coach.post_puzzle(guild, await _place(ctx), ctx.at)
        if puzzle is not None and puzzle.channel is not None and await _sees(ctx, guild, puzzle.channel):
            await ctx.show(await (await OwnQuiz.load(ctx, puzzle=puzzle.id)).show())
            return
        words = await ctx.words()
        text = "\n".join([words("puzzle.own.none"), *await _table(ctx, guild, words)])
        await ctx.show([text, [BeginRush.make(words("rush.button"))]])


async def _sees(ctx: Context, guild: GuildId, channel: ChannelId) -> bool:
    return channel == ctx.channel or await ctx.services.rights.sees(guild, channel, ctx.user)


async def _place(ctx: Context) -> ChannelId:
    """Returns where the puzzle of the server is posted: here, or above the thread of a game, which it would disturb."""
    async with ctx.services.store.read() as reader:
        return await reader.matches.parent_of_thread(ctx.channel) or ctx.channel


async def _name_solver(ctx: Context, puzzle: Puzzle, exercise: Exercise) -> None:
    """Adds the player to the solvers in the post of a puzzle; a home is written anew by its worker."""
    async with ctx.services.store.read() as reader:
        home = await reader.homes.get(puzzle.guild)
    if puzzle.channel is None or puzzle.message is None or (home is not None and home.message == puzzle.message):
        return
    services = ctx.services
    words, theme = await services.locales.for_guild(puzzle.guild), await theme_of(services.store, puzzle.guild)
    text = await puzzle_text(services.coach.puzzles, services.names, puzzle, exercise, words, theme)
    try:
        await services.channels.edit(puzzle.channel, puzzle.message, content=fit(text))
    except discord.HTTPException as error:
        log.info("the puzzle %d does not name who has solved it: %s", puzzle.id, error)


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


BUTTONS: tuple[type[Component], ...] = (OwnPuzzle, *controls(OwnQuiz))
FORMS = (form(OwnQuiz),)
