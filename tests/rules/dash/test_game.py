"""Dot Dash as a game like any other: its options, and the contract of tests/rules/test_games.py."""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from rules.dash import PRESETS, Dash, DashPosition, Variant
from rules.game import AnyGame, BadOption, IllegalMove

if TYPE_CHECKING:
    from rules.dash import Turn


def some_moves(position: DashPosition, chance: random.Random) -> list[Turn]:
    """Returns all of a position's moves; of the set-ups a few thousand."""
    return list(islice(position.moves(), chance.randrange(2_000), 4_000)) or list(position.moves())


def playout(game: Dash, seed: int) -> list[DashPosition]:
    """Returns the positions of a random game, from the first to the last."""
    chance = random.Random(seed)
    positions = [game.start(seed)]
    while moves := some_moves(positions[-1], chance):
        positions.append(positions[-1].play(chance.choice(moves)))
    return positions


@pytest.fixture(params=PRESETS, ids=lambda game: game.key)
def preset(request: pytest.FixtureRequest) -> Dash:
    game = request.param
    assert isinstance(game, Dash)
    return game


@pytest.fixture(params=["7", "9", "13"])
def game(preset: Dash, request: pytest.FixtureRequest) -> Dash:
    return preset.with_options({"size": request.param})


def test_there_is_a_preset_for_each_variant() -> None:
    assert {game.key: game.variant for game in PRESETS} == {
        "dot-dash": Variant.BASE,
        "dot-dash-frozen": Variant.FROZEN,
        "dot-dash-sacrifice": Variant.SACRIFICE,
    }


def test_a_preset_is_played_on_13x13(preset: Dash) -> None:
    assert preset.options["size"] == "13x13"


def test_a_game_is_read_back_from_its_options(preset: Dash, game: Dash) -> None:
    again = preset.with_options(game.options)
    assert again == game
    assert hash(again) == hash(game)


@pytest.mark.parametrize("text", ["9", "9x9", " 9 x 9 ", "9×9"])
def test_a_size_is_read_however_people_write_it(text: str) -> None:
    assert PRESETS[0].with_options({"size": text}).size == 9


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"colour": "red"}, "unknown_option"),
        ({"start": "cross"}, "unknown_option"),
        ({"size": "6"}, "bad_size"),
        ({"size": "20"}, "bad_size"),
        ({"size": "big"}, "bad_size"),
        ({"size": ""}, "bad_size"),
        ({"size": "9x8"}, "not_square"),
        ({"variant": "ice"}, "bad_variant"),
    ],
)
def test_options_that_make_no_game_are_refused(preset: Dash, options: dict[str, str], reason: str) -> None:
    with pytest.raises(BadOption) as refused:
        preset.with_options(options)
    assert refused.value.key == reason


def test_it_is_a_game(preset: Dash) -> None:
    game: AnyGame = preset
    assert game.seats == 2


def test_moves_are_empty_exactly_when_there_is_an_outcome(game: Dash) -> None:
    positions = playout(game, seed=1)
    assert all(position.outcome is None for position in positions[:-1])
    assert positions[-1].outcome is not None


def test_every_legal_move_is_listed_once(game: Dash) -> None:
    for position in playout(game, seed=2):
        moves = some_moves(position, random.Random(0))
        assert len(moves) == len(set(moves))


def test_every_listed_move_leads_elsewhere(game: Dash) -> None:
    for position in playout(game, seed=2)[2:]:
        moves = list(position.moves())
        assert len({position.play(move) for move in moves}) == len(moves)


@pytest.mark.sample(4)
def test_notation_names_a_move_and_reads_back(game: Dash) -> None:
    for position in playout(game, seed=3):
        for move in some_moves(position, random.Random(0)):
            assert game.parse(str(move)) == move


@pytest.mark.sample(4)
def test_playing_leaves_the_position_as_it_was(game: Dash) -> None:
    for position in playout(game, seed=4)[1:]:
        before = (position.picture(), position.score, position.to_act, list(position.moves()))
        for move in position.moves():
            position.play(move)
        assert (position.picture(), position.score, position.to_act, list(position.moves())) == before


def test_the_same_moves_give_the_same_game(game: Dash) -> None:
    assert playout(game, seed=5) == playout(game, seed=5)


def test_no_move_is_legal_after_the_end(game: Dash) -> None:
    *_, before, last = playout(game, seed=6)
    for move in before.moves():
        with pytest.raises(IllegalMove) as refused:
            last.play(move)
        assert refused.value.key == "game_over"


def test_the_score_is_one_number_of_fives_for_each_seat(game: Dash) -> None:
    for position in playout(game, seed=7):
        assert position.score == tuple(map(len, position.fives))
