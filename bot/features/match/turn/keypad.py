"""A turn by buttons: the keypad, then a preview of what the turn would do, then the button that plays it.

A button's custom id holds all that it knows: `match:12:34:go:K12+1@K13` has the code of the next step (see `steps`)
and the middle of the part to show. A button of an earlier version shows the game as it is now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import discord

from bot.features.match.actions.endings import Land, Stop
from bot.features.match.button import MatchButton, delete_prompt
from bot.features.match.open_games import linked_line, next_game
from bot.features.match.play import play_turn, undisputed_turn, vote_turn
from bot.features.match.turn.keypad_grid import (
    ANYWHERE,
    has_overview,
    other_choices,
    overview_parts,
    pad_rows,
    panel_middle,
    ways_around,
)
from bot.features.players.milestones import tell_milestones
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.deferral import Deferral
from bot.interactions.layout import PHONE_ROW, Control, Part, button, drawing_file, files, layout, rows
from bot.interactions.phone import fit_to_phone
from bot.markup import escape
from play.clock import Speed
from play.ids import MatchId, side_of
from play.match.endings import stopped_seat
from play.match.listed import OpenMatch
from play.match.match import Match
from play.refusal import Reason, Refused
from play.turns import MAX_CODE, StepOption, TurnStep, encode, step_at
from presentation.match.crops import Crop, decision_zone, draw_zone
from presentation.match.keypad import likely_step, look_text
from presentation.match.narration import Duty
from presentation.typed_turns import parse_call
from presentation.words.words import Words
from rules.game import Point, RuleError, Seat, point_name


class TurnButton(MatchButton):
    """A button of an unfinished turn. When it is refused, its panel shows the first step again."""

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        await show_step(ctx, self.match, "", notice=notice)


class StepButton(TurnButton, id=ids.STEP):
    """Leads to another step of a turn: `K12+1@K13` is its code, and the middle of the part to show or an overview.

    A turn that is complete then, and leaves nothing to decide, counts at once for players who do not confirm theirs.
    """

    code: str
    place: str

    @classmethod
    def to_step(
        cls, match: Match, label: str, code: str, place: str, style: discord.ButtonStyle | None = None
    ) -> StepButton:
        """Returns the button that leads to the step of `code`."""
        return cls.at(match, label, style, code=code, place=place)

    async def pressed(self, ctx: Context) -> None:
        async with ctx.deferring(ctx.open_panel) as deferral:
            await self._go(ctx, deferral)

    async def _go(self, ctx: Context, deferral: Deferral) -> None:
        match = await ctx.load_match(self.match)
        seat = match.seat_of(await ctx.account_in(match))
        mine, current = seat == match.to_act, match.version == self.version
        turn = await undisputed_turn(ctx, match, self.code) if mine and current else None
        if turn is not None:
            await _play_from_panel(ctx, match, turn, deferral, self.version)
        else:
            await deferral.acknowledge()
            await show_step(ctx, self.match, self.code, place=self.place, version=self.version)
        if mine or not current:
            await delete_prompt(ctx)


class KeypadButton(TurnButton, id=ids.KEYPAD):
    """*Keypad near K12*: opens the keypad where the next dot will probably go; in Dot Dash the phase: *Dash*."""

    style = discord.ButtonStyle.primary

    @classmethod
    def to(cls, match: Match, words: Words) -> KeypadButton:
        """Returns the button where no picture shows what is near."""
        duty = Duty.of(match)
        label = words(f"button.begin.{duty}") if duty.is_dash else words("button.keypad_open")
        return cls.at(match, label)

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act and step_at(match) is not None

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_step(ctx, self.match, "", version=self.version)


class PlayButton(TurnButton, id=ids.PLAY):
    """Plays the complete turn that it carries."""

    code: str

    style = discord.ButtonStyle.success

    @classmethod
    def of(
        cls, match: Match, turn: StepOption, words: Words, style: discord.ButtonStyle = discord.ButtonStyle.success
    ) -> PlayButton:
        """Returns the button that plays a complete turn."""
        label = turn.label.text(words)
        votes = side_of(match.players[match.position.to_act]) is not None
        return cls.at(match, words("vote.label", turn=label) if votes else label, style, code=turn.code)

    async def pressed(self, ctx: Context) -> None:
        async with ctx.deferring(ctx.open_panel) as deferral:
            await self._play(ctx, deferral)
        await delete_prompt(ctx)

    async def _play(self, ctx: Context, deferral: Deferral) -> None:
        match = await ctx.load_match(self.match)
        match.seat_of(await ctx.account_in(match))
        if match.outcome or match.version != self.version:
            await deferral.acknowledge()
            await show_step(ctx, self.match, "", version=self.version)
        else:
            await _play_from_panel(ctx, match, self._turn(match), deferral, self.version)

    def _turn(self, match: Match) -> str:
        """Returns the turn in its notation. Raises Refused."""
        try:
            step = step_at(match, self.code)
        except RuleError as error:
            raise Refused.by_rules(error) from error
        turn = step.complete_turn if step else self.code
        if turn is None:
            raise Refused(Reason.OLD_BUTTON)
        return turn


async def _play_from_panel(ctx: Context, match: Match, turn: str, deferral: Deferral, version: int) -> None:
    """Plays a turn whose button was pressed, and closes its panel, or leaves in it the next game that waits for the
    player: of a game over days alone, since a live one goes on at once. A side's turn is voted for. Raises Refused."""
    if side_of(await ctx.account_in(match)) is not None:
        await deferral.acknowledge()
        await ctx.show(await vote_turn(ctx, match, turn, version))
        return
    after, line = await play_turn(ctx, match, turn, deferral, version)
    if line is not None or ctx.is_panel:
        await _leave_panel(ctx, after, line)
    await tell_milestones(ctx, after)


