"""Vacations: days from a yearly bank, in all matches whose sides agreed to them."""

from __future__ import annotations

from re import Match as Found
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.match.board.narration import moment
from bot.interactions import errors
from bot.interactions.admission import Gated
from bot.interactions.buttons import MATCH, Item, MatchButton
from bot.interactions.panels import is_panel, open_panel, rows, show
from bot.interactions.responses import privately
from bot.request import Request
from play.people.vacation import DAYS_A_YEAR
from play.refusal import Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words

OFFERED = (1, 3, 7, 14)
"""Days for which there are buttons."""


class Vacations(MatchButton, template=rf"{MATCH}:vacation"):
    """Opens the question from a match's clocks."""

    action = "vacation"

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        await shown(interaction)


class Away(Gated, discord.ui.DynamicItem[Item], template=r"vacation:(?P<days>\d{1,3})"):
    """Takes so many days, or comes back (0)."""

    def __init__(self, days: int, label: str | None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"vacation:{days}"))
        self.days = days

    @classmethod
    def taking(cls, days: int, words: Words) -> Self:
        return cls(days, words("vacation.take", count=days) if days else words("button.come_back"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(int(match["days"]), item.label)

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        try:
            await (go(interaction, self.days) if self.days else come_back(interaction))
        except Refused as refused:  # since the panel was shown, the bank or the vacation has changed
            words, request = await interaction.client.audience.alone(interaction), Request.of(interaction)
            await shown(interaction, await errors.explained(interaction.client, words, request, refused))


async def shown(interaction: Interaction, notice: str = "") -> None:
    """Says whether the person is away and what is left in his bank, with buttons, below a `notice`.

    The interaction is acknowledged.
    """
    client = interaction.client
    words = await client.audience.alone(interaction)
    current, left = await client.actions.load_vacation(Request.of(interaction).user)
    lines = [f"⚠️ {notice}"] if notice else []
    lines.append(words("vacation.about", days=DAYS_A_YEAR))
    if current:
        lines.append(words("vacation.away", when=moment(current.end)))
    lines.append(words("vacation.left", count=left))
    days = (0,) if current else tuple(days for days in OFFERED if days <= left)
    buttons = [Away.taking(each, words) for each in days]
    await show(interaction, ["\n".join(lines), *rows(buttons)])


async def go(interaction: Interaction, days: int) -> None:
    """The person takes days from now on, and is told so. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    taken, matches = await client.actions.start_vacation(request.user, days, request.at)
    words = await client.audience.alone(interaction)
    await _tell(interaction, words("vacation.taken", count=len(matches), when=moment(taken.end)))


async def come_back(interaction: Interaction) -> None:
    """The person's vacation ends, and he is told so. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    await client.actions.end_vacation(request.user, request.at)
    _, left = await client.actions.load_vacation(request.user)
    words = await client.audience.alone(interaction)
    await _tell(interaction, words("vacation.back", count=left))


async def _tell(interaction: Interaction, line: str) -> None:
    await (show(interaction, [line]) if is_panel(interaction) else privately(interaction, line))


BUTTONS: tuple[type[discord.ui.DynamicItem[Item]], ...] = (Vacations, Away)
