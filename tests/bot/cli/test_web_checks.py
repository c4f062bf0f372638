"""The checks of `kropka doctor` that ask the web board, and what may answer in its place."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from pydantic import SecretStr

from bot.cli.findings import Mark
from bot.cli.tryout import mount_site
from bot.settings import Hosting
from bot.website import serve_site
from loopback import Discord
from tests.bot.cli.doctoring import Patient, Proxy, answer, serving
from tests.bot.conftest import running_room
from tests.bot.room import Room
from tests.clock import StoppedClock

CERTIFICATE = Path(__file__).parents[2] / "data" / "localhost.pem"

LAST_SECOND = ssl.cert_time_to_seconds("Jan  1 00:00:00 2120 GMT")
"""The end of that certificate, in seconds since 1970."""

WEB = ("web", "certificate", "socket", "frame", "mapping")


@pytest.fixture
async def proxy() -> AsyncIterator[tuple[Proxy, str]]:
    """A reverse proxy, and its address."""
    made = Proxy()
    async with serving(made.handle) as address:
        yield made, address


@pytest.fixture
def address(discord: Discord) -> str:
    """The address of the web board."""
    return discord.address.rstrip("/")


@pytest.fixture
async def room(
    discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any], address: str
) -> AsyncIterator[Room]:
    """A running bot, whose site knows the address and the client secret, and is mounted on the stand-in."""
    hosting = Hosting(web=address, client_secret=SecretStr(discord.client_secret))
    async with (
        running_room(discord, url, clock, {"hosting": hosting, **run_options}) as room,
        mount_site(discord, room.bot.website),
    ):
        yield room


async def test_a_web_board_and_its_activity_are_found_in_order(room: Room, discord: Discord, patient: Patient) -> None:
    patient.set_activity(discord)
    report = await patient.examine(proxy=discord.address.rstrip("/"))
    found = [report.of(part)[0] for part in WEB]
    assert found == [Mark.GOOD, Mark.SKIPPED, Mark.GOOD, Mark.GOOD, Mark.GOOD]


async def test_without_an_address_there_is_a_reason_for_each_question_that_is_not_asked(
    discord: Discord, patient: Patient
) -> None:
    report = await patient.examine()
    for part in WEB:
        assert report.of(part) == (Mark.SKIPPED, "KROPKA_WEB_URL isn't set, so there is no web board")
    assert report.of("refusals")[0] is Mark.SKIPPED
    assert report.of("secret")[0] is Mark.SKIPPED


async def test_a_closed_address_is_told_with_the_systems_word_for_it(
    discord: Discord, patient: Patient, unused_tcp_port: int
) -> None:
    closed = f"http://127.0.0.1:{unused_tcp_port}"
    patient.set_activity(discord, closed)
    report = await patient.examine(proxy=closed)
    for part in ("web", "socket", "frame", "mapping"):
        mark, said = report.of(part)
        assert mark is Mark.BAD
        assert f"{closed} can't be reached (127.0.0.1:{unused_tcp_port}: Connection refused)" in said


@pytest.mark.parametrize(
    ("status", "headers", "advice"),
    [
        (200, {}, "another program answers"),
        (404, {}, "another program answers"),
        (502, {}, "the proxy doesn't reach the bot at 127.0.0.1:8422"),
        (301, {"Location": "https://www.kropka.example"}, "it leads to https://www.kropka.example"),
    ],
)
async def test_what_answers_in_place_of_the_web_board_is_told(
    discord: Discord, patient: Patient, status: int, headers: dict[str, str], advice: str
) -> None:
    async with serving(answer(status, "<html>", headers)) as elsewhere:
        patient.set_activity(discord, elsewhere)
        report = await patient.examine(proxy=elsewhere)
    for part in ("web", "socket", "frame", "mapping"):
        mark, said = report.of(part)
        assert mark is Mark.BAD
        assert "report this line" not in said
    assert advice in report.of("web")[1]
    assert "look at `web` first" in report.of("socket")[1]
    assert str(status) in report.of("mapping")[1]


async def test_a_socket_that_says_nothing_is_given_up(discord: Discord, patient: Patient) -> None:
    async def open_silently(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        if socket.can_prepare(request).ok:
            await socket.prepare(request)
            await socket.receive()  # until the doctor leaves
        return socket if socket.prepared else web.Response()

    async with serving(open_silently) as elsewhere:
        patient.set(web_url=elsewhere)
        mark, said = (await patient.examine(answer_seconds=0.2)).of("socket")
    assert (mark, "it doesn't answer" in said) == (Mark.BAD, True)


async def test_a_socket_of_another_program_is_told(discord: Discord, patient: Patient) -> None:
    async def greet(request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        if not socket.can_prepare(request).ok:
            return web.Response()
        await socket.prepare(request)
        await socket.send_json(["welcome"])
        await socket.receive()  # until the doctor leaves
        return socket

    async with serving(greet) as elsewhere:
        patient.set(web_url=elsewhere)
        mark, said = (await patient.examine()).of("socket")
    assert (mark, "isn't Kropka's" in said) == (Mark.BAD, True)


class TestBehindAProxy:
    """A web board behind a reverse proxy that is set up badly."""

    @pytest.fixture
    def address(self, proxy: tuple[Proxy, str]) -> str:
        return proxy[1]

    @pytest.fixture(autouse=True)
    async def _site(self, room: Room, proxy: tuple[Proxy, str]) -> AsyncIterator[None]:
        async with serve_site(room.bot.website, "127.0.0.1", 0) as port:
            proxy[0].target = f"http://127.0.0.1:{port}"
            yield

    async def test_websockets_that_do_not_pass_are_told(
        self, room: Room, discord: Discord, patient: Patient, address: str
    ) -> None:
        patient.set_activity(discord, address)
        report = await patient.examine(proxy=address)
        assert report.of("web")[0] is Mark.GOOD
        assert report.of("frame") == (Mark.GOOD, "its headers allow that")
        mark, said = report.of("socket")
        assert (mark, "pass Upgrade and Connection on" in said) == (Mark.BAD, True)

    async def test_headers_that_keep_the_page_out_of_a_frame_are_told(
        self, room: Room, discord: Discord, patient: Patient, address: str, proxy: tuple[Proxy, str]
    ) -> None:
        proxy[0].added = {"X-Frame-Options": "DENY", "Access-Control-Allow-Origin": "https://discord.com"}
        patient.set_activity(discord, address)
        mark, said = (await patient.examine(proxy=address)).of("frame")
        assert mark is Mark.BAD
        assert "X-Frame-Options: DENY" in said
        assert "/activity/client lacks its Access-Control-Allow-Origin: null" in said

    async def test_a_policy_that_the_proxy_replaces_is_told(
        self, room: Room, discord: Discord, patient: Patient, address: str, proxy: tuple[Proxy, str]
    ) -> None:
        proxy[0].added = {"Content-Security-Policy": "default-src 'self'"}
        patient.set_activity(discord, address)
        report = await patient.examine(proxy=address)
        assert report.of("web")[0] is Mark.BAD
        assert "its Content-Security-Policy isn't Kropka's" in report.of("frame")[1]

    async def test_another_address_than_the_bots_is_told(
        self, room: Room, discord: Discord, patient: Patient, address: str
    ) -> None:
        patient.set_activity(discord)  # the stand-in's, while the bot has the proxy's
        report = await patient.examine(proxy=address)
        assert "the bot runs with another KROPKA_WEB_URL" in report.of("web")[1]
        assert "the bot runs with another KROPKA_WEB_URL" in report.of("socket")[1]


async def test_a_mapping_to_the_bot_of_another_application_is_told(
    room: Room, discord: Discord, patient: Patient
) -> None:
    async with serving(answer(200, '{"client": "123456789012345678"}')) as elsewhere:
        patient.set_activity(discord)
        mark, said = (await patient.examine(proxy=elsewhere)).of("mapping")
    assert (mark, "another application's" in said) == (Mark.BAD, True)


async def test_a_stand_in_has_no_mapping(room: Room, discord: Discord, patient: Patient) -> None:
    patient.set_activity(discord)
    patient.set(discord=discord.address)
    assert (await patient.examine()).of("mapping") == (Mark.SKIPPED, "the stand-in for Discord has no proxy")


class TestCertificates:
    """A web board with a certificate that its machine alone trusts."""

    @pytest.fixture
    async def address(self) -> AsyncIterator[str]:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(CERTIFICATE)
        async with serving(answer(200), tls) as address:
            yield address

    async def test_one_that_browsers_refuse_is_told_once(
        self, discord: Discord, patient: Patient, address: str
    ) -> None:
        patient.set_activity(discord, address)
        report = await patient.examine(proxy=address)
        mark, said = report.of("certificate")
        assert (mark, said.startswith("they don't: self-signed certificate; renew it")) == (Mark.BAD, True)
        for part in ("web", "socket", "frame", "mapping"):
            assert report.of(part) == (Mark.SKIPPED, f"the certificate of {address} has to be good first")

    @pytest.mark.parametrize(("days", "mark"), [(15, Mark.GOOD), (13, Mark.HINT)])
    async def test_one_that_ends_soon_is_a_hint(
        self,
        discord: Discord,
        patient: Patient,
        address: str,
        monkeypatch: pytest.MonkeyPatch,
        days: int,
        mark: Mark,
    ) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        patient.set(web_url=address)
        report = await patient.examine(now=lambda: LAST_SECOND - days * 86_400)
        assert report.marks["certificate"] == {mark}
        assert f"they do, for {days} days" in report.of("certificate")[1]
        assert report.of("web")[0] is Mark.BAD  # which is no Kropka's

    async def test_a_host_that_cannot_be_reached_has_none_to_look_at(
        self, discord: Discord, patient: Patient, unused_tcp_port: int
    ) -> None:
        patient.set(web_url=f"https://127.0.0.1:{unused_tcp_port}")
        mark, said = (await patient.examine()).of("certificate")
        assert (mark, "has to be reached first" in said) == (Mark.SKIPPED, True)
