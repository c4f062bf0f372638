"""Reviews and puzzles: they find the mistakes of a game, and report no others."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from opponent.captures import Oversight, oversight
from opponent.choice import HARDEST, Budget, Candidate, Choice
from opponent.choose import choose
from opponent.generic import search as plain
from opponent.review import (
    GAME_MILLIS,
    MAX_MISTAKES,
    Mistake,
    find_puzzle,
    play_line,
    points_won,
    principal_variation,
    review,
)
from play.records.sgf import read
from rules.dots import Closing, Dots, Ending, Setup, Turn
from rules.game import AnyGame, AnyPosition, Point, Seat, parse_point, point_name
from rules.registry import make_game
from tests.facts import recorded_position
from tests.opponent.dots.unseen import UNSEEN

GAME = Dots("zagram", 7, 7, Setup.EMPTY)
MISSED = ("D4", "E4", "E5", "A7", "E3", "A6", "A1", "B7", "A2", "B6")
"""After `A6` Red could capture E4 with F4. Red plays A1, and then A2."""


PRIZE = ("E5", "E4", "F5", "F4", "D4", "A7", "G4", "A6", "E3", "A5", "A1", "A4")
"""Instead of `A1` Red could capture two dots with F3."""
PRIZE_WON = Choice("A4", -3.0, 0.1)
"""Blue's choice after that."""


