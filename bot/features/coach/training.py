"""Puzzles by kind: how a player does with each, training of one, and a look back through the moves of one."""

from collections.abc import Sequence

import discord

from bot.features.coach.quiz import QuizPanel, controls, form, learner
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part, Section
from play.community.exercise import Kind
from play.community.puzzle import Figure
from presentation.exercises import figure_text
from use_cases.practice import LookBack, TrainingQuiz

PRIMARY = discord.ButtonStyle.primary


class TrainingPanel(QuizPanel[TrainingQuiz]):
    """An exercise of a kind."""

    kind = TrainingQuiz
    board_ids = ids.TRAIN_MOVES


class LookBackPanel(QuizPanel[LookBack]):
    """An exercise that is over, move by move."""

    kind = LookBack

    async def show(self, code: str = "", place: str = "") -> Sequence[Part]:
        return await self.judged(await self.text())


class Kinds(PanelItem, id=ids.KINDS):
    """Lists the kinds of exercises, with how the player does with each."""

    async def parts(self, ctx: Context) -> Sequence[Part]:
        words, (figures, weakest) = await ctx.words(), await ctx.use_cases.training.standing(ctx.user)
        parts: list[Part] = [f"{words.markup.title(words('kinds.button'))}\n{words('kinds.about')}"]
        for kind in Kind:
            label = words("kinds.train")
            train = Train.make(label, PRIMARY if kind is weakest else None, subject=kind)
            parts.append(Section(figure_text(kind, figures.get(kind, Figure()), words), train))
        return parts


class Train(Component, id=ids.TRAIN):
    """Opens an exercise of a kind that suits the player."""

    subject: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await TrainingPanel(ctx, await TrainingQuiz.open(learner(ctx), subject=self.subject)).show())


class LookAgain(PanelItem, id=ids.LOOK_BACK):
    """Shows an exercise that is over after so many moves."""

    number: int
    found: str
    ply: int

    async def parts(self, ctx: Context) -> Sequence[Part]:
        return await (await LookBackPanel.load(ctx, number=self.number, found=self.found, ply=self.ply)).show()


BUTTONS: tuple[type[Component], ...] = (Kinds, Train, LookAgain, *controls(TrainingPanel))
FORMS = (form(TrainingPanel),)
