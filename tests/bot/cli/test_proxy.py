"""With a proxy everything goes through it, while every other way is closed; its name and password are told nowhere."""

from __future__ import annotations

import logging
import ssl
from argparse import Namespace
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord as discord_py
import pytest
import sentry_sdk
from pydantic import SecretStr
from urllib3.contrib.socks import SOCKSProxyManager

from bot.cli import maintenance
from bot.cli.findings import Mark
from bot.cli.tryout import mount_site
from bot.services.feedback import FeedbackInbox
from bot.settings import BadSettings, Settings, proxy_address
from bot.telemetry import reach, sentry
from bot.way_out import STRAIGHT, ProxyFailed, WayOut
from loopback import Discord
from tests.bot.cli.doctoring import Patient, answer, serving
from tests.bot.cli.test_web_checks import CERTIFICATE
from tests.bot.conftest import running_room
from tests.bot.crowds import FEW_PLACES, crowd
from tests.bot.features.records.test_imports import shown
from tests.bot.room import Room, private_message, private_words
from tests.clock import StoppedClock
from tests.proxies import GIVEN, PASSWORD, Proxy, anywhere, close_all_but
from tests.web.visit import Visit, press_launch, with_client_secret

KINDS = ("http", "socks5")
VARIABLES = ("HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "HTTP_PROXY")


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(params=KINDS)
async def proxy(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Proxy]:
    """A proxy, which is the only way out."""
    async with Proxy(request.param).running() as proxy:
        close_all_but(monkeypatch, proxy.port)
        yield proxy


@pytest.fixture
async def room(
    discord: Discord, url: str, clock: StoppedClock, proxy: Proxy, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[Room]:
    """A bot behind the proxy, with a site."""
    caplog.set_level(logging.DEBUG)
    way = WayOut(SecretStr(proxy.address))
    options = {**with_client_secret(discord), "way": way, "intake": FEW_PLACES}
    async with running_room(discord, url, clock, options) as room:
        yield room
    assert proxy.asked
    assert_untold(caplog.text, repr(way), repr(room.options))


def assert_untold(*texts: str) -> None:
    for text in texts:
        assert PASSWORD not in text
        assert GIVEN not in text


async def test_a_match_is_played_to_its_end(room: Room, no_confirmation: None) -> None:
    thread = await room.start_match(size="9x9")
    room.discord.fault("POST", "/channels/{channel_id}/messages", 429, retry_after=0.01)
    first = room.boards(thread)[-1]
    room.ola.say(thread, "E5", reply_to=first)
    await room.wait_for_board(thread, 1)
    opened = (await room.maksim.click(room.boards(thread)[-1], "Type a move").answered()).modal
    assert opened is not None
    await room.maksim.submit(opened, {"point": "F5"}).answered()
    await room.wait_for_board(thread, 2)
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").answered()
    assert "resigned" in (await room.wait_for_board(thread, 3)).text


async def test_a_record_that_is_attached_comes_through_it(room: Room) -> None:
    assert "8 moves" in (await shown(room)).text


async def test_feedback_reaches_a_webhook(room: Room) -> None:
    webhook = room.discord.open_webhook(room.general)
    inbox = FeedbackInbox(room.client, SecretStr(webhook))
    assert await inbox.deliver(discord_py.Embed(description="well played"))


async def test_in_an_overload_people_are_told_so(room: Room) -> None:
    async with crowd(room.services.intake):
        assert "So many people are playing" in await private_words(room.ola.command(room.channel, "games"))


async def test_a_player_enters_the_activity(discord: Discord, room: Room) -> None:
    thread = await room.start_match(size="9x9")
    outcome = await press_launch(room, room.ola, room.boards(thread)[-1])
    assert outcome.activity is not None
    code = room.ola.authorize(str(discord.bot.id), ["identify"])
    body = {"code": code, "instance": outcome.activity.id}
    async with mount_site(discord, room.bot.website):
        with anywhere():
            async with Visit(discord.address) as browser:
                assert (await browser.post("/activity/enter", body))[0] == 200


async def test_sync_and_doctor_go_through_it(
    proxy: Proxy, discord: Discord, patient: Patient, capsys: pytest.CaptureFixture[str]
) -> None:
    patient.set(proxy=proxy.address)
    await maintenance.sync(Settings.read(), Namespace())
    report = await patient.examine()
    assert {part: mark for part, (mark,) in report.marks.items() if part in ("token", "commands", "gateway")} == {
        "token": Mark.GOOD,
        "commands": Mark.GOOD,
        "gateway": Mark.GOOD,
    }
    assert len(proxy.asked) > 1
    assert_untold(capsys.readouterr().out, str(report), repr(Settings.read()))


async def test_what_goes_through_it_is_secured_to_its_end(proxy: Proxy) -> None:
    ours, theirs = (
        ssl.create_default_context(purpose) for purpose in (ssl.Purpose.CLIENT_AUTH, ssl.Purpose.SERVER_AUTH)
    )
    ours.load_cert_chain(CERTIFICATE)
    theirs.load_verify_locations(CERTIFICATE)
    way = WayOut(SecretStr(proxy.address))
    async with serving(answer(200, "hello"), ours) as address:
        port = int(address.rpartition(":")[2])
        async with aiohttp.ClientSession(connector=way.connector()) as http:
            async with http.get(f"https://localhost:{port}", ssl=theirs) as got:
                assert await got.text() == "hello"
            with pytest.raises(aiohttp.ClientOSError, match="self-signed certificate"):
                await http.get(f"https://localhost:{port}")
        reader, writer = await way.connect("localhost", port, theirs)
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        assert (await reader.read()).endswith(b"hello")
        writer.close()
    assert {host for host, _ in proxy.asked} == {"localhost"}, "the proxy looks up names"


async def test_a_wrong_password_and_a_proxy_that_is_away_are_told_with_what_to_look_at(proxy: Proxy) -> None:
    wrong = proxy.address.replace(GIVEN, "kropka:other-secret")
    away = proxy.address.replace(f":{proxy.port}", ":1")
    for address in (wrong, away):
        with pytest.raises(ProxyFailed, match="look at KROPKA_PROXY") as told:
            await WayOut(SecretStr(address)).connect("127.0.0.1", 9, None)
        assert isinstance(told.value, reach.UNREACHABLE)
        assert "secret" not in reach.reason(told.value)
    assert proxy.refused == 1


async def test_a_session_fails_by_a_proxy_as_by_the_network(proxy: Proxy) -> None:
    proxy.fails = True
    async with aiohttp.ClientSession(connector=WayOut(SecretStr(proxy.address)).connector()) as http:
        with pytest.raises(aiohttp.ClientError):
            await http.get("http://discord.invalid/")


@pytest.mark.parametrize("kind", KINDS)
def test_reports_to_sentry_take_it_with_its_name_and_password(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    way = WayOut(SecretStr(proxy_address(f"{kind}://{GIVEN}@proxy.invalid:1080")))
    sentry.set_up(SecretStr("https://key@sentry.invalid/1"), lambda host: way)
    try:
        transport: Any = sentry_sdk.get_client().transport
        pool = transport._pool
        if kind == "http":
            assert pool.proxy_headers["proxy-authorization"] == "Basic a3JvcGthOnBAc3MvdyNyZA=="
            assert pool.proxy.url == "http://proxy.invalid:1080"
        else:
            assert isinstance(pool, SOCKSProxyManager)
    finally:
        sentry_sdk.init(default_integrations=False)  # they would trace all requests of the tests after this one


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("proxy.example:3128", "http://proxy.example:3128"),
        ("http://a:b@proxy.example:3128/", "http://a:b@proxy.example:3128"),
        ("socks5h://10.0.0.1:1080", "socks5://10.0.0.1:1080"),
        ("SOCKS5://[::1]:1080", "socks5://[::1]:1080"),
    ],
)
def test_addresses_of_proxies_are_read(given: str, address: str) -> None:
    assert proxy_address(given) == address


@pytest.mark.parametrize(
    "given",
    [
        *("secret", "http://secret", "https://secret:1", "socks4://secret:1", "http://secret:port"),
        *("http://secret@host:1", "http://a:@secret:1", "http://a:se/cret@host:1", "http://a:1#secret@host:2"),
        *("http://secret:99999", "socks5://a:sécret@host:1", f"http://a:{'x' * 256}@secret:1", "http://[secret:1"),
    ],
)
def test_what_is_no_address_of_a_proxy_is_refused_and_not_shown(
    given: str, monkeypatch: pytest.MonkeyPatch, patient: Patient
) -> None:
    patient.set(proxy=given)
    with pytest.raises(BadSettings, match=r"^KROPKA_PROXY: .* Use http://HOST:PORT or socks5://") as own:
        Settings.read()
    monkeypatch.delenv("KROPKA_PROXY")
    monkeypatch.setenv("HTTPS_PROXY", given)
    with pytest.raises(BadSettings, match=r"^HTTPS_PROXY \(or ALL_PROXY\)") as standard:
        Settings.read().way_to()
    assert "secret" not in str(own.value) + str(standard.value)


@pytest.mark.parametrize(
    ("environment", "way"),
    [
        ({}, STRAIGHT),
        ({"HTTPS_PROXY": "http://a:1"}, WayOut(SecretStr("http://a:1"))),
        ({"all_proxy": "socks5h://a:1"}, WayOut(SecretStr("socks5://a:1"))),
        ({"HTTPS_PROXY": "http://a:1", "NO_PROXY": "localhost,.discord.com"}, STRAIGHT),
        ({"HTTPS_PROXY": "http://a:1", "NO_PROXY": "example.org"}, WayOut(SecretStr("http://a:1"))),
        ({"HTTPS_PROXY": "http://a:1", "KROPKA_DISCORD": "http://127.0.0.1:8420"}, STRAIGHT),
        (
            {"HTTPS_PROXY": "http://a:1", "KROPKA_PROXY": "socks5://b:2", "NO_PROXY": "*"},
            WayOut(SecretStr("socks5://b:2")),
        ),
    ],
)
def test_the_standard_variables_count_where_no_proxy_is_set(
    environment: dict[str, str], way: WayOut, monkeypatch: pytest.MonkeyPatch, patient: Patient
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Settings.read().way_to() == way
