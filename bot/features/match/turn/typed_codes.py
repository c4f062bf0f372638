"""Reads what players type: whole turns, and in Dot Dash also turns that are only begun, and sides in any language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from play.match.match import Match
from presentation.words.words import languages
from rules.dash import Choice, DashPosition, Phase
from rules.dash.notation import POINT, plain_turn
from rules.game import BadNotation
from rules.notation import parse_point, point_name

_BEGUN = re.compile(rf"(?=.)(?:set)?(?: ?({POINT}))?(?:[ ,;+&]*({POINT}))?")
_STONE = re.compile(POINT)
OWN_COLOURS = ("notebook",)
"""Themes in which blue is another player's colour than on boards in channels. Their readers name the stones."""

_MARKS = ".,!?;:()«»„“”\"'\ufe0f"
"""Characters around a word that mean nothing, and what makes an emoji of a letter."""


def read_code(match: Match, typed: str, theme: str = "") -> str:
    """Returns what a player typed if it is a turn; in Dot Dash in its notation, or as the code of a turn that is begun.

    `theme` tells what names of colours mean. Raises BadNotation.
    """
    position = match.position
    if isinstance(position, DashPosition):
        return _read_dash(position, typed, theme)
    match.game.parse(typed)
    return typed


def _read_dash(position: DashPosition, text: str, theme: str) -> str:
    """Returns the code of the step that a text leads to: that of a whole turn, or how far a turn is.

    Raises BadNotation: a text that is no turn is refused with what is due in this phase.
    """
    plain = plain_turn(text)
    if position.phase is Phase.CHOICE and (side := _side(plain, theme)):
        return side.value
    if position.phase is Phase.SET_UP and (begun := _BEGUN.fullmatch(plain)):
        return " ".join(("set", *_names(position, filter(None, begun.groups()))))
    if position.phase is Phase.DASH and _STONE.fullmatch(plain):
        return _names(position, [plain])[0]
    try:
        return str(position.rules.parse(text))
    except BadNotation as error:
        if error.key == "no_turn" and position.phase is not Phase.DASH:
            raise BadNotation(f"{position.phase}_due") from error
        raise


def _names(position: DashPosition, typed: Iterable[str]) -> list[str]:
    """Returns the names of crossings on the field, each named once. Raises BadNotation."""
    points = [parse_point(each) for each in typed]
    if len(set(points)) < len(points):
        raise BadNotation("same_crossing")
    if any(max(point) >= position.rules.size for point in points):
        raise BadNotation("off_field", **position.rules.edges)
    return [*map(point_name, points)]


def _side(plain: str, theme: str) -> Choice | None:
    """Returns the side that a text names, with nothing else in it but words that go with one."""
    known = _known_words(reads_colours=theme not in OWN_COLOURS)
    meanings = [known.get(word.strip(_MARKS)) for word in plain.split()]
    sides = {meaning for meaning in meanings if meaning}
    return Choice(sides.pop()) if len(sides) == 1 and None not in meanings else None


@cache
def _known_words(*, reads_colours: bool) -> dict[str, str]:
    """Returns the words with which players take a side, in all languages: a side each, or empty for one between."""
    meanings = {"take": "", "single": Choice.SINGLE, "pair": Choice.PAIR}
    if reads_colours:
        meanings |= {"colour.0": Choice.PAIR, "colour.1": Choice.SINGLE}
    return {
        word: meaning
        for words in map(languages().of, languages().names)
        for key, meaning in meanings.items()
        for word in words(f"typed.{key}").casefold().split(",")
    }
