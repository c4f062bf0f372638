"""Turns that share a canvas, against the same turns each on its own: all that is remembered must still be true."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.records.sgf import read
from rules.dots import Closing, Dots, DotsPosition, Links, Offer, Reuse, Setup, Turn
from rules.dots.drawing import Canvas
from rules.game import IllegalMove, Point, Seat
from rules.registry import GAMES
from tests.examples import examples
from tests.facts import recorded_games
from tests.rules.dots.diagram import BLUE, RED, SYMMETRIES, Symmetry

TURNS = 8
"""Turns with one dot that are tried on a canvas."""


def thicket(chance: random.Random, symmetry: Symmetry, links: Links, reuse: Reuse) -> DotsPosition:
    """Returns a crowded field, laid in one of the eight ways."""
    width, height = chance.randint(4, 10), chance.randint(4, 10)
    crossings = [(x, y) for x in range(width) for y in range(height)]
    chance.shuffle(crossings)
    placed = crossings[: chance.randint(len(crossings) // 3, len(crossings) * 9 // 10)]
    stones = [(Seat(int(chance.random() < 0.45)), Point(*symmetry.dot(*at, width, height))) for at in placed]
    size = (height, width) if symmetry.transposed else (width, height)
    game = Dots("thicket", *size, Setup.STONES, stones=tuple(stones), closing=Closing.DRAWN, links=links, reuse=reuse)
    position = game.start(0)
    assert isinstance(position, DotsPosition)
    return position


def result(position: DotsPosition, turn: Turn, canvas: Canvas | None = None) -> tuple[object, ...]:
    """Returns all that a turn leads to, or why it is refused."""
    try:
        after = position.play(turn, canvas)
    except IllegalMove as error:
        return error.key, error.details
    return after.rows(), after.score, after.field.bases, after.field.free, after.to_act, after.outcome


def try_turns(position: DotsPosition, dot: Point, chance: random.Random) -> DotsPosition | None:
    """Tries turns with a dot on one canvas, and by themselves; returns the position after one that is legal."""
    canvas = position.canvas(dot)
    found = position.consequences_of(dot, canvas)
    assert found == position.consequences_of(dot)
    after = None
    for _ in range(TURNS):
        chosen = chance.sample(found.offers, chance.randint(0, min(5, len(found.offers))))
        turn = Turn(dot, chains=tuple(_closing(offer, chance) for offer in chosen))
        expected = result(position, turn)
        assert result(position, turn, canvas) == expected, str(turn)
        with suppress(IllegalMove):
            after = position.play(turn, canvas)
    return after


def _closing(offer: Offer, chance: random.Random) -> tuple[Point, ...]:
    """Returns the chain of an offer dot by dot, or the point that names it."""
    return offer.chain if chance.random() < 0.3 else (offer.point,)


@given(st.integers(0, 2**32), st.sampled_from(SYMMETRIES), st.sampled_from(Links), st.sampled_from(Reuse))
@examples(3000)
def test_turns_that_share_a_canvas_do_what_each_does_by_itself(
    seed: int, symmetry: Symmetry, links: Links, reuse: Reuse
) -> None:
    chance = random.Random(seed)
    position: DotsPosition | None = thicket(chance, symmetry, links, reuse)
    for _ in range(3):  # with bases of earlier turns
        if position is None or position.outcome:
            return
        position = try_turns(position, chance.choice([turn.dot for turn in position.moves()]), chance)


@given(st.integers(0, 2**32), st.sampled_from(Reuse))
@examples(1000)
def test_after_a_chain_the_same_areas_are_offered_as_on_a_fresh_canvas(seed: int, reuse: Reuse) -> None:
    chance = random.Random(seed)
    position = thicket(chance, SYMMETRIES[0], Links.FAR, reuse)
    if position.outcome:
        return
    canvas = position.canvas(chance.choice([turn.dot for turn in position.moves()]))
    for _ in range(3):
        found = canvas.drawable()
        assert found == Canvas(canvas.field, position.to_act + 1, Links.FAR, reuse).drawable()
        if not found:
            return
        canvas = canvas.draw((canvas.field.grid.point(chance.choice(found)[0]),))


@pytest.mark.contest
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.smoke] * (not number))
        for number, path in enumerate(recorded_games())
    ],
)
def test_turns_of_recorded_games_are_the_same_on_a_shared_canvas(path: Path) -> None:
    chance, record = random.Random(1), read(path.read_bytes())
    game = GAMES["two-squares"].with_options({"size": f"{record.width}x{record.height}"})
    position = game.start(0)
    assert isinstance(position, DotsPosition)
    for number, placed in enumerate(islice(record.moves, 300), 1):
        with suppress(IllegalMove):  # it lies on a crossing that a chain of these rules has taken
            position = position.with_to_act(placed.seat).play(Turn(placed.point))
        if number % 50 == 0:
            for seat in (RED, BLUE):
                mover = position.with_to_act(seat)
                try_turns(mover, chance.choice([turn.dot for turn in mover.moves()]), chance)
