"""`/review` and *My mistakes*: a player looks for the better move on the board, after a game and when it is due again.

An old button of `/review` has one of the moves to choose from: `match:12:34:better:11.02:F3`.
"""

from bot.features.coach.quiz import QuizPanel, controls, form, learner
from bot.features.coach.reviews import review_of, show_summary
from bot.features.match.actions.endings import LookBack
from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.commands import declare
from bot.interactions.components import Component
from bot.interactions.context import Context
from play.match.match import Match
from play.refusal import Refused
from use_cases.quizzes import MistakeQuiz

GIVE_UP = "?"
"""The answer of a player who wants to be shown the better move."""


class MistakePanel(QuizPanel[MistakeQuiz]):
    """A mistake of the player."""

    kind = MistakeQuiz
    board_ids = ids.MISTAKE_MOVES


class MyMistakes(Component, id=ids.MY_MISTAKES):
    """Opens the mistake that is due the longest, or says when one comes back."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await MistakePanel(ctx, await MistakeQuiz.open(learner(ctx))).show())


class FindBetter(MatchButton, id=ids.FIND_BETTER):
    """Shows the whole game (number 0), or one of the player's mistakes, of which messages of former versions had moves
    to choose from, too."""

    number: int
    tried: str
    answer: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        match = await ctx.load_match(self.match)
        match.seat_of(ctx.user)
        with ctx.services.jobs.one_at_a_time(ctx.user):
            found = await review_of(ctx, match)
            if not self.number:
                await show_summary(ctx, match, found)
                return
        question = await MistakePanel.load(ctx, match=match.id, number=self.number)
        move = None if self.answer == GIVE_UP else self.answer
        await ctx.show(await (question.show() if move == "" else question.play(move)))

    async def _show_refusal(self, ctx: Context, refused: Refused) -> None:
        await errors.reply_error(ctx, refused, self.match)  # the panel stays as it is


async def review(ctx: Context) -> None:
    await show_review(ctx, await ctx.load_match(ctx.here))


async def show_review(ctx: Context, match: Match) -> None:
    """Shows a player their first mistake in a match, and anybody else what decided it.

    The interaction is acknowledged. Raises Refused.
    """
    with ctx.services.jobs.one_at_a_time(ctx.user):
        found = await review_of(ctx, match)
        first = await ctx.use_cases.past_mistakes.first(ctx.user, match.id)
        if first is None:
            await show_summary(ctx, match, found)
        else:
            await ctx.show(await MistakePanel(ctx, await MistakeQuiz.of(learner(ctx), first)).show())


class ReviewButton(LookBack, id=ids.REVIEW):
    """Shows the turning points of the game."""

    async def show(self, ctx: Context, match: Match) -> None:
        await show_review(ctx, match)


COMMANDS = declare(review)
BUTTONS: tuple[type[Component], ...] = (MyMistakes, FindBetter, ReviewButton, *controls(MistakePanel))
FORMS = (form(MistakePanel),)
