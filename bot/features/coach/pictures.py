"""What the computer teaches, as pictures: a better turn on the board, and what it would have captured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

import discord

from bot.i18n.words import Words
from opponent.review import continued
from renderer.board import draw
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition, Turn
from rules.game import AnyGame, AnyPosition
from rules.picture import Number, Picture, Stone, Zone
from rules.point import Point

MARGIN = 4
"""Crossings that are shown around what a picture is about."""


def better_turn(game: AnyGame, before: AnyPosition, line: Sequence[str], played: str | None = None) -> Picture:
    """The first turn of `line` as a dot not placed yet, what the line closes and captures, and the dots that follow by
    their numbers; `played` is what was played instead. Where stones move about, the position after that turn."""
    if not isinstance(before, DotsPosition):
        return continued(game, before, line[:1]).picture()
    picture, after, seat = before.picture(), continued(game, before, line).picture(), before.to_act
    dots = [turn.dot for turn in map(game.parse, line) if isinstance(turn, Turn)]
    if not dots:
        return picture
    if played is not None and isinstance(turn := game.parse(played), Turn) and turn.dot != dots[0]:
        picture = replace(picture, stones=(*picture.stones, Stone(turn.dot, seat)), last=(turn.dot,))
    there, alive = {stone.point for stone in picture.stones}, {s.point for s in picture.stones if not s.captured}
    return replace(
        picture,
        ghost=Stone(dots[0], seat),
        plans=tuple(area for area in after.areas if area.seat == seat and area not in picture.areas),
        falling=tuple(stone.point for stone in after.stones if stone.captured and stone.point in alive),
        numbers=tuple(
            Number(dot, number) for number, dot in enumerate(dots[1:], start=2) if dot not in there and dot != dots[0]
        ),
    )


def draw_part(picture: Picture, theme: str) -> bytes:
    """The part of a picture that it is about, as a PNG file."""
    points = [*picture.last, *picture.falling, *(number.point for number in picture.numbers)]
    points += [point for area in picture.plans for point in area.ring]
    points += [picture.ghost.point] if picture.ghost else []
    return draw(picture, None, THEMES.get(theme, PAPER), _around(points, picture))


def picture_file(png: bytes, name: str, alt: str) -> discord.File:
    return discord.File(BytesIO(png), f"{name}.png", description=alt)


def gains(game: AnyGame, points: float, line: Sequence[str], words: Words) -> str:
    """What a line wins, and how it goes; empty if it wins nothing at once."""
    if points <= 0:
        return ""
    moves = ", ".join(line)
    if game.counts == "dots":
        return words("teach.captures", count=int(points), line=moves)
    return words("teach.wins", points=words.number(points), line=moves)


def _around(points: Sequence[Point], picture: Picture) -> Zone:
    """A square window that shows all of `points`, or the whole field where that is hardly larger."""
    if not points:
        return Zone(Point(0, 0), Point(picture.width - 1, picture.height - 1))
    low, high = Point(*map(min, zip(*points, strict=True))), Point(*map(max, zip(*points, strict=True)))
    reach = (max(high.x - low.x, high.y - low.y) + 1) // 2 + MARGIN
    return Zone.around(Point((low.x + high.x) // 2, (low.y + high.y) // 2), reach, picture.width, picture.height)
