"""The health and the metrics of the bot, as an operator and a monitor see them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientSession

from bot.cli.health import query_health
from bot.health import Status, serve_health
from bot.settings import BadSettings
from storage.errors import Unavailable
from tests.bot.room import Room, private_words


@pytest.fixture
async def port(room: Room) -> AsyncIterator[int]:
    async with serve_health(Status(room.bot, []), "127.0.0.1", 0) as port:
        assert port is not None
        yield port


async def page(port: int, path: str) -> tuple[int, str]:
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


async def test_a_bot_at_work_is_well(port: int) -> None:
    assert await page(port, "/healthz") == (
        200,
        '{"database": true, "gateway": true, "tasks": true, "lane_waiting": 0, "clock_skew_seconds": 0.0,'
        ' "pause_seconds": 0.0}',
    )
    assert await asyncio.to_thread(query_health, port) == (True, "all is well")


async def test_a_bot_without_its_database_is_not_well(port: int, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away() -> None:
        raise Unavailable("gone")

    monkeypatch.setattr(room.services.store, "examine", away)
    assert (await page(port, "/healthz"))[0] == 503
    assert await asyncio.to_thread(query_health, port) == (False, "not working: database")


async def test_a_database_that_hangs_is_asked_once_and_holds_up_no_answer(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = 0

    async def hangs() -> None:
        nonlocal questions
        questions += 1
        await asyncio.Event().wait()

    monkeypatch.setattr(room.services.store, "examine", hangs)
    status = Status(room.bot, [], answer_seconds=0.01)
    async with serve_health(status, "127.0.0.1", 0) as port:
        assert port is not None
        for _ in range(3):
            assert (await page(port, "/healthz"))[0] == 503
    assert questions == 1


async def test_a_bot_one_of_whose_tasks_has_ended_is_not_well(room: Room) -> None:
    ended = asyncio.create_task(asyncio.sleep(0))
    await ended
    assert not (await Status(room.bot, [ended]).checks())["tasks"]


async def test_the_measures_tell_of_commands_matches_and_boards(port: int, room: Room) -> None:
    thread = await room.start_match()
    await room.play(thread, "C3")
    status, text = await page(port, "/metrics")
    assert status == 200
    measures = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(measures["kropka_open_matches"]) == 1
    assert float(measures['kropka_acknowledgement_seconds_count{request="/move"}']) == 1
    assert float(measures['kropka_acknowledgement_seconds_count{request="challenge:accept"}']) == 1
    assert float(measures['kropka_events_total{kind="move"}']) == 1
    posts = 'kropka_discord_requests_total{method="POST",route="/channels/{id}/messages",status="200"}'
    assert float(measures[posts]) >= 2
    assert float(measures['kropka_gateway_shards{state="open"}']) == 1
    assert float(measures["kropka_clock_skew_seconds"]) == 0


async def test_no_measure_has_an_id_or_a_secret_in_its_name(port: int, room: Room) -> None:
    await private_words(room.ola.command(room.channel, "games"))
    _, text = await page(port, "/metrics")
    assert str(room.client.application_id) not in text
    assert "{token}" in text


async def test_a_taken_port_is_said(port: int, room: Room) -> None:
    with pytest.raises(BadSettings, match=rf"KROPKA_STATUS_HOST: 127.0.0.1:{port} can't be used"):
        async with serve_health(Status(room.bot, []), "127.0.0.1", port):
            pass


async def test_without_a_port_nothing_is_served(room: Room) -> None:
    async with serve_health(Status(room.bot, []), "127.0.0.1", None) as port:
        assert port is None
