"""The table of a season, and the names in it that a server may read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from play.competitions.contest import Score
from play.competitions.contest_season import PlayedContest, known_servers, season_table
from play.ids import GuildId
from tests.examples import examples

ONE, TWO, THREE = GuildId(1), GuildId(2), GuildId(3)


def played(home: GuildId, guest: GuildId, boards: tuple[float, float], dots: tuple[float, float]) -> PlayedContest:
    return PlayedContest(home, guest, Score(boards, dots, 4))


def test_wins_count_before_boards_and_boards_before_dots() -> None:
    table = season_table([played(ONE, TWO, (2, 2), (9, 4)), played(TWO, THREE, (4, 0), (20, 0))])
    assert [(row.guild, row.place, row.won, row.lost) for row in table] == [
        (TWO, 1, 1, 1),
        (ONE, 2, 1, 0),
        (THREE, 3, 0, 1),
    ]


def test_servers_with_the_same_result_share_a_place() -> None:
    table = season_table([played(ONE, TWO, (2, 2), (5, 5))])
    assert [row.place for row in table] == [1, 1]


def test_a_server_reads_the_names_of_those_that_it_has_played_and_of_those_that_want_it() -> None:
    contests = [played(ONE, TWO, (2, 2), (5, 5)), played(TWO, THREE, (4, 0), (20, 0))]
    assert known_servers(ONE, contests, ()) == {ONE, TWO}
    assert known_servers(ONE, contests, {THREE}) == {ONE, TWO, THREE}
    assert known_servers(GuildId(4), contests, ()) == {4}


@examples(300)
@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(6, 9), st.integers(0, 20), st.integers(0, 99), st.integers(0, 99)),
        max_size=12,
    )
)
def test_each_contest_brings_two_points_in_all(contests: list[tuple[int, int, int, int, int]]) -> None:
    table = season_table(
        played(GuildId(home), GuildId(guest), (boards / 2, 10 - boards / 2), (dots, other))
        for home, guest, boards, dots, other in contests
    )
    assert sum(row.points for row in table) == 2 * len(contests)
    assert [row.rank for row in table] == sorted((row.rank for row in table), reverse=True)
    assert all(row.place == 1 + sum(other.rank > row.rank for other in table) for row in table)
