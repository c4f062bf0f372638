"""The forms in which turns are typed: a point, and for each phase of Dot Dash its own."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import discord

from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.modals import field_value
from bot.interactions.offers import ChoiceField, TextField
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.match.duty import Duty
from presentation.words.words import Words
from rules.dash import Choice
from rules.game import BadNotation
from rules.notation import parse_point, point_name
from rules.point import Seat

MAX_MOVE = 1000
"""Characters of a typed move: it may name areas to paint and chains to draw, dot by dot."""

MAX_CROSSING = 10
"""Characters of a crossing of the set-up, with room for spaces."""

POINT: Final = TextField("point", MAX_MOVE)
SIDE: Final = ChoiceField("point", tuple(side.value for side in Choice))
SET_UP: Final = tuple(TextField(name, MAX_CROSSING) for name in ("one", "other", "single"))
"""The fields of the three stones that are set up, the single one last."""


class PointModal(discord.ui.Modal):
    """The form for a turn at one version of a match: `match:12:34:point`."""

    def __init__(self, match: Match, words: Words) -> None:
        duty = Duty.of(match)
        title = words(f"modal.title.{duty}") if duty.is_dash else words("modal.title")
        super().__init__(title=title, timeout=None, custom_id=ids.POINT(match=match.id, version=match.version))
        if duty is Duty.SET_UP:
            for field, example in zip(SET_UP, ("D4", "E5", "G7"), strict=True):
                self._add(words(f"modal.{field.name}"), "", field.make(placeholder=example))
        elif duty is Duty.CHOICE:
            self._add(words("modal.label.choice"), words("modal.description.choice"), _side_field(words))
        elif duty is Duty.DASH:
            self._add(words("modal.label.dash"), words("modal.description.dash"), POINT.make(placeholder="D4-G7"))
        else:
            self._add(words("modal.label"), words("modal.description"), POINT.make(placeholder="K12"))
        self.stop()  # discord.py need not remember it: the custom id tells typed_moves all

    def _add(self, question: str, description: str, field: discord.ui.Item[discord.ui.Modal]) -> None:
        self.add_item(discord.ui.Label(text=question, description=description or None, component=field))


def _side_field(words: Words) -> discord.ui.RadioGroup[discord.ui.Modal]:
    field: discord.ui.RadioGroup[discord.ui.Modal] = discord.ui.RadioGroup(custom_id=SIDE.name)
    for side in Choice:
        name = side.name.lower()
        field.add_option(label=words(f"step.take.{name}"), value=side.value, description=words(f"modal.side.{name}"))
    return field


def submitted_set_up(ctx: Context) -> str:
    """Returns the stones of a submitted form that sets them up, as a turn."""
    one, other, single = (_crossing(field_value(ctx, field)) for field in SET_UP)
    return f"{one} {other}/{single}"


def _crossing(typed: str) -> str:
    """Returns the name of the crossing that a field names in any notation; another text as it is."""
    with suppress(BadNotation):
        return point_name(parse_point(typed))
    return typed


class TypePoint(MatchButton, id=ids.POINT):
    """Opens the form."""

    @classmethod
    def to(cls, match: Match, words: Words) -> TypePoint:
        return cls.at(match, cls.label(match, words))

    @classmethod
    def label(cls, match: Match, words: Words) -> str:
        """Returns the label, which names what is due in Dot Dash."""
        duty = Duty.of(match)
        return words(f"button.point.{duty}") if duty.is_dash else words("button.point")

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act

    async def pressed(self, ctx: Context) -> None:
        match = await self._current_match(ctx)
        player = match.players[match.position.to_act]
        if player != ctx.user:
            raise Refused(Reason.NOT_YOUR_TURN, user=player)
        await ctx.interaction.response.send_modal(PointModal(match, await ctx.words()))
