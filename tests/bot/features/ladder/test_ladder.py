"""The ladder of a server: places, duels and their news."""

from __future__ import annotations

import asyncio

import pytest

from loopback import Message
from loopback.permissions import Permission
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import skip_confirmations
from tests.clock import DAY


@pytest.fixture(autouse=True)
async def _ready(room: Room) -> None:
    """Puts Ola, Максим and Kasia on the ladder in this order."""
    await skip_confirmations(room)
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    await private_words(room.ola.command(room.channel, "ladder create"))
    for person in (room.ola, room.maksim, room.kasia):
        await private_words(person.command(room.channel, "ladder join"))


async def places(room: Room) -> list[str]:
    """Returns the names on the ladder from the top."""
    shown = await private_words(room.ola.command(room.channel, "ladder show"))
    return [line.split("**")[1] for line in shown.splitlines() if line[:1].isdigit()]


async def challenge_leader(room: Room) -> Message:
    """Returns the card by which Kasia challenges Ola for the first place."""
    words = await private_words(room.kasia.command(room.channel, "ladder challenge", opponent=room.ola))
    assert "the place is yours" in words, words
    return next(each for each in room.discord.messages(room.channel) if "challenges you" in each.content)


async def wait_for_news(room: Room, words: str) -> Message:
    """Returns the message in the channel with these words when it is posted."""
    message: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(room.channel) if words in each.content), None)
    )
    return message


async def test_players_who_join_get_the_next_places(room: Room) -> None:
    assert await places(room) == ["Ola", "Максим", "Kasia Wiśniewska"]
    await private_words(room.ola.command(room.channel, "ladder leave"))
    assert await places(room) == ["Максим", "Kasia Wiśniewska"]


async def test_a_server_has_one_ladder(room: Room) -> None:
    assert "already has a ladder" in await private_words(room.ola.command(room.channel, "ladder create"))


async def test_a_won_game_wins_the_place(room: Room) -> None:
    card = await challenge_leader(room)
    await room.restart()
    await room.ola.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.restart()
    await room.ola.click(asked, "Yes, resign").answered()
    news = await wait_for_news(room, "takes place 1")
    assert "**Kasia Wiśniewska** beat **Ola**" in news.content
    assert await places(room) == ["Kasia Wiśniewska", "Ola", "Максим"]


async def test_a_lost_game_leaves_the_place(room: Room) -> None:
    card = await challenge_leader(room)
    await room.ola.click(card, "Accept").followed()
    asked = await private_message(room.kasia.command(await room.wait_for_thread(card), "resign"))
    await room.kasia.click(asked, "Yes, resign").answered()
    await wait_for_news(room, "**Ola** keeps place 1")
    assert await places(room) == ["Ola", "Максим", "Kasia Wiśniewska"]


async def test_a_player_who_declines_a_game_by_the_day_loses_the_place(room: Room) -> None:
    await room.ola.click(await challenge_leader(room), "Decline").followed()
    await wait_for_news(room, "takes place 1")


async def test_a_second_duel_waits_for_the_first(room: Room) -> None:
    await challenge_leader(room)
    again = room.maksim.command(room.channel, "ladder challenge", opponent=room.ola)
    assert "Ola already has a ladder game" in await private_words(again)


async def test_a_player_who_does_not_play_for_long_leaves_the_ladder(room: Room) -> None:
    await challenge_leader(room)
    await room.pass_time(61 * DAY)
    await wait_for_news(room, "takes place 1")
    assert await places(room) == ["Kasia Wiśniewska", "Ola"]


async def test_what_discord_refuses_for_a_while_is_told_once_it_does_not(room: Room) -> None:
    card = await challenge_leader(room)
    room.discord.fault("POST", "/channels/{channel_id}/messages", 403, times=2, code=50013)
    room.discord.fault("POST", "/channels/{channel_id}/messages", 400, applied=True)
    await room.ola.click(card, "Decline").followed()
    await wait_for_news(room, "takes place 1")
    await room.restart()
    pending = True
    async with asyncio.timeout(20):
        while pending:
            async with room.services.store.read() as reader:
                pending = bool(await reader.news.pending(1))
    assert len([each for each in room.discord.messages(room.channel) if "takes place 1" in each.content]) == 1
