"""The forms in which turns are typed: a point, and for each phase of Dot Dash its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import discord

from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions.context import Context
from bot.interactions.modals import field_value, make_form, open_form
from bot.interactions.offers import ChoiceField, TextField
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.match.duty import Duty
from presentation.refusals import example_points
from presentation.words.words import Words
from rules.dash import Choice
from rules.game import AnyGame, BadNotation
from rules.notation import column_name, parse_point, point_name
from rules.point import Seat

MAX_MOVE = 1000
"""Characters of a typed move: it may name areas to paint and chains to draw, dot by dot."""

MAX_CROSSING = 10
"""Characters of a crossing of the set-up, with room for spaces."""

POINT: Final = TextField("point", MAX_MOVE)
SIDE: Final = ChoiceField("point", tuple(side.value for side in Choice))
SET_UP: Final = tuple(TextField(name, MAX_CROSSING) for name in ("one", "other", "single"))
"""The fields of the three stones that are set up, the single one last."""


def _form(match: Match, words: Words) -> discord.ui.Modal:
    """Returns the form for a turn at this version of the match."""
    duty = Duty.of(match)
    title = words(f"modal.title.{duty}") if duty.is_dash else words("modal.title")
    return make_form(ids.POINT(match=match.id, version=match.version), title, *_questions(match, words))


def _questions(match: Match, words: Words) -> Iterator[discord.ui.Label[Any]]:
    duty = Duty.of(match)
    if duty is Duty.SET_UP:
        for each, example in zip(SET_UP, ("D4", "E5", "G7"), strict=True):
            yield discord.ui.Label(text=words(f"modal.{each.name}"), component=each.make(placeholder=example))
        return
    due = {Duty.CHOICE: ".choice", Duty.DASH: ".dash"}.get(duty, "")
    if not due:
        yield point_question(match.game, words)
        return
    yield discord.ui.Label(
        text=words(f"modal.label{due}"),
        description=words(f"modal.description{due}"),
        component=_side_field(words) if duty is Duty.CHOICE else POINT.make(placeholder="D4-G7"),
    )


def point_question(game: AnyGame, words: Words) -> discord.ui.Label[Any]:
    """Returns the question for a point of the board, in any of the notations that it lists."""
    example, _ = example_points(game)
    crossing = parse_point(example)
    column, number = column_name(crossing.x), crossing.y + 1
    forms = f"{example}, {column.lower()}-{number}, {number}{column.lower()}, {crossing.x + 1} {number}"
    description = words("point.description", forms=forms)
    return discord.ui.Label(
        text=words("modal.label"), description=description, component=POINT.make(placeholder=example)
    )


def _side_field(words: Words) -> discord.ui.RadioGroup[discord.ui.Modal]:
    field: discord.ui.RadioGroup[discord.ui.Modal] = discord.ui.RadioGroup(custom_id=SIDE.name)
    for side in Choice:
        name = side.name.lower()
        field.add_option(label=words(f"step.take.{name}"), value=side.value, description=words(f"modal.side.{name}"))
    return field


def submitted_set_up(ctx: Context) -> str:
    """Returns the stones of a submitted form that sets them up, as a turn."""
    one, other, single = (read_crossing(field_value(ctx, field)) for field in SET_UP)
    return f"{one} {other}/{single}"


def read_crossing(typed: str) -> str:
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
        if player != await ctx.account_in(match):
            raise Refused(Reason.NOT_YOUR_TURN, user=player)
        await open_form(ctx, _form(match, await ctx.words()))
