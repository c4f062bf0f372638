"""Private questions: of buttons below a text, and of what cannot be undone, which is done by a Confirmation alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Control, Part, rows
from play.refusal import Refused
from presentation.words.words import Words


class Question(NamedTuple):
    """A question to a player, with a picture perhaps, and the buttons that answer it."""

    text: str
    picture: discord.File | None
    answers: tuple[Control, ...]

    @property
    def parts(self) -> list[Part]:
        """The parts of a panel that asks it: on a phone, the words stand right above the buttons."""
        pictures = [] if self.picture is None else [self.picture]
        return [*pictures, self.text, *rows(self.answers, PHONE_ROW)]


class Confirmation(Component):
    """The button that does what cannot be undone. Only a question has it, which names what it does, to one player.

    Calls of irreversible use cases are in such classes and nowhere else (tests/bot/test_confirmations.py).
    """

    style = discord.ButtonStyle.danger

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        try:
            parts = await self.carry_out(ctx)
        except Refused as refused:
            words = await ctx.words()
            parts = [f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused)}"]
        await ctx.show(parts)

    async def carry_out(self, ctx: Context) -> Sequence[Part]:
        """Does it, and returns what takes the place of the question. The interaction is acknowledged. Raises
        Refused."""
        raise NotImplementedError


class KeepAll(PanelItem, id=ids.KEEP):
    """Takes the question away; nothing has changed."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("button.keep"))

    async def parts(self, ctx: Context) -> list[Part]:
        words = await ctx.words()
        return [words("question.kept")]


async def show_question(ctx: Context, question: Question, notice: str = "") -> None:
    """Asks the player in private, below a `notice`. The interaction is acknowledged."""
    await ctx.show(question._replace(text="\n".join(filter(None, (notice, question.text)))).parts)


async def confirm(ctx: Context, text: str, *answers: Confirmation) -> None:
    """Asks whether something is to be done that cannot be undone. The interaction is acknowledged."""
    await show_question(ctx, Question(text, None, (*answers, KeepAll.to(await ctx.words()))))


ITEMS: tuple[type[Component], ...] = (KeepAll,)
