"""What is stored of a person: he can have it all, and have it forgotten."""

from __future__ import annotations

import gzip
from io import BytesIO
from re import Match as Found
from typing import TYPE_CHECKING, Any, Self

import discord
import orjson

from bot.interactions.admission import Gated
from bot.interactions.buttons import Item, row
from bot.interactions.responses import acknowledge_quietly, privately
from bot.request import Request
from bot.services.text_limits import fitted
from play.services.privacy import Privacy

if TYPE_CHECKING:
    from bot.client import Interaction


class Forget(Gated, discord.ui.DynamicItem[Item], template=r"privacy:forget"):
    """Forgets whoever presses it; it stands in a message that he alone sees."""

    def __init__(self, label: str | None) -> None:
        style = discord.ButtonStyle.danger
        super().__init__(discord.ui.Button(label=label, style=style, custom_id="privacy:forget"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(item.label)

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        await _forgotten(interaction)


async def exported(interaction: Interaction) -> None:
    """Gives the person a file of all that is stored of him. The interaction is acknowledged."""
    words = await interaction.client.audience.alone(interaction)
    found = await _privacy(interaction).export(Request.of(interaction).user)
    data, name = orjson.dumps(found, option=orjson.OPT_INDENT_2), "kropka-data.json"
    if len(data) > interaction.filesize_limit:  # years of games: a tenth of it, packed
        lane, user = interaction.client.lane, interaction.user.id
        data, name = await lane.pictures.make(user, gzip.compress, data, keep=False), f"{name}.gz"
    await privately(interaction, words("privacy.export"), file=discord.File(BytesIO(data), name))


async def asked(interaction: Interaction) -> None:
    """Says what forgetting means, and asks. The interaction is acknowledged."""
    words = await interaction.client.audience.alone(interaction)
    await privately(interaction, words("privacy.ask"), view=row(Forget(words("privacy.button"))))


async def _forgotten(interaction: Interaction) -> None:
    client, request = interaction.client, Request.of(interaction)
    words = await client.audience.alone(interaction)
    await _privacy(interaction).forget(request.user, request.at)
    client.names.forget(request.user)
    client.lane.forget()
    await interaction.edit_original_response(content=fitted(words("privacy.done")), view=None)


def _privacy(interaction: Interaction) -> Privacy:
    client = interaction.client
    return Privacy(client.use_cases, client.steward)


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Forget,)
