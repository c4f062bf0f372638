"""The try-out belongs to its owner: who may reach which route, what a file is served as, and how much is taken."""

import asyncio
import io
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import aiohttp
import discord as library
import pytest
import yarl

from loopback import TOKEN, Channel, Discord, File, Person, gateway, page_socket, sessions, site
from loopback.rest import router
from loopback.rest.router import TABLES, WITHOUT_TOKEN
from tests.loopback.bot import Bot, board, png
from tests.loopback.conftest import Clock, visitor

PAGE = Path(site.__file__).parent / "page"
AS_BOT = {"Authorization": f"Bot {TOKEN}"}
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


@pytest.fixture
async def stranger() -> AsyncIterator[aiohttp.ClientSession]:
    """A client that knows neither the key nor the token."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


@pytest.fixture
async def owner(discord: Discord) -> AsyncIterator[aiohttp.ClientSession]:
    """A browser that has opened the printed address."""
    async with visitor(discord) as session:
        yield session


async def raw(discord: Discord, request: str) -> str:
    """The first line of the answer to bytes that no client would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", yarl.URL(discord.address).port)
    writer.write(request.replace("\n", "\r\n").encode())
    try:
        async with asyncio.timeout(5):
            return (await reader.readline()).decode().strip()
    finally:
        writer.close()


class TestHost:
    """A name that an attacker lets resolve to 127.0.0.1 is not ours."""

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


class TestOrigin:
    """A browser names the page that asks; the bot names none."""

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

    async def test_the_own_page_opens_its_socket(self, discord: Discord, owner: aiohttp.ClientSession) -> None:
        origin = discord.address.rstrip("/")
        async with owner.ws_connect(f"{discord.address}page/ws", headers={"Origin": origin}) as socket:
            assert (await socket.receive_json(timeout=5))["t"] == "hello"


class TestKey:
    """The address that is printed at the start opens the page; a cookie keeps it open."""

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
                secrets.append(discord._world.secret)
        assert secrets[0] == secrets[1]


class TestToken:
    """Everything under /api is the bot's."""

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

    @pytest.mark.parametrize("endpoint", sorted(key for table in TABLES for key in table if WITHOUT_TOKEN.match(key)))
    async def test_what_needs_no_token_needs_that_of_an_interaction(
        self, discord: Discord, owner: aiohttp.ClientSession, endpoint: str
    ) -> None:
        method, template = endpoint.split()
        if template == "/gateway":
            return  # as on Discord, it says where the gateway is, and no more
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
            assert (await socket.receive(timeout=5)).data in (4002, 4004)
        discord.problems.clear()


