"""The keypad: a crop of the board with numbers on its crossings, a pad for each, and arrows to other parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discord

from bot.features.match.turn.overview import ANYWHERE, MakeButton, has_overview, likely_step, rank
from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button, occupied_pad
from bot.interactions.layout import Control, Part, rows
from bot.interactions.pictures import drawing_file
from play.match.match import Match
from play.turns import TurnStep, recent_points
from presentation.match.crops import Crop, crossings
from presentation.words.words import Words
from renderer.layout import is_large
from rules.dots import DotsPosition
from rules.notation import parse_point, point_name
from rules.point import Point

PAN_CROSSINGS = 3
"""Crossings by which an arrow moves the part that the keypad shows."""

NEARBY_CROSSINGS = 4
"""Crossings from the last dot within which a large board looks for the place of the next. In recorded games the next
dot is as often in the part found as if the whole board were searched (72 %)."""

MAX_BELOW = 6
"""Controls below the pads: with two rows for them, a panel has 40 components."""

ARROWS = (("⬅️", -1, 0), ("⬆️", 0, 1), ("⬇️", 0, -1), ("➡️", 1, 0))


def pad_rows(
    step: TurnStep, crop: Crop, words: Words, make_button: MakeButton, name: str, first: Sequence[Control] = ()
) -> Iterator[Part]:
    """Yields the keypad below its prompt: the picture, 25 pads in the places of its crossings, and the rows below.

    `name` is that of the picture; `first` are the controls that belong below the pads before all others.
    """
    points, here, numbers = crossings(crop.zone), point_name(crop.middle), pad_numbers(step, crop)
    available, taken = step.available_points, crop.signs()
    yield drawing_file(crop.draw(words, numbers), name)
    pads: list[Control] = [
        make_button(str(number), available[point], here) if point in numbers else occupied_pad(number, taken.get(point))
        for number, point in enumerate(points, start=1)
    ]
    yield from rows(pads)
    arrows = [] if _shows_all(step, crop) else [*_arrows(step, crop, make_button)]
    others = [*first, *_other_controls(step, crop, words, make_button)][: MAX_BELOW - len(arrows)]
    yield from filter(None, (arrows, others))


def pad_hint(step: TurnStep, crop: Crop, words: Words) -> str:
    """Returns which crossings the numbers at the corners are, for players who cannot see the picture."""
    points = crossings(crop.zone)
    corners = {f"corner{number}": point_name(points[number - 1]) for number in (1, 5, 21, 25)}
    hint = words("keypad.numbers", **corners) if pad_numbers(step, crop) else words("keypad.full")
    return f"-# {hint}" if _shows_all(step, crop) else f"-# {hint} {words('keypad.arrows')}"


def pad_numbers(step: TurnStep, crop: Crop) -> dict[Point, int]:
    """Returns the numbers of the crossings that can be chosen."""
    available = step.available_points
    return {point: number for number, point in enumerate(crossings(crop.zone), start=1) if point in available}


def _arrows(step: TurnStep, crop: Crop, make_button: MakeButton) -> Iterator[Control]:
    for arrow, dx, dy in ARROWS:
        middle = crop.shifted(dx * PAN_CROSSINGS, dy * PAN_CROSSINGS)
        yield make_button(arrow, step.code, point_name(middle)) if middle != crop.middle else _disabled_arrow(arrow)


def _disabled_arrow(arrow: str) -> Control:
    """Returns an arrow at the edge of the board. A real one would lead to the same part, and so share a custom id."""
    return button(ids.NOWHERE(arrow=arrow), arrow, disabled=True)


def _other_controls(step: TurnStep, crop: Crop, words: Words, make_button: MakeButton) -> Iterator[Control]:
    """Yields the controls below the pads and arrows, the most needed first."""
    here = point_name(crop.middle)
    for option in step.available_options:
        yield make_button(option.label.text(words), option.code, here, discord.ButtonStyle.success)
    if step.back is not None:
        yield make_button(words("button.back"), step.back, here)
    if not _shows_all(step, crop):
        if has_overview(crop.picture):
            yield make_button(words("overview.open"), step.code, ANYWHERE)
        if step.back is None:
            yield from _front_buttons(step, crop, words, make_button)


def _shows_all(step: TurnStep, crop: Crop) -> bool:
    return all(crop.zone.contains(point) for point in step.points)


def _front_buttons(step: TurnStep, crop: Crop, words: Words, make_button: MakeButton) -> Iterator[Control]:
    """Yields a button to the next part where something may happen: the likeliest first, then the others in turn."""
    fronts = crop.fronts
    here = next((number for number, front in enumerate(fronts) if crop.zone.contains(front)), -1)
    front = fronts[(here + 1) % len(fronts)] if fronts else crop.middle
    arrows = {crop.shifted(dx * PAN_CROSSINGS, dy * PAN_CROSSINGS) for _, dx, dy in ARROWS}
    if front not in {crop.middle, *arrows}:  # custom ids are unique in a message
        yield make_button(words("keypad.front", point=point_name(front)), step.code, point_name(front))


def keypad_middle(match: Match) -> Point | None:
    """Returns where the keypad opens; None for a game that can only be typed, and for a step without points.

    On a large board it is near the last dot, which takes a fifth of the time.
    """
    position = match.position
    picture = position.picture()
    if isinstance(position, DotsPosition):
        reach = NEARBY_CROSSINGS if is_large(picture.width, picture.height) else None
        chances = rank(position, recent_points(match), reach)
    else:
        step = likely_step(match)
        chances = step.chances if step is not None else {}
    return Crop.of(picture, chances, None, "").middle if chances else None


def panel_middle(match: Match, step: TurnStep, place: str) -> Point | None:
    """Returns the middle of the part to show: the first step opens where its button said."""
    if place and not place.startswith(ANYWHERE):
        return parse_point(place)
    return keypad_middle(match) if step.code == "" and step.points else step.focus
