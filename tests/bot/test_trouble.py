"""The bot where Discord refuses a request, is late or loses an answer, and where the database fails."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import discord
import pytest

from loopback import Permission
from tests.bot.room import Room, answering_board, private_words
from tests.clock import HOUR
from use_cases.match_writer import MAX_CLICK_AGE_MILLIS

MESSAGES = "/channels/{channel_id}/messages"
THREADS = "/channels/{channel_id}/messages/{message_id}/threads"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"


async def test_a_game_whose_thread_cannot_be_opened_is_played_in_the_channel(room: Room) -> None:
    room.discord.fault("POST", THREADS, 403, code=50013, times=2)
    card = await room.challenge(opponent=room.maksim)
    await room.maksim.click(card, "Accept").followed()
    await room.wait_for_board(room.channel, 0)
    assert "C3" in (await room.play(room.channel, "c3")).content


async def test_a_thread_that_is_there_already_is_used(room: Room) -> None:
    room.discord.fault("POST", THREADS, 503, applied=True)
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    assert len(room.discord.threads) == 1


async def test_a_board_whose_posting_was_not_confirmed_is_posted_once(room: Room) -> None:
    thread = await room.start_match()
    first = await room.wait_for_board(thread, 0)
    room.discord.fault("POST", MESSAGES, 503, applied=True)
    room.ola.say(thread, "c3", reply_to=first)
    await room.wait_for_board(thread, 1)
    assert len(room.boards(thread)) == 2


async def test_a_rate_limit_delays_a_board_and_loses_none(room: Room) -> None:
    thread = await room.start_match()
    first = await room.wait_for_board(thread, 0)
    room.discord.fault("POST", MESSAGES, 429, retry_after=0.01)
    room.ola.say(thread, "c3", reply_to=first)
    assert "C3" in (await room.wait_for_board(thread, 1)).content


async def test_a_locked_thread_is_left_for_the_channel(room: Room) -> None:
    thread = await room.start_match(clock="1h")
    await room.wait_for_board(thread, 0)
    room.discord.deny(room.channel, Permission.MANAGE_THREADS)
    room.discord.archive(thread, locked=True)
    await room.pass_time(2 * HOUR)
    await room.use_cases.clocks.flag_overdue()
    assert "is cancelled" in (await room.wait_for_board(room.channel, 0)).content


async def test_a_channel_that_cannot_be_written_to_stops_no_game(room: Room) -> None:
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    card = await room.challenge(opponent=room.maksim)
    await room.maksim.click(card, "Accept").followed()
    first = await room.wait_for_board(room.channel, 0)
    room.discord.deny(room.channel, Permission.SEND_MESSAGES)
    room.ola.say(room.channel, "c3", reply_to=first)
    await room.until(room.version)
    await room.wait_for_outbox()
    room.discord.allow(room.channel, Permission.SEND_MESSAGES)
    await answering_board(room.maksim.command(room.channel, "move", point="c2"))
    assert "C2" in (await room.wait_for_board(room.channel, 1)).content


async def test_buttons_that_could_not_be_taken_off_are_harmless(room: Room) -> None:
    thread = await room.start_match()
    board = await room.wait_for_board(thread, 0)
    room.discord.fault("PATCH", MESSAGES + "/{message_id}", 403, times=2, code=50013)  # one may be the card's
    await room.ola.command(thread, "move", point="c3").answered()
    await room.discord.until(lambda: len(room.boards(thread)) == 2)
    assert "The game has moved on" in await private_words(room.ola.click(board, "Type a move"))


async def test_a_move_that_could_not_be_acknowledged_in_time_is_not_played(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    thread = await room.start_match()
    room.discord.fault("POST", CALLBACK, 404, code=10062)
    room.ola.command(thread, "move", point="c3")
    room.clock.advance(MAX_CLICK_AGE_MILLIS + 1)
    await room.discord.until(lambda: room.discord.requests[-1].status == 404)
    await room.kasia.command(thread, "help").answered()
    assert "acknowledged too late" in caplog.text
    assert await room.version() == 0


async def test_an_unforeseen_error_gets_an_id_that_is_in_the_log(
    room: Room, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(table: object) -> None:
        raise RuntimeError("the disk is on fire")

    monkeypatch.setattr(room.use_cases.matches, "load", broken)
    words = await private_words(room.ola.command(room.channel, "board"))
    incident = words.partition("`")[2].partition("`")[0]
    record = next(record for record in caplog.records if incident in record.getMessage())
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert "fire" not in words


async def test_a_damaged_database_is_told_in_words(room: Room, tmp_path: Path) -> None:
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    overwrite(tmp_path / "kropka.db")
    assert "Your games are safe" in await private_words(room.ola.command(thread, "move", point="c3"))


async def test_a_click_into_a_damaged_database_is_told_in_words(room: Room, tmp_path: Path) -> None:
    board = await room.wait_for_board(await room.start_match(), 0)
    overwrite(tmp_path / "kropka.db")
    assert "Your games are safe" in await private_words(room.ola.click(board, "More"))


async def test_a_locked_database_is_told_in_words(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    room.services.store._writer.busy_millis = 50  # type: ignore[attr-defined]
    with closing(sqlite3.connect(tmp_path / "kropka.db", isolation_level=None, check_same_thread=False)) as other:
        await asyncio.to_thread(other.execute, "BEGIN EXCLUSIVE")  # the bot may be writing, and has to finish
        assert "Your games are safe" in await private_words(room.ola.command(thread, "move", point="c3"))
        other.execute("ROLLBACK")
    assert "C3" in (await room.play(thread, "c3")).content


def overwrite(file: Path) -> None:
    """Overwrites the database and its write-ahead log."""
    for each in (file, file.with_name(f"{file.name}-wal")):
        size = each.stat().st_size
        with each.open("r+b") as opened:
            opened.write(b"\7" * size)


async def test_a_button_of_an_earlier_version_of_the_bot_is_answered(room: Room) -> None:
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Zoom", custom_id="match:1:zoom"))
    view.stop()
    message = await room.client.get_partial_messageable(room.channel.id).send("old", view=view)
    words = await private_words(room.ola.click(message.id, "Zoom"))
    assert words.startswith("This button no longer works. Open a new one with `/board`")


async def test_a_lost_gateway_connection_is_taken_up_again(room: Room) -> None:
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    room.discord.reconnect()
    await room.discord.until(lambda: not room.discord.online)
    await room.discord.until(lambda: room.discord.online)
    assert "C3" in (await room.play(thread, "c3")).content


async def test_the_client_keeps_nothing_in_memory_for_buttons_and_forms(room: Room) -> None:
    thread = await room.start_match()
    await room.ola.click(await room.wait_for_board(thread, 0), "Type a move").answered()
    await room.ola.command(thread, "resign").answered()
    assert room.client.persistent_views == []
    assert not room.client._connection._view_store._modals
