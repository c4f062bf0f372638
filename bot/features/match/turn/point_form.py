"""The form of *Type a point*."""

from __future__ import annotations

import discord

from bot.features.match.button import MATCH, MatchButton
from bot.i18n.words import Words
from bot.interactions.context import Context
from play.match.match import Match
from play.refusal import Reason, Refused
from rules.point import Seat

MAX_MOVE = 1000
"""Characters of a typed move: it may name areas to paint and chains to draw, dot by dot."""


class PointModal(discord.ui.Modal):
    """The form for a move at one version of a match: `match:12:34:point`."""

    def __init__(self, match: Match, words: Words) -> None:
        super().__init__(title=words("modal.title"), timeout=None, custom_id=f"match:{match.id}:{match.version}:point")
        self.add_item(
            discord.ui.Label(
                text=words("modal.label"),
                description=words("modal.description"),
                component=discord.ui.TextInput(custom_id="point", placeholder="K12", max_length=MAX_MOVE),
            )
        )
        self.stop()  # discord.py need not remember it: the custom id tells typed_moves all


class TypePoint(MatchButton, template=rf"{MATCH}:point"):
    """Opens the form."""

    action = "point"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act

    async def pressed(self, ctx: Context) -> None:
        match = await self._current_match(ctx)
        player = match.players[match.position.to_act]
        if player != ctx.user:
            raise Refused(Reason.NOT_YOUR_TURN, user=player)
        await ctx.interaction.response.send_modal(PointModal(match, await ctx.words()))
