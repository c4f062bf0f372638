"""The standing of an arena, its pairs, and the hours at which there is one."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.community.full_hours import MIN_MET, MIN_WEEKS, WEEK_HOURS, WEEKS, is_full, spans
from play.competitions import arena as arenas
from play.competitions.arena import LENGTH_MILLIS, Arena, ArenaId, Bout, Fighter, Stage, pair_free, standing
from play.ids import HOUR, MatchId, Millis, UserId
from play.match.points import DRAWN, LOST, WON
from play.refusal import Refused
from tests.examples import examples

USERS = [UserId(100 + number) for number in range(8)]
POINTS = st.sampled_from([WON, LOST, DRAWN])


def an_arena(*bouts: Bout, users: int = 8, stage: Stage = Stage.RUNNING) -> Arena:
    fighters = tuple(Fighter(user, 1500.0 + 10 * place) for place, user in enumerate(USERS[:users]))
    return Arena(ArenaId(480_001), stage, fighters, bouts)


def bouts(*results: tuple[int, int, tuple[float, float]]) -> list[Bout]:
    return [
        Bout(USERS[one], USERS[other], MatchId(number + 1), points)
        for number, (one, other, points) in enumerate(results)
    ]


def points_of(arena: Arena, user: int) -> int:
    return next(line.points for line in standing(arena) if line.user == USERS[user])


@st.composite
def arenas_played(draw: st.DrawFn) -> Arena:
    """An arena with any results."""
    pairs = st.sampled_from(list(combinations(range(8), 2)))
    played = draw(st.lists(st.tuples(pairs, POINTS, st.booleans()), max_size=40))
    return an_arena(
        *(
            Bout(USERS[one], USERS[other], MatchId(number + 1), points, unplayed)
            for number, ((one, other), points, unplayed) in enumerate(played)
        )
    )


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ([WON], 2),
        ([DRAWN], 1),
        ([LOST], 0),
        ([WON, WON, DRAWN], 6),
        ([WON, WON, WON], 8),
        ([WON, WON, LOST, WON], 6),
        ([WON, WON, DRAWN, WON], 8),
        ([WON, DRAWN, WON, WON, WON], 11),
    ],
)
def test_the_game_after_two_wins_in_a_row_counts_double(results: list[tuple[float, float]], points: int) -> None:
    assert points_of(an_arena(*bouts(*((0, 1, each) for each in results))), 0) == points


def test_a_game_that_goes_on_counts_for_nobody() -> None:
    going = Bout(USERS[0], USERS[1], MatchId(1))
    assert [line.games for line in standing(an_arena(going))] == [0] * 8


def test_a_game_in_which_not_both_have_moved_ends_no_streak() -> None:
    won = bouts((0, 1, WON), (0, 2, WON))
    left = Bout(USERS[0], USERS[3], MatchId(8), (0.0, 0.0), unplayed=True)
    assert points_of(an_arena(*won, left, *bouts((0, 4, WON))), 0) == 8


def test_equal_points_and_wins_share_a_place() -> None:
    lines = standing(an_arena(*bouts((0, 1, WON), (2, 3, WON)), users=4))
    assert [(line.place, line.points) for line in lines] == [(1, 2), (1, 2), (3, 0), (3, 0)]


@examples(400)
@given(arenas_played())
def test_a_standing_gives_each_game_at_least_its_points_and_at_most_twice_that(arena: Arena) -> None:
    lines = standing(arena)
    counted = [bout for bout in arena.bouts if not bout.unplayed]
    assert 2 * len(counted) <= sum(line.points for line in lines) <= 4 * len(counted)
    assert sum(line.games for line in lines) == 2 * len(counted)
    assert [line.place for line in lines] == sorted(line.place for line in lines)


@examples(400)
@given(arenas_played(), st.data())
def test_one_more_win_takes_nobody_points_away(arena: Arena, data: st.DataObject) -> None:
    one, other = data.draw(st.sampled_from(list(combinations(range(8), 2))))
    before = {line.user: line.points for line in standing(arena)}
    more = Bout(USERS[one], USERS[other], MatchId(999), WON)
    after = {line.user: line.points for line in standing(an_arena(*arena.bouts, more))}
    assert all(after[user] - before[user] in ({2, 4} if user == USERS[one] else {0}) for user in USERS)


@examples(400)
@given(arenas_played(), st.sets(st.sampled_from(USERS)), st.sets(st.sampled_from(list(combinations(USERS, 2)))))
def test_pairs_are_of_the_waiting_once_each_and_never_blocked_or_the_same_twice_in_a_row(
    arena: Arena, waiting: set[UserId], blocks: set[tuple[UserId, UserId]]
) -> None:
    blocked = {frozenset(pair) for pair in blocks}
    pairs = pair_free(arena, waiting, blocked)
    paired = [user for pair in pairs for user in pair]
    assert len(paired) == len(set(paired))
    assert waiting.issuperset(paired)
    last = {user: frozenset(bout.users) for bout in arena.bouts for user in bout.users}
    assert all(frozenset(pair) not in blocked and frozenset(pair) not in last.values() for pair in pairs)


def test_players_meet_those_beside_them_in_the_ranking() -> None:
    arena = an_arena(*bouts((0, 1, WON), (2, 3, WON), (4, 5, WON), (6, 7, WON)))
    pairs = {frozenset(USERS.index(user) for user in pair) for pair in pair_free(arena, set(USERS), set())}
    assert pairs == {frozenset((6, 4)), frozenset((2, 0)), frozenset((7, 5)), frozenset((3, 1))}


def test_two_who_are_alone_meet_again() -> None:
    arena = an_arena(*bouts((0, 1, WON)), users=2)
    assert pair_free(arena, set(USERS[:2]), set()) == [(USERS[0], USERS[1])]


def test_two_who_wait_while_others_play_do_not_meet_again_at_once() -> None:
    arena = an_arena(*bouts((0, 1, WON)), users=4)
    assert pair_free(arena, set(USERS[:2]), set()) == []


@pytest.mark.parametrize(("waiting", "stage"), [(3, Stage.TOO_FEW), (4, Stage.RUNNING)])
def test_an_arena_begins_with_four(waiting: int, stage: Stage) -> None:
    gathering = an_arena(stage=Stage.GATHERING)
    assert arenas.begin_when_due(gathering, gathering.starts, waiting).stage is stage


def test_an_arena_that_nothing_could_begin_in_time_is_cancelled() -> None:
    gathering = an_arena(stage=Stage.GATHERING)
    late = Millis(gathering.starts + arenas.LATE_MILLIS)
    assert arenas.begin_when_due(gathering, late, 8).stage is Stage.CANCELLED


def test_no_game_begins_in_the_last_minute() -> None:
    running = an_arena()
    last = Millis(running.ends - arenas.LAST_PAIRING_MILLIS)
    assert (running.takes_pairs(Millis(last - 1)), running.takes_pairs(last)) == (True, False)


def test_an_arena_that_is_over_takes_no_players() -> None:
    with pytest.raises(Refused, match="arena_over"):
        arenas.join(an_arena(stage=Stage.ENDED), UserId(7), 1500)


def test_a_paused_player_goes_on_with_their_points() -> None:
    paused = arenas.set_paused(an_arena(*bouts((0, 1, WON))), {USERS[0]}, paused=True)
    assert USERS[0] not in paused.present
    back = arenas.join(paused, USERS[0], 1500)
    assert USERS[0] in back.present
    assert points_of(back, 0) == 2


def test_sizes_take_turns_and_the_smaller_board_is_not_rated() -> None:
    terms = [Arena(ArenaId(480_000 + hour)).terms for hour in range(4)]
    assert [(each.game.options["size"], each.rated) for each in terms] == [("9x9", False), ("13x13", True)] * 2


def test_an_arena_is_over_before_the_next_one_gathers() -> None:
    arena = Arena(ArenaId(480_000))
    assert arena.ends == arena.starts + LENGTH_MILLIS
    assert arenas.arena_of(Millis(arena.ends - 1)) == arena.id
    assert arenas.arena_of(arena.ends) == arena.id + 1


@examples(300)
@given(st.lists(st.integers(0, 40), min_size=WEEKS, max_size=WEEKS))
def test_an_hour_is_full_that_was_full_in_all_weeks_but_one(met: list[int]) -> None:
    assert is_full(met) == (sorted(met)[WEEKS - MIN_WEEKS] >= MIN_MET)


@examples(300)
@given(st.lists(st.integers(0, 40), min_size=WEEKS, max_size=WEEKS), st.integers(0, WEEKS - 1), st.integers(0, 40))
def test_more_players_never_make_an_hour_less_full(met: list[int], week: int, more: int) -> None:
    fuller = [count + more if each == week else count for each, count in enumerate(met)]
    assert is_full(fuller) >= is_full(met)


@examples(300)
@given(st.integers(WEEKS * WEEK_HOURS, 600_000))
def test_the_spans_are_the_same_hour_of_the_last_weeks(hour: int) -> None:
    found = spans(hour)
    assert all(end - start == HOUR and (start - hour * HOUR) % (WEEK_HOURS * HOUR) == 0 for start, end in found)
    assert max(end for _, end in found) <= hour * HOUR
    assert len({start for start, _ in found}) == WEEKS
