"""The board answers the click that makes a turn: in one request, once, no matter what breaks in between."""

from __future__ import annotations

from typing import Any

import pytest

from bot.services.channels import TOKEN_SECONDS
from loopback import Channel, Interaction, Message
from loopback.interaction import Callback
from play.ids import MatchId
from tests.bot.features.match.entering import by_command, by_form, crash_inside, replies_to, reply_to
from tests.bot.room import Room, answering_board, private_message, private_words
from tests.clock import HOUR
from use_cases.match_writer import ANSWERABLE_MILLIS, MAX_CLICK_AGE_MILLIS
from use_cases.workers.outbox_relay import Reservation

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
MESSAGES = "/channels/{channel_id}/messages"
ANSWER = f"POST {CALLBACK}"


async def by_keypad(room: Room, thread: Channel, text: str) -> Interaction:
    """Ola's move by the keypad of the newest board."""
    board = room.boards(thread)[-1]
    keypad = await private_message(room.ola.click(board, board.labels[0]))
    point = next(part["custom_id"] for part in keypad.controls if f":go:{text.upper()}@" in part["custom_id"])
    return room.ola.click(keypad, point)


WAYS = (by_command, by_form, by_keypad)


def requests(room: Room, since: int) -> list[str]:
    """Returns the requests of the bot after the first `since`, without those for the card of the challenge."""
    return [
        request.endpoint
        for request in list(room.discord.requests)[since:]
        if not request.path.endswith(tuple(f"/messages/{thread.id}" for thread in room.discord.threads))
    ]


async def start_match(room: Room, **options: Any) -> Channel:
    thread = await room.start_match(size="9x9", **options)
    await room.wait_for_board(thread, 0)
    return thread


async def unposted_matches(room: Room) -> list[MatchId]:
    async with room.services.store.read() as reader:
        return await reader.outbox.pending_matches()


@pytest.mark.parametrize("way", WAYS)
async def test_between_a_click_and_its_board_there_is_one_request(room: Room, way: Any) -> None:
    thread = await start_match(room)
    click = await way(room, thread, "e5")
    known = len(room.discord.requests)
    board = await answering_board(click)
    assert requests(room, known)[0] == ANSWER
    assert board.origin is not None
    assert board.origin.interaction_id == click.id
    assert await room.wait_for_board(thread, 1) == board


@pytest.mark.parametrize("way", WAYS)
async def test_no_request_of_a_move_counts_against_the_limit_of_the_bot(room: Room, way: Any) -> None:
    thread = await start_match(room)
    await room.play(thread, "d5", "f5")
    known = len(room.discord.requests)
    await answering_board(await way(room, thread, "e5"))
    await room.wait_for_board(thread, 3)
    assert not [request for request in requests(room, known) if "/channels/" in request]


async def test_a_board_that_is_an_answer_pings_the_player_who_is_to_move(room: Room) -> None:
    thread = await start_match(room)
    assert (await answering_board(await by_command(room, thread, "e5"))).mentions == (room.maksim.id,)


async def test_a_reply_to_a_board_that_is_an_answer_is_a_move(room: Room) -> None:
    thread = await start_match(room)
    room.maksim.say(thread, "d5", reply_to=await answering_board(await by_command(room, thread, "e5")))
    assert "**D5**" in (await room.wait_for_board(thread, 2)).content


async def test_a_player_whose_reply_comes_without_its_text_is_told_so_once(room: Room) -> None:
    thread = await start_match(room)
    board = await answering_board(await by_command(room, thread, "e5"))
    first = room.maksim.say(thread, "d5", reply_to=board, ping=False)
    told = await reply_to(room, first, thread)
    assert "I can't read this reply" in told.content
    assert "**Type a move**" in told.content
    second = room.maksim.say(thread, "well played", reply_to=board, ping=False)
    others = room.ola.say(thread, "thank you", reply_to=board, ping=False)
    room.maksim.say(thread, "d5", reply_to=board)
    await room.wait_for_board(thread, 2)
    assert not replies_to(room, second, thread) + replies_to(room, others, thread)


async def test_an_answer_that_takes_too_long_is_acknowledged_in_private_and_posted(room: Room) -> None:
    room.answer_seconds = 0.0
    await room.restart()
    thread = await start_match(room)
    move = await by_command(room, thread, "e5")
    line = await private_words(move)
    board = await room.wait_for_board(thread, 1)
    assert board.origin is None
    assert str(board.nonce).startswith("1:1:")
    assert board.mentions == (room.maksim.id,), "a deferred answer could not ping"
    assert "You played **E5**" in line


async def test_the_keypad_goes_away_by_its_own_token(room: Room) -> None:
    thread = await start_match(room)
    keypad = await private_message(room.ola.click(room.boards(thread)[-1], "Keypad near E5"))
    await answering_board(room.ola.click(keypad, "13"))
    await room.discord.until(lambda: room.discord.message(keypad) is None)


