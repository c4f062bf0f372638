"""`/puzzle`: the daily, a private panel in which its steps are played on the board, and its result to share.

All that a button knows is in its custom id: `daily:2026-11-26:3:go:K12@K13` has the day, how many tries the panel knows
of, and a step of a turn as on the keypad of a match. A panel that has gone on since is shown as it is now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import discord

from bot.features.coach.puzzle_answers import noon
from bot.features.coach.rush import BeginRush
from bot.features.coach.solutions import to_move
from bot.features.match.turn.point_form import POINT, point_question, read_crossing
from bot.features.match.turn.position_keypad import PositionKeypad
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import button
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from bot.interactions.milestones import milestone_parts
from bot.interactions.modals import Form, field_value, make_form, open_form
from bot.interactions.pictures import picture_file
from bot.interactions.sharing import Audience, ShareButton, can_share
from play.community.daily import Run
from play.community.exercises import Kind
from play.community.puzzle import puzzle_day
from play.community.solving import DailyState, Solved, Solving, Wrong
from play.ids import GuildId
from play.refusal import Reason, Refused
from presentation.advice import draw_line
from presentation.daily import (
    goal_text,
    head_text,
    line_text,
    notice_text,
    result_text,
    shared_text,
    verdict_text,
)
from presentation.markup import Stamp
from presentation.match.turn_text import turn_text
from presentation.words.words import Words
from rules.dots import Call, DotsPosition
from rules.game import RuleError


class OpenDaily(PanelItem, id=ids.OPEN_DAILY):
    """Opens today's daily, or goes on with it: `daily:open`."""

    style = discord.ButtonStyle.primary
    emoji = "🧩"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await self.parts(ctx))

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await open_daily(ctx)


class _OfDay(PanelItem):
    """A control in the panel of a day."""

    day: str


class LookAtDaily(_OfDay, id=ids.DAILY_LOOK):
    """Shows the present step, or the result."""

    style = discord.ButtonStyle.primary

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await _panel(ctx, await ctx.use_cases.dailies.state(self.day, ctx.user))


class StepOfDaily(_OfDay, id=ids.DAILY_STEP):
    """Leads to another part of the board, or to a look at a move. Without a confirmation the move is played."""

    tries: int
    code: str
    place: str

    async def parts(self, ctx: Context) -> Sequence[Part]:
        if self.code and not (await ctx.settings()).confirm_days:
            return await _play(ctx, self.day, self.tries, self.code)
        state = await ctx.use_cases.dailies.state(self.day, ctx.user)
        if state.run.tries != self.tries:
            return await _panel(ctx, state._replace(is_stale=True))
        return await _panel(ctx, state, self.code, self.place)


class PlayInDaily(_OfDay, id=ids.DAILY_PLAY):
    """Plays the move that it carries."""

    style = discord.ButtonStyle.success
    tries: int
    move: str

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await _play(ctx, self.day, self.tries, self.move)


class AnswerDaily(_OfDay, id=ids.DAILY_ANSWER):
    """One of the moves to choose from, on servers that want that."""

    tries: int
    answer: int

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await _panel(
            ctx, await ctx.use_cases.dailies.choose(self.day, ctx.user, self.tries, self.answer, ctx.at)
        )


class ShowSolution(_OfDay, id=ids.DAILY_SHOW):
    """Gives up the present step."""

    tries: int

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await _panel(ctx, await ctx.use_cases.dailies.show(self.day, ctx.user, self.tries, ctx.at))


class TypeInDaily(Component, id=ids.DAILY_POINT):
    """Opens the form for a move."""

    day: str
    tries: int

    async def pressed(self, ctx: Context) -> None:
        state = await ctx.use_cases.dailies.state(self.day, ctx.user)
        if state.solving is None:
            await ctx.open_panel()
            await ctx.show(await _panel(ctx, state))
            return
        words = await ctx.words()
        question = point_question(state.solving.exercise.game, words)
        await open_form(ctx, make_form(self.custom_id, words("modal.title"), question))


