"""The form of *Type a point*."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.match.match import Match


LONGEST_MOVE = 1000
"""Characters that are read: a turn may name areas to paint and chains to draw, dot by dot."""


class PointModal(discord.ui.Modal):
    """Asks for one point, to be played at this version of the match: `match:12:34:point`."""

    def __init__(self, match: Match, words: Words) -> None:
        super().__init__(title=words("modal.title"), timeout=None, custom_id=f"match:{match.id}:{match.version}:point")
        self.add_item(
            discord.ui.Label(
                text=words("modal.label"),
                description=words("modal.description"),
                component=discord.ui.TextInput(custom_id="point", placeholder="K12", max_length=LONGEST_MOVE),
            )
        )
        self.stop()  # discord.py need not remember it: the custom id tells typed_moves all
