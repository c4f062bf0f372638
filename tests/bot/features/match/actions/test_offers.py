"""Draws, take-backs and pauses that players agree on, and cancelled games."""

from __future__ import annotations

import pytest

from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message
from tests.clock import DAY, SECOND

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def test_a_draw_is_offered_and_accepted(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    assert "You have offered a draw" in await private_words(room.ola.command(thread, "draw"))
    offer = await version_message(room, thread, 3)
    assert "**Ola** offers a draw" in offer.content
    assert offer.mentions == (room.maksim.id,)
    assert offer.attachments == (), "the board has not changed"
    await room.maksim.click(offer, "Accept the draw").answered()
    last = await version_message(room, thread, 4)
    assert "A draw: both have agreed to it" in last.content
    assert last.labels == ["Rematch"]


async def test_every_step_of_a_draw_survives_a_restart(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    board = await room.wait_for_board(thread, 0)
    await room.restart()
    more = await private_message(room.ola.click(board, "More"))
    await room.restart()
    await room.ola.click(more, "Offer a draw").answered()
    offer = await version_message(room, thread, 1)
    await room.restart()
    await room.maksim.click(offer, "Accept the draw").answered()
    assert "A draw" in (await version_message(room, thread, 2)).content


async def test_a_draw_that_is_declined_is_not_offered_again_before_the_next_move(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "draw").answered()
    await room.maksim.click(await version_message(room, thread, 1), "Decline the draw").answered()
    declined = await version_message(room, thread, 2)
    assert "**Максим** declines the draw" in declined.content
    assert "Accept the draw" not in declined.labels
    assert "You have offered that already" in await private_words(room.ola.command(thread, "draw"))
    more = await private_message(room.ola.click(declined, "More"))
    assert "Offer a draw" not in more.labels


@pytest.mark.parametrize("who", ["Ola", "Kasia Wiśniewska"])
async def test_only_the_other_side_can_accept_a_draw(room: Room, who: str) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "draw").answered()
    offer = await version_message(room, thread, 1)
    words = await private_words(room.discord.people[who].click(offer, "Accept the draw"))
    assert "You have made that offer yourself" in words or "You are not playing in this game" in words
    assert await room.version() == 1


async def test_an_offer_stays_open_after_a_move_of_the_other_side_and_lapses_with_ones_own(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    await room.maksim.command(thread, "draw").answered()
    await version_message(room, thread, 1)
    await room.ola.command(thread, "move", point="c3").answered()
    after = await version_message(room, thread, 2)
    assert "still offers a draw" in after.content
    assert "Accept the draw" in after.labels
    await room.maksim.command(thread, "move", point="c2").answered()
    lapsed = await version_message(room, thread, 3)
    assert "draw" not in lapsed.content
    assert "Accept the draw" not in lapsed.labels


async def test_the_button_of_an_offer_that_has_lapsed_says_so(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "draw").answered()
    offer = await version_message(room, thread, 1)
    room.discord.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", 403, code=50013)
    await room.ola.command(thread, "move", point="c3").answered()
    await room.discord.until(lambda: len(room.boards(thread)) == 2)
    assert "The game has gone on since" in await private_words(room.maksim.click(offer, "Accept the draw"))


async def test_a_second_click_on_an_answer_is_harmless(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "takeback").answered()
    await room.ola.command(thread, "draw").answered()
    offer = await version_message(room, thread, 1)
    first, second = (room.maksim.click(offer, "Decline the draw") for _ in range(2))
    await first.answered()
    assert "The game has gone on since" in await private_words(second)
    assert await room.version() == 2


async def test_offering_what_the_other_has_offered_is_agreeing(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "draw").answered()
    await version_message(room, thread, 1)
    assert "it is agreed" in await private_words(room.maksim.command(thread, "draw"))
    assert "A draw" in (await version_message(room, thread, 2)).content


async def test_a_move_is_taken_back_at_once_shortly_after_it_was_made(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3")
    assert "is taken back" in await private_words(room.ola.command(thread, "takeback"))
    board = await version_message(room, thread, 2)
    assert "**Ola** took the last move back" in board.content
    assert board.attachments
    assert board.mentions == (room.ola.id,)


async def test_later_the_other_side_is_asked_whether_a_move_may_be_taken_back(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3")
    await room.pass_time(11 * SECOND)
    assert "Your opponent is asked" in await private_words(room.ola.command(thread, "takeback"))
    asked = await version_message(room, thread, 2)
    assert asked.mentions == (room.maksim.id,)
    await room.maksim.click(asked, "Allow the take-back").answered()
    board = await version_message(room, thread, 3)
    assert "The move is taken back" in board.content
    assert board.attachments
    assert f"{room.ola.mention}, move 1 is yours" in board.content


async def test_a_pause_is_agreed_on_and_ended(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.ola.command(thread, "pause", time="2d").answered()
    asked = await version_message(room, thread, 1)
    assert "pause the game for 2 days" in asked.content
    await room.maksim.click(asked, "Agree to pause").answered()
    paused = await version_message(room, thread, 2)
    until = (room.clock() + 2 * DAY) // 1000
    assert f"The game is paused until <t:{until}:f>" in paused.content
    assert f"The clock stands: the game is paused until <t:{until}:f>" in paused.content
    assert paused.mentions == ()
    await room.pass_time(DAY)
    assert "The pause is over" in await private_words(room.maksim.command(thread, "pause"))
    resumed = await version_message(room, thread, 3)
    assert "**Максим** has ended the pause" in resumed.content
    assert resumed.mentions == (room.ola.id,)
    assert f"<t:{(room.clock() + 3 * DAY) // 1000}:R>" in resumed.content


async def test_a_match_is_called_off_before_everybody_has_moved(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3")
    more = await private_message(room.maksim.click(await version_message(room, thread, 1), "More"))
    assert {"Call off", "Resign"} <= set(more.labels)
    await room.maksim.click(more, "Call off").answered()
    assert "The game is called off." in (await version_message(room, thread, 2)).content


async def test_a_match_in_which_everybody_has_moved_is_not_called_off(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    assert "cannot be called off" in await private_words(room.maksim.command(thread, "abort"))
