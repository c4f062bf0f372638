"""The policy network: compiled, it computes what numpy computes, on a field of any size."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from opponent.choice import LEVELS
from opponent.dots.arrays import CELLS, SCORES, STRIDE, Field
from opponent.dots.field import empty, place
from opponent.dots.nodes import CHANCE, CONSULTED, MARKS, MOVE, VISITS
from opponent.dots.playout import STOPPED, TERMS
from opponent.dots.policy import LOGITS, MAP_SIZE, MAPS, REACHES, TAPS, WEIGHTS, clear_maps, consult
from opponent.dots.policy_planes import (
    CAPTURED,
    CROSSING,
    LAST,
    LOST,
    MARGIN,
    MINE,
    MY_BASE,
    PLANES,
    PREVIOUS,
    PRIOR,
    PRIOR_UNIT,
    THEIR_BASE,
    THEIRS,
    draw_planes,
    layout,
)
from opponent.dots.policy_weights import CHANNELS
from opponent.dots.rng import seeded_rng
from opponent.dots.search import Root
from opponent.dots.skill import FULL, skill_of
from opponent.dots.tables import TAKEN
from opponent.dots.tree import Tree

SIZES = ((20, 20), (5, 9), (60, 60), (39, 32), (5, 5))

Planes = NDArray[np.float32]


@pytest.fixture(scope="module")
def maps() -> Planes:
    return np.zeros((MAPS, MAP_SIZE), np.float32)


def played(width: int, height: int, dots: int, seed: int) -> tuple[Field, list[int]]:
    """Returns a field after random dots, close together, and where they lie."""
    rng, field, placed = Random(seed), empty(width, height), list[int]()
    cells = [(y + 1) * (width + 1) + x + 1 for x in range(min(width, 12)) for y in range(min(height, 12))]
    rng.shuffle(cells)
    for cell in cells[:dots]:
        if not field[cell] & TAKEN:
            place(field, len(placed) % 2, cell)
            placed.append(cell)
    return field, placed


def planes_of(field: Field, player: int, placed: list[int]) -> Planes:
    """Returns the planes as PLANES x height x width."""
    width, height = int(field[STRIDE]) - 1, int(field[CELLS]) // int(field[STRIDE]) - 2
    head, stride, room = layout(width, height)
    flat = np.zeros(PLANES * room, np.float32)
    draw_planes(field, player, placed[-1], placed[-2], flat, np.zeros(64, np.int64))
    places = head + np.arange(height)[:, None] * stride + np.arange(width)
    drawn = flat.reshape(PLANES, room)
    inside: Planes = drawn[:, places]
    assert drawn.sum() == pytest.approx(inside.sum(), abs=1e-3)  # nothing is written off the field
    return inside


def expected_logits(planes: Planes, weights: Planes = WEIGHTS) -> Planes:
    """Returns what a network with these weights says, computed by numpy."""

    def convolved(channels: Planes, at: int, reach: int) -> Planes:
        inputs, height, width = channels.shape
        taps = weights[at + CHANNELS : at + CHANNELS * (1 + inputs * TAPS)].reshape(CHANNELS, inputs, 3, 3)
        wide = np.pad(channels, ((0, 0), (reach, reach), (reach, reach)))
        sums = weights[at : at + CHANNELS, None, None] + np.zeros((1, height, width), np.float32)
        for down in range(3):
            for across in range(3):
                part = wide[:, down * reach : down * reach + height, across * reach : across * reach + width]
                sums = sums + np.einsum("oi,iyx->oyx", taps[:, :, down, across], part)
        return np.maximum(sums, 0)

    channels, at = convolved(planes, 0, 1), CHANNELS * (1 + PLANES * TAPS)
    for reach in REACHES:
        channels = channels + convolved(channels, at, int(reach))
        at += CHANNELS * (1 + CHANNELS * TAPS)
    prior = planes[PRIOR] * PRIOR_UNIT * weights[at + CHANNELS]
    assert at + CHANNELS + 1 == weights.size
    logits: Planes = np.tensordot(weights[at : at + CHANNELS], channels, 1) + prior
    return logits


@pytest.mark.sample(5)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("dots", [2, 17, 60])
def test_it_computes_what_numpy_computes(maps: Planes, size: tuple[int, int], dots: int) -> None:
    width, height = size
    field, placed = played(width, height, dots, seed=dots)
    player = len(placed) % 2
    clear_maps(maps, width, height)
    consult(field, player, placed[-1], placed[-2], maps, np.zeros(64, np.int64))
    said = maps[LOGITS, : int(field[CELLS]) - 1].reshape(height + 2, width + 1)[1 : height + 1, 1:]
    assert said == pytest.approx(expected_logits(planes_of(field, player, placed)), abs=1e-3)


def test_a_second_question_does_not_depend_on_the_first(maps: Planes) -> None:
    scratch = np.zeros(64, np.int64)
    answers = []
    clear_maps(maps, 20, 20)
    for seed in (1, 2, 1):
        field, placed = played(20, 20, 60, seed)
        consult(field, 0, placed[-1], placed[-2], maps, scratch)
        answers.append(maps[LOGITS].copy())
    assert np.array_equal(answers[0], answers[2])
    assert not np.array_equal(answers[0], answers[1])


def test_planes_are_seen_from_the_player_to_act() -> None:
    field, placed = played(9, 9, 70, seed=3)
    assert field[SCORES] + field[SCORES + 1] > 0
    mine, theirs = planes_of(field, 0, placed), planes_of(field, 1, placed)
    for one, other in ((MINE, THEIRS), (MY_BASE, THEIR_BASE), (CAPTURED, LOST)):
        assert np.array_equal(mine[one], theirs[other])
        assert np.array_equal(mine[other], theirs[one])
    assert mine[LAST].sum() == mine[PREVIOUS].sum() == 1
    assert mine[CROSSING].all()


def test_no_layer_reads_behind_the_margin() -> None:
    assert REACHES.max() <= MARGIN


def test_a_search_asks_about_its_root_and_about_nodes_with_enough_visits() -> None:
    field, placed = played(12, 12, 30, seed=5)
    tree, terms = Tree(100_000), np.zeros(TERMS, np.int64)
    terms[STOPPED] = -1
    tree.clear(0)
    tree.search(Root(field, 0, placed[-1], placed[-2]), FULL.settings(), terms, seeded_rng(1), 2_000)
    assert tree.nodes[MARKS, 0] & CONSULTED
    assert tree.sums[CHANCE, tree.children(0)].sum() == pytest.approx(1, abs=1e-4)
    visits = {child: int(tree.nodes[VISITS, child]) for child in tree.children(0)}
    assert min(visits.values()) < FULL.consult < max(visits.values()) / 2
    for child, count in visits.items():
        assert bool(tree.nodes[MARKS, child] & CONSULTED) == (count > FULL.consult)
    likeliest = max(tree.children(0), key=lambda child: float(tree.sums[CHANCE, child]))
    assert not field[int(tree.nodes[MOVE, likeliest])] & TAKEN


def test_the_weak_levels_ask_nobody() -> None:
    assert [skill_of(each.number).consult > 0 for each in LEVELS] == [False] * 5 + [True] * 9
