"""Buttons that outlive the process: all they know is in their custom id, and every click is judged anew."""

from __future__ import annotations

import discord

Item = discord.ui.Button[discord.ui.View]

MAX_LABEL = 80
"""Characters of a button's label; Discord's limit."""


def row(*buttons: discord.ui.DynamicItem[Item]) -> discord.ui.View:
    """Returns a view that is only sent: discord.py keeps nothing of it in memory, the templates answer the clicks."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    view.stop()
    return view
