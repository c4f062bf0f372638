"""Access to each route: the try-out is for its owner alone."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest
import yarl
from aiohttp import web

from loopback import HANG_SECONDS, TOKEN, Discord
from loopback.rest.router import TABLES, WITHOUT_TOKEN
from tests.loopback.conftest import AS_BOT, Clock, raw

ROUTES = (
    "",
    "page/page.js",
    "page/ws",
    "gateway",
    "api/v10/gateway",
    "api/v10/users/@me",
    "cdn/attachments/1/2/board.png",
    "cdn/ephemeral-attachments/1/2/game.sgf",
    "nowhere",
)


class TestHost:
    """Requests under a host name that an attacker resolves to 127.0.0.1."""

    @pytest.mark.parametrize("path", ROUTES)
    async def test_a_foreign_host_is_refused_on_every_route(
        self, discord: Discord, owner: aiohttp.ClientSession, path: str
    ) -> None:
        async with owner.get(discord.address + path, headers={**AS_BOT, "Host": "rebound.example"}) as answer:
            assert answer.status == 421

    @pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1", "localhost.example:{port}", "0.0.0.0:{port}", ""])
    async def test_a_host_that_only_looks_like_ours_is_refused(
        self, discord: Discord, owner: aiohttp.ClientSession, host: str
    ) -> None:
        host = host.format(port=yarl.URL(discord.address).port)
        async with owner.get(discord.address, headers={"Host": host}) as answer:
            assert answer.status == 421

    async def test_a_request_without_a_host_is_refused(self, discord: Discord) -> None:
        assert "421" in await raw(discord, "GET / HTTP/1.0\n\n")

    async def test_the_bot_may_call_it_localhost(self, discord: Discord, stranger: aiohttp.ClientSession) -> None:
        host = f"localhost:{yarl.URL(discord.address).port}"
        async with stranger.get(f"{discord.api}/users/@me", headers={**AS_BOT, "Host": host}) as answer:
            assert answer.status == 200

    async def test_the_page_has_one_origin(self, discord: Discord, stranger: aiohttp.ClientSession) -> None:
        host = f"localhost:{yarl.URL(discord.address).port}"
        key = yarl.URL(discord.page_address).query_string
        asked = stranger.get(f"{discord.address}?{key}", headers={"Host": host}, allow_redirects=False)
        async with asked as answer:
            assert (answer.status, answer.headers["Location"]) == (302, discord.page_address)

    async def test_the_pages_beside_it_have_the_same_origin(
        self, discord: Discord, stranger: aiohttp.ClientSession
    ) -> None:
        async def guest(_: web.Request) -> web.Response:
            return web.Response(text="guest")

        discord.guest = guest
        host = f"localhost:{yarl.URL(discord.address).port}"
        asked = stranger.get(f"{discord.address}board/1?from=2", headers={"Host": host}, allow_redirects=False)
        async with asked as answer:
            assert (answer.status, answer.headers["Location"]) == (302, f"{discord.address}board/1?from=2")


class TestOrigin:
    """The Origin header, which browsers send and the bot does not."""

    @pytest.mark.parametrize(
        "origin", ["https://example.org", "null", "http://127.0.0.1:1", "http://localhost", "https://127.0.0.1:{port}"]
    )
    @pytest.mark.parametrize("path", ["gateway", "gateway/?v=10&encoding=json", "page/ws"])
    async def test_another_page_opens_no_socket(
        self, discord: Discord, owner: aiohttp.ClientSession, path: str, origin: str
    ) -> None:
        origin = origin.format(port=yarl.URL(discord.address).port)
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await owner.ws_connect(discord.address + path, headers={"Origin": origin})
        assert caught.value.status == 403

    @pytest.mark.parametrize("path", ROUTES)
    async def test_another_page_reaches_no_route(
        self, discord: Discord, owner: aiohttp.ClientSession, path: str
    ) -> None:
        headers = {**AS_BOT, "Origin": "https://example.org"}
        for method in ("GET", "POST", "OPTIONS"):
            async with owner.request(method, discord.address + path, headers=headers) as answer:
                assert answer.status == 403
                assert "Access-Control-Allow-Origin" not in answer.headers

    @pytest.mark.parametrize("path", ROUTES)
    async def test_a_sandboxed_frame_reaches_the_guest_alone(
        self, discord: Discord, owner: aiohttp.ClientSession, path: str
    ) -> None:
        async def guest(_: web.Request) -> web.Response:
            return web.Response(text="guest")

        discord.guest = guest
        async with owner.get(discord.address + path, headers={**AS_BOT, "Origin": "null"}) as answer:
            is_guest = answer.status == 200 and await answer.text() == "guest"
            assert (answer.status, is_guest) == ((200, True) if path == "nowhere" else (403, False))

    async def test_the_own_page_opens_its_socket(self, discord: Discord, owner: aiohttp.ClientSession) -> None:
        origin = discord.address.rstrip("/")
        async with owner.ws_connect(f"{discord.address}page/ws", headers={"Origin": origin}) as socket:
            assert (await socket.receive_json(timeout=HANG_SECONDS))["t"] == "hello"


class TestKey:
    """The key in the printed address, and the cookie after it."""

    @pytest.mark.parametrize("query", ["", "?key=", "?key=wrong", "?seat=1", "?key=%ED%B0%80"])
    async def test_without_the_key_there_is_a_page_that_says_what_to_open(
        self, discord: Discord, stranger: aiohttp.ClientSession, query: str
    ) -> None:
        async with stranger.get(discord.address + query) as answer:
            assert (answer.status, answer.content_type) == (403, "text/html")
            assert "Open the address that Kropka printed" in await answer.text()
            assert not answer.cookies

    async def test_the_key_opens_the_page(self, discord: Discord, stranger: aiohttp.ClientSession) -> None:
        async with stranger.get(discord.page_address) as answer:
            assert (answer.status, answer.content_type) == (200, "text/html")
            assert "/page/page.js" in await answer.text()

    async def test_the_cookie_is_kept_from_scripts_and_from_other_sites(
        self, discord: Discord, stranger: aiohttp.ClientSession
    ) -> None:
        async with stranger.get(discord.page_address) as answer:
            (cookie,) = answer.cookies.values()
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/")

    async def test_the_cookie_is_enough_for_a_reload(self, discord: Discord, owner: aiohttp.ClientSession) -> None:
        async with owner.get(f"{discord.address}?seat=1") as answer:
            assert answer.status == 200

    async def test_the_socket_of_the_page_needs_the_cookie(
        self, discord: Discord, stranger: aiohttp.ClientSession
    ) -> None:
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await stranger.ws_connect(f"{discord.address}page/ws")
        assert caught.value.status == 403

    async def test_a_made_up_cookie_opens_nothing(self, discord: Discord, stranger: aiohttp.ClientSession) -> None:
        async with stranger.get(discord.page_address) as answer:
            (name,) = answer.cookies
        stranger.cookie_jar.clear()
        async with stranger.get(discord.address, headers={"Cookie": f"{name}=wrong"}) as answer:
            assert answer.status == 403

    async def test_every_start_has_a_key_of_its_own(self, tmp_path: Path, clock: Clock) -> None:
        keys = set()
        for _ in range(2):
            async with Discord(now=clock, state=tmp_path / "discord.db") as discord:
                keys.add(yarl.URL(discord.page_address).query["key"])
        assert len(keys) == 2
        assert min(len(key) for key in keys) >= 43

    @pytest.mark.parametrize(("kept", "status"), [(True, 200), (False, 403)])
    async def test_a_page_comes_back_after_a_restart_of_its_world(
        self, tmp_path: Path, clock: Clock, stranger: aiohttp.ClientSession, kept: bool, status: int
    ) -> None:
        state = tmp_path / "discord.db" if kept else None
        async with Discord(now=clock, state=state) as before, stranger.get(before.page_address):
            port = yarl.URL(before.address).port or 0
        async with Discord(now=clock, state=state, port=port) as after, stranger.get(after.address) as answer:
            assert answer.status == status

    async def test_a_state_file_from_before_the_cookie_gets_its_secret(self, tmp_path: Path, clock: Clock) -> None:
        async with Discord(now=clock, state=tmp_path / "discord.db"):
            pass
        with closing(sqlite3.connect(tmp_path / "discord.db", isolation_level=None)) as file:
            file.execute("DELETE FROM thing WHERE kind = 'secret'")
        secrets = []
        for _ in range(2):
            async with Discord(now=clock, state=tmp_path / "discord.db") as discord:
                secrets.append(discord.world.secret)
        assert secrets[0] == secrets[1]


class TestToken:
    """The routes under /api, for the bot alone."""

    @pytest.mark.sample(6)
    @pytest.mark.parametrize(
        "endpoint", sorted(key for table in TABLES for key in table if not WITHOUT_TOKEN.match(key))
    )
    async def test_every_route_needs_the_token(
        self, discord: Discord, owner: aiohttp.ClientSession, endpoint: str
    ) -> None:
        method, template = endpoint.split()
        path = re.sub(r"\{\w+\}", "1", template)
        for headers in ({}, {"Authorization": "Bot wrong"}, {"Authorization": TOKEN}, {"Authorization": "Bot ÿ"}):
            async with owner.request(method, discord.api + path, headers=headers) as answer:
                assert answer.status == 401

    @pytest.mark.parametrize(
        "endpoint",  # without GET /gateway, which only returns the gateway's address, as on Discord
        sorted(key for table in TABLES for key in table if WITHOUT_TOKEN.match(key) and "_token" in key),
    )
    async def test_what_needs_no_token_needs_that_of_an_interaction(
        self, discord: Discord, owner: aiohttp.ClientSession, endpoint: str
    ) -> None:
        method, template = endpoint.split()
        async with owner.request(method, discord.api + re.sub(r"\{\w+\}", "1", template)) as answer:
            assert answer.status == 404

    async def test_a_stand_in_may_have_a_token_of_its_own(self, stranger: aiohttp.ClientSession) -> None:
        async with Discord(token="only.this.one") as discord:  # noqa: S106
            async with stranger.get(f"{discord.api}/users/@me", headers=AS_BOT) as answer:
                assert answer.status == 401
            async with stranger.get(
                f"{discord.api}/users/@me", headers={"Authorization": "Bot only.this.one"}
            ) as answer:
                assert answer.status == 200

    @pytest.mark.parametrize("data", ["null", "[]", '"x"', '{"token": 1}', '{"token": "\\ud800"}'])
    @pytest.mark.parametrize("op", [2, 6])
    async def test_a_forged_identification_is_closed_with_a_code(
        self, discord: Discord, stranger: aiohttp.ClientSession, op: int, data: str
    ) -> None:
        async with stranger.ws_connect(discord.gateway) as socket:
            await socket.receive_json()
            await socket.send_str(f'{{"op": {op}, "d": {data}}}')
            assert (await socket.receive(timeout=HANG_SECONDS)).data in (4002, 4004)
        discord.problems.clear()
