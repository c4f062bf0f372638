"""Positions as exercises: what kind they are, what is right, and what refutes the rest."""

from __future__ import annotations

from random import Random

import pytest

from opponent.dots.field import from_position
from opponent.forcing import Forcing, lead
from play.community.exercise import Kind
from rules.dots import DotsPosition
from rules.game import Seat
from rules.registry import make_game
from tests.opponent.dots.problems import Diagram
from use_cases.proofs.board import Refusal
from use_cases.proofs.prover import MAX_FORCED, MIN_DOTS, QUIET, TRIES, Prover
from use_cases.proofs.stops import prove_stop

PROVER = Prover()

AT_ONCE = """
    .......
    ..RR...
    .RBBR..
    .RBBR..
    ..R*...
    ...BB..
    ...BB.."""


NOTHING = """
    .......
    .R...B.
    .......
    .B...R.
    ......."""


def position(text: str, mover: int = 0) -> DotsPosition:
    return Diagram(text).problem.position.with_to_act(Seat(mover))


def test_a_capture_at_once_names_the_dot_and_what_it_captures() -> None:
    proof = PROVER.capture(position(AT_ONCE))
    assert (proof.kind, proof.points) == (Kind.CAPTURE, 4)
    assert "D3" in proof.tree.right
    assert proof.tree.depth == 1
    assert proof.tree.refutation == ("D3",)


def test_what_the_opponent_captures_is_to_be_saved() -> None:
    proof = PROVER.save(position(AT_ONCE, mover=1))
    assert proof.kind is Kind.WALL  # four linked dots
    assert "D3" in proof.tree.right
    assert proof.tree.refutation[0] == "D3"


def test_a_kind_that_is_taken_is_refused() -> None:
    with pytest.raises(Refusal, match="one of its kind"):
        PROVER.capture(position(AT_ONCE), {Kind.CAPTURE})
    with pytest.raises(Refusal, match="one of its kind"):
        PROVER.save(position(AT_ONCE, mover=1), {Kind.WALL})


def test_a_quiet_position_is_no_exercise() -> None:
    with pytest.raises(Refusal, match="nothing can be captured"):
        PROVER.capture(position(NOTHING))
    with pytest.raises(Refusal, match="nothing is in danger"):
        PROVER.save(position(NOTHING))
    with pytest.raises(Refusal, match="too many crossings"):
        PROVER.ending(position(NOTHING))
    with pytest.raises(Refusal, match="no lead"):
        prove_stop(position(NOTHING))


def test_a_slip_leaves_a_capture_that_takes_several_dots() -> None:
    game, leads = make_game("zagram", {"size": "8x8"}), list[int]()
    for seed in range(40):
        chance, here = Random(seed), game.start(0)
        for _ in range(18):
            here = here.play(chance.choice(list(here.moves())))
        assert isinstance(here, DotsPosition)
        if slip := PROVER.slip(here, chance):
            field, mover = from_position(here.play(game.parse(slip))), 1 - here.to_act
            goal = lead(field, mover) + MIN_DOTS
            forcing = Forcing(TRIES, QUIET)
            assert not forcing.forced(field, mover, goal, 1)
            leads.append(forcing.forced(field, mover, goal, MAX_FORCED - 1))
    assert len(leads) > 1
    assert all(leads)
