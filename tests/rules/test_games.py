"""The contract that every registered game keeps."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import pytest

from rules.dash import Dash
from rules.dots import Call, Closing, Dots, DotsPosition, Measure, Setup, Turn
from rules.game import (
    AnyGame,
    AnyPosition,
    BadNotation,
    BadOption,
    IllegalMove,
    Opening,
    Picture,
    RuleError,
    parse_point,
    point_name,
)
from rules.opening import play_on
from rules.registry import DEFAULT, GAMES, make_game

SMALL = [{"size": "7x6"}, {"size": "7x6", "start": "empty"}, {"size": "12x11", "start": "random"}, {"size": "7"}]
"""Fields on which whole games are short, with all starts; not every game can have each."""

LISTED = 300
"""Moves of a position that are read: a set-up of Dot Dash is one of 55,272."""

TRIED = 12
"""Moves of a position that are played as a trial."""


class Course(NamedTuple):
    """A random game: its moves, and its positions from the first to the last."""

    moves: list[Any]
    positions: list[AnyPosition]


def first_moves(position: AnyPosition) -> list[Any]:
    return list(islice(position.moves(), LISTED))


def choose_move(position: AnyPosition, chance: random.Random) -> Any:
    """Returns a move; in Dots now and then a call, and with a dot some areas that may be closed."""
    move = chance.choice(first_moves(position))
    if not isinstance(position, DotsPosition):
        return move
    if (calls := position.calls()) and chance.random() < 0.02:
        return chance.choice(calls)
    if position.can_stop_waiting and chance.random() < 0.01:
        return Call.STOP_WAITING
    offers = position.consequences_of(move.dot).offers
    if not offers or chance.random() < 0.3:
        return move
    offer = chance.choice(offers)
    if position.rules.closing is Closing.PAINTED:
        return Turn(move.dot, paints=(offer.point,))
    return Turn(move.dot, chains=(chance.choice((offer.chain, (offer.point,))),))


def play_game(game: AnyGame, seed: int) -> Course:
    chance = random.Random(seed)
    course = Course([], [game.start(seed)])
    while course.positions[-1].outcome is None:
        course.moves.append(choose_move(course.positions[-1], chance))
        course.positions.append(course.positions[-1].play(course.moves[-1]))
    return course


def playout(game: AnyGame, seed: int) -> Course:
    """Returns a random game, played once for all tests."""
    return _kept(game.key, tuple(game.options.items()), seed)


@cache
def _kept(key: str, options: tuple[tuple[str, str], ...], seed: int) -> Course:
    return play_game(make_game(key, dict(options)), seed)


def mirror(name: str, width: int) -> str:
    """Returns a point, or all points that a move names, on the paper seen from behind."""

    def turned(match: re.Match[str]) -> str:
        point = parse_point(match[0])
        return point_name(point._replace(x=width - 1 - point.x))

    return re.sub(r"[A-Z]+\d+", turned, name)


def small_games() -> Iterator[AnyGame]:
    """Lists every preset on a small field, with every start that it can have."""
    for preset in GAMES.values():
        for options in SMALL:
            with suppress(BadOption):
                yield preset.with_options(options)


def symmetric_games() -> Iterator[AnyGame]:
    """Lists those of them whose rules do not tell left from right. Left out are crosses, reading order among chains
    of equal length, and the default choice of fives."""
    for game in small_games():
        if isinstance(game, Dots):
            symmetric = game.setup is Setup.EMPTY and game.measure is Measure.AREA
        else:
            symmetric = isinstance(game, Dash) and not game.freezes
        if symmetric:
            yield game


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
    again = make_game(game.key, game.options)
    assert again == game
    assert hash(again) == hash(game)


@pytest.mark.sample(3)
def test_moves_are_empty_exactly_when_there_is_an_outcome(game: AnyGame) -> None:
    for position in playout(game, seed=1).positions:
        assert (not first_moves(position)) == (position.outcome is not None)


def test_every_legal_move_is_listed_once(game: AnyGame) -> None:
    for position in playout(game, seed=1).positions:
        moves = first_moves(position)
        assert len(moves) == len(set(moves))


@pytest.mark.sample(3)
def test_notation_names_a_move_and_reads_back(game: AnyGame) -> None:
    course = playout(game, seed=1)
    for move in (*course.moves, *(move for position in course.positions for move in first_moves(position))):
        assert game.parse(str(move)) == move


@pytest.mark.sample(3)
def test_playing_leaves_the_position_as_it_was(game: AnyGame) -> None:
    chance = random.Random(1)
    for position in playout(game, seed=1).positions:
        moves = first_moves(position)
        before = (position.picture(), position.score, position.to_act, moves)
        for move in chance.sample(moves, min(TRIED, len(moves))):
            position.play(move)
        assert (position.picture(), position.score, position.to_act, first_moves(position)) == before


@pytest.mark.sample(3)
def test_the_same_seed_gives_the_same_game(game: AnyGame) -> None:
    first, second = playout(game, seed=2), play_game(game, seed=2)
    assert first.moves == second.moves
    assert [position.picture() for position in first.positions] == [position.picture() for position in second.positions]


@pytest.mark.sample(3)
def test_replaying_the_moves_as_they_are_written_gives_the_same_positions(game: AnyGame) -> None:
    course = playout(game, seed=1)
    position = game.start(seed=1)
    for move, after in zip(course.moves, course.positions[1:], strict=True):
        position = position.play(game.parse(str(move)))
        assert (position.picture(), position.score) == (after.picture(), after.score)
        assert (position.to_act, position.outcome) == (after.to_act, after.outcome)


@pytest.mark.sample(3)
def test_a_game_that_is_played_on_from_any_move_goes_as_the_first_one_did(game: AnyGame) -> None:
    course, chance = playout(game, seed=1), random.Random(3)
    texts = [str(move) for move in course.moves]
    for number in {0, 1, len(texts) - 1, *chance.sample(range(len(texts)), min(6, len(texts)))}:
        opened = play_on(game, 1, texts[:number], match=12)
        stored = make_game(opened.key, opened.options)
        assert (stored, hash(stored)) == (opened, hash(opened))
        assert opened.opening == Opening(tuple(texts[:number]), 12, number)
        position = stored.start(seed=9)
        for move, same in zip((*texts[number:], ""), course.positions[number:], strict=True):
            assert (position.picture(), position.score) == (same.picture(), same.score)
            assert (position.to_act, position.outcome) == (same.to_act, same.outcome)
            position = position.play(game.parse(move)) if move else position


def test_a_game_that_is_played_on_from_one_that_was_has_all_turns_before_it(game: AnyGame) -> None:
    texts = [str(move) for move in playout(game, seed=1).moves]
    first = play_on(game, 1, texts[:2], match=12)
    second = play_on(first, 1, texts[2:3], match=13)
    assert second.opening == Opening(tuple(texts[:3]), 13, 1)
    assert second.start(0).picture() == playout(game, seed=1).positions[3].picture()


def test_other_options_leave_an_opening_behind(preset: AnyGame) -> None:
    opened = play_on(preset, 1, [], match=12)
    assert opened.opening is not None
    assert opened.with_options({"size": "15x15"}).opening is None
    assert opened.with_options({}) == opened


@pytest.mark.parametrize("text", ["K12", "1@ K12", "@1 K12", "1@2K12", "-1@2 K12", "1@2 " + "K12|" * 4001])
def test_a_text_that_is_no_opening_is_refused(preset: AnyGame, text: str) -> None:
    with pytest.raises(BadOption):
        preset.with_options({"opening": text})


@pytest.mark.parametrize("text", ["1@1 Q9x", "1@2 K12|K12"])
def test_an_opening_that_breaks_a_rule_does_not_start(preset: AnyGame, text: str) -> None:
    with pytest.raises(RuleError):
        preset.with_options({"opening": text}).start(0)


@pytest.mark.parametrize("game", [*symmetric_games()], ids=lambda game: f"{game.key}-{game.options['size']}")
def test_a_mirrored_game_has_the_mirrored_result(game: AnyGame) -> None:
    course = playout(game, seed=1)
    position = game.start(seed=1)
    width = position.picture().width
    for move, after in zip(course.moves, course.positions[1:], strict=True):
        position = position.play(game.parse(mirror(str(move), width)))
        assert (position.score, position.to_act, position.outcome) == (after.score, after.to_act, after.outcome)
        assert stones(position.picture(), mirror=True) == stones(after.picture(), mirror=False)


def stones(picture: Picture, *, mirror: bool) -> set[tuple[int, int, int, bool]]:
    """Returns the stones, by column, row, seat and whether they are captured."""
    last = picture.width - 1
    return {
        (last - x if mirror else x, y, stone.seat, stone.captured) for stone in picture.stones for x, y in [stone.point]
    }


def test_no_move_is_legal_after_the_end(game: AnyGame) -> None:
    *_, before, last = playout(game, seed=1).positions
    for move in first_moves(before):
        with pytest.raises(IllegalMove):
            last.play(move)


def test_chance_decides_once(game: AnyGame) -> None:
    settled = game.resolve_chance(seed=9)
    assert settled.resolve_chance(seed=10) == settled
    assert make_game(settled.key, settled.options) == settled
    assert settled.start(seed=10).picture() == game.start(seed=9).picture()


def test_there_is_one_score_for_each_seat(game: AnyGame) -> None:
    assert all(len(position.score) == game.seats for position in playout(game, seed=1).positions)


def test_the_winners_of_a_game_are_seats(game: AnyGame) -> None:
    outcome = playout(game, seed=1).positions[-1].outcome
    assert outcome is not None
    assert set(outcome.winners) <= set(range(game.seats))


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "text", ["", " ", "?", "K", "12", "resign", "K12 L13 M14 N15", "A0", "ZZZ1", "A" * 10_000, "A9" * 20]
)
def test_a_text_that_is_no_move_is_refused_as_notation(preset: AnyGame, text: str) -> None:
    with pytest.raises(BadNotation):
        preset.parse(text)


@pytest.mark.parametrize(
    "options", [{"colour": "red"}, {"size": "4x4"}, {"size": "61"}, {"size": "big"}, {"start": "?"}]
)
def test_options_that_make_no_game_are_refused(preset: AnyGame, options: dict[str, str]) -> None:
    with pytest.raises(BadOption):
        preset.with_options(options)


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(BadOption) as refused:
        make_game("chess", {})
    assert refused.value.key == "no_preset"
