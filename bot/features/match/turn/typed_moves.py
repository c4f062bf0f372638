"""Moves that a player types, in a command or a form: played at once, unless there is something to decide first.

That is what a dot closes, where it could close something and the player has not said what; and the move itself for
players who confirm theirs. What is typed in full is played as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import discord

from bot.features.match.actions.endings import ask_first
from bot.features.match.button import MatchButton
from bot.features.match.play import confirms_turns, play_turn, vote_turn
from bot.features.match.turn.keypad import KeypadButton, PlayButton, StepButton, turn_panel
from bot.features.players.milestones import tell_milestones
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Form, field_value, make_form, open_form, typed_texts
from bot.interactions.context import Context
from bot.interactions.deferral import Deferral
from bot.interactions.errors import written_down
from bot.interactions.layout import drawing_file, row
from bot.interactions.offers import ChoiceField, TextField
from play.ids import MatchId, side_of
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.match.crops import crop_zone, draw_zone
from presentation.match.narration import Duty
from presentation.refusals import example_points
from presentation.typed_turns import (
    MAX_MOVE,
    encode_for_confirmation,
    mentioned_point,
    parse_call,
    read_crossing,
    read_turn,
    turn_prompt,
)
from presentation.words.words import Words
from rules.dash import Choice
from rules.game import AnyGame, Point, RuleError, Seat, column_name, parse_point, point_name
from use_cases.match_writer import MatchRef, load_match

MAX_CROSSING = 10
"""Characters of a crossing of the set-up, with room for spaces."""

POINT_FIELD: Final = TextField("point", MAX_MOVE)
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
        component=_side_field(words) if duty is Duty.CHOICE else POINT_FIELD.make(placeholder="D4-G7"),
    )


def point_question(game: AnyGame, words: Words) -> discord.ui.Label[Any]:
    """Returns the question for a point of the board, in any of the notations that it lists."""
    example, _ = example_points(game)
    crossing = parse_point(example)
    column, number = column_name(crossing.x), crossing.y + 1
    forms = f"{example}, {column.lower()}-{number}, {number}{column.lower()}, {crossing.x + 1} {number}"
    description = words("point.description", forms=forms)
    return discord.ui.Label(
        text=words("modal.label"), description=description, component=POINT_FIELD.make(placeholder=example)
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


async def _submit(ctx: Context, match: MatchId, version: int) -> None:
    """Plays the move of the form *Type a point*."""
    await play_typed(ctx, match, field_value(ctx, POINT_FIELD), version)


async def _submit_set_up(ctx: Context, match: MatchId, version: int) -> None:
    await play_typed(ctx, match, submitted_set_up(ctx), version)


async def play_typed(ctx: Context, ref: MatchRef, text: str, version: int | None = None) -> None:
    """Plays a move as typed, or shows it first. With a form's `version`, it counts only if that is still the newest."""
    async with ctx.deferring() as deferral:
        try:
            await _play_or_preview(ctx, ref, text, deferral, version)
        except Refused as refused:
            await deferral.acknowledge()
            await _show_refusal(ctx, ref, text, refused, version)


async def _play_or_preview(ctx: Context, ref: MatchRef, text: str, deferral: Deferral, version: int | None) -> None:
    async with ctx.services.store.read() as reader:
        settings, match = await reader.people.get(ctx.user), await load_match(reader, ref)
    if version not in (None, match.version):
        raise Refused(Reason.STALE)
    if call := parse_call(match, text):
        await deferral.acknowledge()
        await ask_first(ctx, match, call)
        return
    account = await ctx.account_in(match)
    text = read_turn(match, account, text, settings.theme)
    confirms = await confirms_turns(ctx.services, match, settings)
    code = await encode_for_confirmation(match, account, text, ctx.at, ctx.key, confirms=confirms)
    if code is None and side_of(account) is not None:
        await deferral.acknowledge()
        await ctx.show(await vote_turn(ctx, match, text, version))
        return
    if code is None:
        after, line = await play_turn(ctx, match, text, deferral, version)
        if line is not None:
            await ctx.reply(line)
        await tell_milestones(ctx, after)
        return
    await deferral.acknowledge()
    words = await ctx.services.locales.for_settings(settings, ctx.guild)
    await ctx.show(await asyncio.to_thread(turn_panel, match, words, settings.theme, code))


def move_prompt(match: Match, words: Words, code: str) -> tuple[str, discord.ui.View]:
    """Returns the line that answers a move in a message, and its buttons."""
    text, ways = turn_prompt(match, words, code)
    place = point_name(mentioned_point(match, code))
    buttons: list[MatchButton] = []
    for way in ways:
        if way.plays:
            votes = side_of(match.players[match.position.to_act]) is not None
            label = words("vote.label", turn=way.label) if votes else way.label
            buttons.append(PlayButton.at(match, label, discord.ButtonStyle.success, code=way.code))
        else:
            style = discord.ButtonStyle.primary if len(ways) == 1 else None
            buttons.append(StepButton.to_step(match, way.label, way.code, place, style))
    return text, row(*buttons)


async def _show_refusal(ctx: Context, ref: MatchRef, text: str, refused: Refused, version: int | None) -> None:
    """Says why a move was refused, repeats what was typed, and shows the place and what to do instead."""
    words, by_rules = await ctx.words(), isinstance(refused.__cause__, RuleError)
    match = await ctx.load_match(ref) if by_rules else None
    number, game = ref if isinstance(ref, int) else None, match.game if match else None
    sentence = await errors.explain(ctx.services, words, ctx.request, refused, number, game=game)
    typed = typed_texts(ctx) or {POINT_FIELD.name: text}
    line = f"⚠️ {sentence}\n{written_down(typed)}"
    if match is None:
        await ctx.reply(line)
        return
    theme = (await ctx.settings()).theme
    middle = mentioned_point(match, text)
    file = await asyncio.to_thread(crop_around, match, words, theme, middle)
    is_dash, typed_at = Duty.of(match).is_dash, version if version is not None else match.version
    label = TypePoint.label(match, words) if is_dash else words("button.again")
    again = TypePoint.make(label, match=match.id, version=typed_at)
    here = point_name(middle)
    near: MatchButton = StepButton.to_step(match, words("keypad.near", point=here), "", here)
    if is_dash:
        near = KeypadButton.to(match, words)
    await ctx.reply(line, file=file, view=row(again, near))


def crop_around(match: Match, words: Words, theme: str, middle: Point) -> discord.File:
    """Returns the board around a crossing, which it highlights; the whole board of Dot Dash. Takes 5 to 30 ms."""
    picture = match.position.picture()
    if not picture.blocks:
        picture = replace(picture, last=(middle,))
    part = draw_zone(picture, crop_zone(picture, middle), words, theme)
    return drawing_file(part, f"kropka-{match.id}-{match.version}-part")


BUTTONS: tuple[type[MatchButton], ...] = (TypePoint,)
FORMS = (
    Form(ids.POINT, _submit, (POINT_FIELD,)),
    Form(ids.POINT, _submit, (SIDE,)),
    Form(ids.POINT, _submit_set_up, SET_UP),
)