class TestFiles:
    """What people and the bot upload."""

    @pytest.fixture
    async def uploaded(self, bot: Bot, discord: Discord, dots: Channel) -> dict[str, str]:
        """The addresses of some files by their names."""
        script = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
        others = {"page.html": b"<script>alert(1)</script>", "mark.svg": script, "game.sgf": b"(;GM[40])"}
        files = [board(), *(library.File(io.BytesIO(data), name) for name, data in others.items())]
        sent = await bot.get_partial_messageable(dots.id).send("files", files=files)
        return {each.filename: each.url for each in sent.attachments}

    async def test_a_file_needs_the_signature_in_its_address(
        self, uploaded: dict[str, str], owner: aiohttp.ClientSession
    ) -> None:
        address = yarl.URL(uploaded["board.png"])
        for forged in (address.with_query(None), address.with_query(hm="0" * 64), address.with_query(hm="ÿ")):
            async with owner.get(forged) as answer:
                assert answer.status == 404

    async def test_a_signature_is_for_one_file(self, uploaded: dict[str, str], owner: aiohttp.ClientSession) -> None:
        other = yarl.URL(uploaded["board.png"]).with_query(yarl.URL(uploaded["game.sgf"]).query)
        async with owner.get(other) as answer:
            assert answer.status == 404

    async def test_a_file_that_a_person_gave_needs_it_too(
        self, bot: Bot, discord: Discord, ola: Person, dots: Channel, owner: aiohttp.ClientSession
    ) -> None:
        await ola.command(dots, "read", file=File("secret.txt", b"words")).answered()
        address = yarl.URL(bot.interactions[-1].data["resolved"]["attachments"].popitem()[1]["url"])  # type: ignore[index, typeddict-item]
        async with owner.get(address) as answer:
            assert (answer.status, await answer.read()) == (200, b"words")
        async with owner.get(address.with_query(None)) as answer:
            assert answer.status == 404

    @pytest.mark.parametrize("name", ["page.html", "mark.svg", "game.sgf"])
    async def test_what_is_no_picture_is_a_download(
        self, uploaded: dict[str, str], stranger: aiohttp.ClientSession, name: str
    ) -> None:
        async with stranger.get(uploaded[name]) as answer:
            assert answer.headers["Content-Disposition"].startswith("attachment")

    async def test_a_picture_is_shown(self, uploaded: dict[str, str], stranger: aiohttp.ClientSession) -> None:
        async with stranger.get(uploaded["board.png"]) as answer:
            assert (answer.status, answer.content_type) == (200, "image/png")
            assert "Content-Disposition" not in answer.headers
            assert await answer.read() == png(40, 30)

    @pytest.mark.parametrize("name", ["page.html", "mark.svg", "game.sgf", "board.png"])
    async def test_no_file_can_run_anything(
        self, uploaded: dict[str, str], stranger: aiohttp.ClientSession, name: str
    ) -> None:
        async with stranger.get(uploaded[name]) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert {"default-src 'none'", "sandbox"} <= {part.strip() for part in policy.split(";")}
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert answer.headers["Cache-Control"] == "no-store"

    @pytest.mark.parametrize(
        "path",
        [
            "/page/../site.py",
            "/page/%2e%2e/site.py",
            "/page/..%2fsite.py",
            "/page/..%2F..%2Fpyproject.toml",
            "/page//etc/passwd",
            "/page/%2Fetc%2Fpasswd",
            "/page/..\\site.py",
            "/page/page.js%00",
            "/page/",
            "/cdn/attachments/../../page/page.js",
        ],
    )
    async def test_no_path_leads_out_of_the_page(self, discord: Discord, path: str) -> None:
        host = yarl.URL(discord.address).authority
        answer = await raw(discord, f"GET {path} HTTP/1.1\nHost: {host}\nConnection: close\n\n")
        assert re.match(r"HTTP/1\.[01] 4\d\d", answer)

    async def test_a_name_with_a_path_in_it_stays_one_name(
        self, bot: Bot, discord: Discord, dots: Channel, stranger: aiohttp.ClientSession
    ) -> None:
        sent = await bot.get_partial_messageable(dots.id).send("file", file=board("a?b#c%2f.png"))
        async with stranger.get(sent.attachments[0].url) as answer:
            assert answer.status == 200


