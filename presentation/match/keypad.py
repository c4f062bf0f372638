"""The keypad of a board without its buttons: where it opens, which crossings have numbers, and what a turn would do."""

from collections.abc import Mapping, Sequence
from math import exp

from opponent.suggest import rank_points
from play.match.match import Match
from play.turns import TurnStep, recent_points, step_at, step_in
from presentation.match.crops import Crop, crossings
from presentation.words.words import Words
from renderer.layout import is_large
from rules.dots import DotsPosition
from rules.game import Point, point_name

PAN_CROSSINGS = 3
"""Crossings by which an arrow moves the part that the keypad shows."""

NEARBY_CROSSINGS = 4
"""Crossings from the last dot within which a large board looks for the place of the next. In recorded games the next
dot is as often in the part found as if the whole board were searched (72 %)."""

ARROWS = (("⬅️", -1, 0), ("⬆️", 0, 1), ("⬇️", 0, -1), ("➡️", 1, 0))


def likely_step(match: Match, code: str = "") -> TurnStep | None:
    """Returns the step that `code` leads to, as `step_at` does, with the chances of its crossings. Raises RuleError."""
    return step_at(match, code, rank)


def likely_step_in(position: DotsPosition, recent: Sequence[Point], code: str = "") -> TurnStep:
    """Returns the step that `code` leads to in a position without a match, as `likely_step` does. Raises RuleError."""
    return step_in(position, recent, code, rank)


def rank(position: DotsPosition, recent: Sequence[Point], reach: int | None = None) -> Mapping[Point, float]:
    """Returns the crossings where a dot may be placed, with the chance of each: with `reach` only those that near to
    the last of the `recent` dots, if there are any."""
    ranked = rank_points(position, recent, reach) or rank_points(position, recent)
    best = ranked[0].weight if ranked else 0.0
    return {one.point: exp(one.weight - best) for one in ranked}


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


def corners_text(points: Sequence[Point], words: Words) -> str:
    """Returns which crossings the numbers at the corners are, for players who cannot see the picture."""
    return words("keypad.numbers", **{f"corner{number}": point_name(points[number - 1]) for number in (1, 5, 21, 25)})


def pad_numbers(step: TurnStep, crop: Crop) -> dict[Point, int]:
    """Returns the numbers of the crossings that can be chosen."""
    available = step.available_points
    return {point: number for number, point in enumerate(crossings(crop.zone), start=1) if point in available}


def shows_all(step: TurnStep, crop: Crop) -> bool:
    """Returns whether the pads have all crossings that can be chosen."""
    return all(crop.zone.contains(point) for point in step.points)


def look_text(step: TurnStep, words: Words) -> str:
    """Returns what a turn would be and do, before it counts."""
    prompt = step.prompt.text(words)
    if step.heading is not None:
        prompt = step.heading.text(words)
    elif step.complete_turn:
        name = step.prompt.details.get("turn", "")
        asked = words("keypad.asked", turn=name, count=step.closable)
        prompt = asked if step.closable else words("keypad.look", turn=name)
    return "\n".join((prompt, *(words.markup.item(effect.text(words)) for effect in step.effects)))
