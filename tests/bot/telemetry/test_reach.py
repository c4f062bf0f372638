"""Why Discord cannot be reached, in one line a try."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord as library
import pytest

from bot.connection import Heartbeats
from bot.telemetry import reach
from bot.telemetry.logs import shorten_retry
from loopback import Discord


def record(error: Exception, message: str, *args: object) -> logging.LogRecord:
    made = logging.LogRecord("discord.shard", logging.ERROR, "", 0, message, args, (type(error), error, None))
    assert shorten_retry(made)
    return made


@pytest.mark.parametrize(
    ("message", "args", "seconds"),
    [
        ("Attempting a reconnect for shard ID %s in %.2fs", (3, 7.61), 8),
        ("Failed to connect for shard_id: %s. Retrying...", (3,), 5),
    ],
)
def test_a_traceback_of_discord_py_becomes_one_line(message: str, args: tuple[object, ...], seconds: int) -> None:
    made = record(TimeoutError(), message, *args)
    expected = f"shard 3: Discord can't be reached (it doesn't answer). Trying again in {seconds} s."
    assert (made.getMessage(), made.levelname, made.exc_info) == (expected, "WARNING", None)


def test_discord_py_still_says_it_in_the_words_that_are_shortened() -> None:
    with open(library.shard.__file__) as source:
        text = source.read()
    assert "'Attempting a reconnect for shard ID %s in %.2fs', self.id, retry, exc_info=e" in text
    assert "'Failed to connect for shard_id: %s. Retrying...', shard_id" in text


def test_the_traceback_of_a_bug_stays() -> None:
    made = record(ZeroDivisionError(), "Failed to connect for shard_id: %s. Retrying...", 3)
    assert made.exc_info is not None
    assert made.levelno == logging.ERROR


def test_each_way_of_being_away_has_its_words() -> None:
    response: Any = SimpleNamespace(status=503, reason="Service Unavailable")
    socket: Any = SimpleNamespace(close_code=4000)
    assert [
        reach.reason(each)
        for each in (
            library.DiscordServerError(response, ""),
            aiohttp.WSServerHandshakeError(SimpleNamespace(real_url=""), (), status=502),  # type: ignore[arg-type]
            library.ConnectionClosed(socket, shard_id=0),
            ConnectionResetError(104, "Connection reset by peer"),
            aiohttp.ServerDisconnectedError(),
        )
    ] == [
        "it answers 503",
        "it answers 502",
        "it closed the connection, code 4000",
        "[Errno 104] Connection reset by peer",
        "Server disconnected",
    ]


async def test_the_pauses_between_the_tries_grow_to_a_minute(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, unused_tcp_port: int
) -> None:
    monkeypatch.setattr(library.http.Route, "BASE", f"http://127.0.0.1:{unused_tcp_port}/api/v10")
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 6:
            monkeypatch.setattr(library.http.Route, "BASE", discord.api)

    async with Discord() as discord:
        await reach.wait_for_discord(sleep)
    assert slept == [5, 10, 20, 40, 60, 60]
    assert len(caplog.messages) == 6
    assert all("Connection refused" in line for line in caplog.messages)


async def test_a_discord_that_answers_with_an_error_of_its_own_is_away(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def sleep(_: float) -> None: ...

    async with Discord() as discord:
        monkeypatch.setattr(library.http.Route, "BASE", discord.api)
        discord.fault("GET", "/gateway", 503, times=2)
        await reach.wait_for_discord(sleep)
    assert [line.partition(")")[0] for line in caplog.messages] == ["Discord can't be reached (it answers 503"] * 2


def heartbeats(session: str | None) -> Heartbeats:
    socket: Any = SimpleNamespace(
        thread_id=0, _max_heartbeat_timeout=60.0, session_id=session, sequence=1, HEARTBEAT=1, loop=None
    )
    return Heartbeats(ws=socket, interval=41.25, shard_id=0)


def test_an_answer_that_comes_before_the_thread_has_noted_the_sending_is_not_late(
    caplog: pytest.LogCaptureFixture,
) -> None:
    beats = heartbeats("session")
    beats._last_send -= 41.25  # the heartbeat before
    beats.get_payload()
    beats.ack()
    assert beats.latency < 1
    assert caplog.messages == []


def test_an_answer_that_waited_for_the_session_to_begin_is_not_late(caplog: pytest.LogCaptureFixture) -> None:
    beats = heartbeats(None)
    beats._last_send -= 30.0  # the turn to IDENTIFY
    beats.ack()
    assert caplog.messages == []


def test_an_answer_that_is_late_is_told(caplog: pytest.LogCaptureFixture) -> None:
    beats = heartbeats("session")
    beats.get_payload()
    beats._last_send -= 12.0
    beats.ack()
    assert "Can't keep up" in caplog.text
