"""Buttons that outlive the process: all they know is in their custom id, and every click is judged anew."""

from __future__ import annotations

from typing import Any

import discord

from bot.interactions import custom_ids as ids
from presentation.match.crops import Sign

MAX_LABEL = 80
"""Characters of a button's label; Discord's limit."""


def button(
    custom_id: str,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: str | None = None,
    *,
    disabled: bool = False,
) -> discord.ui.Button[Any]:
    """Returns a button; the feature to which its id belongs answers it, if any does."""
    return discord.ui.Button(custom_id=custom_id, label=label[:MAX_LABEL], style=style, emoji=emoji, disabled=disabled)


def link_button(label: str, url: str) -> discord.ui.Button[Any]:
    """Returns a button that leads to an address; no press of it reaches the bot."""
    return discord.ui.Button(label=label[:MAX_LABEL], url=url)


COLOUR_STYLES = {
    "red": discord.ButtonStyle.danger,
    "crimson": discord.ButtonStyle.danger,
    "orange": discord.ButtonStyle.danger,
    "pink": discord.ButtonStyle.danger,
    "blue": discord.ButtonStyle.primary,
    "green": discord.ButtonStyle.success,
}
"""The style of Discord's buttons that is nearest to a colour of dots; the others are grey."""


def occupied_pad(number: int, sign: Sign | None) -> discord.ui.Button[Any]:
    """Returns a crossing of a keypad that cannot be chosen: it keeps the others in their places, and looks like the dot
    on it."""
    style = COLOUR_STYLES.get(sign.colour if sign else "", discord.ButtonStyle.secondary)
    return button(ids.TAKEN(number=number), sign.shape if sign else "·", style, disabled=True)


def row(*buttons: discord.ui.DynamicItem[Any] | discord.ui.Button[Any]) -> discord.ui.View:
    """Returns a view that is only sent: discord.py keeps nothing of it in memory, the templates answer the clicks."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    view.stop()
    return view


def without(message: discord.Message, custom_id: str) -> discord.ui.View | None:
    """Returns the buttons of a message but for one, in as few rows as hold them; None if no other is left."""
    view = discord.ui.View(timeout=None)
    for item in discord.ui.View.from_message(message).children:
        if getattr(item, "custom_id", None) != custom_id:
            item.row = None
            view.add_item(item)
    view.stop()
    return view if view.children else None
