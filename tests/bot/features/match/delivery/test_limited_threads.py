"""Discord opens no thread for minutes: the game begins in the channel, or waits, and says so."""

from __future__ import annotations

import pytest

from loopback import Message
from play.clock import Speed
from tests.bot.panels import links
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message

THREADS = "/channels/{channel_id}/messages/{message_id}/threads"

impatient = pytest.mark.parametrize("run_options", [{"thread_seconds": 0.3}], ids=["impatient"])


def count_tries(room: Room) -> int:
    return sum(request.endpoint == f"POST {THREADS}" for request in room.discord.requests)


async def told(room: Room, words: str) -> Message:
    """Returns the message of the bot in the channel that says so."""

    def there() -> Message | None:
        return next((each for each in room.discord.messages(room.channel) if words in each.content), None)

    message: Message = await room.discord.until(there)
    return message


@impatient
async def test_a_game_begins_in_the_channel_where_its_thread_is_limited_for_minutes(room: Room) -> None:
    room.discord.fault("POST", THREADS, 429, times=None, retry_after=280)
    card = await room.challenge()
    accepted = await private_message(room.maksim.click(card, "Accept"))
    board = await version_message(room, room.channel, 0)
    assert "Discord doesn't let me use a thread" in board.content
    assert set(board.mentions) == {room.ola.id, room.maksim.id}
    assert str(room.channel.id) in links(accepted)["Go to the game"]
    assert "Максим" in (await room.play(room.channel, "c3")).content


@impatient
async def test_beside_another_game_it_waits_and_its_players_are_told_once(room: Room) -> None:
    limited = room.discord.fault("POST", THREADS, 429, times=None, retry_after=280)
    await room.maksim.click(await room.challenge(clock="3d"), "Accept").answered()
    await version_message(room, room.channel, 0)
    card = await room.challenge(opponent=room.kasia, clock="3d", size="6x6")
    await room.kasia.click(card, "Accept").answered()
    waits = await told(room, "Discord lets me open no more threads here for now")
    assert set(waits.mentions) == {room.ola.id, room.kasia.id}
    assert count_tries(room) == 1, "none is tried again at once"
    limited.end()
    await room.restart()  # no test waits for the minute until the next try
    thread = await room.wait_for_thread(card)
    assert len(room.boards(thread)) == 1


async def test_no_command_says_that_there_is_no_game_while_its_thread_waits(room: Room) -> None:
    outage = room.discord.fault("POST", THREADS, 503, times=None)
    card = await room.challenge(opponent=room.maksim)
    await private_message(room.maksim.click(card, "Accept"))
    for command, options in (("move", {"point": "c3"}), ("board", {})):
        said = await private_words(room.ola.command(room.channel, command, **options))
        assert "Your game is about to open in a thread below its card" in said
    assert "There's no game in this channel" in await private_words(room.kasia.command(room.channel, "board"))
    outage.end()
    await room.wait_for_thread(card)


@pytest.mark.parametrize("speed", Speed)
async def test_a_thread_that_opens_late_is_no_limit(room: Room, speed: Speed) -> None:
    room.discord.fault("POST", THREADS, 429, retry_after=0.2)
    thread = await room.start_match(clock="10m" if speed is Speed.LIVE else "3d")
    assert len(room.boards(thread)) == 1
