"""Every theme and view as a picture; `python -m tests.renderer.looks` draws them into docs/looks/."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from play.records import sgf
from renderer.board import draw
from renderer.card import Card, card
from renderer.graph import graph
from renderer.header import Header, Mark, Plate
from renderer.layout import INLINE_SIZE
from renderer.replay import Moment, Pace, replay
from renderer.theme import COLOUR_BLIND, DARK, PAPER, THEMES
from rules.dots import Dots
from rules.game import Area, Bar, Line, Number, Picture, Point, Seat, Stone, Trail, Zone
from rules.registry import GAMES
from tests.facts import recorded_game
from tests.renderer.goldens import GOLDENS
from tests.renderer.page import decode, diamond, dots

if TYPE_CHECKING:
    from collections.abc import Iterator


FOLDER = Path(__file__).parents[2] / "docs" / "looks"
INLINED = (*(f"board-{key}" for key in THEMES), "final", "keypad-paper", "preview-paper", "decision-paper")
GAP = 10
"""Pixels between pictures on a sheet."""


@cache
def game() -> tuple[tuple[Picture, tuple[float, ...], Seat], ...]:
    """Returns a recorded game: picture, score and whose turn it is, after each move."""
    preset = GAMES["zagram"]
    assert isinstance(preset, Dots)
    return tuple(
        (position.picture(), position.score, position.to_act)
        for position in sgf.read(recorded_game("zagram352562").read_bytes()).replay(preset)
    )


def header(move: int, *, over: bool = False) -> Header:
    _, score, to_act = game()[move]
    best = max(score)
    marks = [
        (Mark.WON if over and points == best else Mark.TO_ACT if seat == to_act and not over else Mark.NONE)
        for seat, points in enumerate(score)
    ]
    names = ("Ola", "Максим")
    plates = (Plate(name, f"{points:g}", mark) for name, points, mark in zip(names, score, marks, strict=True))
    return Header(tuple(plates), f"move {move}")


def stones(*rows: str) -> tuple[Stone, ...]:
    """Returns dots from a diagram, rows from the top: R B G V by seat, small letters captured."""
    return tuple(
        Stone(Point(x, len(rows) - 1 - y), Seat("RBGV".index(sign.upper())), captured=sign.islower())
        for y, row in enumerate(rows)
        for x, sign in enumerate(row)
        if sign != "."
    )


NAMES = Header((Plate("Kasia Wiśniewska", "3", Mark.TO_ACT), Plate("Владимир", "1")), "move 40")
SMALL = Picture(
    13,
    13,
    stones(
        ".............",
        "...RR........",
        "..R..R..BBB..",
        "..R.BR.BRR.B.",
        "..RB.R.B.R.B.",
        "...RR...B.B..",
        ".............",
        "....R.R......",
        "...R.B.R.....",
        "....R.R...B..",
        ".....R...BrB.",
        "..........B..",
        ".............",
    ),
    areas=(diamond(1, 10, 2),),
)


def ring(seat: int, *points: str) -> Area:
    return Area(Seat(seat), tuple(Point(ord(point[0]) - ord("A"), int(point[1:]) - 1) for point in points))


RED = ring(0, "D12", "E12", "F11", "F10", "F9", "E8", "D8", "C9", "C10", "C11")
BLUE = ring(1, "I11", "J11", "K11", "L10", "L9", "K8", "J8", "I8", "H9", "H10")
"""Two areas that may be closed."""


DECISION = replace(SMALL, offers=(RED, BLUE), taken=frozenset({1}), plans=(RED,), falling=(Point(4, 9), Point(3, 8)))
"""Two areas that may be closed, of which one is chosen."""
CHAIN = replace(
    SMALL,
    line=Line(Seat(0), RED.ring[:5]),
    choices=frozenset(RED.ring[5:6]),
    last=RED.ring[4:5],
    numbers=(Number(RED.ring[5], 17),),
)
"""A chain that is drawn by hand, and the dot where it can go on."""


def keypad(move: int) -> Picture:
    """Returns numbers on the free crossings round the last dot."""
    picture, *_ = game()[move]
    focus = Zone.around(picture.last[0], 2, picture.width, picture.height)
    taken = {stone.point for stone in picture.stones}
    rows = range(focus.high.y, focus.low.y - 1, -1)
    points = [Point(x, y) for y in rows for x in range(focus.low.x, focus.high.x + 1)]
    numbers = tuple(Number(point, value) for value, point in enumerate(points, start=1) if point not in taken)
    return replace(picture, numbers=numbers, focus=focus)


def window(picture: Picture) -> Zone:
    return Zone.around(picture.last[0], 4, picture.width, picture.height)


FAR = Picture(
    13,
    13,
    tuple(Stone(Point(x, y), Seat(0)) for x, y in ((3, 4), (4, 6), (6, 7), (8, 6), (9, 4), (7, 3), (5, 3)))
    + tuple(Stone(Point(x, y), Seat(1)) for x, y in ((10, 9), (12, 9), (11, 11), (1, 10)))
    + (Stone(Point(6, 5), Seat(1), captured=True),),
    (
        Area(Seat(0), tuple(Point(x, y) for x, y in ((3, 4), (4, 6), (6, 7), (8, 6), (9, 4), (7, 3), (5, 3)))),
        Area(Seat(1), (Point(10, 9), Point(12, 9), Point(11, 11))),
    ),
)
"""Chains with knight's steps."""

