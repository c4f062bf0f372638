"""Openings: the dots of the first moves as a position, the same for all symmetries of the board."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import NamedTuple

from play.ids import MatchId
from play.people.career import Result, Tally
from rules.dots import Turn
from rules.game import AnyGame, Point, Seat, parse_point

MAX_PLIES = 12
"""Moves of an opening. After so many hardly any two games are alike."""

KEY_BYTES = 8

RECORDED = "recorded"
"""The family of all recorded games."""


class Dot(NamedTuple):
    """A dot of a seat."""

    x: int
    y: int
    seat: Seat


class Board(NamedTuple):
    """The size of a board, whose symmetries are numbered: a square has eight, others have four."""

    width: int
    height: int

    @property
    def symmetries(self) -> range:
        return range(8 if self.width == self.height else 4)

    def turn(self, point: tuple[int, int], symmetry: int) -> Point:
        """Returns where a symmetry brings a crossing: mirrored from left to right, upside down, and along the diagonal
        at last."""
        x, y = point
        x = self.width - 1 - x if symmetry & 1 else x
        y = self.height - 1 - y if symmetry & 2 else y
        return Point(y, x) if symmetry & 4 else Point(x, y)

    def turn_back(self, point: tuple[int, int], symmetry: int) -> Point:
        """Returns the crossing that a symmetry brings to `point`."""
        x, y = (point[1], point[0]) if symmetry & 4 else point
        return Point(self.width - 1 - x if symmetry & 1 else x, self.height - 1 - y if symmetry & 2 else y)


@dataclass(frozen=True, slots=True)
class Opening:
    """A position in the first moves of a game, as the one of its symmetric images whose sorted dots come first.

    `symmetries` are those that lead from the game's own position to this image: more than one where that is symmetric
    itself. Which dots are captured follows from the dots and the rules, so it is not told apart.
    """

    board: Board
    dots: tuple[Dot, ...]
    symmetries: tuple[int, ...] = field(compare=False)

    @classmethod
    def of(cls, board: Board, dots: Iterable[Dot]) -> Opening:
        """Returns the position of these dots."""
        there = [*dots]
        images = {each: _image(board, there, each) for each in board.symmetries}
        first = min(images.values())
        return cls(board, first, tuple(each for each, image in images.items() if image == first))

    def place_of(self, point: tuple[int, int]) -> int:
        """Returns the number of a crossing of the game in this image, the least one of those that are alike."""
        turned = (self.board.turn(point, each) for each in self.symmetries)
        return min(y * self.board.width + x for x, y in turned)

    def crossing_at(self, place: int) -> Point:
        """Returns a crossing of the game with this number in the image."""
        y, x = divmod(place, self.board.width)
        return self.board.turn_back((x, y), self.symmetries[0])

    def key(self, family: str) -> int:
        """Returns the number of the position among those of games of a `family`, by which it is found: 64 bits."""
        text = (
            f"{family} {self.board.width}x{self.board.height} {' '.join(f'{x},{y},{seat}' for x, y, seat in self.dots)}"
        )
        return int.from_bytes(blake2b(text.encode(), digest_size=KEY_BYTES).digest(), signed=True)


class Branch(NamedTuple):
    """A dot that games have gone on with from a position, at its `place` in the image of that (None: with none), their
    results for each seat, and those games, the latest first."""

    place: int | None
    tallies: tuple[Tally, ...]
    games: tuple[MatchId, ...]


def branches_of(found: Iterable[tuple[int | None, MatchId, Sequence[Seat] | None]]) -> list[Branch]:
    """Returns what games went on with, the most games first, given for each game, the latest first, the place of its
    dot, and the seats that have won."""
    groups: dict[int | None, list[tuple[MatchId, Sequence[Seat]]]] = {}
    for place, match, winners in found:
        groups.setdefault(place, []).append((match, winners or ()))
    branches = [
        Branch(
            place,
            tuple(Tally.of(_results(games, Seat(seat))) for seat in (0, 1)),
            tuple(match for match, _ in games),
        )
        for place, games in groups.items()
    ]
    return sorted(branches, key=lambda each: (-len(each.games), -1 if each.place is None else each.place))


def _results(games: Iterable[tuple[MatchId, Sequence[Seat]]], seat: Seat) -> Iterator[Result]:
    for _, winners in games:
        if winners:
            yield Result.LOST if seat not in winners else Result.WON if len(winners) == 1 else Result.DRAWN


@cache
def _recorded() -> Mapping[int, Sequence[tuple[int | None, MatchId, Sequence[Seat]]]]:
    """Returns what recorded games of people went on with from each position, whatever their rules."""
    found: dict[int, list[tuple[int | None, MatchId, Sequence[Seat]]]] = {}
    text = files("play.records").joinpath("recorded_openings.json").read_text(encoding="utf-8")
    for number, game in enumerate(json.loads(text)):
        board, winners = Board(game["width"], game["height"]), [*map(Seat, game["winners"])]
        dots, moves = [*map(_dot, game["start"])], [*map(_dot, game["moves"])]
        for following in (*moves, None):
            opening = Opening.of(board, dots)
            place = None if following is None else opening.place_of((following.x, following.y))
            found.setdefault(opening.key(RECORDED), []).append((place, MatchId(number), winners))
            if following is not None:
                dots.append(following)
    return found


def _dot(text: str) -> Dot:
    seat, _, name = text.partition(":")
    return Dot(*parse_point(name), Seat(int(seat)))


def recorded_branches(opening: Opening) -> list[Branch]:
    """Returns what recorded games of people went on with from a position. Their numbers are no matches."""
    return branches_of(_recorded().get(opening.key(RECORDED), ()))


def openings_of(
    game: AnyGame, seed: int, moves: Sequence[tuple[Seat, str]], most: int = MAX_PLIES
) -> Iterator[tuple[Opening, Point | None]]:
    """Yields the positions in the first moves of a game, and the crossing of the dot that followed: up to the first
    move that is no dot, and none after the last one."""
    picture = game.start(seed).picture()
    board = Board(picture.width, picture.height)
    dots = [Dot(*stone.point, stone.seat) for stone in picture.stones]
    for seat, text in moves[:most]:
        turn = game.parse(text)
        if not isinstance(turn, Turn):
            break
        yield Opening.of(board, dots), turn.dot
        dots.append(Dot(*turn.dot, seat))
    yield Opening.of(board, dots), None


def _image(board: Board, dots: Iterable[Dot], symmetry: int) -> tuple[Dot, ...]:
    return tuple(sorted(Dot(*board.turn((dot.x, dot.y), symmetry), dot.seat) for dot in dots))
