"""All games: presets by key."""

from __future__ import annotations

from collections.abc import Mapping

from rules import dash, dots
from rules.game import AnyGame, BadOption

DEFAULT = "zagram"

GAMES: Mapping[str, AnyGame] = {game.key: game for game in (*dots.PRESETS, *dash.PRESETS)}

NEEDS_CONSENT = frozenset(game.key for game in dash.PRESETS)
"""Presets that an operator switches on: their author asks to be contacted before the game is offered to the public."""


def make_game(key: str, options: Mapping[str, str]) -> AnyGame:
    """Returns the preset `key` with `options` changed. Raises BadOption (`no_preset` for an unknown key)."""
    if key not in GAMES:
        raise BadOption("no_preset", preset=key)
    return GAMES[key].with_options(options)