GHOST = Point(3, 11)
LAST = len(game()) - 1
SCORES = [score for _, score, _ in game()]
CARD = Card("Максим wins", f"{LAST} moves · 39x32 · four crosses · Kropka")
DASH = Picture(
    13,
    13,
    tuple(
        Stone(Point(x, y), Seat(seat), credited=credited)
        for seat, credited, points in (
            (0, True, "C10 D10 E10 C9 D9 B8 C8 D8 E8 F8 B7 C7 D7 F7 A6 C6 D6 E6 F6 G6 B5 A4"),
            (0, False, "F9 G9 H9 A5 B4 C4 B3 C3 C2"),
            (1, True, "I7 H6 I6 J6 C5 D5 E5 F5 G5 I5 E4 F4 G4 H4 I4 E3 G3 I3 D2 F2"),
            (1, False, "H8 H7 A7 B6 K5 K4 K3 D3 E2 J4 J3 J2"),
        )
        for x, y in ((ord(name[0]) - ord("A"), int(name[1:]) - 1) for name in points.split())
    ),
    last=(Point(9, 1), Point(9, 2), Point(9, 3)),
    trail=Trail(Seat(1), Point(9, 4), Point(9, 1)),
    bars=tuple(
        Bar(Seat(seat), Point(*first), Point(*last))
        for seat, first, last in (
            (0, (1, 7), (5, 7)),
            (0, (2, 5), (6, 5)),
            (0, (0, 5), (4, 9)),
            (0, (0, 3), (4, 7)),
            (0, (2, 5), (2, 9)),
            (0, (3, 5), (3, 9)),
            (0, (2, 9), (6, 5)),
            (1, (2, 4), (6, 4)),
            (1, (4, 3), (8, 3)),
            (1, (3, 1), (7, 5)),
            (1, (5, 1), (9, 5)),
            (1, (8, 2), (8, 6)),
        )
    ),
    blocks=True,
)


def stills() -> Iterator[tuple[str, bytes]]:
    """Lists the name of each picture, and its file."""
    for key, theme in THEMES.items():
        yield f"board-{key}", draw(game()[150][0], header(150), theme)
        yield f"bases-{key}", draw(*GOLDENS["bases"], theme)
        yield f"four-{key}", draw(*GOLDENS["four_seats"], theme)
        yield f"card-{key}", card(CARD, game()[-1][0], header(LAST, over=True), SCORES, theme)
        yield f"preview-{key}", draw(_preview(), NAMES, theme)
        yield f"decision-{key}", draw(DECISION, None, theme)
    yield "open", draw(replace(SMALL, open=(RED, BLUE)), NAMES)
    yield "chain", draw(CHAIN, None)
    yield "stop", draw(replace(SMALL, falling=tuple(s.point for s in SMALL.stones if s.seat == 0)), NAMES)
    yield "houses", draw(replace(SMALL, houses=(RED, BLUE, diamond(0, 5, 4))), NAMES)
    yield "zone", draw(*GOLDENS["opening_zone"])
    for theme_name, theme in (("paper", PAPER), ("dark", DARK), ("colour-blind", COLOUR_BLIND)):
        yield f"keypad-{theme_name}", draw(keypad(150), None, theme, window(game()[150][0]))
    yield "zoom", draw(game()[150][0], header(150), PAPER, window(game()[150][0]))
    yield "final", draw(game()[-1][0], header(LAST, over=True))
    yield "far", draw(FAR, NAMES)
    yield "dash", draw(DASH, Header((Plate("Ola", "7", Mark.TO_ACT), Plate("Максим", "5")), "Dot Dash · move 30"))
    yield "small", draw(Picture(5, 5, dots(diamond(0, 2, 2)), last=(Point(2, 3),)), NAMES)
    yield "large", draw(replace(game()[150][0], width=60, height=60), header(150))
    yield "graph", graph(SCORES, header(LAST, over=True))


def _preview() -> Picture:
    """Returns a dot that would close an area."""
    return replace(
        SMALL,
        stones=tuple(stone for stone in SMALL.stones if stone.point != GHOST),
        ghost=Stone(GHOST, Seat(0)),
        plans=(RED,),
        falling=(Point(4, 9), Point(3, 8)),
    )


def inline(files: list[bytes]) -> Image.Image:
    """Returns pictures as Discord shows them in a message, three on a line."""
    (width, height), lines = INLINE_SIZE, -(-len(files) // 3)
    sheet = Image.new("RGB", (3 * (width + GAP), lines * (height + GAP)), PAPER.frame)
    for number, file in enumerate(files):
        picture = decode(file)
        picture.thumbnail(INLINE_SIZE, Image.Resampling.LANCZOS)
        sheet.paste(picture, (number % 3 * (width + GAP), number // 3 * (height + GAP)))
    return sheet


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    files = dict(stills())
    for name, file in files.items():
        (FOLDER / f"{name}.png").write_bytes(file)
    inline([files[name] for name in INLINED]).save(FOLDER / "inline.jpg", quality=90)
    moments = [Moment(picture, header(move, over=move == LAST)) for move, (picture, _, _) in enumerate(game())]
    (FOLDER / "replay.gif").write_bytes(replay(moments, Pace(move=120)))
