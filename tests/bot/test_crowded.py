"""When more is asked for than can be done in time, players are told at once that nothing was done, and lose nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from loopback import Message
from play.ids import UserId
from tests.bot.crowds import FEW_PLACES, crowd
from tests.bot.room import Room, private_message, private_words
from tests.clock import MINUTE, SECOND

MOVE = (
    "⚠️ Your move wasn't played: so many people are playing right now. Play it again in a few seconds. Your clock"
    " doesn't count that time."
)
OTHER = "⚠️ So many people are playing right now that I couldn't do this. Try again in a few seconds."


@pytest.fixture
def run_options() -> dict[str, Any]:
    return {"intake": FEW_PLACES}


async def test_a_command_is_turned_away(room: Room) -> None:
    async with crowd(room.services.intake):
        assert await private_words(room.ola.command(room.channel, "games")) == OTHER


async def test_a_move_is_turned_away_and_not_played(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    async with crowd(room.services.intake):
        assert await private_words(room.ola.command(thread, "move", point="E5")) == MOVE
    assert await room.version() == 0


async def test_a_move_that_was_turned_away_can_be_played_a_moment_later(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    async with crowd(room.services.intake):
        await room.ola.command(thread, "move", point="E5").answered()
    await room.play(thread, "E5")
    assert await room.version() == 1


async def test_the_clock_does_not_count_the_time_until_then(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="5m+2s")
    room.clock.advance(20 * SECOND)
    async with crowd(room.services.intake):
        await room.ola.command(thread, "move", point="E5").answered()
    room.clock.advance(6 * SECOND)
    await room.play(thread, "E5")
    match = await room.use_cases.matches.load(await _only_match(room))
    left = [match.clock.left(seat, room.clock()) for seat in match.seats]
    assert left == [5 * MINUTE - 18 * SECOND, 5 * MINUTE]


async def test_a_press_is_turned_away_in_the_players_language(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    room.ola.speak("pl")
    async with crowd(room.services.intake):
        words = await private_words(room.ola.click(room.boards(thread)[-1], "Type a move"))
    assert words == "⚠️ Gra teraz tak wiele osób, że to się nie udało. Spróbuj ponownie za kilka sekund."


async def test_one_who_has_chosen_a_language_is_told_in_it(room: Room) -> None:
    await room.change_settings(room.ola, language="de")
    await room.ola.command(room.channel, "games").answered()
    async with crowd(room.services.intake):
        words = await private_words(room.ola.command(room.channel, "games"))
    assert words.startswith("⚠️ Gerade spielen so viele")


async def test_a_form_that_is_turned_away_loses_nothing(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    opened = (await room.ola.click(room.boards(thread)[-1], "Type a move").answered()).modal
    assert opened is not None
    async with crowd(room.services.intake):
        told = await private_message(room.ola.submit(opened, {"point": "E5"}))
    assert told.content == f"{MOVE}\n```point\nE5\n```"
    again = (await room.ola.click(told, "Try again").answered()).modal
    assert again is not None
    assert [field["value"] for field in again.fields] == ["E5"]


async def test_nothing_is_suggested(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    assert await room.ola.complete(thread, "move", focused="point", point="")
    async with crowd(room.services.intake):
        assert await room.ola.complete(thread, "move", focused="point", point="") == []


async def test_a_reply_is_told_that_it_was_not_played(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    async with crowd(room.services.intake):
        room.ola.say(thread, "E5", reply_to=room.boards(thread)[-1])
        told = await room.discord.until(lambda: _last_of(room, thread.id, "wasn't played"))
    assert told.content == MOVE.removeprefix("⚠️ ")
    assert await room.version() == 0


async def test_a_conversation_is_not_told_so(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    async with crowd(room.services.intake):
        room.ola.say(thread, "good luck!", reply_to=room.boards(thread)[-1])
        await private_words(room.ola.command(thread, "games"))  # the gateway brings one after the other
        await asyncio.sleep(0)
    assert _last_of(room, thread.id, "wasn't played") is None


async def test_what_waits_when_the_bot_closes_is_turned_away(room: Room) -> None:
    async with crowd(room.services.intake):
        room.services.gate.close()
        assert not room.services.intake.is_crowded


async def test_those_who_were_turned_away_are_counted(room: Room) -> None:
    async with crowd(room.services.intake):
        await private_words(room.ola.command(room.channel, "games"))
    assert b"kropka_turned_away_total 1.0" in room.services.metrics.text()


def _last_of(room: Room, channel: int, part: str) -> Message | None:
    return next((each for each in room.discord.messages(channel) if part in each.content), None)


async def _only_match(room: Room) -> Any:
    (match,) = await room.use_cases.matches.list_open(UserId(room.ola.id))
    return match.id
