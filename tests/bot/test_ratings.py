"""Rated games: the card says whether they count, and the last message how the ratings change."""

from __future__ import annotations

from typing import Any

import pytest

from loopback import Message
from play.challenge.pool import Pool
from play.ids import MatchId, UserId
from play.ratings.glicko import Rating
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import play_rated_match, version_message
from tests.clock import DAY

POOL = Pool.parse("dots-live")


@pytest.fixture(autouse=True)
async def _ready(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the accounts old enough for ratings, and lets games of one move count."""
    monkeypatch.setattr("use_cases.ratings.MIN_MOVES", 1)
    await room.pass_time(30 * DAY)


async def last_message(room: Room, **options: Any) -> Message:
    """Returns the last message of a match that Ola resigns after both have moved."""
    return await version_message(room, await play_rated_match(room, **options), 3)


async def rating(room: Room, user: int) -> Rating:
    async with room.services.store.read() as reader:
        return (await reader.ratings.get(POOL, [UserId(user)]))[UserId(user)]


async def test_the_card_says_where_a_game_counts(room: Room) -> None:
    assert "Rated: Dots (live)" in (await room.challenge(opponent=room.maksim, size="10x10", rated=True)).content
    assert (
        "Rated: Dots (over days)"
        in (await room.challenge(opponent=room.maksim, size="10x10", rated=True, clock="3d")).content
    )


async def test_the_card_says_that_a_game_does_not_count(room: Room) -> None:
    assert "- Not rated" in (await room.challenge(opponent=room.maksim)).content


async def test_the_card_says_why_a_game_cannot_count(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, size="5x5", rated=True)
    assert "Not rated: each side of the board must be from 10 to 45" in card.content


async def test_other_terms_can_be_rated(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, size="10x10")
    shown = await private_message(room.maksim.click(card, "Change terms"))
    shown = await room.maksim.click(shown, "Make rated").followed()
    assert "**Rated: Dots (live)**" in shown.text


async def test_the_last_message_says_what_became_of_the_ratings(room: Room) -> None:
    last = await last_message(room)
    assert "**Ola**: 1500? → 1338? (−162) in Dots (live)" in last.content
    assert "**Максим**: 1500? → 1662? (+162) in Dots (live)" in last.content


async def test_the_last_message_of_an_unrated_game_says_nothing_of_ratings(room: Room) -> None:
    last = await last_message(room, rated=False)
    assert "1500" not in last.content
    assert "rating" not in last.content.lower()


async def test_a_rated_game_in_which_not_both_have_moved_changes_nothing(room: Room) -> None:
    thread = await room.start_match(size="10x10", rated=True)
    await room.play(thread, "e5")
    question = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(question, "Yes, resign").answered()
    assert "Ratings don't change" in (await version_message(room, thread, 2)).content
    assert await rating(room, room.ola.id) == Rating()


async def test_only_players_with_certain_ratings_may_accept_a_challenge_for_these(room: Room) -> None:
    card = await room.challenge(size="10x10", rated=True, ratings="1600-1800")
    assert "Open to ratings from 1600 to 1800" in card.content
    assert "is for ratings from 1600 to 1800" in await private_words(room.maksim.click(card, "Accept"))


async def test_a_window_of_ratings_that_makes_no_sense_is_refused(room: Room) -> None:
    asked = room.ola.command(room.channel, "challenge", rated=True, ratings="1800-1600")
    assert "`1400-1700`" in await private_words(asked)


async def test_a_young_account_counts_less_and_nobody_is_told(room: Room) -> None:
    room.clock.advance(-30 * DAY)
    last = await last_message(room)
    assert "(+162)" not in last.content  # what a whole game brings
    for word in ("account", "week", "less", "%"):
        assert word not in last.content
    async with room.services.store.read() as reader:
        reasons = [change.weight.reasons for change in await reader.ratings.changes_of(MatchId(1))]
    assert reasons == [(), ()]
