"""`/puzzle`: the daily, a private panel in which its steps are played one after the other, and its result to share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from bot.features.coach.quiz import PRIMARY, Quiz
from bot.features.coach.quiz_controls import controls, form
from bot.features.coach.rush import BeginRush
from bot.features.players.milestones import milestone_parts
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Audience, Component, PanelItem, ShareButton, can_share
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, button
from play.community.daily import Run
from play.community.puzzle import puzzle_day
from play.community.solving import DailyState, Solved, Solving, Verdict, Wrong
from play.ids import GuildId
from play.refusal import Reason, Refused
from presentation.daily import head_text, notice_text, result_text, shared_text, title_text, verdict_text
from presentation.words.words import Words


class OpenDaily(PanelItem, id=ids.OPEN_DAILY):
    """Opens today's daily, or goes on with it: `daily:open`."""

    style = PRIMARY
    emoji = "🧩"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await self.parts(ctx))

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await open_daily(ctx)


class DailyQuiz(Quiz):
    """The present step of a day's daily."""

    board_ids = ids.DAILY_MOVES
    answer_id = ids.DAILY_ANSWER

    state: DailyState

    @classmethod
    async def load(cls, ctx: Context, *, day: str, tries: int | None = None) -> Self:
        state = await ctx.use_cases.dailies.state(day, ctx.user)
        return await cls.of(ctx, state._replace(is_stale=tries not in (None, state.run.tries)))

    @classmethod
    async def of(cls, ctx: Context, state: DailyState) -> Self:
        """Returns the daily of the player as it is."""
        daily = cls(ctx, await Audience.reader(ctx), state.solving)
        daily.state = state
        return daily

    @property
    def key(self) -> Mapping[str, object]:
        return {"day": self.state.run.day, "tries": self.state.run.tries}

    @property
    def can_give_up(self) -> bool:
        return self.state.run.missed > 0

    async def offers_choices(self) -> bool:
        guild = permissions.installed_guild(self.ctx)
        if guild is None or self.posed.found:
            return False
        return (await self.ctx.use_cases.dailies.place(guild)).choices

    async def head(self) -> str:
        return head_text(self.state.run, self.words, judged=isinstance(self.state.verdict, Solved))

    async def show(self, code: str = "", place: str = "", notice: str = "") -> Sequence[Part]:
        if self.solving is None:
            return await _result(self.ctx, self.state.run, self.words, self.theme)
        if self.state.is_stale:
            code = place = ""
        return await super().show(code, place, notice or notice_text(self.state, self.words, self.theme))

    async def play(self, move: str | None, *, chosen: bool = False) -> Sequence[Part]:
        return await (self.show() if self.state.is_stale else super().play(move, chosen=chosen))

    async def judge(self, move: str | None, *, chosen: bool = False) -> Verdict | None:
        run, at = self.state.run, self.ctx.at
        self.state = await self.ctx.use_cases.dailies.play(run.day, run.user, run.tries, move, at, chosen=chosen)
        self.solving = self.state.solving
        return self.state.verdict

    def verdict(self, verdict: Solved | Wrong, judged: Solving, *, shown: bool) -> str:
        return verdict_text(self.state, verdict, judged, self.words, self.theme)

    async def ways(self) -> list[Control]:
        label = self.words("daily.result" if self.state.run.over else "rush.next")
        return [LookAtDaily.make(label, day=self.state.run.day)]


class LookAtDaily(PanelItem, id=ids.DAILY_LOOK):
    """Shows the present step, or the result."""

    day: str
    style = PRIMARY

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await (await DailyQuiz.load(ctx, day=self.day)).show()


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


async def open_daily(ctx: Context) -> Sequence[Part]:
    """Returns the panel of today's daily, begun now if it was not. Raises Refused."""
    state = await ctx.use_cases.dailies.open(ctx.user, permissions.installed_guild(ctx), ctx.at)
    return await (await DailyQuiz.of(ctx, state)).show()


async def puzzle_menu(ctx: Context) -> list[Part]:
    """Returns what there is to solve: the daily, on a server its own puzzle, and ten in a row."""
    words, guild, day = await ctx.words(), permissions.installed_guild(ctx), puzzle_day(ctx.at)
    lines = [title_text(day, words), words("daily.about")]
    ways: list[Control] = [OpenDaily.make(words("daily.play"))]
    if guild is not None:
        lines += await _solvers_here(ctx, guild, day, words)
        ways.append(button(ids.OWN_PUZZLE(), words("puzzle.own.button")))
    return ["\n".join(lines), [*ways, BeginRush.make(words("rush.button"))]]


async def _result(ctx: Context, run: Run, words: Words, theme: str) -> list[Part]:
    """Returns the grid of a daily that is over, how to share it, and what else there is to solve."""
    streak = await ctx.use_cases.dailies.streak(ctx.user, ctx.at)
    rating = await ctx.services.coach.puzzles.skill(ctx.user)
    shared = shared_text(run, streak, words, theme)
    lines = [title_text(run.day, words), result_text(run, streak, rating, words, theme)]
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


ITEMS: tuple[type[Component], ...] = (OpenDaily, LookAtDaily, ShareDaily, *controls(DailyQuiz))
FORMS = (form(DailyQuiz),)
