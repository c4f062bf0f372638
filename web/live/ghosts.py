"""Ghosts: what a turn would do that is being entered."""

from __future__ import annotations

from typing import Any

from play.match.match import Match
from play.refusal import Reason, Refused
from play.turns import Phrase, StepOption, TurnStep, code_of, landings, step_at
from presentation.words.words import Words
from rules.game import BadNotation, RuleError
from rules.notation import parse_point
from rules.point import Point
from web.bodies import Json
from web.live.pictures import picture_json


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
