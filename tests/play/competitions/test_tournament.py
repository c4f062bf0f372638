"""A tournament from its sign-up to its last round."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions.entries import sign_up, withdraw
from play.competitions.hosting import cancel, change
from play.competitions.rounds import (
    LIVES,
    advance,
    begin_round_time,
    enter_result,
    is_deciding,
    is_final,
    remind,
    set_match,
    start,
    start_when_due,
)
from play.competitions.tournament import (
    MAX_PLAYERS,
    MAX_REPLAYS,
    POSTPONEMENT_MILLIS,
    REMINDER_MILLIS,
    WEEK,
    Format,
    NoticeKind,
    Stage,
    Tournament,
    TournamentId,
    usual_pace,
)
from play.ids import DAY, ChannelId, GuildId, MatchId, Millis, UserId
from play.match.points import FORFEITED, LOST, WON
from play.refusal import Refused
from rules.registry import GAMES

NOW = Millis(1_800_000_000_000)
HOST = UserId(99)
DRAWN = (0.5, 0.5)


def tournament(players: int, format: Format = Format.SWISS, rounds: int = 3, pace: int | None = None) -> Tournament:  # noqa: A002
    made = Tournament(
        TournamentId(1),
        GuildId(1),
        ChannelId(2),
        HOST,
        "Кубок",
        format,
        Terms(GAMES["zagram"], parse_control("3d")),
        NOW,
        rounds,
        pace=None if pace is None else Millis(pace),
    )
    for user in range(1, players + 1):
        made = sign_up(made, UserId(user))
    return made


def started(players: int, format: Format = Format.SWISS, rounds: int = 3, pace: int | None = None) -> Tournament:  # noqa: A002
    """Returns a started tournament. Player 1 is the best seed, and so on."""
    made = tournament(players, format, rounds, pace)
    return start(made, {user: 2000.0 - user for user in (*made.users, HOST)}, 7, NOW)


def played_on(running: Tournament, points: tuple[float, float] = WON) -> Tournament:
    """Returns the tournament in its next round, after all open games of the round ended with `points`."""
    for pairing in running.current_pairings:
        if pairing.points is None:
            running = enter_result(running, pairing, points)
    return advance(running, NOW)


def refused(key: str) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, check=lambda error: error.key == key)


def test_nobody_signs_up_twice() -> None:
    with refused("tournament_signed_up"):
        sign_up(tournament(3), UserId(1))


def test_a_full_tournament_takes_nobody() -> None:
    with refused("tournament_full"):
        sign_up(tournament(MAX_PLAYERS), UserId(MAX_PLAYERS + 1))


def test_two_are_too_few() -> None:
    with refused("tournament_too_few"):
        start(tournament(2), {UserId(1): 1.0, UserId(2): 2.0}, 0, NOW)


def test_a_running_one_does_not_begin_again() -> None:
    with refused("tournament_is_running"):
        start(started(4), {}, 0, NOW)


def test_who_signed_up_may_think_again() -> None:
    assert withdraw(tournament(3), UserId(2)).users == (1, 3)


def test_who_does_not_play_cannot_withdraw() -> None:
    with refused("tournament_not_in"):
        withdraw(tournament(3), UserId(9))


def test_it_is_seeded_by_rating() -> None:
    made = tournament(4)
    assert start(made, {user: float(user) for user in made.users}, 0, NOW).users == (4, 3, 2, 1)


def test_equal_ratings_are_seeded_by_a_lot_that_the_seed_draws() -> None:
    made = tournament(8)
    orders = {start(made, dict.fromkeys(made.users, 1500.0), seed, NOW).users for seed in range(20)}
    assert len(orders) > 10
    again = [start(made, dict.fromkeys(made.users, 1500.0), 4, NOW).users for _ in range(2)]
    assert again[0] == again[1]


def test_the_round_goes_on_until_all_games_are_decided() -> None:
    running = started(4)
    half = enter_result(running, running.current_pairings[0], WON)
    assert advance(half, NOW) == half
    assert advance(enter_result(half, half.current_pairings[1], WON), NOW).round == 2


def test_a_round_ends_when_its_time_is_over() -> None:
    assert started(4, pace=1000).round_ends is None
    assert begin_round_time(started(4, pace=1000), Millis(NOW + 500)).round_ends == NOW + 1500
    assert started(4).round_ends is None


def test_an_opened_pairing_knows_its_match() -> None:
    running = started(4)
    assert set_match(running, running.current_pairings[1], MatchId(5)).current_pairings[1].match == 5


@pytest.mark.parametrize(("players", "rounds"), [(4, 3), (5, 5), (8, 7)])
def test_everybody_against_everybody_ends_after_all_rounds(players: int, rounds: int) -> None:
    running = started(players, Format.ROUND_ROBIN)
    for number in range(1, rounds + 1):
        assert running.round == number
        running = played_on(running)
    assert running.stage is Stage.ENDED


def test_a_swiss_tournament_ends_after_its_rounds() -> None:
    running = started(8, rounds=3)
    for _ in range(3):
        running = played_on(running)
    assert (running.stage, running.round) == (Stage.ENDED, 3)


def test_a_swiss_tournament_ends_early_when_all_have_met() -> None:
    running = started(4, rounds=9)
    for _ in range(3):
        running = played_on(running)
    assert (running.stage, running.round) == (Stage.ENDED, 3)


def test_the_best_seed_wins_a_knock_out_that_goes_by_strength() -> None:
    running = started(6, Format.KNOCK_OUT)
    while running.stage is Stage.RUNNING:
        for pairing in running.current_pairings:
            if pairing.points is None:
                assert pairing.second is not None
                running = enter_result(running, pairing, WON if pairing.first < pairing.second else LOST)
        running = advance(running, NOW)
    assert running.round == 3
    assert {running.current_pairings[0].first, running.current_pairings[0].second} == {1, 2}


def test_a_drawn_knock_out_game_is_played_again_with_the_first_move_changed() -> None:
    running = started(4, Format.KNOCK_OUT)
    pairing = running.current_pairings[0]
    again = enter_result(running, pairing, DRAWN).current_pairings[0]
    assert (again.first, again.second, again.points, again.match) == (pairing.second, pairing.first, None, None)


def test_a_replay_has_half_of_the_time_of_a_round() -> None:
    running = started(4, Format.KNOCK_OUT, pace=1000)
    again = enter_result(running, running.current_pairings[0], DRAWN)
    assert begin_round_time(again, NOW).round_ends == NOW + 500


def test_after_the_replays_the_better_seed_goes_on() -> None:
    running = started(4, Format.KNOCK_OUT)
    for _ in range(MAX_REPLAYS + 1):
        running = enter_result(running, running.current_pairings[0], DRAWN)
    pairing = running.current_pairings[0]
    assert pairing.points == (WON if pairing.first == 1 else LOST)


def test_who_withdraws_loses_his_open_game() -> None:
    running = started(4)
    pairing = running.current_pairings[0]
    decided = withdraw(running, pairing.first).current_pairings[0]
    assert decided.points == LOST


def test_who_withdrew_is_not_paired_again() -> None:
    running = played_on(withdraw(started(8), UserId(3)))
    assert 3 not in {user for pairing in running.current_pairings for user in (pairing.first, pairing.second)}


def test_everybody_else_wins_against_who_withdrew_where_all_meet() -> None:
    running = withdraw(started(4, Format.ROUND_ROBIN), UserId(4))
    while running.stage is Stage.RUNNING:
        running = played_on(running)
    assert {row.user: row.points for row in running.table}[UserId(4)] == 0
    assert all(pairing.points in (WON, LOST) for pairing in running.pairings)


def test_a_pair_that_both_left_gives_nobody_a_point() -> None:
    running = started(6)
    pairing = running.current_pairings[0]
    assert pairing.second is not None
    both = withdraw(withdraw(running, pairing.first), pairing.second)
    assert both.current_pairings[0].points == LOST  # the first to withdraw lost, because their opponent had won by then
    robin = started(4, Format.ROUND_ROBIN)
    for user in (UserId(1), UserId(2)):
        robin = withdraw(robin, user)
    while robin.stage is Stage.RUNNING:
        robin = played_on(robin)
    late = [b for b in robin.pairings if {b.first, b.second} == {1, 2} and b.round > 1]
    assert all(pairing.points == FORFEITED for pairing in late)


def test_a_knock_out_goes_on_over_a_pair_that_both_left() -> None:
    running = started(16, Format.KNOCK_OUT)
    for user in running.current_pairings[0].first, running.current_pairings[1].first:
        running = withdraw(running, user)
    for pairing in running.current_pairings[:2]:
        assert pairing.second is not None
        running = withdraw(running, pairing.second)
    while running.stage is Stage.RUNNING:
        running = played_on(running)
    assert running.round == 4


def test_it_ends_when_nobody_is_left_to_play() -> None:
    running = started(3)
    for user in (UserId(1), UserId(2)):
        running = withdraw(running, user)
    assert advance(running, NOW).stage is Stage.ENDED


def test_a_cancelled_one_is_over() -> None:
    with refused("tournament_over"):
        cancel(cancel(started(4)))


def at_noon(players: int) -> Tournament:
    return replace(tournament(players), begins=NOW)


def told(kept: Tournament) -> list[NoticeKind]:
    return [notice.kind for notice in kept.pending_notices]


def due(waiting: Tournament, now: int = NOW) -> Tournament:
    return start_when_due(waiting, dict.fromkeys(waiting.users, 1500.0), 7, Millis(now))


def test_it_begins_by_itself_when_its_time_has_come() -> None:
    assert due(at_noon(4), NOW - 1) == at_noon(4)
    begun = due(at_noon(4))
    assert (begun.stage, begun.round, told(begun)) == (Stage.RUNNING, 1, [NoticeKind.ROUND])


def test_one_without_a_time_waits_for_its_host() -> None:
    assert due(tournament(4), NOW + 10**12) == tournament(4)


def test_one_that_lacks_players_is_postponed_once_and_then_cancelled() -> None:
    later = due(at_noon(2))
    assert (later.stage, later.begins) == (Stage.SIGN_UP, NOW + POSTPONEMENT_MILLIS)
    assert told(later) == [NoticeKind.POSTPONED]
    off = due(later, NOW + POSTPONEMENT_MILLIS)
    assert (off.stage, told(off)) == (Stage.CANCELLED, [NoticeKind.TOO_FEW])


def test_a_postponed_one_begins_with_enough_players() -> None:
    later = sign_up(due(at_noon(2)), UserId(9))
    assert due(later, NOW + POSTPONEMENT_MILLIS).stage is Stage.RUNNING


def test_players_are_reminded_once_shortly_before_it_begins() -> None:
    waiting = at_noon(4)
    assert waiting.due == NOW - REMINDER_MILLIS
    assert remind(waiting, Millis(NOW - REMINDER_MILLIS - 1)) == waiting
    reminded = remind(waiting, Millis(NOW - REMINDER_MILLIS))
    assert told(reminded) == [NoticeKind.SOON]
    assert reminded.due == NOW
    assert remind(reminded, Millis(NOW - 1)) == reminded


def test_nobody_is_reminded_of_one_without_players() -> None:
    reminded = remind(at_noon(0), NOW)
    assert (reminded.reminded, told(reminded)) == (True, [])


def test_players_are_reminded_once_a_round_when_a_quarter_of_it_is_left() -> None:
    running = replace(begin_round_time(started(4, pace=1000), NOW), notices=())
    assert remind(running, Millis(NOW + 749)) == running
    reminded = remind(running, Millis(NOW + 750))
    assert told(reminded) == [NoticeKind.LATE]
    assert remind(reminded, Millis(NOW + 999)) == reminded
    assert begin_round_time(played_on(reminded), NOW).due == NOW + 750


def test_a_new_round_outdates_the_reminder_of_the_former() -> None:
    timed = begin_round_time(started(4, pace=1000), NOW)
    assert told(played_on(remind(timed, Millis(NOW + 750)))) == [NoticeKind.ROUND]


def test_players_are_told_of_what_has_changed_and_of_nothing_else() -> None:
    waiting, other = tournament(4), Terms(GAMES["zagram"], parse_control("1d"))
    changed = change(waiting, replace(waiting, terms=other, name="Cup"))
    assert told(changed) == [NoticeKind.CHANGED]
    assert changed.notices[-1].what == ("name", "terms")
    assert told(change(waiting, waiting)) == []
    empty = tournament(0)
    assert told(change(empty, replace(empty, terms=other))) == []


def test_changes_that_nobody_was_told_of_are_told_together() -> None:
    waiting = tournament(4)
    once = change(waiting, replace(waiting, name="Cup"))
    twice = change(once, replace(once, rounds=4))
    assert [notice.what for notice in twice.pending_notices] == [("name", "rounds")]


def test_a_new_time_to_begin_is_reminded_of_anew() -> None:
    reminded = remind(at_noon(4), NOW)
    later = change(reminded, replace(reminded, begins=Millis(NOW + POSTPONEMENT_MILLIS)))
    assert later.due == NOW + POSTPONEMENT_MILLIS - REMINDER_MILLIS


def test_a_running_tournament_gets_no_other_beginning_and_no_fewer_rounds_than_it_has_had() -> None:
    running = played_on(started(8, rounds=5))
    with refused("tournament_is_running"):
        change(running, replace(running, begins=NOW))
    with refused("tournament_rounds"):
        change(running, replace(running, rounds=1))
    assert advance(played_on(change(running, replace(running, rounds=2))), NOW).stage is Stage.ENDED


def test_only_a_swiss_system_has_a_chosen_number_of_rounds() -> None:
    waiting = tournament(4, Format.ROUND_ROBIN)
    with refused("tournament_rounds"):
        change(waiting, replace(waiting, rounds=2))


def test_a_round_without_a_limit_any_more_does_not_end_by_time() -> None:
    timed = begin_round_time(started(4, pace=1000), NOW)
    assert change(timed, replace(timed, pace=None)).round_ends is None


@pytest.mark.parametrize(
    ("format", "players", "rounds"),
    [
        (Format.SWISS, 3, 3),
        (Format.SWISS, 8, 4),
        (Format.SWISS, 36, 7),
        (Format.ROUND_ROBIN, 5, 5),
        (Format.KNOCK_OUT, 9, 4),
        (Format.EXHIBITION, 9, 1),
    ],
)
def test_without_another_wish_there_are_as_many_rounds_as_players_need(
    format: Format,  # noqa: A002
    players: int,
    rounds: int,
) -> None:
    running = started(players, format, rounds=0)
    assert running.planned_rounds == rounds
    while running.stage is Stage.RUNNING:
        running = played_on(running)
    assert running.round == rounds


@pytest.mark.parametrize(
    ("format", "clock", "pace"),
    [
        (Format.SWISS, "3d", WEEK),
        (Format.SWISS, "none", WEEK),
        (Format.SWISS, "10d", 20 * DAY),
        (Format.SWISS, "10m+30s", None),
        (Format.EXHIBITION, "1d", 4 * WEEK),
    ],
)
def test_a_round_without_another_wish_has_a_week_where_clocks_run_for_days(
    format: Format,  # noqa: A002
    clock: str,
    pace: int | None,
) -> None:
    assert usual_pace(format, parse_control(clock)) == pace


def test_the_computer_plays_the_player_with_a_free_round() -> None:
    for format in (Format.SWISS, Format.ROUND_ROBIN):  # noqa: A001 - the field's name
        odd = replace(tournament(5, format), computer=3)
        running = start(odd, {user: 2000.0 - user for user in odd.users}, 7, NOW)
        (pair,) = (pair for pair in running.current_pairings if pair.second is None)
        assert pair.points is None, "it is a game"
        lost = enter_result(running, pair, LOST)
        assert {row.user: row.points for row in lost.table}[pair.first] == 0
        again = {pair.first for pair in played_on(running).current_pairings if pair.second is None}
        assert again != {pair.first}, "each player meets it once"


def test_the_computer_fills_in_only_while_the_number_of_players_is_odd() -> None:
    even = replace(tournament(6), computer=3)
    running = start(even, {user: 2000.0 - user for user in even.users}, 7, NOW)
    assert all(pair.second for pair in running.current_pairings)
    odd = played_on(withdraw(running, UserId(6)))
    assert [pair.second for pair in odd.current_pairings].count(None) == 1
    even_again = played_on(withdraw(odd, UserId(5)))
    assert all(pair.second for pair in even_again.current_pairings)


def test_a_player_who_withdraws_leaves_the_others_games_against_the_computer_alone() -> None:
    odd = replace(tournament(5), computer=3)
    running = start(odd, {user: 2000.0 - user for user in odd.users}, 7, NOW)
    (pair,) = (pair for pair in running.current_pairings if pair.second is None)
    other = next(user for user in running.users if user != pair.first)
    assert pair in withdraw(running, other).current_pairings
    gone = withdraw(running, pair.first)
    assert next(each for each in gone.current_pairings if each.first == pair.first).points == FORFEITED


@given(st.sampled_from(Format), st.integers(3, 16), st.integers(0, 10**6))
def test_every_tournament_comes_to_its_end_and_its_points_add_up(format: Format, players: int, seed: int) -> None:  # noqa: A002
    chance = random.Random(seed)
    running = replace(started(players, format, rounds=4))
    while running.stage is Stage.RUNNING:
        if chance.random() < 0.1 and len(running.playing) > 1:
            running = withdraw(running, chance.choice(running.playing))
        open_pairings = [pairing for pairing in running.current_pairings if pairing.points is None]
        if open_pairings:
            running = enter_result(running, chance.choice(open_pairings), chance.choice([WON, DRAWN, LOST, FORFEITED]))
        running = advance(running, NOW)
    pairs = [frozenset((pairing.first, pairing.second)) for pairing in running.pairings]
    if format is not Format.DOUBLE_ELIMINATION:  # where the last ones may meet again
        assert len(set(pairs)) == len(pairs)
    assert sum(row.points for row in running.table) == sum(sum(pairing.points or ()) for pairing in running.pairings)


@given(st.integers(3, 24), st.randoms(use_true_random=False))
def test_a_double_elimination_is_left_with_the_second_defeat(players: int, lot: random.Random) -> None:
    running = started(players, Format.DOUBLE_ELIMINATION)
    defeats, out = Counter[UserId](), dict[UserId, int]()
    while running.stage is Stage.RUNNING:
        there = [user for pair in running.current_pairings for user in (pair.first, pair.second) if user is not None]
        assert sorted(there) == sorted(user for user in running.users if user not in out)
        for pairing in running.current_pairings:
            if pairing.points is None:
                assert pairing.second is not None
                points = lot.choice((WON, LOST))
                running = enter_result(running, pairing, points)
                loser = pairing.second if points == WON else pairing.first
                defeats[loser] += 1
                if defeats[loser] == LIVES:
                    out[loser] = running.round
        running = advance(running, NOW)
        assert running.round <= 3 * players
    [champion] = set(running.users) - set(out)
    assert defeats[champion] < LIVES
    assert running.table[0].user == champion
    places = {row.user: row.place for row in running.table}
    for one, other in combinations(out, 2):
        assert (places[one] < places[other]) == (out[one] > out[other])


def test_the_unbeaten_player_has_a_second_game_in_the_final_of_a_double_elimination() -> None:
    running = started(3, Format.DOUBLE_ELIMINATION)
    while not is_final(running, running.round):
        running = played_on(running)
    final = running.current_pairings[0]
    assert is_deciding(running, final)
    running = advance(enter_result(running, final, LOST), NOW)
    again = running.current_pairings[0]
    assert running.stage is Stage.RUNNING
    assert {again.first, again.second} == {final.first, final.second}
    assert advance(enter_result(running, again, WON), NOW).stage is Stage.ENDED


def test_a_double_elimination_goes_on_without_those_who_withdraw() -> None:
    running = started(9, Format.DOUBLE_ELIMINATION)
    for user in (1, 2, 3):
        running = played_on(withdraw(running, UserId(user)))
    while running.stage is Stage.RUNNING:
        running = played_on(running)
    assert not {1, 2, 3} & {row.user for row in running.table if row.place == 1}


def test_a_drawn_game_of_a_double_elimination_is_played_again() -> None:
    running = started(4, Format.DOUBLE_ELIMINATION)
    pairing = running.current_pairings[0]
    again = enter_result(running, pairing, DRAWN).current_pairings[0]
    assert (again.first, again.second, again.points) == (pairing.second, pairing.first, None)
