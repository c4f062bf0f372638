"""The greeting: one card in a channel where the bot may write, soon after it has joined a server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from loopback import Discord, Message, Permission
from play.ids import GuildId
from tests.bot.room import Room, private_message, private_words, written_out
from tests.clock import DAY, StoppedClock
from tests.opponent.quick import Inside

TEXT = "I play **Dots** with you"


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock) -> AsyncIterator[Room]:
    """A server that the bot has just joined, as its operator starts it for the first time."""
    discord.add_bot()
    room = Room(discord, url, clock)
    room.thinkers = Inside
    await room.start()
    yield room
    await room.stop()


def greetings(room: Room) -> list[Message]:
    seen = (each for channel in room.discord.channels.values() for each in room.discord.messages(channel))
    return [each for each in seen if TEXT in each.text]


async def pending(room: Room) -> list[GuildId]:
    async with room.services.store.read() as reader:
        return await reader.greetings.pending(9)


async def post_all(room: Room) -> None:
    """Returns when no greeting waits any more."""

    async def posted() -> bool:
        return not await pending(room)

    await room.until(posted)


async def greeting(room: Room) -> Message:
    """Returns the greeting of the server that the bot has just joined."""
    found: list[Message] = await room.discord.until(lambda: greetings(room))
    await post_all(room)
    return found[0]


async def settle(room: Room) -> None:
    """Lets the bot do all that the gateway has asked of it: it answers a message that came later."""
    general = room.discord.channels["general"]
    room.ola.say(general, f"{room.discord.bot.mention} k12")
    await room.discord.until(lambda: any(each.reference for each in room.discord.messages(general)))


async def test_a_server_is_greeted_with_a_picture_and_four_ways_to_begin(room: Room) -> None:
    card = await greeting(room)
    assert card.channel_id == room.channel.id
    assert card.labels == ["Play the computer", "Learn", "Challenge", "Play anyone"]
    (picture,) = card.attachments
    assert picture.description is not None
    assert "two blue ones" in picture.description


async def test_the_greeting_speaks_the_language_of_the_server(room: Room) -> None:
    await greeting(room)
    room.discord.make_community("pl")
    room.clock.advance(31 * DAY)
    room.discord.remove_bot()
    room.discord.add_bot()
    await room.discord.until(
        lambda: [each for each in room.discord.messages(room.channel) if "**kropki**" in each.text]
    )


async def test_the_greeting_tells_managers_of_the_home_post_and_an_answer_does_not(room: Room) -> None:
    assert "`/settings server` has **What should happen here?**" in written_out((await greeting(room)).text)
    await settle(room)
    answer = next(each for each in room.discord.messages(room.general) if each.reference)
    assert "Home post" not in answer.text


async def test_a_restart_greets_nobody_again(room: Room) -> None:
    await greeting(room)
    await room.restart()
    await settle(room)
    assert len(greetings(room)) == 1


async def test_a_bot_that_is_added_again_the_next_day_stays_silent(room: Room) -> None:
    await greeting(room)
    room.discord.remove_bot()
    room.clock.advance(DAY)
    room.discord.add_bot()
    await settle(room)
    assert len(greetings(room)) == 1


async def test_a_join_while_the_bot_was_down_is_greeted_when_it_is_back(room: Room) -> None:
    await greeting(room)
    await room.stop()
    room.clock.advance(40 * DAY)
    room.discord.add_bot(ago=3600)
    await room.start()
    await room.discord.until(lambda: len(greetings(room)) == 2)


async def test_the_end_of_an_outage_is_no_join(room: Room) -> None:
    await greeting(room)
    room.clock.advance(40 * DAY)
    room.client._connection.parsers["GUILD_CREATE"]({"id": str(room.discord.guild.id), "unavailable": True})
    room.discord.add_bot(ago=40 * 86_400)  # what Discord sends when the server is back
    await settle(room)
    assert len(greetings(room)) == 1


async def test_where_the_bot_may_not_write_it_says_nothing_and_tries_nothing(room: Room) -> None:
    await greeting(room)
    room.clock.advance(40 * DAY)
    for channel in room.discord.channels.values():
        room.discord.deny(channel, Permission.ATTACH_FILES)
    room.discord.add_bot()
    requests = len(room.discord.requests)
    room.discord.add_bot()
    await room.client.handlers.note_guild(room.discord.wire.joined_guild(room.discord.guild))
    assert [each.endpoint for each in list(room.discord.requests)[requests:] if "messages" in each.endpoint] == []
    assert len(greetings(room)) == 1


async def test_a_channel_that_refuses_the_greeting_is_asked_once(room: Room) -> None:
    await greeting(room)
    room.clock.advance(40 * DAY)
    room.discord.world.bot_joined = room.clock() / 1000
    payload = room.discord.wire.joined_guild(room.discord.guild)
    for channel in room.discord.channels.values():  # after the payload was sent
        room.discord.deny(channel, Permission.SEND_MESSAGES)
    await room.client.handlers.note_guild(payload)
    await post_all(room)
    assert sum(each.status == 403 for each in room.discord.requests) == 1
    assert len(greetings(room)) == 1


async def test_nothing_of_a_server_is_kept_in_memory(room: Room) -> None:
    await greeting(room)
    room.discord.add_bot()
    assert len(room.client.guilds) == 0


async def test_the_old_greeting_works_after_a_restart_without_its_row(room: Room) -> None:
    card = await greeting(room)
    await room.restart()
    assert "Your game has begun" in await private_words(room.ola.click(card, "Play the computer"))
    lesson = await private_message(room.ola.click(card, "Learn"))
    assert "7" in lesson.labels
    panel = await private_message(room.maksim.click(card, "Challenge"))
    assert panel.ephemeral
    assert "9" not in panel.labels


async def test_without_the_computer_the_card_offers_no_game_against_it(room: Room) -> None:
    await room.stop()
    room.thinkers = None
    room.clock.advance(40 * DAY)
    room.discord.add_bot()
    await room.start()
    await room.discord.until(
        lambda: any(each.labels == ["Learn", "Challenge", "Play anyone"] for each in greetings(room))
    )
