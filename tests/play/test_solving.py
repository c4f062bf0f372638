"""An exercise that is solved on the board, and its tree as text."""

from __future__ import annotations

import pytest

from play.community.exercise import Exercise, Goal, TaskId
from play.community.exercise_tree import Node, Step, read_tree, write_tree
from play.community.solving import Right, Solved, Solving, Wrong
from rules.game import BadNotation, IllegalMove
from rules.registry import make_game

TREE = Node(
    {"C5": Step(("F5",), Node({"C4": Step(("F4", "A1"))}, ("C4",))), "A1": Step(())},
    ("C5", "A2"),
    {"D3": ("F5",), "D2": ("F5",), "A2": ("A1",)},
)
FORK = Exercise(
    TaskId("e101"), make_game("zagram", {"size": "8x8"}), 0, ("B2", "G7"), Goal("exercise.goal.capture", 1), TREE
)


def test_a_tree_is_the_same_after_its_text() -> None:
    assert read_tree(write_tree(TREE)) == TREE
    assert write_tree(TREE) == "ce(fe,cd=fdaa,!cd),aa=,dcdb!fe,ab!aa,!ceab"


@pytest.mark.parametrize("text", ["", "de", "de(ee", "de=x", "de=,!,?"])
def test_a_text_that_is_no_tree_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="no tree"):
        read_tree(text)


def test_a_stop_is_part_of_a_tree() -> None:
    tree = Node({"stop": Step(())}, ("stop",))
    assert read_tree(write_tree(tree)) == tree


def test_the_main_line_is_the_first_of_each_node() -> None:
    assert FORK.tree.line == ("C5", "F5", "C4", "F4", "A1")
    assert FORK.tree.depth == 2


def test_right_moves_lead_to_the_solution() -> None:
    first = Solving.begin(FORK).try_move("c5")
    assert isinstance(first, Right)
    assert first.reply == "F5"
    assert first.next.found == ("C5",)
    assert first.next.position.to_act == FORK.position.to_act
    assert first.next.try_move("C4") == Solved(("C4", "F4", "A1"))


def test_any_right_move_counts() -> None:
    assert Solving.begin(FORK).try_move("A1") == Solved(("A1",))


def test_a_wrong_move_shows_its_own_refutation_or_that_of_all_others() -> None:
    solving = Solving.begin(FORK)
    assert solving.try_move("D3") == Wrong(("D3", "F5"))
    assert solving.try_move("H8") == Wrong(("H8", "C5", "A2"))


def test_a_refutation_ends_where_it_is_no_longer_legal() -> None:
    solving = Solving.begin(FORK, ("C5",))
    assert solving.try_move("H8") == Wrong(("H8", "C4"))
    assert solving.try_move("A2") == Wrong(("A2", "C4"))
    assert Solving.begin(FORK).try_move("C4") == Wrong(("C4", "C5", "A2"))


def test_a_solver_goes_on_after_the_moves_that_they_have_found() -> None:
    first, again = Solving.begin(FORK).try_move("C5"), Solving.begin(FORK, ("C5",))
    assert isinstance(first, Right)
    assert (again.node, again.found) == (first.next.node, ("C5",))
    assert again.position.picture() == first.next.position.picture()


@pytest.mark.parametrize("found", [("A1",), ("H8",), ("C5", "C4")])
def test_moves_that_are_not_on_the_way_are_rejected(found: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="leads no further"):
        Solving.begin(FORK, found)


def test_what_the_rules_reject_is_no_answer() -> None:
    with pytest.raises(IllegalMove):
        Solving.begin(FORK).try_move("B2")
    with pytest.raises(BadNotation):
        Solving.begin(FORK).try_move("K99")
