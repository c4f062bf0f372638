"""The pictures of the guides: each is there in each language, small, and of the screens as they are now."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from bot.markup import spoken
from docs.pictures import SHOWN
from docs.stage import PageShot, Shot, Stage, digest, open_stage
from docs.stories import PAGES, STORIES, browser, ladder
from web.pages.guides import FOLDER, PICTURES

MAX_BYTES: Final = 6_000_000
"""Of all pictures of the guides: a wheel has them."""

NOTED: Final[dict[str, dict[str, Any]]] = json.loads(SHOWN.read_text("utf-8"))
LANGUAGES: Final = tuple(words.tag for words in spoken())

AGAIN: Final = "python -m docs.pictures takes the pictures again"


def shown_in(guide: Path) -> list[str]:
    """Returns the pictures that a guide shows."""
    return re.findall(r"!\[[^\]]+\]\((?:\.\./)?pictures/([^)]+)\)", guide.read_text("utf-8"))


def test_every_picture_is_shown_and_noted() -> None:
    guides = [*FOLDER.glob("*.md"), *FOLDER.glob("[a-z][a-z]/*.md")]
    shown = sorted(path for guide in guides for path in shown_in(guide))
    assert shown == sorted(NOTED)
    assert shown == sorted(path.relative_to(PICTURES).as_posix() for path in PICTURES.glob("*/*.webp"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guide_shows_pictures_of_its_own_language(language: str) -> None:
    folder = FOLDER if language == "en" else FOLDER / language
    paths = [path for guide in folder.glob("*.md") for path in shown_in(guide)]
    assert paths
    assert {path.partition("/")[0] for path in paths} == {language}


def test_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in PICTURES.glob("*/*.webp")) < MAX_BYTES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_is_of_its_page_as_it_is_now(language: str) -> None:
    """Scripts are not looked at: a page is drawn by its sheets, its parts and its words."""
    words = spoken().of(language)
    now = {name: digest(PageShot(name, "", *made), words) for name, made in PAGES.items()}
    assert {name: NOTED[f"{language}/{name}.webp"]["shows"] for name in PAGES} == now, AGAIN


async def played(stage: Stage, stories: tuple[Any, ...]) -> dict[str, str]:
    """Returns the digests of what stories show now."""
    return {
        f"{stage.words.tag}/{shot.name}.webp": digest(shot, stage.words)
        for story in stories
        async for shot in story(stage)
        if isinstance(shot, Shot)
    }


@pytest.mark.contest
@pytest.mark.smoke
async def test_a_picture_is_of_its_message_as_it_is_now() -> None:
    async with open_stage("en") as stage:
        now = await played(stage, (ladder,))
    assert {path: NOTED[path]["shows"] for path in now} == now, AGAIN


@pytest.mark.contest
@pytest.mark.parametrize("language", LANGUAGES)
async def test_all_pictures_are_of_their_messages_as_they_are_now(language: str) -> None:
    now: dict[str, str] = {}
    for story in STORIES:
        if story is not browser:
            async with open_stage(language) as stage:
                now |= await played(stage, (story,))
    assert {path: NOTED[path]["shows"] for path in now} == now, AGAIN
