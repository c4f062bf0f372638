"""Draws the pictures of the rules pages and the film of README.md again: `make pictures`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bot.features.help.diagrams import FOLDER as DIAGRAMS
from bot.features.help.diagrams import Diagram
from play.records import sgf
from renderer.header import Header, Plate
from renderer.replay import Moment, replay
from rules.dots import Dots
from rules.registry import GAMES
from web.pages.front import RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "rules"
FILM = Path(__file__).parent / "game.gif"
"""The moving board of the README."""


def diagrams() -> Iterator[tuple[str, Diagram]]:
    """Yields every diagram of the rules pages, by its name."""
    for path in sorted(DIAGRAMS.glob("*.diagram")):
        yield path.stem, Diagram.load(path.stem)


def film() -> bytes:
    """Returns the recorded game as a GIF file, by the exporter that players use."""
    preset, record = GAMES["zagram"], sgf.read(RECORD.read_bytes())
    assert isinstance(preset, Dots)
    return replay(
        Moment(position.picture(), _header(record.players, position.score, number))
        for number, position in enumerate(record.replay(preset))
    )


def _header(players: tuple[str, ...], score: tuple[float, ...], number: int) -> Header:
    plates = (Plate(name, f"{points:g}") for name, points in zip(players, score, strict=True))
    return Header(tuple(plates), f"move {number}")


if __name__ == "__main__":
    for name, diagram in diagrams():
        (FOLDER / f"{name}.png").write_bytes(diagram.png())
    FILM.write_bytes(film())