class TestPage:
    """What the page is allowed, and what it says to others."""

    @pytest.mark.parametrize("path", ["", "?key=wrong"])
    async def test_nothing_inline_and_nothing_foreign_runs(
        self, discord: Discord, owner: aiohttp.ClientSession, stranger: aiohttp.ClientSession, path: str
    ) -> None:
        for client in (owner, stranger):
            async with client.get(discord.address + path) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "frame-ancestors 'none'" in policy
                assert "unsafe" not in policy
                assert "*" not in policy

    @pytest.mark.parametrize("path", ["", "page/page.js", "gateway", "api/v10/users/@me", "nowhere"])
    async def test_every_answer_keeps_to_itself(
        self, discord: Discord, stranger: aiohttp.ClientSession, path: str
    ) -> None:
        async with stranger.get(discord.address + path) as answer:
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        discord.problems.clear()

    @pytest.mark.parametrize("file", sorted(PAGE.glob("*.html")), ids=lambda file: file.name)
    def test_the_markup_has_nothing_inline(self, file: Path) -> None:
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", file.read_text("utf-8"))

    @pytest.mark.parametrize("file", sorted(PAGE.glob("*.js")), ids=lambda file: file.name)
    def test_no_script_makes_markup_out_of_text(self, file: Path) -> None:
        sinks = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|\beval\(|new Function|setHTML"
        assert not re.search(sinks, file.read_text("utf-8"))


class TestBounds:
    """What somebody who is let in, or not, can make it keep."""

    async def test_a_body_larger_than_a_message_may_be_is_refused(
        self, discord: Discord, stranger: aiohttp.ClientSession, dots: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(router, "BODY_LIMIT", 1000)
        form = aiohttp.FormData()
        form.add_field("files[0]", bytes(1001), filename="large")
        url = f"{discord.api}/channels/{dots.id}/messages"
        async with stranger.post(url, headers=AS_BOT, data=form) as answer:
            assert answer.status == 413

    async def test_a_body_of_countless_parts_is_refused(
        self, discord: Discord, stranger: aiohttp.ClientSession, dots: Channel
    ) -> None:
        form = aiohttp.FormData()
        for number in range(50):
            form.add_field(f"files[{number}]", b"", filename="empty")
        url = f"{discord.api}/channels/{dots.id}/messages"
        async with stranger.post(url, headers=AS_BOT, data=form) as answer:
            assert answer.status == 400
        assert "more than 11 parts" in discord.problems.pop()

    async def test_a_json_body_that_is_too_large_is_refused(
        self, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(site, "BODY_LIMIT", 1000)
        async with Discord(now=clock) as discord, aiohttp.ClientSession() as session:
            url = f"{discord.api}/channels/{discord.channels['dots'].id}/messages"
            async with session.post(url, headers=AS_BOT, json={"content": "x" * 2000}) as answer:
                assert answer.status == 413
            assert discord.problems == []

    @pytest.mark.parametrize("path", ["webhooks/1/unknown", "interactions/1/unknown/callback"])
    async def test_nothing_is_read_from_those_who_have_no_token(self, discord: Discord, path: str) -> None:
        host = yarl.URL(discord.address).authority
        request = f"POST /api/v10/{path} HTTP/1.1\nHost: {host}\nContent-Length: 100000\n\n"
        assert "404" in await raw(discord, request)

    async def test_clients_that_do_not_identify_are_cut_the_oldest_first(
        self, bot: Bot, discord: Discord, stranger: aiohttp.ClientSession, ola: Person, dots: Channel
    ) -> None:
        sockets = [await stranger.ws_connect(discord.gateway) for _ in range(gateway.MAX_STRANGERS + 1)]
        assert (await sockets[0].receive(timeout=5)).type is aiohttp.WSMsgType.TEXT
        assert (await sockets[0].receive(timeout=5)).type is not aiohttp.WSMsgType.TEXT
        assert (await ola.command(dots, "hello").answered()).kind == "message"
        for socket in sockets[1:]:
            assert not socket.closed
            await socket.close()

    async def test_there_are_only_so_many_pages(
        self, discord: Discord, owner: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(site, "MAX_PAGES", 2)
        sockets = [await owner.ws_connect(f"{discord.address}page/ws") for _ in range(2)]
        with pytest.raises(aiohttp.WSServerHandshakeError) as caught:
            await owner.ws_connect(f"{discord.address}page/ws")
        assert caught.value.status == 503
        for socket in sockets:
            await socket.close()
        await owner.ws_connect(f"{discord.address}page/ws")

    async def test_a_page_that_does_not_listen_is_cut(
        self, discord: Discord, owner: aiohttp.ClientSession, ola: Person, dots: Channel
    ) -> None:
        async with owner.ws_connect(f"{discord.address}page/ws") as socket:
            await socket.receive_json(timeout=5)
            for _ in range(page_socket.MAX_FRAMES + 1):
                ola.say(dots, "hello")
            async with asyncio.timeout(5):
                async for _ in socket:
                    pass
            assert socket.closed

    async def test_a_session_that_does_not_listen_is_cut(
        self, discord: Discord, stranger: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch, ola: Person
    ) -> None:
        monkeypatch.setattr(sessions, "MAX_PAYLOADS", 50)
        async with stranger.ws_connect(discord.gateway) as socket:
            await socket.receive_json(timeout=5)
            await socket.send_json({"op": 2, "d": {"token": TOKEN, "intents": 513}})
            await discord.until(lambda: discord.online)
            for _ in range(51):
                ola.say(discord.channels["dots"], "hello")
            await discord.until(lambda: not discord.online)

    async def test_the_list_of_problems_ends(
        self, discord: Discord, stranger: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(router, "MAX_PROBLEMS", 3)
        for _ in range(5):
            async with stranger.get(f"{discord.api}/nowhere/{'x' * 5000}") as answer:
                assert answer.status == 404
        assert len(discord.problems) == 3
        discord.problems.clear()
