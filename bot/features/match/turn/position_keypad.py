"""The keypad in a position without a match, such as an exercise: a crossing is chosen, looked at, and played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bot.features.match.turn.keypad_grid import pad_hint, pad_rows
from bot.features.match.turn.overview import ANYWHERE, MakeButton, has_overview, likely_step_in, overview_parts
from bot.interactions.layout import Control, Part
from bot.interactions.pictures import drawing_file
from presentation.match.crops import Crop, decision_zone, draw_zone
from presentation.words.words import Words
from rules.dots import DotsPosition
from rules.notation import parse_point, point_name
from rules.point import Point


class PositionKeypad(NamedTuple):
    """The keypad of a `position` after the `recent` dots.

    `to_step` makes the button that leads to a step of a turn, as on the keypad of a match; `to_play` the one that plays
    a complete turn. `name` is that of its pictures. `first` are controls that belong below the pads before all others.
    """

    position: DotsPosition
    recent: Sequence[Point]
    theme: str
    name: str
    to_step: MakeButton
    to_play: Callable[[str, str], Control]
    first: Sequence[Control] = ()

    def parts(self, words: Words, code: str, place: str, head: str) -> list[Part]:
        """Returns the keypad, an overview, or a look at the turn of a `code`, below a `head`. Takes 10 to 150 ms.

        Raises RuleError for a code or a place that leads nowhere.
        """
        step = likely_step_in(self.position, self.recent, code)
        middle = None if step.points else step.focus
        if place and not place.startswith(ANYWHERE):
            middle = parse_point(place)
        crop = Crop.of(step.picture, step.chances, middle, self.theme)
        if not step.points:
            zone = decision_zone(step.picture, crop.middle)
            looked = drawing_file(draw_zone(step.picture, zone, words, self.theme), f"{self.name}-look")
            turn = step.complete_turn or ""
            play = self.to_play(step.prompt.text(words), turn)
            another = self.to_step(words("button.another"), step.back or "", point_name(crop.middle))
            return [looked, head, [play, another]]
        if place.startswith(ANYWHERE) and has_overview(step.picture):
            return [*overview_parts(step, crop, place, words, f"{self.name}-overview", self.to_step, head)]
        picture, *pads = pad_rows(step, crop, words, self.to_step, f"{self.name}-keypad", self.first)
        return [picture, f"{head}\n{pad_hint(step, crop, words)}", *pads]
