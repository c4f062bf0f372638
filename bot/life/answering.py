"""Private answers and questions: in the panel on which somebody pressed, in the message that asked, or in a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import discord

from bot.answers import privately
from bot.buttons import MatchButton, row
from bot.panel import COMFORTABLE, is_panel, rows, show

if TYPE_CHECKING:
    from bot.client import Interaction


class Question(NamedTuple):
    """What somebody is asked, with a picture perhaps, and what he may answer."""

    text: str
    picture: discord.File | None
    answers: tuple[MatchButton, ...]

    @property
    def message(self) -> dict[str, Any]:
        """What `send` takes for it."""
        pictures = [] if self.picture is None else [self.picture]
        for number, answer in enumerate(self.answers):
            answer.item.row = number // COMFORTABLE
        return {"content": self.text, "files": pictures, "view": row(*self.answers)}


async def ask(interaction: Interaction, question: Question) -> None:
    """Asks the person alone. The interaction is acknowledged already."""
    if is_panel(interaction):
        pictures = [] if question.picture is None else [question.picture]
        await show(interaction, [question.text, *pictures, *rows(question.answers, COMFORTABLE)])
    else:
        await privately(interaction, **question.message)


async def tell(interaction: Interaction, line: str) -> None:
    """Tells the person alone, in place of the question that he has answered. The interaction is acknowledged."""
    message = interaction.message
    if is_panel(interaction):
        await show(interaction, [line])
    elif _is_pressed(interaction) and message is not None and message.flags.ephemeral:
        await interaction.edit_original_response(content=line, view=None, attachments=[])
    elif _is_pressed(interaction) and message is not None and message.reference is not None:
        # Asked in public, since a reply cannot be answered in private: what came of it the next board tells.
        await interaction.delete_original_response()
    else:
        await privately(interaction, line)


def _is_pressed(interaction: Interaction) -> bool:
    return interaction.type is discord.InteractionType.component
