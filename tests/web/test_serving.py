"""The site on a port of its own, as behind a reverse proxy; and nothing where no address is set."""

from __future__ import annotations

import socket

import aiohttp
import pytest

from bot.settings import BadSettings, Hosting, Settings
from bot.website import serve_site
from loopback import Channel
from tests.bot.room import Room
from tests.web.visit import Visit, link_for


async def test_a_page_of_another_origin_is_refused_by_the_site_itself(room: Room, thread: Channel) -> None:
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    own = room.discord.address.rstrip("/")
    async with serve_site(room.bot.website, "127.0.0.1", 0) as port, Visit(f"http://127.0.0.1:{port}/") as browser:
        status, answer = await browser.enter(link)
        assert status == 403
        assert answer["line"].startswith("This request came from another site.")
        browser.origin = own
        assert (await browser.enter(link))[0] == 200
        board = await browser.live("/board/1")
        assert (await board.read())["is"] == "board"
        browser.origin = "https://evil.example"
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await browser.live("/board/1")
        assert refused.value.status == 403


async def test_boards_are_told_that_the_server_stops(room: Room, thread: Channel) -> None:
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    async with Visit(room.discord.address) as browser:
        async with serve_site(room.bot.website, "127.0.0.1", 0) as port:
            browser.address = browser.address.with_port(port)
            board = await browser.open(link)
        assert await board.closed() == 1012


async def test_a_port_that_is_taken_is_told_by_its_setting(room: Room) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadSettings, match="KROPKA_WEB_PORT and KROPKA_WEB_HOST"):
            async with serve_site(room.bot.website, "127.0.0.1", port):
                pass


async def test_without_a_site_nothing_listens() -> None:
    async with serve_site(None, "127.0.0.1", 0) as port:
        assert port is None


class TestWithoutAnAddress:
    """A bot without a web board."""

    @pytest.fixture
    def run_options(self) -> dict[str, object]:
        return {"hosting": Hosting()}

    async def test_there_is_no_button(self, room: Room, thread: Channel) -> None:
        assert room.bot.website is None
        assert "Browser" not in room.boards(thread)[-1].labels


@pytest.mark.parametrize(
    "address",
    [
        *("http://kropka.example", "https://kropka.example/path", "https://a:b@kropka.example", "kropka"),
        *("ftp://a.example", "https://:b@kropka.example", "https://kropka.example#top", "https://kropka.example/#"),
        *("https://kropka.example?a=b", "https://kropka.example/?"),
    ],
)
def test_an_address_that_no_browser_may_use_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, address: str
) -> None:
    folder = tmp_path_factory.mktemp("settings")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("KROPKA_WEB_URL", address)
    with pytest.raises(BadSettings, match="KROPKA_WEB_URL"):
        Settings.read(secrets=folder)


def test_an_address_is_kept_without_its_last_slash(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("settings")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("KROPKA_WEB_URL", "https://kropka.example/")
    assert Settings.read(secrets=folder).hosting().web == "https://kropka.example"
