"""Where the facts are that tests check against. tests/data/README.md says where they come from."""

from __future__ import annotations

from pathlib import Path

_GAMES = Path(__file__).parent / "data" / "games"
_BESIDE = Path(__file__).parents[2] / "shared" / "games"
"""A folder beside the clone that may hold more games."""


def recorded_game(name: str) -> Path:
    """Returns the record of a real game."""
    return _GAMES / f"{name}.sgf"


def recorded_games() -> list[Path]:
    """Returns the records of all real games, also of those that are only beside the clone."""
    return sorted({path.name: path for folder in (_BESIDE, _GAMES) for path in folder.glob("*.sgf")}.values())
