"""The computer at Dots: tactics that it must see; the same arguments give the same choice."""

from __future__ import annotations

import pytest

from opponent.choice import EASIEST, HARDEST, Budget, Choice, Timer
from opponent.dots.player import Searcher, choose, serves
from opponent.dots.skill import FULL
from rules.dots import Dots, DotsPosition, Setup
from rules.game import Seat
from tests.opponent.dots.problems import CAPTURE, LADDER, NET, PROBLEMS, Diagram

ENOUGH = Budget(nodes=4000)
"""A tenth of the budget of the strongest level."""
HOUR = 3_600_000
"""Milliseconds that no search takes: it ends by its nodes."""


def cross(size: str, **options: str) -> Dots:
    """Returns Dots with automatic closing from a cross, with some options changed."""
    return Dots("test", 20, 20, Setup.CROSS).with_options({"size": size, **options})


def hardest(position: DotsPosition) -> str:
    return Searcher(20_000).choose(position, ENOUGH, 0, FULL).move


@pytest.mark.parametrize("name", sorted(PROBLEMS.keys() - {"ladder"}))
def test_the_hardest_level_solves_a_problem_whichever_way_it_is_turned(name: str) -> None:
    assert all(problem.is_solved(hardest) for problem in PROBLEMS[name].views())


def test_the_hardest_level_begins_a_ladder_in_nearly_every_view() -> None:
    """It need not: playouts may be sure that another dot is better."""
    assert sum(problem.is_solved(hardest) for problem in LADDER.views()) >= 7


@pytest.mark.parametrize("diagram", [NET, LADDER], ids=["net", "ladder"])
def test_the_hardest_level_captures_fleeing_dots(diagram: Diagram) -> None:
    assert diagram.problem.captured(hardest)


def test_the_same_nodes_and_seed_give_the_same_choice_after_any_search() -> None:
    position = cross("15x15").start(seed=0)
    fresh, used = Searcher(), Searcher()
    used.choose(position, Budget(600, HOUR), 5, FULL)
    assert used.choose(position, Budget(nodes=500), 1, FULL) == fresh.choose(position, Budget(nodes=500), 1, FULL)


def test_another_seed_may_give_another_choice() -> None:
    position = cross("15x15").start(seed=0)
    assert len({choose(position, Budget(nodes=50), seed, HARDEST).move for seed in range(8)}) > 1


def test_the_subtree_is_kept_for_the_next_move() -> None:
    game = cross("12x12")
    searcher, position = Searcher(), game.start(seed=0)
    first = searcher.choose(position, Budget(2000, HOUR), 0, FULL)
    for move in first.line[:2]:
        position = position.play(game.parse(move))
    kept, fresh = (each.choose(position, Budget(1, HOUR), 0, FULL) for each in (searcher, Searcher()))
    assert _visits(kept) > _visits(fresh)


def test_the_subtree_is_kept_by_all_threads() -> None:
    game = cross("12x12")
    searcher, position = Searcher(threads=2), game.start(seed=0)
    first = searcher.choose(position, Budget(2000, HOUR), 0, FULL)
    for move in first.line[:2]:
        position = position.play(game.parse(move))
    kept, fresh = (each.choose(position, Budget(1, HOUR), 0, FULL) for each in (searcher, Searcher(threads=2)))
    assert _visits(kept) > _visits(fresh)


def test_threads_share_the_playouts_and_choose_together() -> None:
    position = CAPTURE.problem.position
    choice = Searcher(60_000, threads=3).choose(position, Budget(3000, HOUR), 0, FULL)
    assert choice.move in CAPTURE.problem.answers
    assert 1500 < _visits(choice) <= 3600
    assert Searcher(60_000, threads=3).choose(position, Budget(3000, HOUR), 0, FULL) == choice


@pytest.mark.parametrize("budget", [Budget(nodes=500), Budget(500, HOUR, fresh=True)], ids=["nodes", "fresh"])
def test_a_choice_that_owes_nothing_to_the_machine_is_the_same_with_more_threads(budget: Budget) -> None:
    position = cross("15x15").start(seed=0)
    several = Searcher(threads=3)
    several.choose(position, Budget(600, HOUR), 5, FULL)
    assert several.choose(position, budget, 1, FULL) == Searcher().choose(position, budget, 1, FULL)


