"""`/hint`, `/review` and `/puzzle`: what the computer teaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.features.coach.hints import hinted
from bot.features.coach.puzzles import puzzled
from bot.features.coach.reviews import reviewed
from bot.interactions.panels import open_panel
from bot.interactions.responses import acknowledge

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """The commands, described in `words`."""

    @app_commands.command(name="hint", description=words("command.hint"))
    async def hint(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await hinted(interaction)

    @app_commands.command(name="review", description=words("command.review"))
    async def review(interaction: Interaction) -> None:
        await open_panel(interaction)
        await reviewed(interaction)

    @app_commands.command(name="puzzle", description=words("command.puzzle"))
    async def puzzle(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await puzzled(interaction)

    return hint, review, puzzle
