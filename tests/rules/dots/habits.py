"""The habits of random players of Dots, and the fields on which they meet."""

from __future__ import annotations

import random

from tests.rules.brute_force import AROUND, Crossing, Field


def anywhere(field: Field, seat: int, at: Crossing) -> bool:
    return True


def beside_dots(field: Field, seat: int, at: Crossing) -> bool:
    return any(field.placed.get(beside) is not None for beside in around(at))


def beside_own_dots(field: Field, seat: int, at: Crossing) -> bool:
    return any(field.placed.get(beside) == seat for beside in around(at))


def between_own_dots(field: Field, seat: int, at: Crossing) -> bool:
    """Prefers crossings where chains close."""
    own = [field.placed.get(beside) == seat for beside in around(at)]
    return sum(own[::2]) > 1 or sum(own[1::2]) > 1


def in_houses(field: Field, seat: int, at: Crossing) -> bool:
    """Prefers closed faces of any player."""
    return any(at in face for owner in range(field.seats) for face in field.closed_faces(owner))


HABITS = (anywhere, beside_dots, beside_own_dots, between_own_dots, in_houses)
"""Preferences of players: each returns whether it would play there."""


def around(at: Crossing) -> list[Crossing]:
    return [(at[0] + dx, at[1] + dy) for dx, dy in AROUND]


def scattered(chance: random.Random, field: Field) -> list[tuple[int, Crossing]]:
    count = chance.randrange(len(field.crossings) // 2 + 1)
    return [(chance.randrange(field.seats), at) for at in chance.sample(field.crossings, count)]


def rings(chance: random.Random, field: Field) -> list[tuple[int, Crossing]]:
    """Returns diamonds round each other and through each other, some with a gap: bases in bases, and dots to be
    freed."""
    stones: dict[Crossing, int] = {}
    for _ in range(chance.randint(1, 2)):
        middle_x, middle_y = (int(chance.gauss(size / 2, size / 8)) for size in (field.width, field.height))
        seat = chance.randrange(field.seats)
        for radius in range(chance.randint(2, 6)):
            seat = (seat + (chance.random() < 0.8)) % field.seats
            ring = [(x, y) for x, y in field.crossings if abs(x - middle_x) + abs(y - middle_y) == radius]
            chance.shuffle(ring)
            for at in ring[chance.choice((0, 0, 1, 2)) :]:
                stones.setdefault(at, seat)
    return [(seat, at) for at, seat in stones.items()]


def thicket(chance: random.Random, field: Field) -> list[tuple[int, Crossing]]:
    """Returns a wall of one player along the edge and a thicket of their dots in it: pockets, and rings that hang by
    one dot."""
    hunter = chance.randrange(field.seats)
    right, bottom = field.width - 1, field.height - 1
    wall = [at for at in field.crossings if at[0] in (0, right) or at[1] in (0, bottom)]
    room = [at for at in field.crossings if at not in wall]
    chance.shuffle(room)
    dots = len(room) * chance.randint(30, 55) // 100
    stones = [(hunter, at) for at in chance.sample(wall, len(wall) - 1) + room[:dots]]
    return stones + [((hunter + 1) % field.seats, at) for at in room[dots : dots + chance.randint(0, 2)]]


SET_UPS = (scattered, rings, rings, thicket)
