"""Moves on a chat platform: typed, or put together on a keypad; played at once, or after a look."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from chat.actions import MAX_CODE_BYTES, Action
from chat.endings import ask_to_end
from chat.messages import Button, Message, Picture
from chat.port import Press
from chat.request import Request, button
from play.clock import Speed
from play.ids import MatchId
from play.match.listed import OpenMatch
from play.match.match import Match
from play.people.settings import PlayerSettings
from play.refusal import Reason, Refused
from play.turns import TurnStep, step_at
from play.votes import is_practice
from presentation.match.crops import Crop, crossings, decision_zone, draw_zone
from presentation.match.keypad import (
    ARROWS,
    PAN_CROSSINGS,
    corners_text,
    keypad_middle,
    likely_step,
    look_text,
    pad_numbers,
    shows_all,
)
from presentation.typed_turns import (
    could_be_talk,
    encode_for_confirmation,
    is_move,
    is_nearly_move,
    parse_call,
    read_code,
    read_turn,
    turn_prompt,
)
from presentation.words.words import Words
from rules.game import RuleError, parse_point, point_name
from use_cases.matches import is_rated

MAX_STEP_CODE = 38
"""Characters of a turn's code that a button has room for, beside the numbers of its match and the middle of a
keypad."""


class Look(NamedTuple):
    """A step of a turn as a message shows it."""

    text: str
    picture: Picture
    rows: list[Sequence[Button]]


def is_meant_as_move(match: Match, text: str) -> bool:
    """Returns whether a line in the place of a match is a move, and no talk."""
    return is_move(partial(read_code, match), text) or (match.outcome is None and is_nearly_move(text))


async def play_typed(request: Request, entry: OpenMatch, text: str) -> None:
    """Plays a move as typed, or asks first where there is something to decide. Raises Refused."""
    match = await request.load_match(entry.place)
    settings = await request.settings()
    if call := parse_call(match, text):
        await ask_to_end(request, match, call)
        return
    confirms = could_be_talk(text) or await _confirms(request, match, settings)
    turn = read_turn(match, request.user, text, settings.theme)
    code = await encode_for_confirmation(
        match, request.user, turn, request.at, request.key, confirms=confirms, most=MAX_STEP_CODE
    )
    if code is None:
        await request.use_cases.matches.move(match.place, request.user, turn, request.at, request.key)
    elif request.is_public:
        words = await request.words()
        line, ways = await asyncio.to_thread(turn_prompt, match, words, code)
        row = [_step(match, way.label, way.code, plays=way.plays) for way in ways]
        await request.answer(line, [row])
    else:
        await show_step(request, match, code)


async def show_step(request: Request, match: Match, code: str = "", place: str = "", notice: str = "") -> None:
    """Shows a step of a turn to its player: a keypad, or a look at what the turn would do. Raises Refused."""
    seat = match.seat_of(request.user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if seat != match.to_act:
        raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
    words, theme = await request.words(), (await request.settings()).theme
    try:
        look = await asyncio.to_thread(look_at_step, match, words, theme, code, place)
    except RuleError as error:
        raise Refused.by_rules(error) from error
    text = "\n".join(filter(None, (notice, look.text)))
    await _show(request, text, look)


async def _show(request: Request, text: str, look: Look) -> None:
    """Shows a step in the private message whose button was pressed, or as an answer."""
    asked = request.asked
    if isinstance(asked, Press) and asked.place.is_direct and Action.read(asked.action).verb == "step":
        shown = Message(text, look.picture, tuple(map(tuple, look.rows)))
        await request.services.platform.edit(asked.place.channel, asked.message, shown)
    else:
        await request.answer(text, look.rows, picture=look.picture, private=True)


def look_at_step(match: Match, words: Words, theme: str, code: str, place: str) -> Look:
    """Returns a step as a message. Takes 10 to 40 ms. Raises RuleError for a code or a place that leads nowhere."""
    step = likely_step(match, code)
    if step is None:
        raise Refused(Reason.ONLY_TYPED)
    middle = parse_point(place) if place else keypad_middle(match) if not code and step.points else step.focus
    crop = Crop.of(step.picture, step.chances, middle, theme)
    return _keypad(match, step, crop, words) if step.points else _preview(match, step, crop, words)


def _keypad(match: Match, step: TurnStep, crop: Crop, words: Words) -> Look:
    numbers, here = pad_numbers(step, crop), point_name(crop.middle)
    drawn = crop.draw(words.plain, numbers)
    points = crossings(crop.zone)
    pads = [
        _step(match, str(numbers[point]), step.available_points[point], here)
        if point in numbers
        else button("·", "none", match.id)
        for point in points
    ]
    width = crop.zone.high.x - crop.zone.low.x + 1
    rows: list[Sequence[Button]] = [pads[start : start + width] for start in range(0, len(pads), width)]
    if not shows_all(step, crop):
        arrows = ((arrow, crop.shifted(dx * PAN_CROSSINGS, dy * PAN_CROSSINGS)) for arrow, dx, dy in ARROWS)
        rows.append([_step(match, arrow, step.code, point_name(to)) for arrow, to in arrows if to != crop.middle])
    rows.append(_ways(match, step, here, words.plain))
    picture = Picture(drawn.png, f"{corners_text(points, words.plain)} {drawn.alt}" if len(points) == 25 else drawn.alt)
    return Look(step.prompt.text(words), picture, [row for row in rows if row])


def _preview(match: Match, step: TurnStep, crop: Crop, words: Words) -> Look:
    here = point_name(crop.middle)
    drawn = draw_zone(step.picture, decision_zone(step.picture, crop.middle), words.plain, crop.theme)
    first: list[Button] = []
    if step.complete_turn:
        first.append(_step(match, step.prompt.text(words.plain), step.code, plays=True))
    if step.plain is not None:
        first.append(_step(match, step.plain.label.text(words.plain), step.plain.code, plays=True))
    rows: list[Sequence[Button]] = [first, *([each] for each in _options(match, step, here, words.plain))]
    if step.back is not None:
        rows.append([_step(match, words.plain("button.back"), step.back, here)])
    return Look(look_text(step, words), Picture(drawn.png, drawn.alt), [row for row in rows if row])


def _ways(match: Match, step: TurnStep, here: str, words: Words) -> list[Button]:
    ways = _options(match, step, here, words)
    return ways if step.back is None else [*ways, _step(match, words("button.back"), step.back, here)]


def _options(match: Match, step: TurnStep, here: str, words: Words) -> list[Button]:
    """Returns the choices that are no crossings, and fit into a button; the others can be typed."""
    shown = []
    for option in step.options:
        label = option.label.text(words)
        made = _step(match, f"✓ {label}" if option.chosen else label, option.code, here)
        if not option.disabled and made.action is not None and made.action.fits:
            shown.append(made)
    return shown


def _step(match: Match, label: str, code: str, place: str = "", *, plays: bool = False) -> Button:
    """Returns the button that leads to the step of a code, or that plays it."""
    if plays:
        return button(label, "play", match.id, match.version, text=code)
    made = button(label, "step", match.id, match.version, text=f"{code}@{place}")
    assert made.action is not None, "it has one"
    if made.action.fits:
        return made
    return button(label, "step", match.id, match.version, text=f"{code}@"[:MAX_CODE_BYTES])


async def go(request: Request, action: Action) -> None:
    """Shows the step of a button, or plays its turn if that is complete and its player has nothing to decide."""
    match = await current_match(request, action)
    code, _, place = action.text.partition("@")
    turn = await _undisputed_turn(request, match, code)
    if turn is not None:
        await request.use_cases.matches.move(
            match.place, request.user, turn, request.at, request.key, version=match.version
        )
        await _leave_panel(request, match, turn)
        return
    await show_step(request, match, code, place)


async def play(request: Request, action: Action) -> None:
    """Plays the complete turn of a button. Raises Refused."""
    match = await current_match(request, action)
    try:
        step = await asyncio.to_thread(step_at, match, action.text)
    except RuleError as error:
        raise Refused.by_rules(error) from error
    turn = step.complete_turn if step else action.text
    if turn is None:
        raise Refused(Reason.OLD_BUTTON)
    move = request.use_cases.matches.move
    await move(match.place, request.user, turn, request.at, request.key, version=match.version)
    await _leave_panel(request, match, turn)


async def _leave_panel(request: Request, match: Match, turn: str) -> None:
    """Folds the private keypad or the prompt whose button has played a turn: the board tells the rest."""
    asked = request.asked
    if isinstance(asked, Press):
        words = await request.words()
        line = words("move.done", move=words.literal(turn))
        async with request.services.store.read() as reader:
            entries = await reader.matches.open_of(request.user)
        if all(entry.board != asked.message for entry in entries):
            await request.services.platform.edit(asked.place.channel, asked.message, Message(line))


async def current_match(request: Request, action: Action) -> Match:
    """Returns the match of a button. Raises Refused if it is over, the user plays no part in it, or the button is
    outdated."""
    match = await request.load_match(MatchId(action.number(0)))
    match.seat_of(request.user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if match.version != action.number(1):
        raise Refused(Reason.STALE)
    return match


async def _undisputed_turn(request: Request, match: Match, code: str) -> str | None:
    if not code or await _confirms(request, match, await request.settings()):
        return None
    with suppress(RuleError):
        step = await asyncio.to_thread(step_at, match, code)
        return step.complete_turn if step and not step.asks else None
    return None


async def _confirms(request: Request, match: Match, settings: PlayerSettings) -> bool:
    """Returns whether a player wants to look at a turn before it counts; practice is played as a live game is."""
    live = match.clock.control.speed is Speed.LIVE
    if not live and settings.confirm_days != settings.confirm_live:
        async with request.services.store.read() as reader:
            rated = await is_rated(reader, match.id)
        live = is_practice(match, request.services.platform.own_id, rated=rated)
    return settings.confirms(live=live)
