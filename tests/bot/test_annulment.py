"""A moderator annuls a game that is over: the ratings are as if it had never been, and the channel is told."""

from __future__ import annotations

import pytest

from loopback import Channel, Message
from play.challenge.pool import Pool
from play.ids import UserId
from play.ratings.glicko import Rating
from tests.bot.room import Room, private_message, private_words
from tests.bot.test_timing import moderate
from tests.bot.waiting import at_once, play_rated_match
from tests.clock import DAY

POOL = Pool.parse("dots-live")


@pytest.fixture(autouse=True)
async def _ready(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("play.ratings.ledger.MIN_MOVES", 1)
    await room.passes(30 * DAY)
    await at_once(room)
    moderate(room)


async def ratings(room: Room) -> list[Rating]:
    users = [UserId(person.id) for person in (room.ola, room.maksim)]
    async with room.services.store.read() as reader:
        return list((await reader.ratings(POOL, users)).values())


async def told(room: Room, thread: Channel) -> Message:
    news: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if each.nonce == "news:1"), None)
    )
    return news


async def test_the_ratings_are_as_if_the_game_had_never_been(room: Room) -> None:
    thread = await play_rated_match(room)
    assert "The game is annulled." in await private_words(room.kasia.command(thread, "moderate annul"))
    assert await ratings(room) == [Rating(), Rating()]


async def test_the_channel_is_told_what_is_undone(room: Room) -> None:
    thread = await play_rated_match(room)
    await private_words(room.kasia.command(room.channel, "moderate annul", game=1))
    words = (await told(room, thread)).content
    assert f"annulled by {room.kasia.mention}" in words
    assert "Ola: 1500 → 1338" in words
    assert (await told(room, thread)).mentions == ()


async def test_the_history_shows_it_as_annulled(room: Room) -> None:
    thread = await play_rated_match(room)
    await private_words(room.kasia.command(thread, "moderate annul"))
    assert "annulled by a moderator" in (await private_message(room.ola.command(room.channel, "history"))).text


async def test_later_games_are_rated_anew(room: Room) -> None:
    thread = await play_rated_match(room)
    await play_rated_match(room, 2)
    words = await private_words(room.kasia.command(thread, "moderate annul"))
    assert "1 later game" in words
    assert [round(rating.value) for rating in await ratings(room)] == [1338, 1662]


async def test_nothing_is_annulled_twice_or_by_a_player(room: Room) -> None:
    thread = await play_rated_match(room)
    assert "You play in this game yourself" in await private_words(room.ola.command(thread, "moderate annul"))
    await private_words(room.kasia.command(thread, "moderate annul"))
    assert "annulled already" in await private_words(room.kasia.command(thread, "moderate annul"))
