"""Late entry, being there at the beginning, pairing by hand, and leaving the server."""

from __future__ import annotations

from dataclasses import replace

from play.competitions.entries import arrive, exclude, pass_over, sign_up, withdraw
from play.competitions.rounds import enter_result, remind, start_when_due, wish
from play.competitions.tournament import POSTPONEMENT_MILLIS, Format, NoticeKind, Stage, Tournament
from play.ids import Millis, UserId
from play.match.points import WON
from tests.play.competitions.test_tournament import NOW, at_noon, played_on, refused, started, told, tournament

LATE = UserId(50)


def test_a_late_player_has_half_a_point_for_each_round_that_they_missed() -> None:
    running = played_on(started(8, rounds=4))
    late = sign_up(running, LATE, 1800.0)
    assert late.late_entrants == {LATE: 3}
    assert {row.user: row.points for row in late.table}[LATE] == 1.0
    on = played_on(late)
    assert LATE in {user for pair in on.current_pairings for user in (pair.first, pair.second)}
    assert {row.user: row.points for row in on.table}[LATE] == 1.0


def test_a_swiss_system_takes_players_until_half_of_its_rounds() -> None:
    running = started(8, rounds=4)
    for number in (1, 2):
        assert running.entry_round == number + 1
        running = played_on(running)
    assert running.entry_round is None
    with refused("tournament_is_running"):
        sign_up(running, LATE)


def test_other_formats_take_nobody_once_they_run() -> None:
    for format in (Format.ROUND_ROBIN, Format.KNOCK_OUT, Format.DOUBLE_ELIMINATION):  # noqa: A001
        with refused("tournament_is_running"):
            sign_up(started(4, format), LATE)


def test_who_withdrew_or_was_removed_does_not_come_in_late() -> None:
    running = started(8, rounds=4)
    for left in (withdraw(running, UserId(2)), exclude(running, UserId(2))):
        with refused("tournament_left"):
            sign_up(left, UserId(2))


def test_who_has_left_the_server_is_not_paired_and_comes_back_by_late_entry() -> None:
    running = started(8, rounds=4)
    for pair in running.current_pairings:
        running = enter_result(running, pair, WON)
    away = played_on(pass_over(running, {UserId(2), LATE}))
    assert away.left_server == (2,)
    assert away.gone == {2}
    assert 2 not in {user for pair in away.current_pairings for user in (pair.first, pair.second)}
    back = sign_up(away, UserId(2))
    assert back.missed_rounds(UserId(2)) == 1, "the first one they have played"
    assert 2 in {user for pair in played_on(back).current_pairings for user in (pair.first, pair.second)}


def test_who_has_left_the_server_before_it_begins_is_off_the_list() -> None:
    assert pass_over(tournament(4), {UserId(2)}).users == (1, 3, 4)


def checking_in(players: int) -> Tournament:
    return replace(at_noon(players), check_in=True, format=Format.SWISS, rounds=4)


def begun(waiting: Tournament, now: int = NOW) -> Tournament:
    return start_when_due(waiting, dict.fromkeys(waiting.users, 1500.0), 7, Millis(now))


def test_who_has_not_said_that_they_are_there_is_not_paired_and_may_come_late() -> None:
    with refused("tournament_no_check_in"):
        arrive(checking_in(5), UserId(1))
    waiting = remind(checking_in(5), NOW)
    assert waiting.is_checking_in
    with refused("tournament_not_in"):
        arrive(waiting, LATE)
    for user in (1, 2, 4):
        waiting = arrive(waiting, UserId(user))
    running = begun(waiting)
    assert (running.stage, {*running.users}, {*running.absent}) == (Stage.RUNNING, {1, 2, 4}, {3, 5})
    assert [row.user for row in sign_up(running, UserId(5)).table if row.user in (3, 5)] == [5]


def test_with_too_few_who_are_there_it_is_postponed_and_they_say_so_again() -> None:
    waiting = arrive(replace(remind(checking_in(5), NOW), notices=()), UserId(1))
    later = begun(waiting)
    assert (later.stage, told(later)) == (Stage.SIGN_UP, [NoticeKind.POSTPONED])
    assert later.here == (1,)
    again = remind(later, Millis(NOW + POSTPONEMENT_MILLIS))
    assert again.here == ()
    off = begun(again, NOW + POSTPONEMENT_MILLIS)
    assert (off.stage, off.too_few) == (Stage.CANCELLED, True)


def test_the_host_pairs_two_in_the_next_round_and_takes_it_back() -> None:
    running = wish(played_on(started(8, rounds=4)), UserId(1), UserId(8))
    assert frozenset((1, 8)) in {frozenset((p.first, p.second)) for p in played_on(running).current_pairings}
    assert played_on(running).wishes == ()
    assert wish(running, UserId(8), UserId(1)).wishes == ()
    assert wish(running, UserId(1), UserId(7)).wishes == ((1, 7),)
    assert exclude(running, UserId(8)).wishes == ()


def test_a_wish_gives_way_where_the_others_could_not_be_paired() -> None:
    running = played_on(started(4, rounds=3))
    met = {frozenset((p.first, p.second)) for p in running.pairings}
    first, second = next((a, b) for a in running.users for b in running.users if a < b and {a, b} not in met)
    assert played_on(wish(running, first, second)).stage is Stage.RUNNING


def test_in_the_first_round_of_a_knock_out_opponents_are_exchanged() -> None:
    waiting = tournament(6, Format.KNOCK_OUT)
    wished = begun(replace(wish(waiting, UserId(1), UserId(2)), begins=NOW))
    pairs = {frozenset((p.first, p.second)) for p in wished.current_pairings}
    assert frozenset((1, 2)) in pairs
    assert len(wished.current_pairings) == 4
    assert {user for pair in pairs for user in pair if user} == {1, 2, 3, 4, 5, 6}


def test_what_cannot_be_paired_by_hand_is_refused() -> None:
    running = started(8, rounds=2)
    pair = running.current_pairings[0]
    assert pair.second is not None
    with refused("pairing_met"):
        wish(running, pair.first, pair.second)
    with refused("pairing_met"):
        wish(running, pair.first, pair.first)
    with refused("tournament_not_playing"):
        wish(running, pair.first, LATE)
    for fixed in (started(4, Format.ROUND_ROBIN), started(4, Format.KNOCK_OUT), played_on(running)):
        with refused("pairing_fixed"):
            wish(fixed, UserId(1), UserId(2))
