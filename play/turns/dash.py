"""Turns of Dot Dash: a stone, a direction, a distance, and which fives count; before that the set-up and the sides.

A code is the notation as far as the turn is: `F7`, `F7>1` with the number of a direction, `F7-I10`; `set D4`,
`set D4 E5`. A step with a single way to go on is left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from play.turns.step import MAX_OPTIONS, Phrase, StepOption, TurnStep
from rules.dash import Choice, DashPosition, Five, Move, Opening, Phase
from rules.game import BadNotation, Number, Point, Seat, Stone, Trail, parse_point, point_name

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
ARROWS = "↑↗→↘↓↙←↖"
"""The eight directions of a dash, clockwise from straight up."""

STONE = "■"
"""The middle of the compass."""

COMPASS = (7, 0, 1, 6, None, 2, 5, 4, 3)
"""The directions as three rows of three; None for the stone in the middle."""

_CROSSING = re.compile(r"[A-Z]+\d+")
_STONE = re.compile(r"([A-Z]+\d+)(?:>([0-7]))?")
_SET_UP = re.compile(r"set(?: [A-Z]+\d+){0,2}")


def step_at(position: DashPosition, code: str) -> TurnStep:
    """Returns the step of a code; see `play.turns.step_at`."""
    if position.phase is Phase.SET_UP:
        return _set_up_step(position, code)
    if position.phase is Phase.CHOICE:
        return _side_step(position, code)
    dashes = [move for move in position.moves() if isinstance(move, Move)]
    if not code:
        return _stone_step(position, dashes)
    if match := _STONE.fullmatch(code):
        start = parse_point(match[1])
        if match[2] is None:
            return _direction_step(position, dashes, start)
        return _distance_step(position, dashes, start, int(match[2]))
    return _dash_step(position, code, dashes)


def go_on(position: DashPosition, code: str, step: str) -> str:
    """Returns the code after one more step: a stone, where it lands, a crossing of the set-up, or a code itself.

    Raises BadNotation.
    """
    if position.phase is Phase.CHOICE or not _CROSSING.fullmatch(step.strip().upper()):
        return step
    name = point_name(parse_point(step))
    if position.phase is Phase.SET_UP:
        begun = code or "set"
        return f"{begun}{'/' if begun.count(' ') == 2 else ' '}{name}"
    return f"{code.partition('>')[0]}-{name}" if _STONE.fullmatch(code) else name


def landings(position: DashPosition, code: str) -> list[Point]:
    """Returns where the stone of a dash that is begun may land; nothing for any other code."""
    begun = _STONE.fullmatch(code)
    if begun is None or position.phase is not Phase.DASH:
        return []
    start = parse_point(begun[1])
    return sorted({move.end for move in position.moves() if isinstance(move, Move) and move.start == start})


def _set_up_step(position: DashPosition, code: str) -> TurnStep:
    if "/" in code:
        return _complete_set_up(position, code)
    if not _SET_UP.fullmatch(code or "set"):
        raise BadNotation("set_up_due")
    size, placed = position.rules.size, [*map(parse_point, code.split()[1:])]
    free = {Point(x, y) for x in range(size) for y in range(size)}.difference(placed)
    if len(free) + len(placed) != size * size:
        raise BadNotation("set_up_due")
    separator = "/" if len(placed) == 2 else " "
    codes = {point: f"{code or 'set'}{separator}{point_name(point)}" for point in free}
    back = {0: None, 1: ""}.get(len(placed), code.rpartition(" ")[0])
    middle = placed[-1] if placed else Point(size // 2, size // 2)
    return TurnStep(
        code,
        Phrase(f"set.{len(placed)}"),
        replace(position.picture(), stones=tuple(Stone(point, Seat(0)) for point in placed)),
        points=codes,
        chances={point: 1 / (1 + _length(middle, point)) for point in codes},
        back=back,
        focus=middle,
    )


def _complete_set_up(position: DashPosition, code: str) -> TurnStep:
    opening = position.rules.parse(code)
    step = _complete_step(
        position, code, Phrase("play_set_up", {"turn": code.removeprefix("set ")}), back=code.partition("/")[0]
    )
    if not isinstance(opening, Opening):
        raise BadNotation("set_up_due")
    pair, single = map(point_name, sorted(opening.pair)), point_name(opening.single)
    return replace(step, heading=Phrase("set_up", {"pair": " ".join(pair), "single": single}))


def _side_step(position: DashPosition, code: str) -> TurnStep:
    if not code:
        options = tuple(StepOption(Phrase(f"take.{side.name.lower()}"), side.value) for side in Choice)
        return TurnStep("", Phrase("side"), position.picture(), options=options)
    if code not in set(Choice):
        raise BadNotation("choice_due")
    side = Choice(code).name.lower()
    step = _complete_step(position, code, Phrase(f"take.{side}", {"turn": code}), back="")
    return replace(step, heading=Phrase(f"side.{side}"))


def _stone_step(position: DashPosition, dashes: Sequence[Move]) -> TurnStep:
    """Returns the choice of a stone: a button each, or the keypad for more stones than there is room for buttons."""
    starts = sorted({move.start for move in dashes}, key=lambda point: (-point.y, point.x))
    if len(starts) == 1:
        return _direction_step(position, dashes, starts[0])
    codes = {start: point_name(start) for start in starts}
    prompt = Phrase("stone", {"count": position.reserves[position.to_act]})
    effects = (Phrase("frozen"),) if position.frozen[position.to_act] else ()
    step = TurnStep("", prompt, replace(position.picture(), trail=None), effects=effects)
    if len(starts) > MAX_OPTIONS:
        return replace(step, points=codes, chances=dict.fromkeys(codes, 1.0))
    options = tuple(
        StepOption(Phrase("stone_number", {"number": number, "point": name}), name)
        for number, name in enumerate(codes.values(), 1)
    )
    numbers = tuple(Number(start, number) for number, start in enumerate(starts, 1))
    return replace(step, picture=replace(step.picture, numbers=numbers), options=options)


def _direction_step(position: DashPosition, dashes: Sequence[Move], start: Point) -> TurnStep:
    """Returns the compass: the eight directions round the stone, those without a dash without a code."""
    name = point_name(start)
    reach = {number: ends for number in range(len(DIRECTIONS)) if (ends := _ends(dashes, start, number))}
    if not reach:
        position.play(Move(start, start))  # raises what is wrong with this stone
        raise BadNotation("no_turn")
    options = (
        StepOption(
            Phrase("direction", {"arrow": STONE if number is None else ARROWS[number]}),
            f"{name}>{number}",
            disabled=number not in reach,
        )
        for number in COMPASS
    )
    landings = frozenset(chain.from_iterable(reach.values()))
    picture = replace(position.picture(), last=(start,), trail=None, choices=landings)
    ways = " · ".join(f"{ARROWS[number]} {_write_reach(ends)}" for number, ends in reach.items())
    prompt = Phrase("direction_asked", {"point": name, "ways": ways})
    back = "" if len({move.start for move in dashes}) > 1 else None
    return TurnStep(name, prompt, picture, options=tuple(options), back=back, focus=start)


def _write_reach(ends: Sequence[Point]) -> str:
    nearest, farthest = point_name(ends[0]), point_name(ends[-1])
    return nearest if nearest == farthest else f"{nearest}–{farthest}"


def _distance_step(position: DashPosition, dashes: Sequence[Move], start: Point, number: int) -> TurnStep:
    name, ends = point_name(start), _ends(dashes, start, number)
    if not ends:
        raise BadNotation("no_turn")
    if len(ends) == 1:
        return _dash_step(position, f"{name}-{point_name(ends[0])}", dashes)
    picture = position.picture()
    enemies = {stone.point for stone in picture.stones}
    options = tuple(
        StepOption(
            Phrase(
                "distance_sacrifice" if end in enemies else "distance",
                {"number": _length(start, end), "point": point_name(end)},
            ),
            f"{name}-{point_name(end)}",
        )
        for end in ends
    )
    prompt = Phrase("distance_asked", {"point": name, "arrow": ARROWS[number]})
    numbers = tuple(Number(end, _length(start, end)) for end in ends)
    trail = Trail(position.to_act, start, ends[-1])
    picture = replace(picture, last=(start,), trail=trail, numbers=numbers)
    return TurnStep(f"{name}>{number}", prompt, picture, options=options, back=name, focus=start)


def _dash_step(position: DashPosition, code: str, dashes: Sequence[Move]) -> TurnStep:
    """Returns a complete dash, with options where a player may choose which fives count."""
    move = position.rules.parse(code)
    if not isinstance(move, Move):
        return _complete_step(position, code, Phrase("play", {"turn": code}), back="")
    start, end = point_name(move.start), point_name(move.end)
    number = DIRECTIONS.index(direction) if (direction := _direction(move.start, move.end)) in DIRECTIONS else None
    several = number is not None and len(_ends(dashes, move.start, number)) > 1
    turn = f"{start}-{end}"
    step = _complete_step(
        position, code, Phrase("play", {"turn": turn}), back=f"{start}>{number}" if several else start
    )
    same = [other for other in dashes if (other.start, other.end) == (move.start, move.end)]
    options = tuple(_five_options(position, same, move))
    return replace(step, asks=bool(options), options=options, focus=move.end)


def _five_options(position: DashPosition, same: Sequence[Move], chosen: Move) -> Iterator[StepOption]:
    if len(same) < 2:
        return
    for number, move in enumerate(same):
        key = "five" if number else "five_default"
        yield StepOption(Phrase(key, {"fives": _write_fives(position, move)}), str(move), move == chosen)


def _write_fives(position: DashPosition, move: Move) -> str:
    """Returns the fives that a dash is credited with for good."""
    seat = position.to_act
    new: frozenset[Five] = position.play(move).frozen[seat] - position.frozen[seat]
    return ", ".join(map(str, sorted(new)))


def _complete_step(position: DashPosition, code: str, prompt: Phrase, *, back: str) -> TurnStep:
    after = position.play(position.rules.parse(code))
    effects = [*_describe_dash(position, after)] if position.phase is Phase.DASH else []
    if after.outcome is not None:
        effects.append(Phrase("ends"))
    return TurnStep(
        code,
        prompt,
        after.picture(),
        complete_turn=code,
        effects=tuple(effects),
        back=back,
        focus=next(iter(after.last), None),
    )


def _describe_dash(position: DashPosition, after: DashPosition) -> Iterator[Phrase]:
    """Yields what a dash does to the stones and fives of both players."""
    mover = position.to_act
    gains = [new - old for new, old in zip(after.score, position.score, strict=True)]
    if after.trail and after.reserves[1 - mover] > position.reserves[1 - mover]:
        yield Phrase("sacrifice", {"point": point_name(after.trail.end)})
    if gains[mover] > 0:
        yield Phrase("fives", {"count": gains[mover]})
    elif gains[mover] < 0:
        yield Phrase("own_fives_lost", {"count": -gains[mover]})
    if gains[1 - mover] < 0:
        yield Phrase("fives_lost", {"count": -gains[1 - mover]})
    if not any(gains):
        yield Phrase("quiet_dash")


def _ends(dashes: Sequence[Move], start: Point, number: int) -> list[Point]:
    """Returns where a stone can land in one direction, the nearest first."""
    ends = {move.end for move in dashes if move.start == start}
    on_line = (end for end in ends if _direction(start, end) == DIRECTIONS[number])
    return sorted(on_line, key=lambda end: _length(start, end))


def _direction(start: Point, end: Point) -> tuple[int, int]:
    """Returns the direction from one crossing to another on a line with it, as a step of one crossing."""
    length = max(1, _length(start, end))
    return (end.x - start.x) // length, (end.y - start.y) // length


def _length(start: Point, end: Point) -> int:
    return max(abs(end.x - start.x), abs(end.y - start.y))
