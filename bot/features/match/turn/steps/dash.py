"""Turns of Dot Dash: a stone, a direction, a distance, and which fives count; before that the set-up.

A code is the notation as far as the turn is: `F7`, `F7>1` with the number of a direction, `F7-I10`; `set D4`,
`set D4 E5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.features.match.turn.steps.step import Phrase, StepOption, TurnStep
from rules.dash import Choice, DashPosition, Move, Phase
from rules.game import BadNotation
from rules.notation import parse_point, point_name
from rules.picture import Stone, Trail
from rules.point import Point, Seat

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
ARROWS = "↑↗→↘↓↙←↖"
"""The eight directions of a dash, clockwise from straight up."""

_STONE = re.compile(r"([A-Z]+\d+)(?:>([0-7]))?")
_SET_UP = re.compile(r"set(?: [A-Z]+\d+){0,2}")


def step_at(position: DashPosition, code: str) -> TurnStep:
    """Returns the step of a code; see `bot.features.match.turn.steps.step_at`."""
    if position.phase is Phase.SET_UP:
        return _set_up_step(position, code)
    if position.phase is Phase.CHOICE:
        return _colour_step(position, code)
    dashes = [move for move in position.moves() if isinstance(move, Move)]
    if not code:
        return _stone_step(position, dashes)
    if match := _STONE.fullmatch(code):
        start = parse_point(match[1])
        ends = sorted({move.end for move in dashes if move.start == start}, key=lambda end: _length(start, end))
        if match[2] is None:
            return _direction_step(position, start, ends)
        return _distance_step(position, start, ends, int(match[2]))
    return _dash_step(position, code, dashes)


def _set_up_step(position: DashPosition, code: str) -> TurnStep:
    if "/" in code:
        return _complete_step(position, code, back=code.partition("/")[0])
    if not _SET_UP.fullmatch(code or "set"):
        raise BadNotation("no_turn")
    picture = position.picture()
    placed = [*map(parse_point, code.split()[1:])]
    separator = "/" if len(placed) == 2 else " "
    codes = {
        point: f"{code or 'set'}{separator}{point_name(point)}"
        for point in (Point(x, y) for x in range(picture.width) for y in range(picture.height))
        if point not in placed
    }
    back = {0: None, 1: ""}.get(len(placed), code.rpartition(" ")[0])
    return TurnStep(
        code,
        Phrase(f"set.{len(placed)}"),
        replace(picture, stones=tuple(Stone(point, Seat(0)) for point in placed)),
        points=codes,
        chances=dict.fromkeys(codes, 1.0),
        back=back,
        focus=placed[-1] if placed else Point(picture.width // 2, picture.height // 2),
    )


def _colour_step(position: DashPosition, code: str) -> TurnStep:
    if code:
        return _complete_step(position, code, back="")
    options = tuple(StepOption(Phrase(f"take.{choice.name.lower()}"), choice.value) for choice in Choice)
    return TurnStep("", Phrase("colour"), position.picture(), options=options)


def _stone_step(position: DashPosition, dashes: Sequence[Move]) -> TurnStep:
    codes = {move.start: point_name(move.start) for move in dashes}
    return TurnStep("", Phrase("stone"), position.picture(), points=codes, chances=dict.fromkeys(codes, 1.0))


def _direction_step(position: DashPosition, start: Point, ends: Sequence[Point]) -> TurnStep:
    name = point_name(start)
    farthest = {_direction(start, end): end for end in ends}
    options = tuple(
        StepOption(
            Phrase("direction", {"arrow": ARROWS[number], "point": point_name(farthest[direction])}),
            f"{name}>{number}",
        )
        for number, direction in enumerate(DIRECTIONS)
        if direction in farthest
    )
    if not options:
        position.play(Move(start, start))  # raises what is wrong with this stone
    picture = replace(position.picture(), last=(start,), trail=None)
    return TurnStep(name, Phrase("direction_asked", {"point": name}), picture, options=options, back="", focus=start)


def _distance_step(position: DashPosition, start: Point, ends: Sequence[Point], number: int) -> TurnStep:
    name = point_name(start)
    reachable = [end for end in ends if _direction(start, end) == DIRECTIONS[number]]
    if not reachable:
        raise BadNotation("no_turn")
    options = tuple(
        StepOption(
            Phrase("distance", {"count": _length(start, end), "point": point_name(end)}),
            f"{name}-{point_name(end)}",
        )
        for end in reachable
    )
    prompt = Phrase("distance_asked", {"point": name, "arrow": ARROWS[number]})
    picture = replace(position.picture(), last=(start,), trail=Trail(position.to_act, start, reachable[-1]))
    return TurnStep(f"{name}>{number}", prompt, picture, options=options, back=name, focus=start)


def _dash_step(position: DashPosition, code: str, dashes: Sequence[Move]) -> TurnStep:
    """Returns a complete dash, with options where a player may choose which fives count."""
    move = position.rules.parse(code)
    if not isinstance(move, Move):
        return _complete_step(position, code, back="")
    same = [other for other in dashes if (other.start, other.end) == (move.start, move.end)]
    direction = _direction(move.start, move.end)
    back = f"{point_name(move.start)}>{DIRECTIONS.index(direction)}" if direction in DIRECTIONS else ""
    step = _complete_step(position, code, back=back)
    options = tuple(_five_options(same, move))
    return replace(step, asks=bool(options), options=options, focus=move.end)


def _five_options(same: Sequence[Move], chosen: Move) -> Iterator[StepOption]:
    if len(same) < 2:
        return
    for move in same:
        fives = ", ".join(map(str, sorted(move.fives)))
        label = Phrase("five", {"fives": fives}) if fives else Phrase("five_default")
        yield StepOption(label, str(move), move == chosen)


def _complete_step(position: DashPosition, code: str, *, back: str) -> TurnStep:
    after = position.play(position.rules.parse(code))
    mover = position.to_act
    gains = [new - old for new, old in zip(after.score, position.score, strict=True)]
    effects = []
    if gains[mover] > 0:
        effects.append(Phrase("fives", {"count": gains[mover]}))
    if gains[1 - mover] < 0:
        effects.append(Phrase("fives_lost", {"count": -gains[1 - mover]}))
    if after.outcome is not None:
        effects.append(Phrase("ends"))
    return TurnStep(
        code,
        Phrase("play", {"turn": code}),
        after.picture(),
        complete_turn=code,
        effects=tuple(effects or [Phrase("quiet_dash")]),
        back=back,
        focus=next(iter(after.last), None),
    )


def _direction(start: Point, end: Point) -> tuple[int, int]:
    """Returns the direction from one crossing to another on a line with it, as a step of one crossing."""
    length = max(1, _length(start, end))
    return (end.x - start.x) // length, (end.y - start.y) // length


def _length(start: Point, end: Point) -> int:
    return max(abs(end.x - start.x), abs(end.y - start.y))