class ShareDaily(ShareButton, id=ids.SHARE_DAILY):
    """Posts the result of the player who presses."""

    day: str

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        run = (await ctx.use_cases.dailies.state(self.day, ctx.user)).run
        if not run.over:
            raise Refused(Reason.NOTHING_TO_SHARE)
        streak = await ctx.use_cases.dailies.streak(ctx.user, ctx.at)
        play: list[Control] = [OpenDaily.make(members.words("daily.play"))]
        return [shared_text(run, streak, members.words, members.theme), play]


async def open_daily(ctx: Context) -> list[Part]:
    """Returns the panel of today's daily, begun now if it was not. Raises Refused."""
    return await _panel(ctx, await ctx.use_cases.dailies.open(ctx.user, permissions.installed_guild(ctx), ctx.at))


async def puzzle_menu(ctx: Context) -> list[Part]:
    """Returns what there is to solve: the daily, on a server its own puzzle, and ten in a row."""
    words, guild, day = await ctx.words(), permissions.installed_guild(ctx), puzzle_day(ctx.at)
    lines = [_title(day, words), words("daily.about")]
    ways: list[Control] = [OpenDaily.make(words("daily.play"))]
    if guild is not None:
        lines += await _solvers_here(ctx, guild, day, words)
        ways.append(button(ids.OWN_PUZZLE(), words("puzzle.own.button")))
    return ["\n".join(lines), [*ways, BeginRush.make(words("rush.button"))]]


async def submit_point(ctx: Context, day: str, tries: int) -> None:
    """Plays the move of the form."""
    await ctx.open_panel()
    await ctx.show(await _play(ctx, day, tries, read_crossing(field_value(ctx, POINT))))


async def _play(ctx: Context, day: str, tries: int, move: str) -> list[Part]:
    return await _panel(ctx, await ctx.use_cases.dailies.play(day, ctx.user, tries, move, ctx.at))


async def _panel(ctx: Context, state: DailyState, code: str = "", place: str = "") -> list[Part]:
    """Returns the panel after what the player did last: the verdict on it, the step to play, or the result."""
    words, theme = await ctx.words(), (await ctx.settings()).theme
    if isinstance(state.verdict, Wrong | Solved):
        return await _verdict(ctx, state, words, theme)
    if state.solving is None:
        return await _result(ctx, state.run, words, theme)
    notice, goal = notice_text(state, words, theme), goal_text(state.solving.exercise, words, theme)
    head = "\n".join(filter(None, (head_text(state.run, words), notice, goal)))
    if await _offers_choices(ctx, state.solving):
        return await _choices(ctx, state.run, state.solving, head, words, theme)
    draw = partial(_keypad(state.run, state.solving, theme, words).parts, words, code, place, head)
    try:
        return await asyncio.to_thread(draw)
    except RuleError as error:
        raise Refused.by_rules(error) from error


def _keypad(run: Run, solving: Solving, theme: str, words: Words) -> PositionKeypad:
    """Returns the keypad of the present step, which opens near the last dots."""
    position = solving.position
    assert isinstance(position, DotsPosition), "exercises are of Dots"

    def to_step(label: str, code: str, place: str, style: discord.ButtonStyle | None = None) -> Control:
        return StepOfDaily.make(label, style, day=run.day, tries=run.tries, code=code, place=place)

    def to_play(label: str, move: str) -> Control:
        return PlayInDaily.make(label, day=run.day, tries=run.tries, move=move)

    first = [to_play(words("button.stop"), str(Call.STOP))] if solving.exercise.kind is Kind.STOP else []
    first.append(TypeInDaily.make(words("button.point"), day=run.day, tries=run.tries))
    if run.missed:
        first.append(_show_button(run, words))
    return PositionKeypad(position, position.picture().last, theme, _name(run), to_step, to_play, first)