async def test_a_keypad_whose_token_is_forgotten_stays_and_explains_itself(room: Room) -> None:
    thread = await start_match(room)
    keypad = await private_message(room.ola.click(room.boards(thread)[-1], "Keypad near E5"))
    await room.restart()
    await answering_board(room.ola.click(keypad, "13"))
    await room.wait_for_board(thread, 1)
    assert "It's Максим's turn" in (await room.ola.click(keypad, "13").followed()).text


async def test_the_buttons_of_a_board_whose_token_is_over_come_off_by_the_bots_own_right(room: Room) -> None:
    thread = await start_match(room, clock="1d")
    first = await room.play(thread, "e5")
    room.clock.advance(int(TOKEN_SECONDS * 1000) + HOUR)
    known = len(room.discord.requests)
    await room.play(thread, "d5")
    assert f"PATCH {MESSAGES}/{{message_id}}" in requests(room, known)
    assert not _now(room, first).labels


async def test_a_crash_between_the_answer_and_its_note_posts_nothing_twice(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await start_match(room)
    await crash_inside(room, monkeypatch, thread, Reservation, "deliver")
    assert await unposted_matches(room) == [1]
    room.clock.advance(ANSWERABLE_MILLIS)
    await room.restart()
    board = await room.wait_for_board(thread, 1)
    assert len(room.boards(thread)) == 2
    async with room.services.store.read() as reader:
        assert (await reader.matches.open_of(room.ola.id))[0].board == board.id  # type: ignore[arg-type]


async def test_an_answered_board_is_found_behind_what_was_said_since(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await start_match(room)
    await crash_inside(room, monkeypatch, thread, Reservation, "deliver")
    for number in range(120):
        room.kasia.say(thread, f"what a move, number {number}")
    room.clock.advance(ANSWERABLE_MILLIS)
    await room.restart()
    await room.wait_for_board(thread, 1)
    assert len(room.boards(thread)) == 2


async def test_a_move_that_is_stored_and_was_never_answered_is_posted_by_the_next_process(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await start_match(room)
    await crash_inside(room, monkeypatch, thread, room.services.boards.publisher, "answer_with_board")
    room.clock.advance(ANSWERABLE_MILLIS)
    await room.restart()
    assert "**E5**" in (await room.wait_for_board(thread, 1)).content


async def test_an_answer_that_arrives_although_it_is_reported_as_failed_is_posted_once(room: Room) -> None:
    thread = await start_match(room)
    room.discord.fault("POST", CALLBACK, 400, code=40060, applied=True)
    board = await answering_board(await by_command(room, thread, "e5"))
    await room.wait_for_outbox()
    assert room.boards(thread)[1:] == [board]


async def test_a_board_that_discord_does_not_take_as_an_answer_is_posted(room: Room) -> None:
    thread = await start_match(room)
    room.discord.fault("POST", CALLBACK, 403, code=50013)
    move = await by_command(room, thread, "e5")
    board = await room.wait_for_board(thread, 1)
    assert str(board.nonce).startswith("1:1:")
    assert "You played **E5**" in await private_words(move)


async def test_a_move_whose_click_can_be_answered_no_more_counts_and_its_board_is_posted(room: Room) -> None:
    thread = await start_match(room)
    room.discord.fault("POST", CALLBACK, 404, code=10062)
    await by_command(room, thread, "e5")
    assert str((await room.wait_for_board(thread, 1)).nonce).startswith("1:1:")


async def test_a_click_that_waited_for_long_is_acknowledged_before_its_move_counts(room: Room) -> None:
    thread = await start_match(room)
    move = await by_command(room, thread, "e5")
    room.clock.advance(MAX_CLICK_AGE_MILLIS + 1)
    assert "You played **E5**" in await private_words(move)
    assert move.callback is Callback.DEFERRED_MESSAGE
    assert str((await room.wait_for_board(thread, 1)).nonce).startswith("1:1:")


async def test_thirty_clicks_at_once_make_one_move_and_one_board(room: Room) -> None:
    thread = await start_match(room)
    clicks = [room.ola.command(thread, "move", point="e5") for _ in range(25)]
    for click in clicks:
        await click.answered()
    await room.wait_for_board(thread, 1)
    assert await room.version() == 1
    assert len(room.boards(thread)) == 2


async def test_the_answer_to_a_move_tells_the_conditional_move_to_it(room: Room) -> None:
    thread = await start_match(room)
    await room.maksim.command(thread, "if", line="E5 D5").answered()
    answer = await answering_board(await by_command(room, thread, "e5"))
    assert "**E5**" in answer.content
    assert "**D5** as planned" in answer.content
    assert answer.origin is not None
    await room.wait_for_outbox()
    assert len(room.boards(thread)) == 2


async def test_a_preview_in_the_channel_is_taken_away_when_its_turn_is_played(room: Room) -> None:
    thread = await start_match(room, clock="3d")
    said = room.ola.say(thread, "e5", reply_to=room.boards(thread)[-1])
    preview = await reply_to(room, said, thread)
    await answering_board(room.ola.click(preview, "Play E5"))
    await room.discord.until(lambda: room.discord.message(preview) is None)


def _now(room: Room, message: Message) -> Message:
    found = room.discord.message(message)
    assert found is not None
    return found
