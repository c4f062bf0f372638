"""The keypad over the wire: three taps, a restart between any two, and moves that come in between."""

from __future__ import annotations

import pytest

from loopback import Channel, Interaction, Message, Person
from play.ids import IdempotencyKey, MatchId, UserId
from tests.bot.room import Room, answering_board, private_words
from tests.bot.waiting import panel as panel_of

TRAP = ("d5", "e5", "e6", "d4", "e4", "g4")
"""Seat 0 is to move, and F5 closes the chain around E5, near the last dot."""

CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"


async def panel_after(interaction: Interaction) -> Message:
    """Returns the panel that a press on it has changed."""
    message = await interaction.followed()
    assert message.ephemeral
    return message


async def open_keypad(room: Room, thread: Channel, person: Person) -> Message:
    """Opens the keypad by the button of the newest board."""
    board = room.boards(thread)[-1]
    return await panel_of(person.click(board, board.labels[0]))


async def test_a_move_takes_three_taps_and_may_be_interrupted_by_restarts(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    board = await room.wait_for_board(thread, 0)
    assert board.labels[0] == "Keypad near E5"
    await room.restart()
    keypad = await open_keypad(room, thread, room.ola)
    assert "Where does your dot go?" in keypad.text
    await room.restart()
    preview = await panel_after(room.ola.click(keypad, "13"))
    assert preview.id == keypad.id
    assert "If you play **E5**:" in preview.text
    assert "It captures nothing." in preview.text
    assert await room.version() == 0
    await room.restart()
    played = await answering_board(room.ola.click(preview, "Play E5"))
    assert "**Ola** played **E5**" in played.content
    assert await room.wait_for_board(thread, 1) == played


async def test_another_point_leads_back_to_the_same_part_of_the_field(room: Room) -> None:
    thread = await room.start_match(size="20x20", clock="3d")
    keypad = await open_keypad(room, thread, room.ola)
    preview = await panel_after(room.ola.click(keypad, "7"))
    again = await panel_after(room.ola.click(preview, "Choose another"))
    assert again.labels == keypad.labels


async def test_an_arrow_moves_the_window(room: Room) -> None:
    thread = await room.start_match(size="20x20", start="cross", clock="3d")
    keypad = await open_keypad(room, thread, room.ola)
    moved = await panel_after(room.ola.click(keypad, "➡️"))
    assert "Where does your dot go?" in moved.text
    assert moved.attachments[0].description != keypad.attachments[0].description


async def test_the_picture_is_described_in_words(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    await room.play(thread, "e5")
    keypad = await open_keypad(room, thread, room.maksim)
    gallery = next(part for part in keypad.components if part["type"] == 12)
    assert "Dots of red: E5." in gallery["items"][0]["description"]


async def test_a_capture_is_announced_before_it_is_played(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    await room.play(thread, *TRAP)
    keypad = await open_keypad(room, thread, room.ola)
    point = next(part for part in custom_ids(keypad) if ":go:F5@" in part)
    preview = await panel_after(room.ola.click(keypad, point))
    assert "It captures 1 dot." in preview.text
    await answering_board(room.ola.click(preview, "Play F5"))
    assert "captured 1 dot" in (await room.wait_for_board(thread, 7)).content


async def test_a_keypad_that_was_overtaken_shows_the_game_as_it_is(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    old = await open_keypad(room, thread, room.ola)
    await room.play(thread, "e5", "d5")
    now = await panel_after(room.ola.click(old, "7"))
    assert "The game has moved on: 🔵 **Максим** played **D5**." in now.text
    assert all(":2:" in part for part in custom_ids(now) if part.startswith("match:"))
    assert await room.version() == 2


async def test_a_preview_that_was_overtaken_plays_nothing_and_shows_the_game_as_it_is(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    preview = await panel_after(room.ola.click(await open_keypad(room, thread, room.ola), "13"))
    await room.play(thread, "e5", "d5")
    now = await panel_after(room.ola.click(preview, "Play E5"))
    assert "The game has moved on" in now.text
    assert await room.version() == 2


async def test_a_player_who_waits_sees_the_place_and_whose_turn_it_is(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    await room.wait_for_board(thread, 0)
    waiting = await open_keypad(room, thread, room.maksim)
    assert "It's Ola's turn." in waiting.text
    assert waiting.labels == ["Look again"]
    await room.play(thread, "e5")
    now = await panel_after(room.maksim.click(waiting, "Look again"))
    assert "🔴 **Ola** played **E5**." in now.text
    assert "7" in now.labels


async def test_a_stranger_cannot_open_the_keypad(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    board = await room.wait_for_board(thread, 0)
    assert "aren't playing" in await private_words(room.kasia.click(board, "Keypad near E5"))


async def test_a_panel_of_a_finished_game_says_so(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    keypad = await open_keypad(room, thread, room.ola)
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(5))
    await room.wait_for_board(thread, 1)
    assert "This game is over." in (await panel_after(room.ola.click(keypad, "13"))).text


async def test_two_taps_on_play_play_once(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    preview = await panel_after(room.ola.click(await open_keypad(room, thread, room.ola), "13"))
    first, second = room.ola.click(preview, "Play E5"), room.ola.click(preview, "Play E5")
    await first.answered()
    await second.answered()
    assert await room.version() == 1


@pytest.mark.parametrize(
    ("rules", "label", "told", "words"),
    [
        ("sport-territory", "Paint 1 around E5: 1 dot", "Play F5 and close 1 area", "**F5** with a chain around E5"),
        ("zagram-territory", "Draw 1 around E5: 1 dot", "Play F5 and close 1 area", "**F5** with a chain around E5"),
    ],
)
async def test_a_closing_is_chosen_by_a_button_that_carries_the_whole_turn(
    room: Room, rules: str, label: str, told: str, words: str
) -> None:
    thread = await room.start_match(size="9x9", rules=rules)
    await room.play(thread, *TRAP)
    keypad = await open_keypad(room, thread, room.ola)
    preview = await panel_after(room.ola.click(keypad, next(part for part in custom_ids(keypad) if ":go:F5?@" in part)))
    assert f"✓ {label}" in preview.labels
    await room.restart()
    left_open = await panel_after(room.ola.click(preview, f"✓ {label}"))
    assert "Play F5, close nothing" in left_open.labels
    await room.restart()
    chosen = await panel_after(room.ola.click(left_open, label))
    assert f"✓ {label}" in chosen.labels
    await room.restart()
    await answering_board(room.ola.click(chosen, told))
    board = await room.wait_for_board(thread, 7)
    assert words in board.content
    assert "**Ola** 1" in board.content


async def test_a_chain_is_drawn_dot_by_dot_with_a_restart_between_any_two(room: Room) -> None:
    thread = await room.start_match(size="9x9", rules="zagram-territory")
    await room.play(thread, *TRAP)
    panel = await open_keypad(room, thread, room.ola)
    for code in ("F5?@", "F5@", "F5/@", "F5/F5@", "F5/F5d@", "F5/F5df@", "F5/F5dfh@", "F5/F5dfh.@"):
        await room.restart()
        panel = await panel_after(
            room.ola.click(panel, next(part for part in custom_ids(panel) if f":go:{code}" in part))
        )
    await answering_board(room.ola.click(panel, "Play F5 and close 1 area"))
    assert "**F5** with the chain F5–E6–D5–E4" in (await room.wait_for_board(thread, 7)).content


async def test_more_offers_what_can_be_done_now(room: Room) -> None:
    thread = await room.start_match(size="9x9")
    board = await room.wait_for_board(thread, 0)
    mine = (await room.ola.click(board, "More").answered()).message
    theirs = (await room.maksim.click(board, "More").answered()).message
    assert mine is not None
    assert theirs is not None
    assert {"Keypad", "Type a move", "Resign"} <= set(mine.labels)
    assert "Keypad" not in theirs.labels
    assert "Resign" in theirs.labels


async def test_an_acknowledgement_that_counts_but_is_reported_as_failed_stops_no_panel(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    keypad = await open_keypad(room, thread, room.ola)
    room.discord.fault("POST", CALLBACK, 400, code=40060, applied=True)
    assert "If you play" in (await panel_after(room.ola.click(keypad, "13"))).text


async def test_the_client_keeps_nothing_in_memory_for_panels(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    await panel_after(room.ola.click(await open_keypad(room, thread, room.ola), "13"))
    assert room.client.persistent_views == []
    assert not room.client._connection._view_store._synced_message_views


def custom_ids(message: Message) -> list[str]:
    return [control["custom_id"] for control in message.controls if not control.get("disabled")]
