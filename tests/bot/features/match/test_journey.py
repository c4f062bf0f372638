"""A game from the challenge to the result, and the bot stopped and started between any two steps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from loopback import Channel, Message, Person
from play.ids import ChannelId, IdempotencyKey, MatchId, UserId
from storage import Database
from tests.bot.features.match.entering import submit_point
from tests.bot.panels import wait_for_card
from tests.bot.room import Room, answering_board, private_message
from tests.clock import HOUR
from use_cases import UseCases
from use_cases.match_writer import InChannel


async def test_a_challenge_shows_every_setting_in_words_and_mentions_the_opponent_alone(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, size="20x20", start="cross", clock="10m+30s")
    for words in ("20×20", "a cross of four dots", "10 minutes in total, plus 30 seconds per move", "zagram"):
        assert words in card.content
    assert card.mentions == (room.maksim.id,)
    assert card.labels == ["Accept", "Change terms", "Decline"]


async def test_an_accepted_challenge_opens_a_thread_with_the_first_board(room: Room) -> None:
    thread = await room.start_match()
    board = await room.wait_for_board(thread, 0)
    assert board.mentions == (room.ola.id,)
    assert board.labels == ["Keypad near C3", "Type a move", "More"]


async def test_the_card_of_an_accepted_challenge_says_so_and_has_no_buttons(room: Room) -> None:
    thread = await room.start_match()
    card = room.discord.message(thread.id)
    assert card is not None
    assert "Accepted" in card.content
    assert card.labels == []


async def test_the_player_who_was_asked_can_decline(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    declined = await room.maksim.click(card, "Decline").followed()
    assert "Declined" in declined.content
    assert declined.labels == []
    assert room.discord.threads == []


async def test_the_challenger_can_withdraw_a_challenge(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    asked = await private_message(room.ola.click(card, "Decline"))
    await room.ola.click(asked, "Withdraw").followed()
    assert (await wait_for_card(room, card, "Withdrawn.")).labels == []


async def test_an_open_challenge_can_be_taken_by_anyone(room: Room) -> None:
    card = await room.challenge()
    assert card.mentions == ()
    await room.kasia.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    assert "Kasia" in room.boards(thread)[0].content


async def test_a_board_tells_what_was_played_the_score_and_whose_turn_it_is(room: Room) -> None:
    thread = await room.start_match()
    board = await room.play(thread, "c3")
    assert "**Ola** played **C3**" in board.content
    assert "**Максим** 0" in board.content
    assert f"{room.maksim.mention}, your turn (move 2)" in board.content
    assert "<t:" in board.content
    assert board.mentions == (room.maksim.id,)


async def test_the_alt_text_says_the_same_the_important_words_first(room: Room) -> None:
    thread = await room.start_match()
    board = await room.play(thread, "c3")
    assert board.attachments[0].description == (
        "Ola played C3. It's Максим's turn. Score: Ola (red) 0, Максим (blue) 0. Board: 5 by 5 crossings, move 2."
    )


async def test_a_capture_is_told(room: Room) -> None:
    thread = await room.start_match(start="cross")  # Ola has B4 and C3, Максим C4 and B3
    board = await room.play(thread, "a3", "e1", "b2")
    assert "**Ola** played **B2** and captured 1 dot." in board.content
    assert "**Ola** 1" in board.content


async def by_command(room: Room, thread: Channel, board: Message, point: str) -> None:
    player = mover(room, board)
    assert f"played **{point}**" in (await answering_board(player.command(thread, "move", point=point))).content


async def by_reply(room: Room, thread: Channel, board: Message, point: str) -> None:
    mover(room, board).say(thread, point.lower(), reply_to=board)


async def by_mention(room: Room, thread: Channel, board: Message, point: str) -> None:
    mover(room, board).say(thread, f"{room.discord.bot.mention} {point}")


async def by_modal(room: Room, thread: Channel, board: Message, point: str) -> None:
    player = mover(room, board)
    assert f"played **{point}**" in (await answering_board(await submit_point(player, board, point))).content


def mover(room: Room, board: Message) -> Person:
    return room.ola if f"{room.ola.mention}, your turn" in board.content else room.maksim


Way = Callable[[Room, Channel, Message, str], Awaitable[None]]
WAYS: tuple[Way, ...] = (by_command, by_reply, by_mention, by_modal)


async def full_game(room: Room, between: Callable[[], Awaitable[None]] | None = None) -> Message:
    """Plays a game on 5x5 to the full board, by all ways of moving in turn; returns the last board."""
    thread = await room.start_match()
    board = await room.wait_for_board(thread, 0)
    number = 0
    while "More" in board.labels:
        match = await room.use_cases.matches.load(MatchId(1))
        point = str(next(iter(match.position.moves())))
        await WAYS[number % len(WAYS)](room, thread, board, point)
        number += 1
        board = await room.wait_for_board(thread, number)
        if between is not None:
            await between()
    assert len(room.boards(thread)) == number + 1, "every version has its board, once"
    return board


async def test_a_game_is_played_to_its_end_by_all_ways_of_moving(room: Room) -> None:
    last = await full_game(room)
    assert "the board is full" in last.content
    assert last.mentions == ()


@pytest.mark.contest
async def test_the_bot_may_restart_between_any_two_moves(room: Room) -> None:
    last = await full_game(room, room.restart)
    assert "the board is full" in last.content


async def test_every_step_up_to_a_resignation_survives_a_restart(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    await room.restart()
    await room.maksim.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    await room.restart()
    opened = await room.ola.click(await room.wait_for_board(thread, 0), "Type a move").answered()
    await room.restart()
    assert opened.modal is not None
    await room.ola.submit(opened.modal, {"point": "c3"}).answered()
    board = await room.wait_for_board(thread, 1)
    await room.restart()
    panel = (await room.maksim.click(board, "More").answered()).message
    await room.restart()
    assert panel is not None
    asked = await room.maksim.click(panel, "Resign").followed()
    await room.restart()
    await room.maksim.click(asked, "Yes, resign").answered()
    last = await room.wait_for_board(thread, 2)
    assert "**Ola** wins: 🔵 **Максим** resigned" in last.content
    assert "More" not in last.labels


async def test_a_board_that_was_not_posted_before_a_crash_is_posted_after_it(room: Room, url: str) -> None:
    thread = await room.start_match()
    await room.wait_for_board(thread, 0)
    await room.stop()
    async with Database.open(url, now=room.clock) as store:
        here = InChannel(ChannelId(thread.id))
        await UseCases.over(store, seeds=int).matches.move(
            here, UserId(room.ola.id), "c3", room.clock(), IdempotencyKey(1)
        )
    await room.start()
    assert "C3" in (await room.wait_for_board(thread, 1)).content


async def test_a_player_who_runs_out_of_time_has_lost(room: Room) -> None:
    thread = await room.start_match()
    await room.play(thread, "c3", "c2")
    await room.pass_time(2 * HOUR)
    await room.use_cases.clocks.flag_overdue()
    last = await room.wait_for_board(thread, 3)
    assert "**Максим** wins: 🔴 **Ola** ran out of time" in last.content
