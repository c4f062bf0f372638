"""Changes that a finished match makes to ratings, and the pool in which it makes them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from opponent.choice import EASIEST, HARDEST
from play.challenge.pool import FAMILIES, POOLS, Family, Pool, pool_of
from play.clock import Speed, parse_control
from play.ids import MatchId, Millis, UserId
from play.ratings.glicko import Rating
from play.ratings.leaderboard import points
from play.ratings.settlement import RatedGame, counted_level, places, rate, rate_again
from play.refusal import Refused
from rules.dots import FORMER_PRESETS, Dots
from rules.game import Outcome, Seat
from rules.registry import GAMES, with_seats
from tests.play.ratings.test_weight import NOW, born

DAY = 86_400_000
ONE, TWO, THREE = (UserId(born(NOW - 400 * DAY) + n) for n in range(3))
DOTS = Pool(Family.DOTS, Speed.DAYS)
FRESH = dict.fromkeys((ONE, TWO, THREE), Rating())


def game(winners: tuple[int, ...], players: tuple[UserId, ...] = (ONE, TWO), meetings: int = 0) -> RatedGame:
    score = tuple(float(n) for n in range(len(players)))
    return RatedGame(MatchId(7), DOTS, players, Outcome(tuple(map(Seat, winners)), "full"), score, (meetings,) * 3, NOW)


def test_every_preset_has_a_family() -> None:
    assert FAMILIES.keys() == GAMES.keys()


@pytest.mark.parametrize("pool", POOLS, ids=str)
def test_a_pool_reads_its_own_name(pool: Pool) -> None:
    assert Pool.parse(str(pool)) == pool


@pytest.mark.parametrize("text", ["", "dots", "dots-never", "chess-live"])
def test_other_names_are_no_pool(text: str) -> None:
    with pytest.raises(Refused, match="no_pool"):
        Pool.parse(text)


def test_the_speed_parts_the_pools() -> None:
    assert pool_of(GAMES["zagram"], parse_control("3d")) == DOTS
    assert pool_of(GAMES["zagram"], parse_control("5m+10s")) == Pool(Family.DOTS, Speed.LIVE)


def test_the_computer_has_a_pool_of_its_own() -> None:
    assert pool_of(GAMES["paper"], parse_control("3d"), computer=True).family is Family.COMPUTER


def test_size_and_start_are_free_in_a_rated_match() -> None:
    assert pool_of(GAMES["zagram"].with_options({"size": "20x20", "start": "double"}), parse_control("3d")) == DOTS


def test_other_rules_than_the_presets_are_not_rated() -> None:
    with pytest.raises(Refused, match="unrated_options"):
        pool_of(GAMES["zagram"].with_options({"extra-move": "on"}), parse_control("3d"))


@pytest.mark.parametrize("size", ["9x9", "20x9", "46x46"])
def test_tiny_and_huge_fields_are_not_rated(size: str) -> None:
    with pytest.raises(Refused, match="unrated_size"):
        pool_of(GAMES["zagram"].with_options({"size": size}), parse_control("3d"))


@pytest.mark.parametrize("key", ["sport", "sport-blitz", "classic", "three", "four"])
@pytest.mark.parametrize("seats", [3, 4])
def test_three_and_four_by_rules_of_dots_are_rated_at_the_table(key: str, seats: int) -> None:
    assert pool_of(with_seats(GAMES[key], seats), parse_control("3d")) == Pool(Family.TABLE, Speed.DAYS)


@pytest.mark.parametrize("key", ["sport-territory", "paper", "german-count", "quick"])
def test_three_by_other_rules_are_not_rated(key: str) -> None:
    with pytest.raises(Refused, match="unrated_options") as refused:
        pool_of(with_seats(GAMES[key], 3), parse_control("3d"))
    assert refused.value.details == {"option": "seats"}


def test_two_by_rules_for_three_are_not_rated() -> None:
    with pytest.raises(Refused, match="unrated_options"):
        pool_of(with_seats(GAMES["three"], 2), parse_control("3d"))


def test_three_with_an_option_of_their_own_are_not_rated() -> None:
    game = with_seats(GAMES["sport"], 3).with_options({"extra-move": "on"})
    with pytest.raises(Refused, match="unrated_options") as refused:
        pool_of(game, parse_control("3d"))
    assert refused.value.details == {"option": "extra-move"}


@pytest.mark.parametrize("preset", FORMER_PRESETS.values(), ids=FORMER_PRESETS)
def test_a_match_of_before_is_rated_as_its_preset_was(preset: Dots) -> None:
    assert pool_of(preset, parse_control("3d")) == pool_of(GAMES[preset.key], parse_control("3d"))


def test_what_a_preset_was_is_no_preset_for_a_game_of_today() -> None:
    with pytest.raises(Refused, match="unrated_options"):
        pool_of(GAMES["paper"].with_options({"reuse": "one"}), parse_control("3d"))


def test_the_winner_gains_what_the_loser_loses_among_equals() -> None:
    won, lost = rate(game((0,)), FRESH)
    assert won.after.value - 1500 == pytest.approx(1500 - lost.after.value)
    assert won.after.value > 1600
    assert (won.result, lost.result) == (1, 0)


def test_a_draw_among_equals_changes_only_how_sure_they_are() -> None:
    one, two = rate(game((0, 1)), FRESH)
    assert one.after.value == two.after.value == pytest.approx(1500)
    assert one.after.deviation < 350


def test_nothing_decided_is_nothing_rated() -> None:
    assert rate(game(()), FRESH) == ()


def test_both_are_rated_by_the_ratings_before_the_match() -> None:
    ratings = {ONE: Rating(1400, 60, at=Millis(NOW - DAY)), TWO: Rating(1800, 60, at=Millis(NOW - DAY))}
    assert [change.before for change in rate(game((0,)), ratings)] == [ratings[ONE], ratings[TWO]]


def test_each_further_game_of_a_pair_on_a_day_moves_them_less() -> None:
    gains = [rate(game((0,), meetings=n), FRESH)[0].after.value - 1500 for n in range(2, 6)]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > gains[-1]


def test_a_young_account_counts_less_for_its_opponent_but_not_for_itself() -> None:
    young = born(NOW - DAY)
    old, new = rate(game((0,), (ONE, young)), {ONE: Rating(), young: Rating()})
    assert (old.weight.value, new.weight.value) == (0.25, 1)


def test_the_losers_of_a_table_are_placed_by_their_score() -> None:
    assert places(Outcome((Seat(0),), "full"), (1.0, 2.0, 5.0)) == [0, 2, 1]


def test_the_winners_of_a_table_share_the_first_place() -> None:
    assert places(Outcome((Seat(0), Seat(2)), "full"), (5.0, 2.0, 5.0)) == [0, 2, 0]


def test_a_table_of_three_is_rated_by_places() -> None:
    first, second, third = rate(game((0,), (ONE, TWO, THREE)), FRESH)
    assert first.after.value > third.after.value > second.after.value


@pytest.mark.parametrize("match", [game((0,)), game((0, 1), meetings=4), game((1,), (ONE, TWO, THREE))])
def test_settling_again_from_the_same_ratings_changes_nothing(match: RatedGame) -> None:
    changes = rate(match, FRESH)
    assert rate_again(changes, FRESH) == changes


def test_settling_again_starts_from_the_ratings_that_it_is_given() -> None:
    again = rate_again(rate(game((0,)), FRESH), FRESH | {TWO: Rating(1900, 60)})
    assert again[1].before.value == 1900
    assert again[0].after.value > rate(game((0,)), FRESH)[0].after.value


COMPUTERS = Pool(Family.COMPUTER, Speed.DAYS)


def against_the_computer(level: int, winner: int) -> RatedGame:
    """Returns a game of ONE, who moved first, against the computer."""
    computer = UserId(900)
    return RatedGame(
        MatchId(8),
        COMPUTERS,
        (ONE, computer),
        Outcome((Seat(winner),), "full"),
        (0, 0),
        (),
        NOW,
        computer=Seat(1),
        level=level,
    )


def test_against_the_computer_only_the_person_is_rated() -> None:
    (change,) = rate(against_the_computer(4, winner=0), {ONE: Rating()})
    assert (change.user, change.level, change.after.value > 1500) == (ONE, 4, True)


def test_a_win_over_a_stronger_level_is_worth_more() -> None:
    gains = [rate(against_the_computer(level, winner=0), FRESH)[0].after.value for level in range(EASIEST, HARDEST + 1)]
    assert gains == sorted(gains)


@pytest.mark.parametrize(("level", "counts_as"), [(1, 1), (2, 2), (3, 2), (4, 3), (13, 7), (14, 8)])
def test_two_levels_count_as_one_at_dot_dash(level: int, counts_as: int) -> None:
    assert counted_level(GAMES["dot-dash"], level) == counts_as
    assert counted_level(GAMES["sport"], level) == level


def test_a_game_against_the_computer_is_settled_again_against_the_same_level() -> None:
    changes = rate(against_the_computer(6, winner=1), FRESH)
    assert rate_again(changes, FRESH) == changes


def test_a_table_with_the_computer_is_not_rated() -> None:
    with pytest.raises(Refused, match="unrated_computer"):
        pool_of(GAMES["three"], parse_control("3d"), computer=True)


def with_komi(winner: int, points: float = 400.0) -> RatedGame:
    """Returns a game in which the first of two players has a handicap."""
    return replace(game((winner,)), handicap=points)


def settled(first: float, second: float) -> dict[UserId, Rating]:
    return {ONE: Rating(first, 60, at=NOW), TWO: Rating(second, 60, at=NOW)}


@pytest.mark.parametrize("winner", [0, 1])
def test_a_handicap_of_the_gap_rates_both_as_equals(winner: int) -> None:
    uneven = rate(with_komi(winner), settled(1400, 1800))
    even = rate(game((winner,)), settled(1600, 1600))
    for one, other in zip(uneven, even, strict=True):
        assert one.after.value - one.before.value == pytest.approx(other.after.value - other.before.value)


def test_a_handicap_beyond_the_gap_earns_its_giver_no_more_than_an_even_game() -> None:
    changes = rate(with_komi(1), settled(1600, 1600))
    assert changes[1].after.value == pytest.approx(rate(game((1,)), settled(1600, 1600))[1].after.value)


def test_a_handicap_beyond_the_gap_earns_its_receiver_less_than_a_fair_one() -> None:
    fair, large = rate(with_komi(0, 100), settled(1500, 1600)), rate(with_komi(0, 200), settled(1500, 1600))
    assert 0 < large[0].after.value - 1500 < (fair[0].after.value - 1500) / 2


def test_a_handicap_for_the_stronger_player_makes_nobody_richer_than_none() -> None:
    for winner in (0, 1):
        given = rate(with_komi(winner), settled(1800, 1400))
        none = rate(game((winner,)), settled(1800, 1400))
        assert all(one.after.value <= other.after.value for one, other in zip(given, none, strict=True))


@pytest.mark.parametrize("winner", [0, 1])
def test_a_handicap_game_with_an_unsettled_player_changes_no_rating(winner: int) -> None:
    changes = rate(with_komi(winner), settled(1400, 1800) | {ONE: Rating()})
    assert [change.weight.reasons for change in changes] == [("unsettled_handicap",)] * 2
    assert [change.after.value for change in changes] == [1500, 1800]


def test_a_handicap_against_the_computer_counts_as_against_a_player() -> None:
    against = replace(with_komi(0), computer=Seat(1), level=5, players=(ONE, TWO))
    (change,) = rate(against, settled(1200, 0))
    (even,) = rate(replace(against, handicap=0.0), settled(1600, 0))
    assert change.offset == 400
    assert change.after.value - 1200 == pytest.approx(even.after.value - 1600)


def test_a_handicap_game_is_rated_again_with_the_same_offset() -> None:
    changes = rate(with_komi(0), settled(1400, 1800))
    assert [change.offset for change in changes] == [400, -400]
    assert rate_again(changes, settled(1400, 1800)) == changes
    moved = rate_again(changes, settled(1450, 1800))
    assert moved == rate(with_komi(0), settled(1450, 1800))


@pytest.mark.parametrize("winner", [0, 1])
def test_a_handicap_changes_no_points_of_the_season(winner: int) -> None:
    pairs = zip(rate(with_komi(winner), settled(1400, 1800)), rate(game((winner,)), settled(1400, 1800)), strict=True)
    assert all(points(a.result, a.weight.value) == points(b.result, b.weight.value) for a, b in pairs)


def test_a_measured_handicap_is_rated_with_the_even_games() -> None:
    assert pool_of(GAMES["zagram"].with_options({"size": "15x15", "komi": "5.5"}), parse_control("3d")) == DOTS


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("zagram", {"size": "15x15", "handicap": "2"}),
        ("zagram", {"size": "15x15", "komi": "6.5"}),
        ("zagram", {"size": "39x32", "komi": "2.5"}),
        ("paper", {"size": "15x15", "komi": "2.5"}),
    ],
)
def test_a_handicap_that_was_not_measured_is_not_rated(key: str, options: dict[str, str]) -> None:
    with pytest.raises(Refused, match="unrated_handicap"):
        pool_of(GAMES[key].with_options(options), parse_control("3d"))
