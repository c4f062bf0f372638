"""`kropka health`, as an operator and a container see it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from bot import health as served
from bot.cli import health
from bot.cli.complaint import NEEDS_OPERATOR
from bot.cli.health import query_health


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs each test in an empty folder, without a file of settings."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
async def port(request: pytest.FixtureRequest) -> AsyncIterator[int]:
    """The port of a server that answers every question with the parameter."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(body=request.param)

    site = web.Application()
    site.add_routes([web.get("/healthz", answer)])
    runner = web.AppRunner(site)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield runner.addresses[0][1]
    await runner.cleanup()


def test_without_a_port_nothing_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert health.run() == NEEDS_OPERATOR
    assert "KROPKA_STATUS_PORT" in capsys.readouterr().err


def test_a_port_that_is_no_number_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("KROPKA_STATUS_PORT", "here")
    assert health.run() == NEEDS_OPERATOR
    assert "KROPKA_STATUS_PORT: “here” isn't valid. Use a whole number" in capsys.readouterr().err


def test_a_bot_that_does_not_answer_is_not_well(
    monkeypatch: pytest.MonkeyPatch, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KROPKA_STATUS_PORT", str(unused_tcp_port))
    assert health.run() == 1
    assert "no answer" in capsys.readouterr().err


def test_the_port_is_read_from_the_file_of_settings_like_every_other_setting(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".env").write_text(f"KROPKA_STATUS_PORT={unused_tcp_port}\nKROPKA_LOG_LEVEL=nonsense\n")
    assert health.run() == 1
    assert "no answer" in capsys.readouterr().err


@pytest.mark.parametrize("port", [b"", b"hello", b"[]", b"7", b"\xff", b"{" * 100_000], indirect=True, ids=range(6))
async def test_an_answer_that_is_not_the_bots_is_no_answer(port: int) -> None:
    well, sentence = await asyncio.to_thread(query_health, port)
    assert not well
    assert sentence.startswith("no answer")


@pytest.mark.parametrize("port", [b'{"database": true, "gateway": false, "lane_waiting": 0}'], indirect=True)
async def test_what_does_not_work_is_named_and_a_count_is_not_judged(port: int) -> None:
    assert await asyncio.to_thread(query_health, port) == (False, "not working: gateway")


def test_the_bot_gets_longer_to_answer_than_its_database() -> None:
    assert health.TIMEOUT_SECONDS == 2 * served.ANSWER_SECONDS
