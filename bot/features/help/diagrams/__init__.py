"""The pictures of the rules: diagrams in this folder, played by the real rules.

A diagram is a text of three parts with empty lines between them: settings, the field, and turns.

    preset: classic

    .....
    ..R..
    .RB..
    ..R..
    .....

    Red D3

Settings are the preset, the options that differ from it, and `would`. The field gives its own size. Its letters `R`
`B` `G` `V` are dots of the seats in order, placed one by one in reading order. A turn is the colour to move and the
notation that players use. `would: Red D3` shows a turn without playing it. `houses: yes` marks the closed areas that
have captured nothing. In Dot Dash letters are stones that were there before, and nothing is placed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from presentation.words.words import Words
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, Theme, with_primary_inks
from rules.dash import Dash, DashPosition, Phase
from rules.dash.board import board
from rules.dots import Dots, DotsPosition, Setup, Turn
from rules.dots.scoring import agreed_score
from rules.game import Area, Picture, Point, Seat, Stone
from rules.registry import make_game

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
    def parse(cls, text: str) -> Self:
        """Reads a diagram. Raises ValueError, KeyError or RuleError for any other text."""
        settings, field, *turns = text.strip().split("\n\n")
        options = dict(line.split(": ") for line in settings.splitlines())
        preset, would, houses = options.pop("preset"), options.pop("would", None), options.pop("houses", "no")
        rows = tuple(field.split())
        game = make_game(preset, {"size": f"{len(rows[0])}x{len(rows)}", **options})
        assert isinstance(game, Dots | Dash)
        if isinstance(game, Dots) and "start" not in options:
            game = game.with_options({"start": Setup.STONES})
        return cls(
            game,
            rows,
            tuple(_parse_turn(line) for part in turns for line in part.splitlines()),
            _parse_turn(would) if would else None,
            houses == "yes",
        )

    @classmethod
    def load(cls, name: str) -> Self:
        """Reads the diagram of that name in the folder."""
        return cls.parse((FOLDER / f"{name}.diagram").read_text(encoding="utf-8"))

    def position(self) -> DotsPosition | DashPosition:
        """Returns the position after the turns. Raises IllegalMove and BadNotation."""
        return _play_dash(self, self.game) if isinstance(self.game, Dash) else _play_dots(self, self.game)

    def stones(self) -> Iterator[tuple[Seat, Point]]:
        """Yields the dots of the field in reading order."""
        for y, row in enumerate(self.rows):
            for x, letter in enumerate(row):
                if letter != ".":
                    yield Seat(LETTERS.index(letter)), Point(x, len(self.rows) - 1 - y)

    def picture(self) -> Picture:
        position = self.position()
        picture = position.picture()
        if isinstance(position, DotsPosition):
            if self.would:
                picture = _preview(position, *self.would)
            if self.houses:
                picture = replace(picture, houses=tuple(_houses(position)))
        return picture if self.turns else replace(picture, last=())

    def header(self, names: Sequence[str] = COLOURS) -> Header:
        """Returns the names of the colours, with the score, and a crown for the winner."""
        position = self.position()
        winners = position.outcome.winners if position.outcome else ()
        return Header(
            tuple(
                Plate(names[seat], f"{points:g}", Mark.WON if seat in winners else Mark.NONE)
                for seat, points in enumerate(position.score)
            )
        )

    def png(self, names: Sequence[str] = COLOURS, theme: Theme = PAPER) -> bytes:
        """Draws the picture as a PNG file."""
        return draw(self.picture(), self.header(names), theme)


def draw_diagrams(diagrams: Sequence[str], words: Words, theme: Theme) -> list[bytes]:
    """Draws the named diagrams as PNG files, in the colours that their texts name."""
    theme = with_primary_inks(theme)
    names = [words(f"colour.{ink.name}") for ink in theme.inks]
    return [Diagram.load(name).png(names, theme) for name in diagrams]


def _parse_turn(line: str) -> tuple[Seat, str]:
    colour, _, turn = line.partition(" ")
    if colour not in COLOURS:
        raise ValueError(f"{colour} is no colour")
    return Seat(COLOURS.index(colour)), turn


def _play_dots(diagram: Diagram, game: Dots) -> DotsPosition:
    position = game.start(seed=0)
    for seat, point in diagram.stones():
        position = position.with_to_act(seat).play(Turn(point))
    for seat, turn in diagram.turns:
        position = position.with_to_act(seat).play(game.parse(turn))
    return position


def _play_dash(diagram: Diagram, game: Dash) -> DashPosition:
    position = game.start(seed=0)
    stones = list(diagram.stones())
    if stones:
        red, blue = (board(game.size).bits(point for seat, point in stones if seat == colour) for colour in (0, 1))
        first = diagram.turns[0][0] if diagram.turns else Seat(0)
        position = replace(position, phase=Phase.DASH, to_act=first, stones=(red, blue))
    for seat, turn in diagram.turns:
        if position.to_act != seat:
            raise ValueError(f"it is not {COLOURS[seat]}'s turn to play {turn}")
        position = position.play(game.parse(turn))
    return position


def _houses(position: DotsPosition) -> Iterator[Area]:
    bases = {frozenset(area.ring) for area in position.picture().areas}
    field = position.field
    for seat, chains in enumerate(agreed_score(field, position.to_act + 1)[1]):
        rings = map(field.points, chains)
        yield from (Area(Seat(seat), ring) for ring in rings if frozenset(ring) not in bases)


def _preview(position: DotsPosition, seat: Seat, turn: str) -> Picture:
    """Returns the position with the areas that a dot could close, or with the dots that STOP would lose."""
    position = position.with_to_act(seat)
    move, now = position.rules.parse(turn), position.picture()
    if isinstance(move, Turn):
        offers = tuple(Area(seat, offer.chain) for offer in position.consequences_of(move.dot).offers)
        return replace(now, ghost=Stone(move.dot, seat), offers=offers)
    fallen = {stone.point for stone in position.play(move).picture().stones if stone.captured}
    falling = tuple(stone.point for stone in now.stones if not stone.captured and stone.point in fallen)
    return replace(now, falling=falling)
