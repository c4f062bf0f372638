"""`/puzzle`: the daily with its result to share, ten in a row, and the puzzle of a server from one of its games."""

from collections.abc import Sequence
from typing import Any

import discord

from bot.features.coach.quiz import QuizPanel, controls, form, learner, way_button
from bot.features.players.milestones import milestone_parts
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import declare
from bot.interactions.components import Audience, Component, PanelItem, ShareButton, can_share
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part, button
from play.community.puzzle import puzzle_day
from play.ids import ChannelId, GuildId
from play.refusal import Reason, Refused
from presentation.daily import shared_text, title_text
from presentation.exercises import figure_text, kind_name
from presentation.quiz import QuizText, solvers_lines
from presentation.words.words import Words
from use_cases.quizzes import DailyQuiz, OwnQuiz, RushQuiz

PRIMARY = discord.ButtonStyle.primary


class DailyPanel(QuizPanel[DailyQuiz]):
    """The present step of a day's daily, and its result."""

    kind = DailyQuiz
    board_ids = ids.DAILY_MOVES
    answer_id = ids.DAILY_ANSWER

    async def result(self, text: QuizText[Any]) -> Sequence[Part]:
        quiz, words, share = self.quiz, text.words, can_share(self.ctx)
        lines = [text.title, text.result]
        if not share:
            shared = shared_text(quiz.run, quiz.streak, words, text.theme)
            lines.append(f"{words('daily.copy')}\n```\n{shared}\n```")
        *missed, further = [way_button(each, text) for each in quiz.ends]
        shared_by: list[Control] = [ShareDaily.make(words("share.button"), day=quiz.run.day)] if share else []
        ways: list[Control] = [*missed, *shared_by, further]
        reached = await milestone_parts(self.ctx) if quiz.is_today else []
        return ["\n".join(lines), ways, *reached]


class OpenDaily(PanelItem, id=ids.OPEN_DAILY):
    """Opens today's daily, or goes on with it: `daily:open`."""

    style = PRIMARY
    emoji = "🧩"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await self.parts(ctx))

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await DailyPanel(ctx, await DailyQuiz.open(learner(ctx))).show()


class LookAtDaily(PanelItem, id=ids.DAILY_LOOK):
    """Shows the present step, or the result."""

    day: str

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await (await DailyPanel.load(ctx, day=self.day)).show()


class ShareDaily(ShareButton, id=ids.SHARE_DAILY):
    """Posts the result of the player who presses."""

    day: str

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        quiz = await DailyQuiz.find(learner(ctx), day=self.day)
        if not quiz.run.over:
            raise Refused(Reason.NOTHING_TO_SHARE)
        play: list[Control] = [OpenDaily.make(members.words("daily.play"))]
        return [shared_text(quiz.run, quiz.streak, members.words, members.theme), play]


class RushPanel(QuizPanel[RushQuiz]):
    """The present exercise of ten in a row. A missed one shows its solution before the next."""

    kind = RushQuiz
    answer_id = ids.RUSH

    async def after(self) -> Sequence[Part]:
        return await (self.show() if self.quiz.solving is None else super().after())

    async def result(self, text: QuizText[Any]) -> Sequence[Part]:
        if not self.quiz.is_missed:
            return await super().result(text)
        return [text.result, *await self.judged(text)]


class BeginRush(Component, id=ids.BEGIN_RUSH):
    """Begins ten puzzles, or goes on with them: `rush:begin`."""

    style = PRIMARY
    emoji = "🧩"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await RushPanel(ctx, await RushQuiz.open(learner(ctx))).show())


class OwnPanel(QuizPanel[OwnQuiz]):
    """The puzzle of a day from a game of the server."""

    kind = OwnQuiz
    board_ids = ids.PUZZLE_MOVES
    answer_id = ids.PUZZLE


class OwnPuzzle(Component, id=ids.OWN_PUZZLE):
    """Opens today's puzzle of the server, and posts it first if it is nowhere yet."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        guild = permissions.require_guild(ctx)
        with ctx.services.jobs.one_at_a_time(ctx.user):
            puzzle = await ctx.services.coach.posts.post_puzzle(guild, await _place(ctx), ctx.at)
        if puzzle is not None and puzzle.channel is not None and await _sees(ctx, guild, puzzle.channel):
            await ctx.show(await (await OwnPanel.load(ctx, puzzle=puzzle.id)).show())
            return
        words, table = await ctx.words(), await ctx.use_cases.puzzles.table(guild, ctx.at)
        names = await ctx.services.names.of_all([solver.user for solver in table], guild)
        text = "\n".join([words("puzzle.own.none"), *solvers_lines(table, names, words)])
        await ctx.show([text, [BeginRush.make(words("rush.button"))]])


async def _sees(ctx: Context, guild: GuildId, channel: ChannelId) -> bool:
    return channel == ctx.channel or await ctx.services.rights.sees(guild, channel, ctx.user)


async def _place(ctx: Context) -> ChannelId:
    """Returns where the puzzle of the server is posted: here, or above the thread of a game, which it would disturb."""
    async with ctx.services.store.read() as reader:
        return await reader.matches.parent_of_thread(ctx.channel) or ctx.channel


async def puzzle(ctx: Context) -> None:
    """Shows what there is to solve: the daily, on a server its own puzzle, and ten in a row."""
    words, guild, day = await ctx.words(), permissions.installed_guild(ctx), puzzle_day(ctx.at)
    lines = [title_text(day, words), words("daily.about")]
    figures, weakest = await ctx.use_cases.training.standing(ctx.user)
    ways: list[Control] = [OpenDaily.make(words("daily.play"))]
    if guild is not None:
        lines += await _solvers_here(ctx, guild, day, words)
        ways.append(button(ids.OWN_PUZZLE(), words("puzzle.own.button")))
    kinds = [figure_text(kind, figure, words) for kind, figure in figures.items()]
    lines += [words.markup.small(" · ".join(kinds))] if kinds else []
    train = button(ids.TRAIN(subject=weakest), words("train.button", kind=kind_name(weakest, words)))
    more: list[Control] = [BeginRush.make(words("rush.button")), train, button(ids.KINDS(), words("kinds.button"))]
    await ctx.show(["\n".join(lines), [*ways, *more]])


async def _solvers_here(ctx: Context, guild: GuildId, day: str, words: Words) -> list[str]:
    """Returns the line with how many of a server have solved a day's daily; none before the first one has."""
    solvers = await ctx.use_cases.dailies.solvers(guild, day)
    return [words("daily.here", count=solvers)] if solvers else []


COMMANDS = declare(puzzle)
BUTTONS: tuple[type[Component], ...] = (
    *(OpenDaily, LookAtDaily, ShareDaily, BeginRush, OwnPuzzle),
    *(each for panel in (DailyPanel, RushPanel, OwnPanel) for each in controls(panel)),
)
FORMS = (form(DailyPanel), form(OwnPanel))
