"""The presets, as the texts have them and as they were before (docs/rules-reference.md, Rule sets; decision 0046)."""

from __future__ import annotations

from typing import Any

import pytest

from rules.dots import FORMER_PRESETS, PRESETS, Closing, Dots, Ending, Links, Measure, Reuse, Scoring, Setup, with_seats
from rules.game import AnyGame, BadOption
from rules.registry import GAMES, make_game, preset_of, renew_game, restore_game

BY_KEY = {game.key: game for game in PRESETS}
FOR_TABLES = ["sport", "sport-territory", "sport-blitz", "classic", "paper", "german-count", "quick", "three", "four"]
FOR_TWO = ["zagram", "zagram-territory", "zagram-no-territory", "szkrab", "two-squares"]


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("sport-territory", {"closing": Closing.PAINTED, "measure": Measure.LENGTH, "landing": False}),
        ("paper", {"closing": Closing.DRAWN, "reuse": Reuse.ANY, "ending": Ending.GROUND, "scoring": Scoring.DOTS}),
        ("german-count", {"closing": Closing.DRAWN, "reuse": Reuse.ANY, "scoring": Scoring.EVERYTHING}),
        ("two-squares", {"links": Links.FAR, "reuse": Reuse.ANY, "ending": Ending.FULL}),
        ("zagram-territory", {"closing": Closing.DRAWN, "reuse": Reuse.ONE, "ending": Ending.FULL}),
        ("szkrab", {"closing": Closing.DRAWN, "reuse": Reuse.NONE, "ending": Ending.FULL}),
    ],
)
def test_a_preset_is_what_its_text_says(key: str, values: dict[str, Any]) -> None:
    assert {name: getattr(BY_KEY[key], name) for name in values} == values


def test_german_count_is_paper_that_counts_everything() -> None:
    paper, german = dict(BY_KEY["paper"].options), dict(BY_KEY["german-count"].options)
    assert paper.pop("scoring") == "dots"
    assert german.pop("scoring") == "everything"
    assert paper == german


# Three and four players


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("key", FOR_TABLES)
def test_a_rule_set_for_two_becomes_one_for_three_and_four(key: str, seats: int) -> None:
    game = with_seats(BY_KEY[key], seats)
    assert (game.key, game.seats, game.setup) == (key, seats, Setup.EMPTY)
    assert (game.closing is Closing.PAINTED) == (key == "sport-territory")
    assert (game.ending, game.landing, game.links, game.reuse) == (Ending.FULL, False, Links.NEAR, Reuse.ONE)
    assert game.win == BY_KEY[key].win
    assert game.measure == BY_KEY[key].measure
    assert make_game(key, game.options) == game
    game.start(1)


@pytest.mark.parametrize("key", FOR_TWO)
def test_the_presets_of_zagram_and_far_links_stay_for_two(key: str) -> None:
    with pytest.raises(BadOption) as refused:
        with_seats(BY_KEY[key], 3)
    assert refused.value.key == "preset_needs_two"
    with pytest.raises(BadOption) as refused:
        make_game(key, {"seats": "3", "start": "empty", "closing": "automatic", "links": "near", "reuse": "one"})
    assert refused.value.key == "preset_needs_two"


def test_a_game_has_two_to_four_players() -> None:
    for seats in (1, 5):
        with pytest.raises(BadOption):
            with_seats(BY_KEY["sport"], seats)


def test_an_own_size_is_kept_with_more_players() -> None:
    game = BY_KEY["sport"].with_options({"size": "20x18"})
    assert with_seats(game, 3).options["size"] == "20x18"


# Before there was `reuse`

OLD = {
    "size": "9x9",
    "seats": "2",
    "start": "empty",
    "crosses": "1",
    "links": "near",
    "ending": "full",
    "extra-move": "off",
    "win": "none",
}
SPORT_TERRITORY = {**OLD, "closing": "painted", "chain": "area", "scoring": "territory", "landing": "on"}
PAPER = {**OLD, "closing": "drawn", "chain": "area", "scoring": "dots", "ending": "ground", "landing": "off"}
ZAGRAM = {**OLD, "start": "cross", "closing": "automatic", "chain": "area", "scoring": "dots", "landing": "off"}


@pytest.mark.parametrize("preset", FORMER_PRESETS.values(), ids=FORMER_PRESETS)
def test_a_match_of_before_is_restored_by_the_rules_of_before(preset: Dots) -> None:
    assert preset.former
    assert "reuse" not in preset.options
    assert restore_game(preset.key, preset.options) == preset
    assert preset_of(preset) == preset


def test_a_match_under_sport_territory_of_before_lands_and_paints_the_smallest_area() -> None:
    game = restore_game("sport-territory", SPORT_TERRITORY)
    assert isinstance(game, Dots)
    assert (game.landing, game.measure) == (True, Measure.AREA)


def test_a_match_on_paper_of_before_shares_one_dot() -> None:
    game = restore_game("paper", PAPER)
    assert isinstance(game, Dots)
    assert (game.reuse, game.counts_pools) == (Reuse.ONE, True)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda game: game.key)
def test_a_match_of_today_is_restored_as_it_is(preset: Dots) -> None:
    assert restore_game(preset.key, preset.options) == preset == preset_of(preset)


@pytest.mark.parametrize(
    ("key", "options"), [("sport-territory", SPORT_TERRITORY), ("paper", PAPER), ("zagram", ZAGRAM)]
)
def test_terms_of_before_follow_their_preset(key: str, options: dict[str, str]) -> None:
    chosen = {"size": "9x9", "start": options["start"]}
    assert renew_game(key, options) == GAMES[key].with_options(chosen)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_terms_of_today_are_read_as_they_are(game: AnyGame) -> None:
    assert renew_game(game.key, game.options) == game
