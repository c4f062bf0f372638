"""The computer's advice: a better turn on the board, drawn, and what it is good for in words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from opponent.choice import Choice
from opponent.purpose import Aim, Purpose, purpose_of
from opponent.review import play_line, principal_variation
from presentation.match.crops import zone_around
from presentation.match.phrases import turn_text
from presentation.words.words import Words
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition, Turn
from rules.game import AnyGame, AnyPosition, Number, Picture, Point, Stone, point_name

MARGIN = 4
"""Crossings between the subject of a picture and its border."""


def better_turn(game: AnyGame, before: AnyPosition, line: Sequence[str]) -> Picture:
    """Returns the board with the first turn of `line` as a dot not placed yet.

    It shows what the line closes and captures; the dots that follow have numbers. In a game whose stones move, it is
    the position after the turn.
    """
    if not isinstance(before, DotsPosition):
        return play_line(game, before, line[:1]).picture()
    picture, after, seat = before.picture(), play_line(game, before, line).picture(), before.to_act
    dots = [turn.dot for turn in map(game.parse, line) if isinstance(turn, Turn)]
    if not dots:
        return picture
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


class Explained(NamedTuple):
    """A choice of the computer, explained: what it is good for, the `line` that shows it, and a picture of what that
    wins."""

    purpose: Purpose
    line: tuple[str, ...]
    picture: Picture


def explain_choice(game: AnyGame, position: AnyPosition, choice: Choice) -> Explained:
    """Returns a choice with its purpose. Takes tens of milliseconds on large boards."""
    winning, expected = principal_variation(game, position, choice), (choice.move, *choice.line[1:])
    purpose = purpose_of(game, position, winning)
    line = winning if purpose.aim in (Aim.CAPTURES, Aim.LEADS, Aim.WINS) else expected
    return Explained(purpose, line, better_turn(game, position, winning))


def line_picture(game: AnyGame, before: AnyPosition, line: Sequence[str], wrong: str | None = None) -> Picture:
    """Returns the position after a `line`, whose dots have rings and the numbers of their turns.

    The dot of a `wrong` turn, which was played instead, is faint and crossed out, unless a dot of the line came to lie
    there. In a game whose stones move, it is the position after the first turn.
    """
    if not isinstance(before, DotsPosition):
        return play_line(game, before, line[:1]).picture()
    picture = play_line(game, before, line).picture()
    dots = [(number, turn.dot) for number, turn in enumerate(map(game.parse, line), 1) if isinstance(turn, Turn)]
    if dots:
        numbers = tuple(Number(dot, number) for number, dot in dots)
        picture = replace(picture, numbers=numbers, choices=frozenset(dot for _, dot in dots), last=())
    turn = game.parse(wrong) if wrong is not None else None
    if isinstance(turn, Turn) and all(stone.point != turn.dot for stone in picture.stones):
        faint = Stone(turn.dot, before.to_act, captured=True)
        picture = replace(picture, stones=(*picture.stones, faint), falling=(turn.dot,))
    return picture


def draw_line(game: AnyGame, before: AnyPosition, line: Sequence[str], theme: str) -> bytes:
    """Draws the position after a `line` as a PNG file."""
    return draw(line_picture(game, before, line), None, THEMES.get(theme, PAPER))


def draw_solution(game: AnyGame, before: AnyPosition, line: Sequence[str], wrong: str | None, theme: str) -> bytes:
    """Draws the part of the board with the better `line`, what it closes, and the `wrong` turn that was played, as a
    PNG file."""
    picture, former = line_picture(game, before, line, wrong), before.picture().areas
    closed = [point for area in picture.areas if area not in former for point in area.ring]
    return draw_part(picture, theme, closed)


def draw_part(picture: Picture, theme: str, others: Sequence[Point] = ()) -> bytes:
    """Draws the part of a picture with its subject and `others`, as a PNG file."""
    points = [*others, *picture.last, *picture.falling, *picture.choices]
    points += [number.point for number in picture.numbers]
    points += [point for area in picture.plans for point in area.ring]
    points += [picture.ghost.point] if picture.ghost else []
    return draw(picture, None, THEMES.get(theme, PAPER), zone_around(points, picture, MARGIN) if points else None)


def captures_text(game: AnyGame, dots: Sequence[Point], line: Sequence[str], words: Words) -> str:
    """Returns the sentence that says which dots a line captures, and of several moves after which; empty if none."""
    if not dots:
        return ""
    key = "teach.dots" if len(line) == 1 else "teach.dots.after"
    return words(key, count=len(dots), dots=dots_text(dots), line=_moves_text(game, line, words))


def gain_text(game: AnyGame, points: float, line: Sequence[str], words: Words) -> str:
    """Returns the sentence that says what a line wins in a game that does not count captured dots, and of several moves
    after which; empty if it wins nothing at once."""
    if points <= 0:
        return ""
    key = f"teach.{game.score_unit}" if len(line) == 1 else f"teach.{game.score_unit}.after"
    said = words.number(points)
    return words(key, count=plural(points), points=said, line=_moves_text(game, line, words))


def _moves_text(game: AnyGame, line: Sequence[str], words: Words) -> str:
    return ", ".join(turn_text(game, move, words) for move in line)


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
    return f"{why} {words('hint.expect', line=_moves_text(game, moves, words))}"


def dots_text(dots: Sequence[Point]) -> str:
    """Returns the names of dots, the first ones of many."""
    named = ", ".join(map(point_name, dots[:MAX_NAMED_DOTS]))
    return f"{named}, …" if len(dots) > MAX_NAMED_DOTS else named
