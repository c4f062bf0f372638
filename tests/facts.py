"""Paths of the facts that tests check against. tests/data/README.md names their sources."""

from __future__ import annotations

import os
from pathlib import Path

_DATA = Path(__file__).parent / "data"
_BESIDE = Path(__file__).parents[2] / "shared"
"""A folder beside the clone that may have more games, and Discord's whole description of its API."""

API = _DATA / "discord-api.json"
OPENAPI = Path(os.environ.get("DISCORD_OPENAPI", API))
"""The description by which the stand-in checks all bodies."""

DESCRIPTIONS = sorted({API, OPENAPI, *_BESIDE.glob("discord-openapi.json")})
"""All descriptions at hand."""


def recorded_game(name: str) -> Path:
    """Returns the record of a real game."""
    return _DATA / "games" / f"{name}.sgf"


def recorded_position(name: str) -> Path:
    """Returns the record of a game of the computer's, up to a position that it misjudged."""
    return _DATA / "positions" / f"{name}.sgf"


def recorded_games() -> list[Path]:
    """Returns the records of all real games, also of those that are only beside the clone."""
    folders = _BESIDE / "games", _DATA / "games"
    return sorted({path.name: path for folder in folders for path in folder.glob("*.sgf")}.values())
