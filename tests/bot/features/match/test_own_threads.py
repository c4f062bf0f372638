"""The thread of a game is its own: another one that is begun there gets a thread in the channel."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from loopback import Channel, Discord, Message, Permission, Person
from play.ids import MatchId
from tests.bot.features.match.delivery.test_lost_channels import lose_channel
from tests.bot.panels import links
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import skip_confirmations, version_message
from tests.clock import DAY, StoppedClock
from tests.opponent.quick import Inside

GIVEN: dict[str, Any] = {"size": "5x5", "start": "empty", "clock": "3d"}
TAKEN = "This thread belongs to another game"


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock) -> AsyncIterator[Room]:
    room = Room(discord, url, clock)
    room.thinkers = Inside
    await room.start()
    await skip_confirmations(room)
    yield room
    await room.stop()


async def finished(room: Room) -> Channel:
    """Returns the thread of a game of Ola and Максим that is over, and says so."""
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    resigning = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(resigning, "Yes, resign").followed()
    await version_message(room, thread, 3)
    await room.discord.until(lambda: name_of(room, thread).startswith("🏁"))
    return thread


def name_of(room: Room, thread: Channel) -> str:
    return next(each for each in room.discord.threads if each.id == thread.id).name


def cards(room: Room, channel: Channel) -> list[Message]:
    """Returns the open cards in a channel."""
    return [each for each in room.discord.messages(channel) if "Accept" in each.labels]


async def require_own(room: Room, thread: Channel) -> None:
    """Checks that a thread has the boards of match 1 alone, which is over, and that commands are about it."""
    assert name_of(room, thread) == "🏁 #1 Ola – Максим · Zagram 5×5"
    assert len(room.boards(thread)) == 4
    replay = await private_message(room.kasia.command(thread, "replay"))
    assert any(part.get("custom_id") == "on:1:2" for part in replay.controls)


async def begun(room: Room, number: int, *, beside: Channel) -> Channel:
    """Returns the thread of a match, which hangs in the channel of another thread, once it has a board."""
    match = await room.use_cases.matches.load(MatchId(number))
    assert (match.channel != beside.id, match.parent) == (True, room.channel.id)
    thread: Channel = await room.discord.until(
        lambda: next((each for each in room.discord.threads if each.id == match.channel), None)
    )
    await room.wait_for_board(thread, 0)
    return thread


async def play_on(room: Room, thread: Channel, person: Person) -> Message:
    """Returns what a person is told who plays on against the computer, from a replay in a thread."""
    panel = await private_message(person.command(thread, "replay"))
    question = await private_message(person.click(panel, "Play on from here"))
    return await private_message(person.click(question, "Play the computer: choose a level", ["1"]))


async def test_a_spectator_who_plays_on_gets_another_thread(room: Room) -> None:
    thread = await finished(room)
    told = await play_on(room, thread, room.kasia)
    other = await begun(room, 2, beside=thread)
    assert f"/{other.id}/" in links(told)["Go to the game"]
    assert name_of(room, other).startswith("#2 Kasia")
    await require_own(room, thread)
    assert "[The rematch]" in await private_words(room.ola.command(thread, "rematch"))
    assert [card.mentions for card in cards(room, thread)] == [(room.maksim.id,)]


async def test_a_player_who_challenges_others_gets_a_card_in_the_channel(room: Room) -> None:
    thread = await finished(room)
    for number, given in enumerate(({"opponent": room.kasia}, {}), 2):
        told = await private_words(room.ola.command(thread, "challenge", **given, **GIVEN))
        (card,) = cards(room, room.channel)
        assert f"/{room.channel.id}/{card.id}" in told
        await room.kasia.click(card, "Accept").followed()
        await begun(room, number, beside=thread)
    await require_own(room, thread)


async def test_a_running_game_keeps_its_thread_from_its_own_players(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "challenge", opponent=room.maksim, **GIVEN).answered()
    await room.maksim.click(cards(room, room.channel)[0], "Accept").followed()
    await begun(room, 2, beside=thread)
    assert name_of(room, thread).startswith("#1 ")


async def test_the_same_players_go_on_in_their_thread_until_it_has_a_game(room: Room) -> None:
    thread = await finished(room)
    for _ in range(2):
        await room.ola.command(thread, "challenge", opponent=room.maksim, **GIVEN).answered()
    first, second = cards(room, thread)
    await room.maksim.click(first, "Accept").followed()
    await room.discord.until(lambda: name_of(room, thread).startswith("#2 "))
    assert TAKEN in await private_words(room.maksim.click(second, "Accept"))
    assert cards(room, thread) == [room.discord.message(second)]


async def test_a_rematch_of_three_is_theirs_alone(room: Room) -> None:
    zofia = room.discord.invite("Zofia")
    card = await room.challenge(players=3, size=None, start=None, clock="3d")
    for person in (room.maksim, room.kasia):
        await person.click(card, "Join").followed()
    thread = await room.wait_for_thread(card)
    await room.cancel_match(room.ola, thread)
    await version_message(room, thread, 1)
    assert "[The rematch]" in await private_words(room.ola.command(thread, "rematch"))
    rematch = room.discord.messages(thread)[-1]
    assert TAKEN in await private_words(zofia.click(rematch, "Join"))
    for person in (room.kasia, room.maksim):
        await person.click(rematch, "Join").followed()
    await room.discord.until(lambda: name_of(room, thread).startswith("#2 "))


@pytest.mark.parametrize("who", ["the bot", "the player"])
async def test_where_the_channel_is_closed_a_player_is_told_to_go_elsewhere(room: Room, who: str) -> None:
    thread = await finished(room)
    room.discord.deny(room.channel, Permission.SEND_MESSAGES, room.kasia if who == "the player" else None)
    panel = await private_message(room.kasia.command(thread, "replay"))
    question = await private_message(room.kasia.click(panel, "Play on from here"))
    said = await private_words(room.kasia.click(question, "Play the computer: choose a level", ["1"]))
    assert f"{TAKEN}, and no new one can begin in its channel" in said
    assert cards(room, room.channel) == []
    await require_own(room, thread)


async def test_a_server_without_threads_has_the_next_game_in_the_channel(room: Room) -> None:
    thread = await finished(room)
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    await room.kasia.command(thread, "challenge", opponent=room.ola, **GIVEN).answered()
    await room.ola.click(cards(room, room.channel)[0], "Accept").followed()
    await version_message(room, room.channel, 0, match=2)
    await room.cancel_match(room.ola, room.channel)
    await version_message(room, room.channel, 1, match=2)
    await room.kasia.command(room.channel, "challenge", computer=1, **GIVEN).answered()  # in no thread, so it is free
    await version_message(room, room.channel, 0, match=3)
    await require_own(room, thread)


async def test_votes_of_the_server_begin_in_a_thread_of_the_channel(room: Room) -> None:
    await room.pass_time(8 * DAY)
    thread = await finished(room)
    asked = await private_message(room.ola.command(thread, "vote begin", opponent=room.maksim, time="1h", quorum=2))
    await room.ola.click(asked, "Ask them").followed()
    card = cards(room, room.channel)[0]
    await room.maksim.click(card, "Accept").answered()
    await version_message(room, await room.wait_for_thread(card), 0, match=2)
    await require_own(room, thread)


async def test_a_game_that_has_lost_its_channel_goes_on_beside_the_thread_of_another(room: Room) -> None:
    lost = await lose_channel(room)
    await room.wait_for_outbox()
    await room.kasia.command(room.general, "challenge", computer=1, **GIVEN).answered()
    thread = await room.discord.until(lambda: next((each for each in room.discord.threads if each.id != lost.id), None))
    assert f"/{room.general.id})" in await private_words(room.maksim.command(thread, "continue"))
    await version_message(room, room.general, 1)
