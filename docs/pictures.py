"""Makes the pictures of the pages again: `make pictures`. Those of rules and the film of README.md are drawn. Those of
the guides are taken of the stand-in and the site in Chromium, in six languages, which takes some minutes.

`python -m docs.pictures votes league` takes only those of some stories.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.features.help.diagrams import FOLDER as DIAGRAMS
from bot.features.help.diagrams import Diagram
from bot.markup import spoken
from docs.stage import Camera, digest, open_browser, open_stage
from docs.stories import STORIES
from play.records import sgf
from renderer.header import Header, Plate
from renderer.replay import Moment, replay
from rules.dots import Dots
from rules.registry import GAMES
from web.pages.front import RECORD
from web.pages.guides import PICTURES

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "rules"
FILM = Path(__file__).parent / "game.gif"
"""The moving board of the README."""
SHOWN = PICTURES / "shown.json"
"""The digest of what each picture of the guides shows, and its size in pixels of a page."""


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


async def take_guides(wanted: list[str]) -> None:
    """Takes the pictures of all stories, or of the `wanted` ones, in all languages, and notes what they show."""
    noted = json.loads(SHOWN.read_text("utf-8"))
    async with open_browser() as browser:
        for words in spoken():
            (PICTURES / words.tag).mkdir(exist_ok=True)
            camera = Camera(browser, words.tag)
            for story in STORIES:
                if wanted and story.__name__ not in wanted:
                    continue
                async with open_stage(words.tag) as stage:
                    async for shot in story(stage):
                        path = f"{words.tag}/{shot.name}.webp"
                        taken = await camera.take(stage, shot)
                        (PICTURES / path).write_bytes(taken.data)
                        shows = digest(shot, stage.words)
                        noted[path] = {"shows": shows, "width": taken.width, "height": taken.height}
    SHOWN.write_text(json.dumps(noted, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    for name, diagram in diagrams():
        (FOLDER / f"{name}.png").write_bytes(diagram.png())
    FILM.write_bytes(film())
    asyncio.run(take_guides(sys.argv[1:]))
