"""Pictures on the wire: the fields of `rules.game.Picture` without empty ones, and what a turn would do that is
being entered."""

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from play.match.match import Match
from play.refusal import Reason, Refused
from play.turns import Phrase, StepOption, TurnStep, code_of, landings, step_at
from presentation.words.words import Words
from rules.game import BadNotation, Picture, Point, RuleError, parse_point
from web.bodies import Json


def picture_json(picture: Picture) -> dict[str, Any]:
    """Returns a picture as docs/web-protocol.md has it."""
    return _fields(picture)


def _fields(value: Any) -> dict[str, Any]:
    kind: Any = type(value)
    return {name: plain(part) for name in _names(kind) if not is_absent(part := getattr(value, name))}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Returns the names of a dataclass's fields; none for another type."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def is_absent(part: Any) -> bool:
    """Returns whether a field is left out."""
    return not part and (part is None or part is False or isinstance(part, tuple | frozenset))


def plain(value: Any) -> Any:
    """Returns a part of a picture as JSON has it."""
    kind: Any = type(value)
    if kind is int or kind is bool or kind is str:  # as most parts are
        return value
    if kind is Point:
        return [*value]
    if isinstance(value, frozenset):
        return sorted(map(plain, value))
    if isinstance(value, tuple):
        return [*map(plain, value)]
    return _fields(value) if _names(kind) else value


def ghost(match: Match, steps: tuple[str, ...], words: Words) -> Json:
    """Returns the fields of a ghost. Takes 40 ms on the largest boards with far links, at worst 100. Raises
    Refused."""
    try:
        code = code_of(match, steps)
        step = step_at(match, code)
        points = [[*point] for point in sorted(step.points or landings(match, code))] if step else []
    except RuleError as error:
        raise Refused.by_rules(error) from error
    if step is None:
        raise Refused(Reason.ONLY_TYPED)
    return {
        "picture": picture_json(step.picture),
        "line": _line(step, words),
        "turn": step.complete_turn,
        "choices": [_choice(option, words) for option in step.options],
        "columns": 3 if any(option.label.key == "direction" for option in step.options) else None,
        "points": points,
        "undo": bool(steps),
    }


def _line(step: TurnStep, words: Words) -> str:
    told = [step.heading] if step.heading else [] if step.complete_turn else [step.prompt]
    return "\n".join(phrase.text(words) for phrase in (*told, *step.effects))


def _choice(option: StepOption, words: Words) -> dict[str, Any]:
    choice: dict[str, Any] = {"step": option.code, "label": option.label.text(words)}
    if (point := _point_of(option.label)) is not None:
        choice["point"] = [*point]
    return choice | {name: True for name in ("chosen", "disabled") if getattr(option, name)}


def _point_of(label: Phrase) -> Point | None:
    try:
        return parse_point(str(label.details["point"]))
    except (KeyError, BadNotation):
        return None