async def _choices(ctx: Context, run: Run, solving: Solving, head: str, words: Words, theme: str) -> list[Part]:
    """Returns the step with its moves to choose from."""
    exercise = solving.exercise
    png = await ctx.services.jobs.pictures.make(ctx.user, draw_line, exercise.game, solving.position, (), theme)
    labels = [turn_text(exercise.game, answer, words) for answer in exercise.answers]
    answers = [AnswerDaily.make(label, day=run.day, tries=run.tries, answer=n) for n, label in enumerate(labels)]
    alt = words("puzzle.alt", **to_move(exercise, words, theme))
    return [picture_file(png, _name(run), alt), head, answers]


async def _verdict(ctx: Context, state: DailyState, words: Words, theme: str) -> list[Part]:
    """Returns the picture of the line that refutes a wrong move, or that solves the step, and the ways on."""
    run, verdict, judged = state.run, state.verdict, state.judged
    assert isinstance(verdict, Wrong | Solved)
    assert judged is not None, "a verdict is on a move in a position"
    game, line = judged.exercise.game, verdict.line
    png = await ctx.services.jobs.pictures.make(ctx.user, draw_line, game, judged.position, line, theme)
    ways: list[Control] = []
    if isinstance(verdict, Wrong):
        ways += [LookAtDaily.make(words("button.try_again"), day=run.day), _show_button(run, words)]
    else:
        ways.append(LookAtDaily.make(words("daily.result" if run.over else "rush.next"), day=run.day))
    head = head_text(run, words, judged=isinstance(verdict, Solved))
    said = verdict_text(state, verdict, judged, words, theme)
    alt = line_text(game, line, words)
    return [picture_file(png, f"{_name(run)}-{run.tries}", alt), f"{head}\n{said}", ways]


async def _result(ctx: Context, run: Run, words: Words, theme: str) -> list[Part]:
    """Returns the grid of a daily that is over, how to share it, and what else there is to solve."""
    streak = await ctx.use_cases.dailies.streak(ctx.user, ctx.at)
    rating = await ctx.services.coach.puzzles.skill(ctx.user)
    shared = shared_text(run, streak, words, theme)
    lines = [_title(run.day, words), result_text(run, streak, rating, words, theme)]
    guild, share = permissions.installed_guild(ctx), can_share(ctx)
    if guild is not None:
        lines += await _solvers_here(ctx, guild, run.day, words)
    if not share:
        lines.append(f"{words('daily.copy')}\n```\n{shared}\n```")
    ways: list[Control] = []
    if run.day != puzzle_day(ctx.at):
        ways.append(OpenDaily.make(words("daily.play")))
    if share:
        ways.append(ShareDaily.make(words("share.button"), day=run.day))
        ways.append(button(ids.OWN_PUZZLE(), words("puzzle.own.button")))
    reached = await milestone_parts(ctx) if run.day == puzzle_day(ctx.at) else []
    return ["\n".join(lines), [*ways, BeginRush.make(words("rush.button"))], *reached]


async def _solvers_here(ctx: Context, guild: GuildId, day: str, words: Words) -> list[str]:
    """Returns the line with how many of a server have solved a day's daily; none before the first one has."""
    solvers = await ctx.use_cases.dailies.solvers(guild, day)
    return [words("daily.here", count=solvers)] if solvers else []


async def _offers_choices(ctx: Context, solving: Solving) -> bool:
    """Returns whether the player chooses among moves here: on a server that wants that, for the first move."""
    guild = permissions.installed_guild(ctx)
    return guild is not None and not solving.found and (await ctx.use_cases.dailies.place(guild)).choices


def _show_button(run: Run, words: Words) -> Control:
    return ShowSolution.make(words("daily.show"), day=run.day, tries=run.tries)


def _title(day: str, words: Words) -> str:
    return words("daily.title", day=words.moment(noon(day), Stamp.DATE))


def _name(run: Run) -> str:
    return f"kropka-daily-{run.day}-{run.step + 1}"


ITEMS: tuple[type[Component], ...] = (
    OpenDaily,
    LookAtDaily,
    StepOfDaily,
    PlayInDaily,
    AnswerDaily,
    ShowSolution,
    TypeInDaily,
    ShareDaily,
)
FORMS = (Form(ids.DAILY_POINT, submit_point, (POINT,)),)