async def thorough(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
    return plain.choose(position, Budget(nodes=10), seed, level)


async def searching(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
    """Searches as a review does, on a machine that has the time for it."""
    assert budget is not None
    return choose(position, Budget(budget.nodes, fresh=True), seed, level)


async def look(position: AnyPosition, move: str) -> Oversight | None:
    return oversight(position, move)


async def missing(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
    """Expects the moves of PRIZE, and knows the one that is missed."""
    if position.score[0]:
        return PRIZE_WON
    turn = PRIZE[min(len(position.picture().stones), len(PRIZE) - 1)]
    return Choice("F3", 3.0, 0.9, ("F3", "B7")) if turn == "A1" else Choice(turn, 0.0, 0.5)


async def test_a_missed_capture_is_the_turning_point() -> None:
    assert (await review(GAME, 0, PRIZE, missing, look)).mistakes == (
        Mistake(11, Seat(0), "A1", ("F3",), 3.0, 2, ("F3",), 3.0, (Point(4, 3), Point(5, 3)), range(11, 12)),
    )


async def test_no_game_is_played_through_on_the_event_loop() -> None:
    threads = set[threading.Thread]()

    class Watched(Dots):
        def parse(self, text: str) -> Any:
            threads.add(threading.current_thread())
            return super().parse(text)

    async def look_elsewhere(position: AnyPosition, move: str) -> Oversight | None:
        return await asyncio.to_thread(oversight, position, move)

    game: Any = Watched("zagram", 7, 7, Setup.EMPTY)
    assert (await review(game, 0, PRIZE, missing, look_elsewhere)).mistakes
    assert threads
    assert threading.current_thread() not in threads


async def test_a_game_thrown_away_with_every_move_has_mistakes() -> None:
    """Red walks along the edge, and each dot there gives two points away; blue plays as expected."""
    thrown = ("C3", "D4", "A1", "D5", "B1", "D6", "C1", "D3", "D1", "D2", "E1", "E2")

    async def exact(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        red = [stone.point for stone in position.picture().stones if stone.seat == 0]
        lead = 2.0 * sum(point_name(point) != "E5" for point in red)
        return Choice("E5", -lead, 0.3) if position.to_act == 0 else Choice("D7", lead, 0.7)

    async def nothing(position: AnyPosition, move: str) -> Oversight | None:
        return None

    found = await review(GAME, 0, thrown, exact, nothing)
    assert [mistake.seat for mistake in found.worst] == [Seat(0)] * MAX_MISTAKES


BLIND_RED = ("D4", "A1", "A2", "A3", "A4", "A6", "A7", "A8", "B1", "B2", "A9", "C1")
BLIND_BLUE = ("E4", "I9", "I8", "I7", "I6", "I4", "I3", "I2", "I1", "H9", "H8", "H7")
"""From the third move on red could capture D5 with C5, and blue E5 with F5. Both go on along the edge."""

GOOD = "F6 E7 D4 C5 B6 B4 D3 D8 C6 F5 E4 A4 E2 A6 B5 C4 A5 F3 F4 G5 G4 H5 H4 G8 G2 H7".split()  # noqa: SIM905
"""A game of the computer with itself on 9x9, 4,000 playouts a move. A review's search calls two of the moves worse than
its own by a point: it is as much too optimistic."""


async def test_a_capture_that_both_overlook_in_the_whole_game_is_a_mistake_of_both() -> None:
    moves = [move for pair in zip(BLIND_RED, BLIND_BLUE, strict=True) for move in pair]
    found = await review(make_game("zagram", {"size": "9x9"}), 0, moves, searching, look)
    for seat, capture, prey in ((Seat(0), "C5", "D5"), (Seat(1), "F5", "E5")):
        (own,) = [mistake for mistake in found.worst if mistake.seat == seat and parse_point(prey) in mistake.dots]
        assert own.better == capture
        assert own.there == range(3 + seat, 24 + seat), "it is told once, with all the moves at which it was there"


async def test_good_players_are_told_of_no_mistakes_that_the_search_only_hoped_for() -> None:
    found = await review(make_game("zagram", {"size": "9x9"}), 0, GOOD, searching, look)
    assert found.worst == ()


async def test_a_search_that_hopes_for_much_in_every_position_finds_no_mistakes() -> None:
    async def hopeful(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        *_, last = position.moves()
        return Choice(str(last), 3.0, 0.7)

    assert (await review(GAME, 0, MISSED, hopeful, look)).worst == ()


async def test_a_stop_on_the_opponents_turn_is_nobodys_mistake() -> None:
    async def hopeful(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        return Choice("C3", 9.0, 0.9) if position.to_act == 1 else Choice("C4", -9.0, 0.1)

    game = Dots("classic", 7, 7, Setup.EMPTY, ending=Ending.PLAY_OUT)
    found = await review(game, 0, ("D4", "stop-waiting", "C3", "stop"), hopeful, look)
    assert all(mistake.played != "stop-waiting" for mistake in found.mistakes)


async def test_every_position_has_the_expectation_of_both_sides() -> None:
    found = await review(GAME, 0, MISSED, thorough, look)
    assert len(found.expected) == len(MISSED) + 1
    assert all(first == -second for first, second in found.expected)


async def test_turning_points_come_in_the_order_of_what_they_cost_three_at_most() -> None:
    found = await review(GAME, 0, MISSED, thorough, look)
    costs = [slip.lost for slip in found.mistakes]
    assert costs == sorted(costs, reverse=True)
    assert 0 < len(costs) <= 3


async def test_a_game_of_the_best_moves_has_no_turning_point() -> None:
    async def scripted(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        played = len(position.picture().stones)
        return Choice(MISSED[min(played, len(MISSED) - 1)], 0.0, 0.5)

    assert (await review(GAME, 0, MISSED, scripted, look)).mistakes == ()


async def test_games_of_three_can_be_looked_at_again() -> None:
    game = make_game("three", {"size": "7x7"})
    found = await review(game, 0, ("D4", "D5", "E4", "A1"), thorough, look)
    assert all(len(leads) == 3 for leads in found.expected)


def before_the_capture() -> AnyPosition:
    return play_line(GAME, GAME.start(0), MISSED[:6])


def test_a_line_is_told_as_far_as_it_wins_something() -> None:
    choice = Choice("F4", 1.0, 0.9, ("F4", "B7", "A1"))
    assert principal_variation(GAME, before_the_capture(), choice) == ("F4",)


def test_the_points_of_a_line_count_for_the_player_who_begins_it() -> None:
    assert points_won(GAME, before_the_capture(), ("F4", "B7")) == 1
    assert points_won(GAME, before_the_capture(), ("A1", "F4")) == 0


@pytest.mark.parametrize("closing", Closing)
def test_a_line_is_played_as_far_as_the_rules_let_it(closing: Closing) -> None:
    game = Dots("paper", 7, 7, Setup.EMPTY, closing=closing)
    position = play_line(game, game.start(0), MISSED[:6])
    stuck = play_line(game, position, ("F4", "F4", "A1"))
    assert stuck.picture() == play_line(game, position, ("F4",)).picture()


def test_on_a_line_everything_is_closed_that_can_be() -> None:
    drawn = Dots("paper", 7, 7, Setup.EMPTY, closing=Closing.DRAWN)
    position = play_line(drawn, drawn.start(0), MISSED[:6])
    assert points_won(drawn, position, ("F4",)) == 1


@pytest.mark.parametrize(
    ("value", "second", "answer", "found"),
    [
        (3.0, 0.5, 0.0, True),
        (3.0, 2.5, 0.0, False),  # another dot is nearly as good
        (3.0, 0.5, -2.5, False),  # the played move was as good
    ],
)
async def test_a_puzzle_has_one_solution_that_was_missed(
    value: float,
    second: float,
    answer: float,
    found: bool,
) -> None:
    async def scripted(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        played = len(position.picture().stones)
        if PRIZE[played] == "A1":
            options = (Candidate("F3", 90, 0.9, value), Candidate("B2", 5, 0.5, second))
            return Choice("F3", value, 0.9, ("F3", "B7", "B1"), options)
        return Choice(PRIZE[played], answer, 0.5)

    made = await find_puzzle(GAME, 0, PRIZE, scripted, look)
    assert (made is not None) is found
    if made:
        assert (made.number, made.solution, made.line, made.captures) == (11, "F3", ("F3",), 2)
        assert set(made.answers) == {"F3", "A1", "B2"}


async def test_games_of_three_and_of_dot_dash_make_no_puzzles() -> None:
    assert await find_puzzle(make_game("three", {"size": "7x7"}), 0, ("D4", "D5", "E4"), thorough, look) is None
    assert await find_puzzle(make_game("dot-dash", {}), 0, (), thorough, look) is None


def expect_g7(position: AnyPosition) -> Choice:
    """Returns a choice that hopes for much of G7, and for nothing after it."""
    stones = position.picture().stones
    if any(point_name(stone.point) == "G7" for stone in stones):
        return Choice("G6", -20.0, 0.0)
    return Choice("G7", float(len(stones) ** 2 % 11), 0.5)


async def test_only_the_moves_that_are_told_of_are_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hopeful(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        return expect_g7(position)

    played_on: list[int] = []

    def noted(game: AnyGame, before: AnyPosition, choice: Choice) -> tuple[str, ...]:
        played_on.append(len(before.picture().stones) + 1)
        return principal_variation(game, before, choice)

    monkeypatch.setattr(f"opponent.review.{principal_variation.__name__}", noted)
    found = await review(GAME, 0, PRIZE, hopeful, look)
    assert sorted(played_on) == [mistake.number for mistake in found.worst]
    assert len(found.mistakes) == MAX_MISTAKES
    assert len(played_on) <= 2 * MAX_MISTAKES


async def test_each_player_has_their_own_mistakes() -> None:
    async def hopeful(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        return expect_g7(position)

    found = await review(GAME, 0, PRIZE, hopeful, look)
    for seat in (Seat(0), Seat(1)):
        mine = [mistake for mistake in found.worst if mistake.seat == seat]
        assert mine
        assert all("G7" in mistake.good for mistake in mine)
    assert set(found.mistakes) <= set(found.worst)


async def test_what_is_nearly_as_good_as_the_better_move_is_right_too() -> None:
    async def scripted(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        if position.score[0]:
            return PRIZE_WON
        turn = PRIZE[min(len(position.picture().stones), len(PRIZE) - 1)]
        options = (Candidate("F3", 9, 0.9, 3.0), Candidate("B2", 3, 0.8, 2.8), Candidate("B3", 1, 0.5, 0.0))
        return Choice("F3", 3.0, 0.9, ("F3",), options) if turn == "A1" else Choice(turn, 0.0, 0.5)

    (mistake,) = (await review(GAME, 0, PRIZE, scripted, look)).worst
    assert mistake.good == ("F3", "B2")


async def test_where_the_better_move_is_the_same_dot_there_is_nothing_to_find() -> None:
    async def scripted(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        played = len(position.picture().stones)
        closing = str(Turn(Point(0, 0), (Point(4, 3),)))
        return Choice(closing, 3.0, 0.9, (closing,)) if played == 10 else Choice(PRIZE[min(played, 11)], 0.0, 0.5)

    game = Dots("zagram-territory", 7, 7, Setup.EMPTY, closing=Closing.PAINTED)
    found = await review(game, 0, PRIZE, scripted, look)
    assert [(mistake.number, mistake.good) for mistake in found.worst] == [(11, ())]


async def test_a_long_game_is_given_no_more_time_than_there_is_for_one() -> None:
    given: list[int] = []

    async def overlook(position: AnyPosition, move: str) -> None:
        """Finds no captures, which no time is given for."""

    async def clocked(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        assert budget is not None
        assert budget.millis is not None
        given.append(budget.millis)
        return Choice("A1", 0.0, 0.5)

    game = Dots("zagram", 40, 40, Setup.EMPTY)
    points = [Point(x, y) for y in range(0, 40, 2) for x in range(40)]
    points.sort(key=lambda point: (abs(point.y - 20), abs(point.x - 20)))  # a game begins in the middle
    await review(game, 0, [point_name(point) for point in points], clocked, overlook)
    assert sum(given) <= GAME_MILLIS


async def blind(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
    """Returns the first free crossing, as if all moves were alike."""
    first = str(next(iter(position.moves())))
    return Choice(first, 0.0, 0.5, (first,))


@pytest.mark.parametrize(("name", "capture"), UNSEEN.items())
async def test_no_move_that_loses_four_dots_at_once_is_called_good(name: str, capture: str) -> None:
    game, moves = recorded_moves(name)
    (mistake,) = (await review(game, 0, moves, blind, look)).mistakes
    assert (mistake.number, mistake.better) == (len(moves), capture)
    assert mistake.lost >= 4


async def test_a_move_that_the_search_calls_best_may_lose_four_dots_too() -> None:
    game, moves = recorded_moves("capture-of-four")

    async def agreeing(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        return Choice(moves[min(len(position.picture().stones) - 4, len(moves) - 1)], 0.0, 0.5)

    assert [mistake.better for mistake in (await review(game, 0, moves, agreeing, look)).mistakes] == ["K6"]


async def test_a_better_move_of_the_search_is_kept() -> None:
    game, moves = recorded_moves("capture-of-four")
    moves = (*moves, "A1")

    async def sharp(position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        played = len(position.picture().stones) - 4
        return (
            Choice("K6", 5.0, 0.9, ("K6",)) if played == len(moves) - 1 else Choice(moves[played % len(moves)], 0, 0.5)
        )

    mistake = (await review(game, 0, moves, sharp, look)).worst[-1]
    assert (mistake.number, mistake.line, mistake.captures) == (len(moves), ("K6",), 4)


async def test_a_puzzle_is_found_in_a_capture_that_the_search_has_not_seen() -> None:
    game, moves = recorded_moves("capture-of-four")
    made = await find_puzzle(game, 0, (*moves, "R5"), blind, look)
    assert made is not None
    assert (made.number, made.solution, made.captures) == (len(moves) + 1, "K6", 4)


def recorded_moves(name: str) -> tuple[Dots, tuple[str, ...]]:
    """Returns the game and the moves of a record of the computer's."""
    game = make_game("zagram", {"size": "20x20"})
    assert isinstance(game, Dots)
    return game, tuple(point_name(dot.point) for dot in read(recorded_position(name).read_bytes()).moves)