@pytest.mark.parametrize("expected_dot", [True, False], ids=["the expected dot", "another"])
def test_a_search_begins_with_the_lead_that_the_last_one_of_the_match_expected(*, expected_dot: bool) -> None:
    game = cross("12x12")
    searcher, position = Searcher(), game.start(seed=0)
    choice = searcher.choose(position, Budget(2000, HOUR), 0, FULL)
    expected = searcher.lead
    searcher.choose(position.play(game.parse(choice.move if expected_dot else "A1")), Budget(1, HOUR), 0, FULL)
    assert 0 < abs(searcher.lead - expected) < 0.3  # one playout of 201


def test_another_match_does_not_begin_with_the_lead_of_the_last_one() -> None:
    searcher, alone = Searcher(), Searcher()
    searcher.choose(CAPTURE.problem.position, Budget(2000, HOUR), 0, FULL)
    for each in (searcher, alone):
        each.choose(cross("12x12").start(seed=0), Budget(100, HOUR), 0, FULL)
    assert searcher.lead == alone.lead


def test_a_level_has_its_least_playouts_after_its_time() -> None:
    times = iter(range(1000))
    searcher = Searcher(timer=lambda budget: Timer(budget, worked=lambda: next(times), passed=lambda: 0.0))
    choice = searcher.choose(cross("12x12").start(seed=0), Budget(millis=1, least=500), 0, FULL)
    assert 450 < _visits(choice) < 1500  # of eight candidates


def _visits(choice: Choice) -> int:
    return sum(each.visits for each in choice.candidates)


def test_a_choice_tells_its_line_and_its_candidates() -> None:
    choice = choose(CAPTURE.problem.position, Budget(nodes=2000), 0, HARDEST)
    assert choice.line[0] == choice.candidates[0].move == choice.move
    assert len(choice.line) > 1
    visits = [each.visits for each in choice.candidates]
    assert visits == sorted(visits, reverse=True)
    assert 0 <= choice.win <= 1
    assert choice.value > 1


def test_the_other_player_expects_the_opposite() -> None:
    problem = CAPTURE.problem
    choice = choose(problem.position.with_to_act(Seat(1)), Budget(nodes=2000), 0, HARDEST)
    assert choice.move in problem.answers
    assert choice.value < choose(problem.position, Budget(nodes=2000), 0, HARDEST).value


@pytest.mark.sample(5)
@pytest.mark.parametrize("level", range(EASIEST, HARDEST + 1))
def test_every_level_plays_a_whole_game_by_the_rules(level: int) -> None:
    game = cross("7x7")
    position = game.start(seed=level)
    while position.outcome is None:
        position = position.play(game.parse(choose(position, Budget(nodes=20), level, level).move))


@pytest.mark.parametrize(
    "options",
    [
        {"win": "2 captured"},
        {"win": "3 ahead"},
        {"extra-move": "on"},
        {"start": "empty"},
        {"start": "random", "crosses": "2"},
        {"ending": "play-out"},
        {"chain": "length", "landing": "on"},
        {"scoring": "everything"},
    ],
    ids=str,
)
def test_every_option_with_automatic_closing_is_played(options: dict[str, str]) -> None:
    game = cross("9x9", **options)
    assert serves(game)
    position = game.start(seed=1)
    while position.outcome is None:
        position = position.play(game.parse(choose(position, Budget(nodes=20), 0, HARDEST).move))


def test_after_stop_the_other_plays_alone() -> None:
    game = cross("9x9", ending="play-out")
    position = game.start(seed=0).play(game.parse("stop"))
    while position.outcome is None:
        assert position.to_act == 1
        position = position.play(game.parse(choose(position, Budget(nodes=20), 0, HARDEST).move))


def test_the_last_free_crossing_is_played() -> None:
    position = Dots("tiny", 1, 1, Setup.STONES).start(seed=0)
    assert choose(position, Budget(nodes=10), 0, HARDEST).move == "A1"


def test_a_finished_game_has_no_move() -> None:
    game = Dots("tiny", 1, 1, Setup.STONES)
    with pytest.raises(ValueError, match="over"):
        choose(game.start(seed=0).play(game.parse("A1")), Budget(nodes=10), 0, HARDEST)


def test_painted_and_drawn_games_and_more_players_are_for_others() -> None:
    others = ({"closing": "painted"}, {"closing": "drawn"}, {"seats": "3", "start": "empty"})
    assert not any(serves(cross("9x9", **options)) for options in others)
