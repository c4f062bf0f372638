"""A rematch: offered on the last board or by command, once."""

from __future__ import annotations

import pytest

from play.challenge.challenge import ChallengeState
from play.ids import MatchId, UserId
from tests.bot.room import Room, private_words
from tests.bot.waiting import version_message
from tests.clock import MINUTE

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def test_a_rematch_is_offered_on_the_last_board_and_the_player_who_moved_last_begins(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.cancel_match(room.ola, thread)
    last = await version_message(room, thread, 1)
    assert "[The rematch]" in await private_words(room.ola.click(last, "Rematch"))
    card = room.discord.messages(thread)[-1]
    assert card.mentions == (room.maksim.id,)
    await room.maksim.click(card, "Accept").followed()
    begun = await room.discord.until(lambda: next((b for b in room.boards(thread)[1:] if "begins" in b.content), None))
    assert "**Максим** moves first" in begun.content


async def test_of_two_clicks_at_once_one_offers_a_rematch(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.cancel_match(room.ola, thread)
    last = await version_message(room, thread, 1)
    clicks = [person.click(last, "Rematch") for person in (room.ola, room.maksim)]
    words = [await private_words(click) for click in clicks]
    assert sorted("is already offered" in each for each in words) == [False, True]
    cards = [message for message in room.discord.messages(thread) if "Accept" in message.labels]
    assert len(cards) == 1


async def test_a_rematch_whose_card_was_lost_in_a_crash_is_shown_when_it_is_asked_for_again(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.cancel_match(room.ola, thread)
    await version_message(room, thread, 1)
    lost = await room.use_cases.challenges.rematch(MatchId(1), UserId(room.ola.id), room.clock())
    assert "is already offered" in await private_words(room.maksim.command(thread, "rematch"))
    room.clock.advance(MINUTE)
    assert "[The rematch]" in await private_words(room.maksim.command(thread, "rematch"))
    assert "is already offered" in await private_words(room.ola.command(thread, "rematch"))
    await room.maksim.click(room.discord.messages(thread)[-1], "Accept").followed()
    assert (await room.use_cases.challenges.load(lost.id)).state is ChallengeState.ACCEPTED


async def test_a_declined_rematch_may_be_offered_again(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.cancel_match(room.ola, thread)
    assert "[The rematch]" in await private_words(room.ola.click(await version_message(room, thread, 1), "Rematch"))
    assert "is already offered" in await private_words(room.maksim.command(thread, "rematch"))
    await room.maksim.click(room.discord.messages(thread)[-1], "Decline").followed()
    assert "[The rematch]" in await private_words(room.maksim.command(thread, "rematch"))
    assert room.discord.messages(thread)[-1].mentions == (room.ola.id,)


async def test_a_stranger_gets_no_rematch(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.cancel_match(room.ola, thread)
    last = await version_message(room, thread, 1)
    assert "You aren't playing in this game" in await private_words(room.kasia.click(last, "Rematch"))


async def test_there_is_no_rematch_while_the_match_goes_on(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    assert "This game isn't over yet" in await private_words(room.ola.command(thread, "rematch"))
