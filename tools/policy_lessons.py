"""The lessons of deep searches (model_games.py) as the policy network learns from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from opponent.dots.arrays import Field
from opponent.dots.field import empty, place
from opponent.dots.policy_planes import PLANES, draw_planes, layout
from opponent.dots.tables import ALIVE, PLACED
from tools.model_games import Taught

SIDE = 20
"""Of the largest fields that teach. Others have the same rules."""

UNIT = 20
"""Planes are kept in whole numbers, of which one is a UNITth."""

Array = NDArray[Any]


class Lessons(NamedTuple):
    """Positions, or one: their planes in UNITths; the shares of the visits; by crossing -1, 0 or 1 for a dot that the
    player loses or wins there in the end; and the number of the game."""

    planes: Array
    shares: Array
    owners: Array
    games: Array

    def part(self, places: Array) -> Lessons:
        """Returns those at these places."""
        return Lessons(*(array[places] for array in self))

    def turned(self, quarters: int, *, mirrored: bool) -> Lessons:
        """Returns them with the fields turned and mirrored."""
        step = -1 if mirrored else 1

        def turn(array: Array) -> Array:
            return np.ascontiguousarray(np.rot90(array, quarters, (-2, -1))[..., ::step])

        return Lessons(turn(self.planes), turn(self.shares), turn(self.owners), self.games)


def positions(games: list[Taught]) -> Lessons:
    """Returns the lessons of games on fields with sides of SIDE at most."""
    found = [lesson for number, game in enumerate(games) for lesson in _positions(game, number)]
    planes, shares, owners, numbers = (np.stack(each) for each in zip(*found, strict=True))
    return Lessons(planes, shares, owners, numbers)


def _positions(game: Taught, number: int) -> Iterator[Lessons]:
    """Yields the lessons of a game one by one."""
    head, stride, room = layout(game.width, game.height)
    planes, scratch = np.zeros(PLANES * room, np.float32), np.zeros(64, np.int64)
    places = head + np.arange(game.height)[:, None] * stride + np.arange(game.width)
    across = game.width + 1
    owners = _owners(game)
    field = empty(game.width, game.height)
    for turn, cell in enumerate(game.dots):
        if visits := game.lessons.get(turn):
            draw_planes(field, turn % 2, game.dots[turn - 1], game.dots[turn - 2], planes, scratch)
            seen, shares = np.zeros((PLANES, SIDE, SIDE), np.int8), np.zeros((SIDE, SIDE), np.float16)
            drawn = planes.reshape(PLANES, room)[:, places]
            seen[:, : game.height, : game.width] = np.clip(np.round(drawn * UNIT), -127, 127)
            for chosen, many in visits.items():
                shares[chosen // across - 1, chosen % across - 1] = many / sum(visits.values())
            yield Lessons(seen, shares, owners if turn % 2 == 0 else -owners, np.array(number))
        place(field, turn % 2, cell)


def _owners(game: Taught) -> Array:
    """Returns by crossing -1 if player 0 has lost a dot there in the end, 1 if player 1 has."""
    field = empty(game.width, game.height)
    for turn, cell in enumerate(game.dots):
        place(field, turn % 2, cell)
    owners = np.zeros((SIDE, SIDE), np.int8)
    cells = _cells(field, game.width, game.height)
    for player, sign in ((0, -1), (1, 1)):
        lost = (cells & PLACED << player != 0) & (cells & ALIVE << player == 0)
        owners[: game.height, : game.width][lost] = sign
    return owners


def _cells(field: Field, width: int, height: int) -> Field:
    cells: Field = field[: (width + 1) * (height + 1)].reshape(height + 1, width + 1)[1:, 1:]
    return cells