async def _leave_panel(ctx: Context, match: Match, line: str | None) -> None:
    """Closes a panel whose turn has brought its board, or leaves in it the most urgent other game that waits for the
    player; shows what has become of a turn that the `line` tells of, since its board was posted."""
    now = await ctx.load_match(match.id)
    waiting = [] if _goes_on_at_once(ctx, now) else await ctx.use_cases.matches.waiting_for(ctx.user, match.id)
    left = await _next_keypad(ctx, waiting[0], line or "") if waiting else []
    if not left:
        told = await _after_turn(ctx, match, now, line) if line is not None else ()
        left = [*told, *([await next_game(ctx, waiting)] if waiting else ())]
    if line is not None:
        await ctx.show(left)
        return
    assert ctx.interaction.message is not None, "it has the panel"
    shown = await fit_to_phone(left)
    await ctx.services.channels.end_panel(ctx.interaction.message.id, layout(shown) if shown else None, files(shown))


def _goes_on_at_once(ctx: Context, match: Match) -> bool:
    """Returns whether a player stays with a match after a turn: it is live, or the computer answers."""
    if match.outcome:
        return False
    mover = match.players[match.position.to_act]
    return match.clock.control.speed is Speed.LIVE or mover in (ctx.user, ctx.services.names.own_id)


async def _after_turn(ctx: Context, match: Match, now: Match, line: str) -> list[Part]:
    """Returns the line of a turn. If its board is in another channel, also what the others have answered by `now`, and
    the board, or the keypad if it is the player's turn again."""
    if now.channel == ctx.channel:
        return [line]
    words, theme = await ctx.words(), (await ctx.settings()).theme
    if now.version != match.version:
        line = f"{line}\n{await ctx.services.boards.renderer.tell(now, words, reader=ctx.user)}"
    if not now.outcome and now.to_act == now.seat_of(ctx.user):
        with suppress(Refused, RuleError):  # a board on which moves are only typed
            return await asyncio.to_thread(turn_panel, now, words, theme, notice=line)
    return await asyncio.to_thread(waiting_panel, now, words, theme, line)


async def _next_keypad(ctx: Context, waiting: OpenMatch, line: str) -> list[Part]:
    """Returns the keypad of a game that waits for the player below a `line`, for those who have chosen that."""
    if not (settings := await ctx.settings()).opens_next:
        return []
    words, match = await ctx.words(), await ctx.load_match(waiting.id)
    notice = "\n".join(filter(None, (line, await linked_line(ctx, waiting, words))))
    with suppress(Refused, RuleError):  # a board on which moves are only typed
        if match.to_act == match.seat_of(ctx.user):
            return await asyncio.to_thread(turn_panel, match, words, settings.theme, notice=notice)
    return []


async def show_step(
    ctx: Context,
    number: MatchId,
    code: str,
    *,
    place: str = "",
    version: int | None = None,
    notice: str = "",
) -> None:
    """Shows a step of a turn, or whose turn it is, below a `notice`. The interaction is acknowledged.

    If the match has a newer version than `version`, shows its first step. Raises Refused to users who do not play in
    the match, and when it is over.
    """
    words, theme = await ctx.words(), (await ctx.settings()).theme
    match = await ctx.load_match(number)
    seat = match.seat_of(await ctx.account_in(match))
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if version is not None and version != match.version:
        story = await ctx.services.boards.renderer.tell(match, words, reader=ctx.user)
        code, place, notice = "", "", words("keypad.stale", story=story)
    if seat != match.to_act:
        name = await ctx.services.names.of(match.players[match.position.to_act], match.guild)
        notice = "\n".join(filter(None, (notice, words("refused.not_your_turn", user=escape(name)))))
        parts = await asyncio.to_thread(waiting_panel, match, words, theme, notice)
    else:
        try:
            parts = await asyncio.to_thread(turn_panel, match, words, theme, code, place, notice)
        except RuleError as error:
            raise Refused.by_rules(error) from error
    await ctx.show(parts)


