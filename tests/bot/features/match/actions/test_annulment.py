"""A moderator annuls a finished game: it leaves the ratings, and a message in the channel says so."""

from __future__ import annotations

import pytest

from loopback import Channel, Message
from play.challenge.pool import Pool
from play.ids import UserId
from play.ratings.glicko import Rating
from tests.bot.panels import confirm
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import play_rated_match
from tests.clock import DAY

POOL = Pool.parse("dots-live")


@pytest.fixture(autouse=True)
async def _ready(room: Room, no_confirmation: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Accounts are old enough to be rated, games of one move count, and Kasia moderates."""
    monkeypatch.setattr("use_cases.ratings.MIN_MOVES", 1)
    await room.pass_time(30 * DAY)
    room.make_moderator(room.kasia)


async def ratings(room: Room) -> list[Rating]:
    """Returns the ratings of Ola and Максим."""
    users = [UserId(person.id) for person in (room.ola, room.maksim)]
    async with room.services.store.read() as reader:
        return list((await reader.ratings.get(POOL, users)).values())


async def annul(room: Room, channel: Channel, **options: object) -> str:
    """Annuls a game for Kasia, who is asked first; returns the answer."""
    return await confirm(room.kasia, room.kasia.command(channel, "moderate annul", **options), "Annul game")


async def annulment_news(room: Room, thread: Channel) -> Message:
    """Returns the message in the channel about the annulment."""
    news: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if each.nonce == "news:1"), None)
    )
    return news


async def test_the_ratings_are_as_if_the_game_had_never_been(room: Room) -> None:
    thread = await play_rated_match(room)
    assert await annul(room, thread) == "You annulled the game."
    assert await ratings(room) == [Rating(), Rating()]


async def test_the_channel_is_told_what_is_undone(room: Room) -> None:
    thread = await play_rated_match(room)
    await annul(room, room.channel, game=1)
    words = (await annulment_news(room, thread)).content
    assert f"{room.kasia.mention} annulled" in words
    assert "Ola: 1500 → 1338" in words
    assert (await annulment_news(room, thread)).mentions == ()


async def test_the_history_shows_it_as_annulled(room: Room) -> None:
    thread = await play_rated_match(room)
    await annul(room, thread)
    assert "annulled by a moderator" in (await private_message(room.ola.command(room.channel, "history"))).text


async def test_later_games_are_rated_anew(room: Room) -> None:
    thread = await play_rated_match(room)
    await play_rated_match(room, 2)
    words = await annul(room, thread)
    assert "1 later game" in words
    assert [round(rating.value) for rating in await ratings(room)] == [1338, 1662]


async def test_nothing_is_annulled_twice_or_by_a_player(room: Room) -> None:
    thread = await play_rated_match(room)
    assert "You're a player in this game" in await private_words(room.ola.command(thread, "moderate annul"))
    await annul(room, thread)
    assert "already annulled" in await private_words(room.kasia.command(thread, "moderate annul"))
