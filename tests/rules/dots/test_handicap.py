"""Extra dots and komi (docs/rules-reference.md, Handicap)."""

from __future__ import annotations

import pytest

from rules.dots import Closing, Dots, Ending, Scoring, Setup, Win
from rules.game import BadOption, point_name
from rules.registry import GAMES, renew_game, with_seats

ZAGRAM = GAMES["zagram"].with_options({"size": "15x15"})
FOR_TWO = [game for game in GAMES.values() if isinstance(game, Dots) and game.seats == 2]


def names(game: Dots) -> list[str]:
    return [point_name(point) for _, point in game.first_dots]


def small(**options: object) -> Dots:
    return Dots("test", 2, 1, Setup.EMPTY, **options)  # type: ignore[arg-type]


def test_extra_dots_lie_on_the_quarter_points_and_opposite_corners_come_first() -> None:
    game = ZAGRAM.with_options({"start": "empty", "handicap": "4"})
    assert isinstance(game, Dots)
    assert names(game) == ["D4", "L12", "L4", "D12"]


def test_an_extra_dot_gives_way_to_the_nearest_free_crossing() -> None:
    game = Dots("test", 15, 15, Setup.RANDOM, crosses=1, stones=ZAGRAM.first_dots, handicap=8)  # type: ignore[attr-defined]
    assert len(set(names(game))) == len(names(game)) == 12


@pytest.mark.parametrize("game", FOR_TWO, ids=lambda game: game.key)
@pytest.mark.parametrize("count", [1, 8])
def test_each_rule_set_for_two_starts_with_the_extra_dots_of_the_first_seat(game: Dots, count: int) -> None:
    plain, given = game.start(1), game.with_options({"handicap": str(count)}).start(1)
    dots = [sum(stone.seat == 0 for stone in position.picture().stones) for position in (plain, given)]
    assert (dots[1] - dots[0], given.to_act) == (count, 0)


@pytest.mark.parametrize("game", FOR_TWO, ids=lambda game: game.key)
def test_each_rule_set_for_two_counts_komi_for_the_first_seat(game: Dots) -> None:
    plain, given = game.start(1).score, game.with_options({"komi": "2.5"}).start(1).score
    assert given == (plain[0] + 2.5, plain[1])


def test_half_a_point_decides_a_level_game() -> None:
    position = small(komi=0.5).start(0)
    for name in ("A1", "B1"):
        position = position.play(position.rules.parse(name))
    assert position.outcome is not None
    assert position.outcome.winners == (0,)


def test_a_stop_and_an_agreed_end_count_komi() -> None:
    rules = Dots("test", 9, 9, Setup.CROSS, ending=Ending.GROUND, closing=Closing.DRAWN, komi=2.5)
    position = rules.start(0)
    assert position.agreed_end().scores == (2.5, 0)
    stop = position.play(rules.parse("stop"))
    assert (stop.score, stop.outcome is not None) == ((2.5, 2), True)


def test_landing_needs_a_lead_without_which_komi_is_not_enough() -> None:
    """Four dots of the cross are at risk: two of each player."""
    bare = Dots("test", 9, 9, Setup.CROSS, landing=True)
    assert not bare.start(0).calls()
    assert Dots("test", 9, 9, Setup.CROSS, landing=True, komi=2.5).start(0).calls()


def test_an_instant_win_does_not_count_komi() -> None:
    assert small(komi=5.5, win=Win(5, ahead=True)).start(0).outcome is None


def test_everything_counts_komi_once() -> None:
    assert small(komi=1.5, scoring=Scoring.EVERYTHING).start(0).score == (1.5, 0)


@pytest.mark.parametrize("options", [{"handicap": "9"}, {"handicap": "-1"}, {"komi": "0.25"}, {"komi": "nan"}])
def test_values_that_are_not_offered_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(BadOption):
        ZAGRAM.with_options(options)


def test_three_players_have_no_handicap() -> None:
    given = GAMES["classic"].with_options({"size": "15x15", "handicap": "2", "komi": "2.5"})
    three = with_seats(given, 3)
    assert (three.options["handicap"], three.options["komi"]) == ("0", "0")
    with pytest.raises(BadOption, match="handicap_needs_two"):
        three.with_options({"komi": "0.5"})


def test_a_board_that_the_extra_dots_would_fill_is_refused() -> None:
    with pytest.raises(BadOption, match="no_room_for_handicap"):
        small(handicap=2)


def test_a_stored_game_without_the_options_goes_on_as_before() -> None:
    stored = {key: value for key, value in ZAGRAM.options.items() if key not in ("handicap", "komi")}
    assert renew_game("zagram", stored) == ZAGRAM
