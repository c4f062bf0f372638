"""Private answers and questions: in the panel whose button a player pressed, or in a new one."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import discord

from bot.features.match.board_link import with_board_link
from bot.features.match.button import MatchButton
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Part, rows
from play.match.match import Match


class Question(NamedTuple):
    """A question to a player, with a picture perhaps, and the buttons that answer it."""

    text: str
    picture: discord.File | None
    answers: tuple[MatchButton, ...]

    @property
    def parts(self) -> list[Part]:
        """The parts of a panel that asks it: on a phone, the words stand right above the buttons."""
        pictures = [] if self.picture is None else [self.picture]
        return [*pictures, self.text, *rows(self.answers, PHONE_ROW)]


async def show_question(ctx: Context, question: Question, notice: str = "") -> None:
    """Asks the player in private, below a `notice`. The interaction is acknowledged."""
    await ctx.show(question._replace(text="\n".join(filter(None, (notice, question.text)))).parts)


async def show_line(ctx: Context, line: str, match: Match | None = None) -> None:
    """Tells the player in private, in place of the question that they answered. The interaction is acknowledged.

    With a `match`, links to the board of that version.
    """
    if match is not None:
        line = await with_board_link(ctx.services, match, line, await ctx.words())
    message = ctx.interaction.message
    if ctx.is_panel:
        await ctx.show([line])
    elif _is_click(ctx) and message is not None and message.reference is not None:
        # In a direct message the question is a reply. The next board shows the result.
        await ctx.interaction.delete_original_response()
    else:
        await ctx.reply(line)


async def delete_prompt(ctx: Context) -> None:
    """Deletes the bot's answer to a player's message, once it has led to the panel or the turn that it was for."""
    message = ctx.interaction.message
    if message is not None and message.reference is not None and not message.flags.ephemeral:
        with suppress(discord.HTTPException):
            await message.delete()


def _is_click(ctx: Context) -> bool:
    return ctx.interaction.type is discord.InteractionType.component