def waiting_panel(match: Match, words: Words, theme: str, notice: str) -> list[Part]:
    """Returns the panel of a player who has to wait, or whose match is over: the part with the last dot, and while it
    goes on a button to look again."""
    picture = match.position.picture()
    crop = Crop.of(picture, {}, picture.last[-1] if picture.last else None, theme)
    drawn = drawing_file(crop.draw(words, {}), f"kropka-{match.id}-{match.version}-part")
    return [drawn, notice, *([] if match.outcome else [[KeypadButton.at(match, words("button.look_again"))]])]


def turn_panel(match: Match, words: Words, theme: str, code: str = "", place: str = "", notice: str = "") -> list[Part]:
    """Returns the panel of a step: its prompt, a crop of the board, and the buttons. Takes 10 to 40 ms; an overview of
    a large board takes 150 ms.

    Raises RuleError for a code or a place that leads nowhere.
    """
    step = likely_step(match, code)
    if step is None:
        raise Refused(Reason.ONLY_TYPED)
    make_button = partial(StepButton.to_step, match)
    crop = Crop.of(step.picture, step.chances, panel_middle(match, step, place), theme)
    if not step.points:
        return [*_preview(match, step, crop, words, notice)]
    if place.startswith(ANYWHERE) and has_overview(step.picture):
        name = f"kropka-{match.id}-{match.version}-overview"
        return [*overview_parts(step, crop, place, words, name, make_button, notice)]
    prompts = [] if notice and not code and Duty.of(match) is Duty.MOVE else [step.prompt.text(words)]
    head = "\n".join(filter(None, (notice, *prompts)))
    stopped = step.back is None and stopped_seat(match.position) is not None
    first = [Stop.to(match, words)] if stopped else []
    name = f"kropka-{match.id}-{match.version}-keypad"
    below = [*ways_around(step, crop, make_button)], [*first, *other_choices(step, crop, words, make_button)]
    return [*pad_rows(step, crop, head, words, make_button, name, below)]


def keypad_buttons(match: Match, middle: Point | None, words: Words) -> list[MatchButton]:
    """Returns the buttons of a board that lead to the keypad: around `middle`, and anywhere else on a large board. In
    Dot Dash it is the button of the phase."""
    if Duty.of(match).is_dash:
        return [KeypadButton.to(match, words)]
    if middle is None:
        return []
    near = KeypadButton.at(match, words("keypad.near", point=point_name(middle)))
    if not has_overview(match.position.picture()):
        return [near]
    return [near, StepButton.to_step(match, words("overview.open"), "", ANYWHERE)]


def _preview(match: Match, step: TurnStep, crop: Crop, words: Words, notice: str) -> Iterator[Part]:
    """Yields the turn as it would be, what it does, and the ways to go on."""
    turn, here = step.complete_turn, point_name(crop.middle)
    zone = decision_zone(step.picture, crop.middle)
    yield "\n".join(filter(None, (notice, look_text(step, words))))
    yield drawing_file(draw_zone(step.picture, zone, words, crop.theme), f"kropka-{match.id}-{match.version}-look")
    first: list[Control] = []
    if turn:
        first.append(PlayButton.of(match, StepOption(step.prompt, step.code), words))
    if step.plain is not None:
        first.append(PlayButton.of(match, step.plain, words, discord.ButtonStyle.secondary))
    if step.back is not None:
        label = words("button.another") if step.back == "" and not Duty.of(match).is_dash else words("button.back")
        first.append(StepButton.to_step(match, label, step.back, here))
    options = rows([_option_button(match, each, here, words) for each in step.available_options], PHONE_ROW)
    if turn and options:
        yield first
        yield words("keypad.fives") if Duty.of(match).is_dash else words("keypad.options")
        yield from options
    else:
        yield from filter(None, (*options, first))


def _option_button(match: Match, option: StepOption, place: str, words: Words) -> Control:
    label, style = option.label.text(words), None
    if option.disabled:
        return button(ids.CLOSED(label=label), label, disabled=True)
    if option.chosen:
        label, style = f"✓ {label}", discord.ButtonStyle.success
    return StepButton.to_step(match, label, option.code, place, style)


class PlayHint(PlayButton, id=ids.PLAY_HINT):
    """Plays a hinted turn. To press it is to confirm it: the hint has shown the turn and its effect."""


def hint_buttons(match: Match, turn: str, words: Words) -> list[MatchButton]:
    """Returns the button that plays a hinted turn; none for a turn that is too long for a button."""
    if call := parse_call(match, turn):
        return [(Stop if call == "stop" else Land).to(match, words)]
    code = encode(match, turn, MAX_CODE)
    return [PlayHint.at(match, words("hint.play"), code=code)] if code else []


BUTTONS: tuple[type[Component], ...] = (KeypadButton, StepButton, PlayButton, PlayHint)
