"""Buttons that outlive the process: all they know is in their custom id, and every click is judged anew."""

from __future__ import annotations

from typing import Any

import discord

Item = discord.ui.Button[discord.ui.View]

MAX_LABEL = 80
"""Characters of a button's label; Discord's limit."""


def row(*buttons: discord.ui.DynamicItem[Item] | discord.ui.Button[Any]) -> discord.ui.View:
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
