"""Whole tournaments with drop-outs, bans, leavers and late players: each ends by itself, in the time that was said, and
a second program finds the same table.

A game takes a random time around what its clock and board let expect, and a round as long as its longest game or its
time allows. What is drawn at the end of a knock-out's round is replayed, which no estimate knows.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import NamedTuple

import pytest

from play.competitions.entries import arrive, exclude, leave_out_absent, pass_over, sign_up, withdraw
from play.competitions.rounds import advance, begin_round_time, enter_result, remind, start, start_when_due
from play.competitions.tournament import MAX_BOARDS, REMINDER_MILLIS, TIE_BREAKS, Format, Stage, Tournament, usual_pace
from play.ids import Millis, UserId
from play.match.length import estimate, expected_moves, usual_move_time
from play.match.points import DRAWN, LOST, WON
from tests.play.competitions.test_tournament import HOST, NOW, tournament

MAX_RATIO = 1.5
"""How much longer than its estimate a tournament may take."""

FORMATS = list(Format)


class Played(NamedTuple):
    """A tournament that is over, its duration, and what was estimated when it began."""

    tournament: Tournament
    took: int
    estimated: Millis


def play(seed: int) -> Played:
    """Plays a tournament to its end; its format follows from the seed."""
    lot = random.Random(seed)
    format = FORMATS[seed % len(FORMATS)]  # noqa: A001 - the field's name
    waiting = sign_up_all(lot, format)
    ratings = {user: lot.gauss(1500, 300) for user in (*waiting.users, HOST)}
    if waiting.check_in:
        running = start_when_due(replace(waiting, begins=NOW), ratings, seed, NOW)
    else:
        running = start(waiting, ratings, seed, NOW)
    terms = running.terms
    move_time = usual_move_time(terms.control)
    estimated = estimate(terms.game, move_time, rounds=running.planned_rounds, longest=running.pace)
    now, strangers = NOW, count(1000)
    while running.stage is Stage.RUNNING:
        running = disturb(running, lot, strangers)
        took = Millis(0)
        if open_pairs := [pair for pair in running.current_pairings if pair.points is None]:
            running = begin_round_time(running, now)
            longest = None if running.round_ends is None else Millis(running.round_ends - now)
            for pair in open_pairs:
                usual = expected_moves(terms.game) * move_time
                length = Millis(round(usual * lot.uniform(0.3, 1.3)))
                took = max(took, length if longest is None else min(length, longest))
                running = enter_result(running, pair, lot.choices((WON, DRAWN, LOST), (47, 6, 47))[0])
        now = Millis(now + took)
        left = {user for user in running.playing if lot.random() < 0.02}
        running = pass_over(running, left) if all(each.points for each in running.current_pairings) else running
        running = advance(running, now)
    return Played(running, now - NOW, estimated)


def sign_up_all(lot: random.Random, format: Format) -> Tournament:  # noqa: A002
    """Returns a tournament at the end of its sign-up; at every third one players say whether they are there."""
    players = lot.randint(3, MAX_BOARDS if format is Format.EXHIBITION else 40)
    waiting = tournament(players, format, rounds=0)
    waiting = replace(waiting, pace=usual_pace(format, waiting.terms.control), check_in=lot.random() < 1 / 3)
    if waiting.check_in:
        waiting = remind(replace(waiting, begins=Millis(NOW + REMINDER_MILLIS)), NOW)
        for number, user in enumerate(waiting.users):
            if number < 3 or lot.random() < 0.9:
                waiting = arrive(waiting, user)
        assert leave_out_absent(waiting).users == waiting.here
    return waiting


def disturb(running: Tournament, lot: random.Random, strangers: Iterator[int]) -> Tournament:
    """Lets some players withdraw, be banned, or come in late and come back."""
    for user in running.playing:
        if lot.random() < 0.02 and len(running.playing) > 2 and user != HOST:
            running = (withdraw if lot.random() < 0.5 else exclude)(running, user)
    if running.entry_round is not None:
        for _ in range(lot.randint(0, 2)):
            running = sign_up(running, UserId(next(strangers)), lot.gauss(1500, 300))
        for user in running.left_server:
            if lot.random() < 0.5:
                running = sign_up(running, user)
    return running


def recount(over: Tournament) -> list[tuple[UserId, float]]:
    """Returns the order of a finished table and its points, counted from the pairs alone, without the program's own
    standings: points, then by hand the sums of the format's tie-breaks."""
    who = [each for each in over.entrants if each.left_in_round != 0]
    won = {each.user: 0.0 for each in who}
    for pair in over.pairings:
        assert pair.points is not None
        won[pair.first] += pair.points[0]
        if pair.second is not None:
            won[pair.second] += pair.points[1]
    total = dict(won)
    for each in who:
        for number in range(1, each.joined_in_round or 1):
            total[each.user] += 0.5 * (
                not any(p.round == number and each.user in (p.first, p.second) for p in over.pairings)
            )

    def sums(user: UserId) -> dict[str, float]:
        mine = [p for p in over.pairings if p.second is not None and not p.unplayed and user in (p.first, p.second)]
        results = [(p.second if p.first == user else p.first, p.points[p.second == user]) for p in mine if p.points]
        return {
            "buchholz": sum(won[other] for other, _ in results if other is not None),
            "sonneborn-berger": sum(won[other] * gained for other, gained in results if other is not None),
            "wins": sum(gained == 1 for _, gained in results),
        }

    def merit(user: UserId) -> tuple[float, ...]:
        has_left = next(each.left_in_round is not None for each in who if each.user == user)
        found = sums(user)
        return (
            not has_left or over.format.eliminates,
            total[user],
            *(found[key.value] for key in TIE_BREAKS[over.format]),
        )

    order = sorted((each.user for each in who), key=merit, reverse=True)
    return [(user, total[user]) for user in order]


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 1000), marks=pytest.mark.contest)], ids=str)
def test_each_tournament_ends_in_the_time_that_was_said_and_its_table_is_right(seeds: range) -> None:
    late = list[tuple[int, float]]()
    for seed in seeds:
        over, took, estimated = play(seed)
        assert over.stage is Stage.ENDED
        assert [(row.user, row.points) for row in over.table] == recount(over), seed
        if took > MAX_RATIO * estimated:
            late.append((seed, took / estimated))
    assert not late


def report() -> None:
    """Writes how long 1,000 tournaments took beside their estimates, by format."""
    for number, format in enumerate(FORMATS):  # noqa: A001
        played = [play(seed) for seed in range(number, 1000, len(FORMATS))]
        ratios = sorted(each.took / each.estimated for each in played)
        median, longest = ratios[len(ratios) // 2], ratios[-1]
        late = sum(bool(each.tournament.late_entrants) for each in played)
        gone = sum(bool(each.tournament.gone) for each in played)
        sys.stdout.write(
            f"{format:20} {len(played)} ended, {late} with late players, {gone} with some who left; "
            f"time by estimate: median {median:.2f}, longest {longest:.2f}\n"
        )


if __name__ == "__main__":
    report()
