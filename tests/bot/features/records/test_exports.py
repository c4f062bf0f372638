"""Whoever presses a film again and again holds up no board, and is told plainly."""

from __future__ import annotations

import asyncio
import os

import pytest

from loopback import Channel, Interaction, Message
from tests.bot import jobs
from tests.bot.room import Room, private_message, private_words


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that is told to stop waits for no film that hangs."""
    monkeypatch.setattr("bot.connection.SETTLE_SECONDS", 0.5)


async def played(room: Room) -> Channel:
    thread = await room.match()
    await room.play(thread, "b2", "c3")
    return thread


async def at_work(room: Room) -> None:
    """Returns when a film is being made."""
    async with asyncio.timeout(10):
        while room.services.jobs.films.pid is None:
            await room.noted()


async def film(asked: Interaction) -> Message:
    message = await private_message(asked)
    assert message.attachments, message.text
    assert message.attachments[0].data[:4] == b"GIF8"
    return message


async def test_no_film_holds_up_the_board_of_another_game(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = await played(room)
    monkeypatch.setattr("bot.features.records.exports._film", jobs.hang)
    for person in (room.ola, room.maksim, room.kasia):
        person.command(thread, "replay")
    other = await room.match()
    assert len(room.boards(other)) == 1


async def test_a_second_press_while_ones_own_film_is_made_is_told_so(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await played(room)
    monkeypatch.setattr("bot.features.records.exports._film", jobs.hang)
    room.ola.command(thread, "replay")
    await at_work(room)
    for command in ("replay", "export game", "export all"):
        assert "I'm still working on" in await private_words(room.ola.command(thread, command)), command


async def test_the_next_film_can_be_asked_for_when_the_first_has_come(room: Room) -> None:
    thread = await played(room)
    await film(room.ola.command(thread, "replay"))
    await film(room.ola.command(thread, "replay"))


async def test_a_film_that_two_ask_for_is_made_once(room: Room) -> None:
    thread = await played(room)
    await film(room.kasia.command(thread, "replay"))
    await film(room.maksim.command(thread, "replay"))
    assert b'kropka_lane_seconds_count{work="_film"} 1.0' in room.services.metrics.text()


async def test_a_film_that_takes_too_long_is_refused_with_what_to_do(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await played(room)
    monkeypatch.setattr("bot.features.records.exports._film", jobs.hang)
    room.services.jobs.films.seconds = 0.2
    words = await private_words(room.ola.command(thread, "replay"))
    assert "too long for a film" in words
    assert "`/export game`" in words


async def test_a_film_larger_than_discord_takes_is_refused(room: Room) -> None:
    thread = await played(room)
    room.discord.world.attachment_limit = 1000
    assert "too long for a film" in await private_words(room.ola.command(thread, "replay"))


async def test_a_worker_that_dies_over_a_film_costs_that_film_alone(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await played(room)
    with monkeypatch.context() as patched:
        patched.setattr("bot.features.records.exports._film", jobs.die)
        assert "try again" in await private_words(room.ola.command(thread, "replay"))
    await film(room.ola.command(thread, "replay"))


async def test_whoever_waits_when_the_bot_is_stopped_is_told_and_no_worker_is_left(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await played(room)
    monkeypatch.setattr("bot.features.records.exports._film", jobs.hang)
    asked = room.ola.command(thread, "replay")
    await at_work(room)
    worker = room.services.jobs.films.pid
    assert worker is not None
    await room.restart()
    assert "back in a moment" in await private_words(asked)
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
