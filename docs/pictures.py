"""Draws the pictures of the rules pages anew, by the diagrams of the program: `python -m docs.pictures`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bot.features.help.diagrams import FOLDER as DIAGRAMS
from bot.features.help.diagrams import Diagram

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "rules"


def diagrams() -> Iterator[tuple[str, Diagram]]:
    """Yields every diagram of the rules pages, by its name."""
    for path in sorted(DIAGRAMS.glob("*.diagram")):
        yield path.stem, Diagram.load(path.stem)


if __name__ == "__main__":
    for name, diagram in diagrams():
        (FOLDER / f"{name}.png").write_bytes(diagram.png())
