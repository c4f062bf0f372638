"""The page of the site's own address: what it says to whom, and that the Activity keeps its place there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import aiohttp
import pytest
import yarl
from pydantic import SecretStr

from bot.markup import spoken
from bot.settings import Hosting
from bot.website import serve_site
from loopback import Channel, Discord
from tests.bot.room import Room
from tests.web.visit import Visit, link_for
from web.pages.front import recorded_game

PAGES = [f"https://kropka.example/{name}" for name in ("support", "source", "terms", "privacy")]
"""The operator's pages, in the order of `Hosting`."""


def public(address: str) -> Hosting:
    """Returns what an operator offers whose bot people may add, and who has all pages."""
    support, source, terms, privacy = PAGES
    return Hosting(support, source, terms, privacy, web=address)


NOTHING: Mapping[str, str] = {}

FRAMED = {"frame_id": "1", "instance_id": "i-1", "platform": "desktop"}


async def ask(
    room: Room, query: Mapping[str, str] = NOTHING, headers: Mapping[str, str] = NOTHING
) -> tuple[dict[str, str], str]:
    """Returns the headers and the page at the site's own address, as behind a reverse proxy."""
    async with serve_site(room.bot.website, "127.0.0.1", 0) as port, aiohttp.ClientSession() as http:
        address = yarl.URL(f"http://127.0.0.1:{port}/") % query
        async with http.get(address, headers={"Accept-Language": "en"} | dict(headers)) as got:
            assert got.status == 200
            return dict(got.headers), await got.text()


class TestAPublicBot:
    """A bot that people may add, whose operator has all pages."""

    @pytest.fixture
    def run_options(self, discord: Discord) -> dict[str, Any]:
        return {"hosting": public(discord.address.rstrip("/"))}

    @pytest.mark.sample(6)
    @pytest.mark.parametrize("language", spoken().names)
    async def test_it_speaks_the_language_of_the_browser(self, room: Room, language: str) -> None:
        _, page = await ask(room, headers={"Accept-Language": f"{language}-XX,en;q=0.5"})
        words = spoken().of(language).plain
        assert f'<html lang="{language}">' in page
        assert f"<h1>{words('web.front.title')}</h1>" in page

    async def test_it_leads_to_the_installation_and_to_the_operators_pages(self, room: Room) -> None:
        _, page = await ask(room)
        assert f"client_id={room.bot.client.application_id}" in page
        for address in PAGES:
            assert f'href="{address}"' in page

    async def test_robots_list_it_and_a_chat_shows_its_picture(self, room: Room, visit: Callable[[], Visit]) -> None:
        headers, page = await ask(room)
        assert "noindex" not in page
        assert "X-Robots-Tag" not in headers
        assert "Set-Cookie" not in headers
        assert f'<meta property="og:image" content="{room.discord.address}front/board.png">' in page
        assert (await visit().headers("/front/board.png"))["Content-Type"] == "image/png"

    async def test_a_browser_with_a_session_is_led_to_its_games(
        self, room: Room, thread: Channel, visit: Callable[[], Visit]
    ) -> None:
        browser = visit()
        assert "My games" not in (await browser.get("/front"))[1]
        _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
        session = yarl.URL(answer["to"]).query["as"]
        page = (await browser.get("/front"))[1]
        assert f'href="/home?as={session}"' in page
        assert (await browser.get(f"/home?as={session}"))[0] == 200
        assert (await browser.post(f"/leave?as={session}"))[0] == 204
        assert "My games" not in (await browser.get("/front"))[1]

    async def test_its_game_is_the_recorded_one(self, room: Room, visit: Callable[[], Visit]) -> None:
        assert (await visit().get("/front/moves.json"))[1].encode() == recorded_game().plies

    async def test_without_an_activity_a_frame_gets_nothing_else(self, room: Room) -> None:
        headers, page = await ask(room, FRAMED)
        assert "<h1>Play Dots on Discord</h1>" in page
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


class TestAPrivateBot:
    """A bot that nobody can add, such as the try-out's, with an Activity."""

    @pytest.fixture
    def run_options(self, discord: Discord) -> dict[str, Any]:
        secret = SecretStr(discord.client_secret)
        return {"hosting": Hosting(web=discord.address.rstrip("/"), client_secret=secret, can_invite=False)}

    async def test_it_offers_no_installation(self, room: Room) -> None:
        _, page = await ask(room)
        assert "client_id" not in page
        assert "Add to Discord" not in page

    @pytest.mark.parametrize(
        ("query", "headers"), [(FRAMED, {}), ({}, {"Sec-Fetch-Dest": "iframe"})], ids=["named", "told"]
    )
    async def test_a_frame_of_discord_gets_the_activity(
        self, room: Room, query: dict[str, str], headers: dict[str, str]
    ) -> None:
        answered, page = await ask(room, query, headers)
        assert 'id="entrance"' in page
        assert "frame-ancestors" not in answered["Content-Security-Policy"]

    async def test_a_browser_gets_a_page_that_no_frame_may_show(self, room: Room) -> None:
        headers, page = await ask(room, {"instance_id": "i-1"}, {"Sec-Fetch-Dest": "document"})
        assert "<h1>Play Dots on Discord</h1>" in page
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
