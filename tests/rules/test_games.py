"""The contract that every registered game keeps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import pytest

from rules.game import AnyGame, AnyPosition, BadNotation, BadOption, IllegalMove
from rules.registry import DEFAULT, GAMES, configured

SMALL = [{"size": "7x6"}, {"size": "7x6", "start": "empty"}, {"size": "12x11", "start": "random"}, {"size": "7"}]
"""Fields on which whole games are short, with the starts that there are; not every game can have each."""

LISTED = 300
"""Moves of a position that are looked at: a set-up of Dot Dash is one of 55,272."""


def listed(position: AnyPosition) -> list[Any]:
    return list(islice(position.moves(), LISTED))


def playout(game: AnyGame, seed: int) -> list[AnyPosition]:
    """The positions of a random game, from the first to the last."""
    chance = random.Random(seed)
    positions = [game.start(seed)]
    while moves := listed(positions[-1]):
        positions.append(positions[-1].play(chance.choice(moves)))
    return positions


def small_games() -> Iterator[AnyGame]:
    """Every preset on a small field, with every start that it can have."""
    for preset in GAMES.values():
        for options in SMALL:
            with suppress(BadOption):
                yield preset.configured(options)


@pytest.fixture(params=sorted(GAMES))
def preset(request: pytest.FixtureRequest) -> AnyGame:
    return GAMES[request.param]


@pytest.fixture(params=small_games(), ids=lambda game: f"{game.key}-{'-'.join(game.options.values())}")
def game(request: pytest.FixtureRequest) -> AnyGame:
    chosen: AnyGame = request.param
    return chosen


def test_the_default_preset_is_registered() -> None:
    assert DEFAULT in GAMES


def test_a_preset_is_registered_by_its_key() -> None:
    assert all(GAMES[key].key == key for key in GAMES)


def test_a_game_is_read_back_from_its_key_and_options(game: AnyGame) -> None:
    again = configured(game.key, game.options)
    assert again == game
    assert hash(again) == hash(game)


def test_moves_are_empty_exactly_when_there_is_an_outcome(game: AnyGame) -> None:
    positions = playout(game, seed=1)
    assert all(position.outcome is None for position in positions[:-1])
    assert positions[-1].outcome is not None


def test_every_legal_move_is_listed_once(game: AnyGame) -> None:
    for position in playout(game, seed=2):
        moves = listed(position)
        assert len(moves) == len(set(moves))


def test_notation_names_a_move_and_reads_back(game: AnyGame) -> None:
    for position in playout(game, seed=3):
        for move in listed(position):
            assert game.parse(str(move)) == move


def test_playing_leaves_the_position_as_it_was(game: AnyGame) -> None:
    for position in playout(game, seed=4):
        before = (position.picture(), position.score, position.to_act, listed(position))
        for move in listed(position):
            position.play(move)
        assert (position.picture(), position.score, position.to_act, listed(position)) == before


def test_the_same_seed_and_moves_give_the_same_game(game: AnyGame) -> None:
    first, second = playout(game, seed=5), playout(game, seed=5)
    assert [position.picture() for position in first] == [position.picture() for position in second]


def test_no_move_is_legal_after_the_end(game: AnyGame) -> None:
    *_, before, last = playout(game, seed=6)
    for move in listed(before):
        with pytest.raises(IllegalMove):
            last.play(move)


def test_what_is_left_to_chance_is_settled_once(game: AnyGame) -> None:
    settled = game.settled(seed=9)
    assert settled.settled(seed=10) == settled
    assert configured(settled.key, settled.options) == settled
    assert settled.start(seed=10).picture() == game.start(seed=9).picture()


def test_there_is_one_score_for_each_seat(game: AnyGame) -> None:
    assert all(len(position.score) == game.seats for position in playout(game, seed=7))


def test_the_winners_of_a_full_game_are_seats(game: AnyGame) -> None:
    outcome = playout(game, seed=8)[-1].outcome
    assert outcome is not None
    assert set(outcome.winners) <= set(range(game.seats))


@pytest.mark.parametrize("text", ["", " ", "?", "K", "12", "resign", "K12 L13", "A0", "ZZZ1", "A" * 10_000, "A9" * 20])
def test_what_is_no_move_is_refused_as_notation(preset: AnyGame, text: str) -> None:
    with pytest.raises(BadNotation):
        preset.parse(text)


@pytest.mark.parametrize(
    "options", [{"colour": "red"}, {"size": "4x4"}, {"size": "61"}, {"size": "big"}, {"start": "?"}]
)
def test_what_makes_no_game_is_refused_as_option(preset: AnyGame, options: dict[str, str]) -> None:
    with pytest.raises(BadOption):
        preset.configured(options)


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(BadOption) as refused:
        configured("chess", {})
    assert refused.value.key == "no_preset"
