"""Private answers and questions: in the panel on which somebody pressed, or in a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import discord

from bot.interactions.buttons import MatchButton
from bot.interactions.panels import COMFORTABLE, Part, is_panel, rows, show
from bot.interactions.responses import privately

if TYPE_CHECKING:
    from bot.client import Interaction


class Question(NamedTuple):
    """What somebody is asked, with a picture perhaps, and what he may answer."""

    text: str
    picture: discord.File | None
    answers: tuple[MatchButton, ...]

    @property
    def parts(self) -> list[Part]:
        """What a panel shows for it."""
        pictures = [] if self.picture is None else [self.picture]
        return [self.text, *pictures, *rows(self.answers, COMFORTABLE)]


async def ask(interaction: Interaction, question: Question, notice: str = "") -> None:
    """Asks the person alone, below a `notice`. The interaction is acknowledged already."""
    await show(interaction, [*filter(None, (notice,)), *question.parts])


async def tell(interaction: Interaction, line: str) -> None:
    """Tells the person alone, in place of the question that he has answered. The interaction is acknowledged."""
    message = interaction.message
    if is_panel(interaction):
        await show(interaction, [line])
    elif _is_pressed(interaction) and message is not None and message.reference is not None:
        # Asked in public, since a reply cannot be answered in private: what came of it the next board tells.
        await interaction.delete_original_response()
    else:
        await privately(interaction, line)


def _is_pressed(interaction: Interaction) -> bool:
    return interaction.type is discord.InteractionType.component
