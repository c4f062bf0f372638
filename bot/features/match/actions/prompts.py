"""Private answers and questions: in the panel on which somebody pressed, or in a new one."""

from __future__ import annotations

from typing import NamedTuple

import discord

from bot.features.match.button import MatchButton
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Part, rows


class Question(NamedTuple):
    """What somebody is asked, with a picture perhaps, and what he may answer."""

    text: str
    picture: discord.File | None
    answers: tuple[MatchButton, ...]

    @property
    def parts(self) -> list[Part]:
        """What a panel shows for it."""
        pictures = [] if self.picture is None else [self.picture]
        return [self.text, *pictures, *rows(self.answers, PHONE_ROW)]


async def show_question(ctx: Context, question: Question, notice: str = "") -> None:
    """Asks the person alone, below a `notice`. The interaction is acknowledged already."""
    await ctx.show([*filter(None, (notice,)), *question.parts])


async def show_line(ctx: Context, line: str) -> None:
    """Tells the person alone, in place of the question that he has answered. The interaction is acknowledged."""
    message = ctx.interaction.message
    if ctx.is_panel:
        await ctx.show([line])
    elif _is_pressed(ctx) and message is not None and message.reference is not None:
        # Asked in public, since a reply cannot be answered in private: what came of it the next board tells.
        await ctx.interaction.delete_original_response()
    else:
        await ctx.reply(line)


def _is_pressed(ctx: Context) -> bool:
    return ctx.interaction.type is discord.InteractionType.component
