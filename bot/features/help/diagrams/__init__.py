"""The pictures of the rules: diagrams in this folder, played by the real rules.

A diagram is a text of three parts, parted by empty lines: settings, the field, and turns.

    preset: classic

    .....
    ..R..
    .RB..
    ..R..
    .....

    Red D3

Settings are the preset, the options that differ from it, and `would`. The field gives its own size; it is empty but for
`R` `B` `G` `V`, dots of the seats in order, which are placed one by one in reading order. Turns are written as players
write them, after the colour whose turn it is. `would: Red D3` shows a turn without playing it, and `houses: yes` marks
the closed areas that have caught nothing. In Dot Dash letters are stones that were there before, and nothing is placed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, Theme
from rules.dash import Dash, DashPosition, Phase
from rules.dash.board import board
from rules.dots import Dots, DotsPosition, Setup, Turn
from rules.picture import Area, Picture, Stone
from rules.point import Point, Seat
from rules.registry import configured

if TYPE_CHECKING:
    from bot.i18n.words import Words

FOLDER = Path(__file__).parent
COLOURS = ("Red", "Blue", "Green", "Violet")
LETTERS = "RBGV"


@dataclass(frozen=True, slots=True)
class Diagram:
    """A field with dots, and the turns that follow."""

    game: Dots | Dash
    rows: tuple[str, ...]
    turns: tuple[tuple[Seat, str], ...]
    would: tuple[Seat, str] | None = None
    houses: bool = False

    @classmethod
    def read(cls, text: str) -> Self:
        """Raises ValueError, KeyError or RuleError for a text that is no diagram."""
        settings, field, *turns = text.strip().split("\n\n")
        options = dict(line.split(": ") for line in settings.splitlines())
        preset, would, houses = options.pop("preset"), options.pop("would", None), options.pop("houses", "no")
        rows = tuple(field.split())
        game = configured(preset, {"size": f"{len(rows[0])}x{len(rows)}", **options})
        assert isinstance(game, Dots | Dash)
        if isinstance(game, Dots) and "start" not in options:
            game = game.configured({"start": Setup.STONES})
        return cls(
            game,
            rows,
            tuple(_turn(line) for part in turns for line in part.splitlines()),
            _turn(would) if would else None,
            houses == "yes",
        )

    @classmethod
    def named(cls, name: str) -> Self:
        """The diagram of that name in the folder."""
        return cls.read((FOLDER / f"{name}.diagram").read_text(encoding="utf-8"))

    def position(self) -> DotsPosition | DashPosition:
        """What comes of it. Raises IllegalMove, or BadNotation, for a turn that is none."""
        return _dashed(self, self.game) if isinstance(self.game, Dash) else _dotted(self, self.game)

    def stones(self) -> Iterator[tuple[Seat, Point]]:
        """The dots of the field in reading order."""
        for y, row in enumerate(self.rows):
            for x, letter in enumerate(row):
                if letter != ".":
                    yield Seat(LETTERS.index(letter)), Point(x, len(self.rows) - 1 - y)

    def picture(self) -> Picture:
        position = self.position()
        picture = position.picture()
        if isinstance(position, DotsPosition):
            if self.would:
                picture = _previewed(position, *self.would)
            if self.houses:
                picture = replace(picture, houses=tuple(_houses(position)))
        return picture if self.turns else replace(picture, last=())

    def header(self, names: Sequence[str] = COLOURS) -> Header:
        """The names of the colours, with the score; a crown for whoever has won."""
        position = self.position()
        winners = position.outcome.winners if position.outcome else ()
        return Header(
            tuple(
                Plate(names[seat], f"{points:g}", Mark.WON if seat in winners else Mark.NONE)
                for seat, points in enumerate(position.score)
            )
        )

    def drawn(self, names: Sequence[str] = COLOURS, theme: Theme = PAPER) -> bytes:
        """The picture as a PNG file."""
        return draw(self.picture(), self.header(names), theme)


def drawn(diagrams: Sequence[str], words: Words, theme: Theme) -> list[bytes]:
    """The named diagrams as PNG files, with the colours in `words`."""
    names = [words(f"colour.{seat}") for seat in range(4)]
    return [Diagram.named(name).drawn(names, theme) for name in diagrams]


def _turn(line: str) -> tuple[Seat, str]:
    colour, _, turn = line.partition(" ")
    if colour not in COLOURS:
        raise ValueError(f"{colour} is no colour")
    return Seat(COLOURS.index(colour)), turn


def _dotted(diagram: Diagram, game: Dots) -> DotsPosition:
    position = game.start(seed=0)
    for seat, point in diagram.stones():
        position = position.with_to_act(seat).play(Turn(point))
    for seat, turn in diagram.turns:
        position = position.with_to_act(seat).play(game.parse(turn))
    return position


def _dashed(diagram: Diagram, game: Dash) -> DashPosition:
    position = game.start(seed=0)
    lying = list(diagram.stones())
    if lying:
        red, blue = (board(game.size).bits(point for seat, point in lying if seat == colour) for colour in (0, 1))
        first = diagram.turns[0][0] if diagram.turns else Seat(0)
        position = replace(position, phase=Phase.DASH, to_act=first, stones=(red, blue))
    for seat, turn in diagram.turns:
        if position.to_act != seat:
            raise ValueError(f"it is not {COLOURS[seat]}'s turn to play {turn}")
        position = position.play(game.parse(turn))
    return position


def _houses(position: DotsPosition) -> Iterator[Area]:
    bases = {frozenset(area.ring) for area in position.picture().areas}
    for seat, chains in enumerate(position.agreed().pools):
        yield from (Area(Seat(seat), chain) for chain in chains if frozenset(chain) not in bases)


def _previewed(position: DotsPosition, seat: Seat, turn: str) -> Picture:
    """The position with what could be closed with a dot, or what would fall by STOP."""
    position = position.with_to_act(seat)
    move, now = position.rules.parse(turn), position.picture()
    if isinstance(move, Turn):
        offers = tuple(Area(seat, offer.chain) for offer in position.would(move.dot).offers)
        return replace(now, ghost=Stone(move.dot, seat), offers=offers)
    fallen = {stone.point for stone in position.play(move).picture().stones if stone.captured}
    falling = tuple(stone.point for stone in now.stones if not stone.captured and stone.point in fallen)
    return replace(now, falling=falling)
