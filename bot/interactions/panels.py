"""Private panels (Components V2): text, pictures and rows of buttons, shown to one person and changed in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from re import Match as Found
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.interactions.admission import Gated
from bot.interactions.responses import acknowledge, acknowledge_quietly
from bot.services.text_limits import MAX_PANEL_TEXT, fitted

if TYPE_CHECKING:
    from bot.client import Interaction

MOST = 40
"""Components that a message may have, nested ones counted; Discord's limit."""

WIDEST, COMFORTABLE = 5, 3
"""Buttons in a row: at most, and of those with words on them so many that a phone shows them whole."""

Control = discord.ui.DynamicItem[Any] | discord.ui.Button[Any]


@dataclass(frozen=True, slots=True)
class Gallery:
    """Pictures beside each other."""

    pictures: tuple[discord.File, ...]


Part = str | discord.File | Gallery | Sequence[Control]
"""A text, a picture or several, or a row of buttons."""


def layout(parts: Iterable[Part]) -> discord.ui.LayoutView:
    """The parts from top to bottom, as a view that is only sent: discord.py keeps nothing of it in memory."""
    view, left = discord.ui.LayoutView(timeout=None), MAX_PANEL_TEXT
    for part in parts:
        if isinstance(part, str):
            if left <= 1:
                continue
            part = fitted(part, left)
            left -= len(part)
        view.add_item(_item(part))
    view.stop()
    return view


def rows(controls: Sequence[Control], widest: int = WIDEST) -> list[Sequence[Control]]:
    """The controls in as few rows as hold them."""
    return [controls[start : start + widest] for start in range(0, len(controls), widest)]


async def open_panel(interaction: Interaction) -> None:
    """Acknowledges: a button of a private panel will change it, anything else will get a new one."""
    await (acknowledge_quietly if is_panel(interaction) else acknowledge)(interaction)


async def show(interaction: Interaction, parts: Sequence[Part]) -> None:
    """Shows the parts in the panel on which the person pressed, or in a new one. The interaction is acknowledged."""
    files = [part for part in parts if isinstance(part, discord.File)]
    files += (picture for part in parts if isinstance(part, Gallery) for picture in part.pictures)
    if is_panel(interaction):
        panel = (await interaction.edit_original_response(view=layout(parts), attachments=files)).id
    else:
        panel = (await interaction.followup.send(view=layout(parts), files=files, ephemeral=True, wait=True)).id
    interaction.client.doors.made(interaction, panel)


def is_panel(interaction: Interaction) -> bool:
    """Whether the interaction comes from a private panel."""
    message = interaction.message
    pressed = interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit)
    return pressed and message is not None and message.flags.ephemeral and message.flags.components_v2


class PanelItem(Gated, discord.ui.DynamicItem[Any], template=r"(?!)"):
    """A control that knows from its custom id what the panel on which it stands shall show next."""

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(item)

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        await show(interaction, await self.parts(interaction))

    async def parts(self, interaction: Interaction) -> Sequence[Part]:
        """What the panel shows then. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError


def _item(part: Part) -> discord.ui.Item[Any]:
    if isinstance(part, str):
        return discord.ui.TextDisplay(part)
    if isinstance(part, discord.File):
        return discord.ui.MediaGallery(discord.MediaGalleryItem(part))
    if isinstance(part, Gallery):
        return discord.ui.MediaGallery(*map(discord.MediaGalleryItem, part.pictures))
    return discord.ui.ActionRow(*part)
