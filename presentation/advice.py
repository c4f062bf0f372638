"""The computer's advice: a better turn on the board, drawn, and what it is good for in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from opponent.purpose import Aim, Purpose
from opponent.review import play_line
from presentation.match.crops import zone_around
from presentation.match.turn_text import turn_text
from presentation.words.words import Words
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition, Turn
from rules.game import AnyGame, AnyPosition
from rules.notation import point_name
from rules.picture import Number, Picture, Stone
from rules.point import Point

MARGIN = 4
"""Crossings between the subject of a picture and its border."""


def better_turn(game: AnyGame, before: AnyPosition, line: Sequence[str], played: str | None = None) -> Picture:
    """Returns the board with the first turn of `line` as a dot not placed yet.

    It shows what the line closes and captures; the dots that follow have numbers. `played` is the turn that was played
    instead. In a game whose stones move, it is the position after the turn.
    """
    if not isinstance(before, DotsPosition):
        return play_line(game, before, line[:1]).picture()
    picture, after, seat = before.picture(), play_line(game, before, line).picture(), before.to_act
    dots = [turn.dot for turn in map(game.parse, line) if isinstance(turn, Turn)]
    if not dots:
        return picture
    if played is not None and isinstance(turn := game.parse(played), Turn) and turn.dot != dots[0]:
        picture = replace(picture, stones=(*picture.stones, Stone(turn.dot, seat)), last=(turn.dot,))
    occupied = {stone.point for stone in picture.stones}
    alive = {stone.point for stone in picture.stones if not stone.captured}
    return replace(
        picture,
        ghost=Stone(dots[0], seat),
        plans=tuple(area for area in after.areas if area.seat == seat and area not in picture.areas),
        falling=tuple(stone.point for stone in after.stones if stone.captured and stone.point in alive),
        numbers=tuple(
            Number(dot, number)
            for number, dot in enumerate(dots[1:], start=2)
            if dot not in occupied and dot != dots[0]
        ),
    )


def line_picture(game: AnyGame, before: AnyPosition, line: Sequence[str]) -> Picture:
    """Returns the position after a `line`, whose dots have the numbers of their turns."""
    picture = play_line(game, before, line).picture()
    dots = [(number, turn.dot) for number, turn in enumerate(map(game.parse, line), 1) if isinstance(turn, Turn)]
    numbers = tuple(Number(dot, number) for number, dot in dots)
    return replace(picture, numbers=numbers, choices=frozenset(dot for _, dot in dots), last=()) if dots else picture


def draw_line(game: AnyGame, before: AnyPosition, line: Sequence[str], theme: str) -> bytes:
    """Draws the position after a `line` as a PNG file."""
    return draw(line_picture(game, before, line), None, THEMES.get(theme, PAPER))


def draw_part(picture: Picture, theme: str) -> bytes:
    """Draws the part of a picture with its subject, as a PNG file."""
    points = [*picture.last, *picture.falling, *picture.choices, *(number.point for number in picture.numbers)]
    points += [point for area in picture.plans for point in area.ring]
    points += [picture.ghost.point] if picture.ghost else []
    return draw(picture, None, THEMES.get(theme, PAPER), zone_around(points, picture, MARGIN) if points else None)


def gain_text(game: AnyGame, points: float, line: Sequence[str], words: Words) -> str:
    """Returns the sentence that says what a line wins, and its moves; empty if it wins nothing at once."""
    if points <= 0:
        return ""
    moves = ", ".join(turn_text(game, move, words) for move in line)
    return words(f"teach.{game.score_unit}", count=plural(points), points=words.number(points), line=moves)


def plural(points: float) -> int:
    """Returns the count whose plural form suits points, of which there are halves: that of several for a fraction."""
    return int(points) if points == int(points) else 2


MAX_NAMED_DOTS = 8
"""Dots that a sentence names; the picture shows them all."""


MAX_EXPECTED_MOVES = 2
"""Moves after the hinted one that a hint names."""


def purpose_text(game: AnyGame, purpose: Purpose, line: Sequence[str], words: Words) -> str:
    """Returns what the first turn of a `line` is good for, and what is expected after it unless it captures at once."""
    if purpose.aim is Aim.WINS:
        return gain_text(game, purpose.amount, line, words)
    count = int(purpose.amount)
    if purpose.dots:
        why = words(f"hint.dots.{purpose.aim}", count=count, dots=dots_text(purpose.dots))
    elif purpose.aim is Aim.SURROUNDS:
        why = words("hint.surrounds", count=count)
    elif purpose.aim is Aim.WAITS and game.score_unit == "fives":
        why = words("hint.why.waits.fives")
    else:
        why = words(f"hint.why.{purpose.aim}")
    moves = line[1:] if purpose.aim is Aim.LEADS else line[1 : 1 + MAX_EXPECTED_MOVES]
    if purpose.aim in (Aim.CAPTURES, Aim.CALLS) or not moves:
        return why
    return f"{why} {words('hint.expect', line=', '.join(turn_text(game, move, words) for move in moves))}"


def dots_text(dots: Sequence[Point]) -> str:
    """Returns the names of dots, the first ones of many."""
    named = ", ".join(map(point_name, dots[:MAX_NAMED_DOTS]))
    return f"{named}, …" if len(dots) > MAX_NAMED_DOTS else named
