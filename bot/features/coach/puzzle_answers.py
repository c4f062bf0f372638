"""The buttons of the daily puzzle, the answers to them, and the text that all read."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.features.coach.rush import BeginRush
from bot.features.coach.solutions import solution_picture, to_move, verdict_text
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import row
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.services.names import Names
from bot.services.text_limits import fit
from play.community.puzzle import Answer, Puzzle, PuzzleId, Task
from play.ids import SECOND, GuildId, Millis
from play.refusal import Reason, Refused
from presentation.daily import rating_text
from presentation.markup import Stamp
from presentation.match.turn_text import turn_text
from presentation.text import escape
from presentation.words.words import Words
from storage import Database
from use_cases.puzzles import Puzzles

MAX_NAMED = 15
"""Solvers that the message of a puzzle names."""


class PuzzleAnswer(Component, id=ids.PUZZLE):
    """A button with one of the moves to choose from: `puzzle:12:0`."""

    puzzle: PuzzleId
    answer: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        puzzle = await ctx.services.coach.puzzles.get(self.puzzle)
        if puzzle.guild != permissions.installed_guild(ctx):
            raise Refused(Reason.NO_PUZZLE)  # its message names its solvers
        answer = await ctx.services.coach.puzzles.answer(puzzle.id, ctx.user, self.answer, ctx.at)
        task = await ctx.services.coach.puzzles.task(puzzle)
        if answer.first and answer.attempt.right and answer.attempt.scored:
            await _name_solver(ctx, puzzle, task)
        await show_answer(ctx, task, answer, await ctx.words())


BUTTONS: tuple[type[PuzzleAnswer], ...] = (PuzzleAnswer,)


def answer_buttons(puzzle: Puzzle) -> list[PuzzleAnswer]:
    """Returns a button for each answer."""
    return [PuzzleAnswer.make(move, puzzle=puzzle.id, answer=number) for number, move in enumerate(puzzle.answers)]


async def show_answer(ctx: Context, task: Task, answer: Answer, words: Words, *more: str) -> None:
    """Shows the player alone what they have answered, the solution, and `more` lines. Raises Refused."""
    theme, given = (await ctx.settings()).theme, answer.attempt
    picture = await solution_picture(ctx.services.jobs, ctx.user, task, given.answer, words, theme)
    lines = [*_answer_lines(task, answer, words), *more]
    await ctx.reply("\n".join(lines), file=picture, view=row(BeginRush.make(words("rush.button"))))


def _answer_lines(task: Task, answer: Answer, words: Words) -> list[str]:
    given, lines = answer.attempt, []
    if not answer.first:
        chosen = turn_text(task.game, task.answers[given.answer], words)
        lines.append(words("puzzle.again", chosen=chosen))
    lines.append(verdict_text(task, given.answer, words))
    if not given.scored:
        lines.append(words("puzzle.unscored"))
    if given.scored and given.streak:
        lines.append(words("puzzle.streak", count=given.streak))
    if answer.before and answer.after:
        lines.append(rating_text(answer.before.value, answer.after.value, words))
    return lines


async def _name_solver(ctx: Context, puzzle: Puzzle, task: Task) -> None:
    """Adds the player to the solvers in the message of the button; the home post is written anew by its worker."""
    message = ctx.interaction.message
    if message is None or message.flags.components_v2:
        return
    services = ctx.services
    words, theme = await services.locales.for_guild(puzzle.guild), await theme_of(services.store, puzzle.guild)
    text = await puzzle_text(services.coach.puzzles, services.names, puzzle, task, words, theme)
    await ctx.interaction.edit_original_response(content=fit(text))


async def theme_of(store: Database, guild: GuildId) -> str:
    """Returns the look of a server's boards."""
    async with store.read() as reader:
        return (await reader.servers.get(guild)).theme


async def puzzle_text(puzzles: Puzzles, names: Names, puzzle: Puzzle, task: Task, words: Words, theme: str) -> str:
    """Returns what a server reads above the picture of a puzzle: the task, and who has solved it."""
    day, who = words.moment(noon(puzzle.day), Stamp.DATE), to_move(task, words, theme)
    if puzzle.exercise is None:
        lines = [words("puzzle.head", day=day), words("puzzle.task", **who)]
    else:
        lines = [words("puzzle.head.exercise", day=day), words("puzzle.task.exercise", **who)]
    solvers = [attempt.user for attempt in await puzzles.attempts(puzzle.id) if attempt.right and attempt.scored]
    if solvers:
        named = await names.of_all(solvers[:MAX_NAMED], puzzle.guild)
        lines.append(words("puzzle.solved", count=len(solvers), names=escape(", ".join(named))))
    return "\n".join(lines)


def noon(day: str) -> Millis:
    """Returns noon of that day by UTC, which is on that day nearly everywhere."""
    return Millis(int(datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC).timestamp()) * SECOND)
