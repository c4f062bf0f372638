"""All games: presets by key."""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

from rules import dash, dots
from rules.game import AnyGame, BadOption

DEFAULT = "zagram"

GAMES: Mapping[str, AnyGame] = {game.key: game for game in (*dots.PRESETS, *dash.PRESETS)}

NEEDS_CONSENT = frozenset(game.key for game in dash.PRESETS)
"""Presets that an operator switches on: their author asks to be contacted before the game is offered to the public."""

MAX_CONFIGURED = 1024
"""Games that are kept as they were configured. A round of the matchmaker reads the terms of 500 searches, most of them
alike."""


def make_game(key: str, options: Mapping[str, str]) -> AnyGame:
    """Returns the preset `key` with `options` changed. Raises BadOption (`no_preset` for an unknown key)."""
    if key not in GAMES:
        raise BadOption("no_preset", preset=key)
    return _configure(key, tuple(options.items()))


@lru_cache(MAX_CONFIGURED)
def _configure(key: str, options: tuple[tuple[str, str], ...]) -> AnyGame:
    return GAMES[key].with_options(dict(options))


def restore_game(key: str, options: Mapping[str, str]) -> AnyGame:
    """Returns the game of a stored contest, by the rules with which it began (decision 0046). Raises BadOption."""
    if _is_former(key, options):
        return dots.FORMER_PRESETS[key].with_options(options)
    return make_game(key, options)


def renew_game(key: str, options: Mapping[str, str]) -> AnyGame:
    """Returns the game of stored terms, with the present options of its preset. Raises BadOption."""
    if not _is_former(key, options):
        return make_game(key, options)
    with suppress(BadOption):  # three could once choose the rules of zagram: they keep theirs
        return make_game(key, {option: value for option, value in options.items() if option in dots.OLD_CHOICES})
    return restore_game(key, options)


def preset_of(game: AnyGame) -> AnyGame:
    """Returns the preset that a game was made from, as it was then."""
    former = isinstance(game, dots.Dots) and game.former
    return dots.FORMER_PRESETS[game.key] if former else GAMES[game.key]


def with_seats(game: AnyGame, seats: int) -> AnyGame:
    """Returns the rules of `game` for `seats` players, without options that need two. Raises BadOption (`bad_seats`,
    `preset_needs_two`)."""
    if isinstance(game, dots.Dots):
        return dots.with_seats(game, seats)
    if seats != game.seats:
        raise BadOption("preset_needs_two")
    return game


def _is_former(key: str, options: Mapping[str, str]) -> bool:
    return key in dots.FORMER_PRESETS and "reuse" not in options
