"""The guides on the site: in the language of their reader, with links that lead on, and for robots to list."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from bot import __version__
from bot.markup import spoken
from loopback import Discord
from tests.bot.features.welcome.test_introductions import answer_to, call
from tests.bot.room import Room
from tests.web.test_front import public
from tests.web.visit import Visit, link_on
from web.pages.guides import GROUPS, Guide, render

NAMES: Final = tuple(name for names in GROUPS.values() for name in names)
SOURCE: Final = "https://code.example/kropka/blob/v1"


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {"hosting": public(discord.address.rstrip("/"))}


async def ask_for(visit: Visit, path: str, language: str) -> str:
    """Returns the page at a path, for a browser of a language."""
    status, page = await visit.get(path, {"Accept-Language": language})
    assert status == 200
    return page


@pytest.mark.sample(6)
@pytest.mark.parametrize("language", spoken().names)
async def test_the_index_has_every_guide_in_the_language_of_the_browser(
    room: Room, visit: Callable[[], Visit], language: str
) -> None:
    page = await ask_for(visit(), "/help", language)
    assert f"<h1>{spoken().of(language)('web.help.title')}</h1>" in page
    assert re.findall(r'href="/help/([a-z-]+)"', page) == list(NAMES)
    for name in NAMES:
        assert f">{render(name, language, None).title}</a>" in page


async def test_a_guide_is_a_page_that_robots_may_list(room: Room, visit: Callable[[], Visit]) -> None:
    headers = await visit().headers("/help/days")
    assert "X-Robots-Tag" not in headers
    page = await ask_for(visit(), "/help/days", "en")
    assert "noindex" not in page
    assert "<title>Play over days · Kropka</title>" in page
    assert "<code>/challenge clock:3d</code>" in page
    assert "<table>" in page


async def test_links_lead_to_guides_and_to_the_repository(room: Room, visit: Callable[[], Visit]) -> None:
    page = await ask_for(visit(), "/help/days", "en")
    assert 'href="/help/league"' in page
    assert f'href="https://kropka.example/source/blob/v{__version__}/docs/players.md#clocks"' in page


async def test_an_unknown_guide_is_refused(room: Room, visit: Callable[[], Visit]) -> None:
    assert (await visit().get("/help/nothing"))[0] == 404


async def test_the_greeting_leads_to_the_guides(room: Room) -> None:
    card = await answer_to(room, call(room, room.ola, room.channel))
    assert link_on(card) == f"{room.discord.address}help"


def test_every_link_of_a_guide_leads_to_a_guide_or_out() -> None:
    for name in NAMES:
        links = re.findall(r'href="([^"]+)"', render(name, "en", SOURCE).body)
        assert links
        for link in links:
            assert re.match(rf"/help/({'|'.join(NAMES)})(#|$)|{SOURCE}/(docs/)?[\w-]+\.md", link), (name, link)


@pytest.mark.parametrize("language", spoken().names)
def test_every_link_to_a_part_of_a_guide_finds_it(language: str) -> None:
    guides = {name: render(name, language, SOURCE).body for name in NAMES}
    parts = re.findall(r'href="/help/([a-z-]+)#([^"]+)"', "".join(guides.values()))
    assert parts
    assert [each for each in parts if f'id="{each[1]}"' not in guides[each[0]]] == []


def test_without_a_repository_no_link_leads_out_and_nothing_is_to_look_up() -> None:
    for name in NAMES:
        body = render(name, "en", None).body
        assert all(link.startswith("/help/") for link in re.findall(r'href="([^"]+)"', body))
        assert "Look up:" not in body
        assert "<ul>\n</ul>" not in body
    assert "The rules take two" in render("first-game", "en", None).body


def test_a_guide_without_a_translation_is_in_english(tmp_path: Path) -> None:
    (tmp_path / "days.md").write_text("# Days\n\nSlow.\n\n- Next\n- Look up\n")
    (tmp_path / "pl").mkdir()
    body = "<p>Slow.</p>\n<ul>\n<li>Next</li>\n</ul>\n"
    assert render("days", "pl", None, tmp_path) == Guide("days", "en", "Days", "Slow.", body)
    (tmp_path / "pl" / "days.md").write_text("# Dni\n\nPowoli.\n\n- Dalej\n- Więcej\n")
    assert render("days", "pl", None, tmp_path).title == "Dni"
