"""Turns of Dot Dash: which stone, in which direction, how far, and which fives count; before that the set-up.

A code is the notation as far as it goes: `F7`, `F7>1` with the number of a direction, `F7-I10`; `set D4`, `set D4 E5`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.features.match.turn.steps.step import Option, Said, Step
from rules.dash import Choice, DashPosition, Move, Phase
from rules.game import BadNotation
from rules.notation import parse_point, point_name
from rules.picture import Stone, Trail
from rules.point import Point, Seat

WAYS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
ARROWS = "↑↗→↘↓↙←↖"
"""The eight directions of a dash, clockwise from straight up."""

_STONE = re.compile(r"([A-Z]+\d+)(?:>([0-7]))?")
_PLACED = re.compile(r"set(?: [A-Z]+\d+){0,2}")


def step(position: DashPosition, begun: str) -> Step:
    """See `bot.features.match.turn.steps.begin`."""
    if position.phase is Phase.SET_UP:
        return _set_up(position, begun)
    if position.phase is Phase.CHOICE:
        return _choice(position, begun)
    dashes = [move for move in position.moves() if isinstance(move, Move)]
    if not begun:
        return _stone(position, dashes)
    if match := _STONE.fullmatch(begun):
        start = parse_point(match[1])
        ends = sorted({move.end for move in dashes if move.start == start}, key=lambda end: _length(start, end))
        if match[2] is None:
            return _direction(position, start, ends)
        return _distance(position, start, ends, int(match[2]))
    return _dash(position, begun, dashes)


def _set_up(position: DashPosition, begun: str) -> Step:
    if "/" in begun:
        return _whole(position, begun, back=begun.partition("/")[0])
    if not _PLACED.fullmatch(begun or "set"):
        raise BadNotation("no_turn")
    picture = position.picture()
    placed = [*map(parse_point, begun.split()[1:])]
    glue = "/" if len(placed) == 2 else " "
    codes = {
        point: f"{begun or 'set'}{glue}{point_name(point)}"
        for point in (Point(x, y) for x in range(picture.width) for y in range(picture.height))
        if point not in placed
    }
    back = {0: None, 1: ""}.get(len(placed), begun.rpartition(" ")[0])
    return Step(
        begun,
        Said(f"set.{len(placed)}"),
        replace(picture, stones=tuple(Stone(point, Seat(0)) for point in placed)),
        points=codes,
        chances=dict.fromkeys(codes, 1.0),
        back=back,
        place=placed[-1] if placed else Point(picture.width // 2, picture.height // 2),
    )


def _choice(position: DashPosition, begun: str) -> Step:
    if begun:
        return _whole(position, begun, back="")
    options = tuple(Option(Said(f"take.{choice.name.lower()}"), choice.value) for choice in Choice)
    return Step("", Said("colour"), position.picture(), options=options)


def _stone(position: DashPosition, dashes: Sequence[Move]) -> Step:
    codes = {move.start: point_name(move.start) for move in dashes}
    return Step("", Said("stone"), position.picture(), points=codes, chances=dict.fromkeys(codes, 1.0))


def _direction(position: DashPosition, start: Point, ends: Sequence[Point]) -> Step:
    name = point_name(start)
    farthest = {_way(start, end): end for end in ends}
    options = tuple(
        Option(Said("direction", {"arrow": ARROWS[number], "point": point_name(farthest[way])}), f"{name}>{number}")
        for number, way in enumerate(WAYS)
        if way in farthest
    )
    if not options:
        position.play(Move(start, start))  # raises what is wrong with this stone
    shown = replace(position.picture(), last=(start,), trail=None)
    return Step(name, Said("direction_asked", {"point": name}), shown, options=options, back="", place=start)


def _distance(position: DashPosition, start: Point, ends: Sequence[Point], number: int) -> Step:
    name = point_name(start)
    there = [end for end in ends if _way(start, end) == WAYS[number]]
    if not there:
        raise BadNotation("no_turn")
    options = tuple(
        Option(Said("distance", {"count": _length(start, end), "point": point_name(end)}), f"{name}-{point_name(end)}")
        for end in there
    )
    asks = Said("distance_asked", {"point": name, "arrow": ARROWS[number]})
    shown = replace(position.picture(), last=(start,), trail=Trail(position.to_act, start, there[-1]))
    return Step(f"{name}>{number}", asks, shown, options=options, back=name, place=start)


def _dash(position: DashPosition, begun: str, dashes: Sequence[Move]) -> Step:
    """A whole dash; where its runs leave a choice of fives, the choices beside it."""
    move = position.rules.parse(begun)
    if not isinstance(move, Move):
        return _whole(position, begun, back="")
    same = [other for other in dashes if (other.start, other.end) == (move.start, move.end)]
    way = _way(move.start, move.end)
    back = f"{point_name(move.start)}>{WAYS.index(way)}" if way in WAYS else ""
    return replace(_whole(position, begun, back=back), options=tuple(_fives(same, move)), place=move.end)


def _fives(same: Sequence[Move], chosen: Move) -> Iterator[Option]:
    if len(same) < 2:
        return
    for move in same:
        fives = ", ".join(map(str, sorted(move.fives)))
        yield Option(Said("five", {"fives": fives}) if fives else Said("five_default"), str(move), move == chosen)


def _whole(position: DashPosition, begun: str, *, back: str) -> Step:
    after = position.play(position.rules.parse(begun))
    mover = position.to_act
    gains = [new - old for new, old in zip(after.score, position.score, strict=True)]
    news = []
    if gains[mover] > 0:
        news.append(Said("fives", {"count": gains[mover]}))
    if gains[1 - mover] < 0:
        news.append(Said("fives_lost", {"count": -gains[1 - mover]}))
    if after.outcome is not None:
        news.append(Said("ends"))
    return Step(
        begun,
        Said("play", {"turn": begun}),
        after.picture(),
        whole=begun,
        news=tuple(news or [Said("quiet_dash")]),
        back=back,
        place=next(iter(after.last), None),
    )


def _way(start: Point, end: Point) -> tuple[int, int]:
    """The direction from one crossing to another on a line with it, in steps of one crossing."""
    length = max(1, _length(start, end))
    return (end.x - start.x) // length, (end.y - start.y) // length


def _length(start: Point, end: Point) -> int:
    return max(abs(end.x - start.x), abs(end.y - start.y))
