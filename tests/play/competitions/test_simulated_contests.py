"""Whole contests with players who don't come, leave or are banned: each ends by itself in its time, and a second
program counts the same score.

A game takes a random time around what its clock and board let expect. What goes on when the time of the pairs is over
is judged.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions.contest import (
    MAX_WEEKS,
    MIN_BOARDS,
    MIN_WEEKS,
    NO_SHOW_MILLIS,
    Board,
    Contest,
    Side,
    Stage,
    enter_result,
    finish_when_decided,
    leave,
    replace_or_forfeit,
    with_board,
)
from play.ids import DAY, MatchId, Millis, UserId
from play.match.length import estimate, expected_moves, usual_move_time
from play.match.points import DRAWN, LOST, WON
from rules.registry import make_game
from tests.play.competitions.contests import BEGINS, begin, signed_up

MAX_RATIO = 1.5
"""How much longer than its estimate a contest may take."""

COUNT = 1000
"""Contests in all."""


class Fate(NamedTuple):
    """The end of a board's present game, or the moment when an `absent` side's player should have come."""

    at: Millis
    absent: Side | None = None


@dataclass
class Course:
    """A contest that is played to its end; `tried` are the games that a substitute played anew, `judged` those that
    went on to the end of all."""

    seed: int
    tried: int = 0
    judged: int = 0
    fates: dict[int, Fate] = field(default_factory=dict)
    begun: dict[int, Millis] = field(default_factory=dict)
    entered: dict[int, tuple[float, float]] = field(default_factory=dict)
    """The points of each board, as they were drawn."""
    dots: dict[int, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lot = random.Random(self.seed)
        self.matches = count(1)
        self.now = BEGINS
        self.contest = self._begin()
        terms, time = self.contest.terms, self.contest.time
        self.move_time = usual_move_time(terms.control)
        self.estimated = estimate(terms.game, self.move_time, longest=time)

    def _begin(self) -> Contest:
        """Returns a contest whose sign-up is over: some players have left by then, some have blocked others."""
        home, guest = (self.lot.randint(MIN_BOARDS, 30) for _ in Side)
        waiting = signed_up(home, guest, size=self.lot.randint(MIN_BOARDS, 20))
        game = make_game("zagram", {"size": self.lot.choice(("10x10", "13x13", "20x20"))})
        terms = Terms(game, parse_control(self.lot.choice(("1d", "2d", "3d", "7d"))), rated=True)
        time = Millis(self.lot.randint(MIN_WEEKS, MAX_WEEKS) * 7 * DAY)
        users = [each.user for each in waiting.players]
        blocked: dict[UserId, frozenset[UserId]] = {}
        for _ in range(self.lot.randint(0, 4)):
            one, other = self.lot.sample(users, 2)
            blocked[one] = blocked.get(one, frozenset()) | {other}
            blocked[other] = blocked.get(other, frozenset()) | {one}
        self.blocked = blocked
        absent = [user for user in users if self.lot.random() < 0.03]
        return begin(replace(waiting, terms=terms, time=time), blocked, absent, lot=self.lot.randint(0, 1))

    def play(self) -> None:
        while self.contest.stage is Stage.RUNNING:
            for board in self.contest.boards:
                if board.points is None and board.match is None:
                    self._open(board)
            assert self.contest.ends is not None
            self.now = min([each.at for each in self.fates.values()], default=self.contest.ends)
            if self.now >= self.contest.ends:
                self.now = self.contest.ends
                self._judge()
            else:
                self._pass()
            self.contest = finish_when_decided(self.contest, self.now)

    def _open(self, board: Board) -> None:
        usual = expected_moves(self.contest.terms.game) * self.move_time
        if self.lot.random() < 0.08:
            fate = Fate(Millis(self.now + NO_SHOW_MILLIS), self.lot.choice([*Side]))
        else:
            fate = Fate(Millis(self.now + round(usual * self.lot.uniform(0.3, 1.3))))
        self.fates[board.number], self.begun[board.number] = fate, self.now
        self.contest = with_board(self.contest, replace(board, match=MatchId(next(self.matches)), waits_since=self.now))

    def _pass(self) -> None:
        """Lets the next thing happen, and some player leave."""
        number = min(self.fates, key=lambda each: self.fates[each].at)
        board, fate = self._board(number), self.fates.pop(number)
        if fate.absent is None:
            self._count(board)
        else:
            self._seat_anew(board, [fate.absent])
        if self.lot.random() < 0.1:
            user = self.lot.choice([each for each in self.contest.players if not each.left]).user
            self.contest = leave(self.contest, user)
            for each in self.contest.boards:
                if each.points is None and each.match is not None and self._waits(each):
                    assert each.players is not None
                    gone = [side for side in Side if self.contest.players[each.players[side]].left]
                    if gone:
                        del self.fates[each.number]
                        self._seat_anew(each, gone)

    def _waits(self, board: Board) -> bool:
        """Returns whether the game of a board waits for a first move."""
        is_missed = self.fates[board.number].absent is not None
        return is_missed or self.now < self.begun[board.number] + DAY

    def _seat_anew(self, board: Board, absent: list[Side]) -> None:
        self.contest = replace_or_forfeit(self.contest, board, absent, self.blocked)
        after = self._board(board.number)
        if after.points is None:
            self.tried += 1
            assert after.players is not None
            assert not any(self.contest.players[number].left for number in after.players)
        else:
            lost = [side for side in Side if after.points[side] == 0]
            assert set(lost) <= set(absent), "nobody loses a board by another's absence"
            self.entered[board.number] = after.points

    def _count(self, board: Board) -> None:
        points = self.lot.choices((WON, DRAWN, LOST), (47, 6, 47))[0]
        dots = (self.lot.randint(0, 30), self.lot.randint(0, 30))
        self.contest = enter_result(self.contest, board, points, dots)
        self.entered[board.number], self.dots[board.number] = points, dots

    def _judge(self) -> None:
        for board in self.contest.boards:
            if board.points is None:
                self.judged += 1
                self._count(board)
        self.fates.clear()

    def _board(self, number: int) -> Board:
        return next(each for each in self.contest.boards if each.number == number)

    @property
    def ratio(self) -> float:
        assert self.contest.ended is not None
        return (self.contest.ended - BEGINS) / self.estimated


def check(course: Course) -> None:
    """Checks the pairs and the score by a count of its own."""
    over, seed = course.contest, course.seed
    if over.stage is Stage.CANCELLED:
        assert not over.boards
        return
    assert over.stage is Stage.ENDED
    paired = [over.users_of(board) for board in over.boards]
    for one, other in paired:
        assert other not in course.blocked.get(one, ()), seed
    assert set(course.entered) == {board.number for board in over.boards}
    home = sum(points[0] for points in course.entered.values())
    guest = sum(points[1] for points in course.entered.values())
    dots = [sum(each[side] for each in course.dots.values()) for side in Side]
    assert over.score.boards == (home, guest), seed
    assert list(over.score.dots) == dots, seed
    ranks = sorted(Side, key=lambda side: ((home, guest)[side], dots[side]))
    is_tie = (home, dots[0]) == (guest, dots[1])
    assert over.score.winner is (None if is_tie else ranks[-1]), seed


def play(seed: int) -> Course:
    course = Course(seed)
    course.play()
    check(course)
    return course


@pytest.mark.parametrize("seeds", [range(50), pytest.param(range(50, COUNT), marks=pytest.mark.contest)], ids=str)
def test_each_contest_ends_in_the_time_that_was_said_and_its_score_is_right(seeds: range) -> None:
    courses = [play(seed) for seed in seeds]
    late = [(each.seed, each.ratio) for each in courses if each.contest.boards and each.ratio > MAX_RATIO]
    assert not late


def report() -> None:
    """Writes how long 1,000 contests took beside their estimates."""
    courses = [play(seed) for seed in range(COUNT)]
    ended = [each for each in courses if each.contest.boards]
    ratios = sorted(each.ratio for each in ended)
    boards = sum(len(each.contest.boards) for each in ended)
    sys.stdout.write(
        f"{len(ended)} contests ended, {len(courses) - len(ended)} had too few players; {boards} boards, "
        f"{sum(each.tried for each in ended)} games anew with substitutes, "
        f"{sum(each.judged for each in ended)} judged; "
        f"time by estimate: median {ratios[len(ratios) // 2]:.2f}, longest {ratios[-1]:.2f}, "
        f"over {MAX_RATIO}: {sum(each > MAX_RATIO for each in ratios)}\n"
    )


if __name__ == "__main__":
    report()
