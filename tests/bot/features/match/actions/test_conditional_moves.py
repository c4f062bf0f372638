"""Conditional moves: a player writes them in private while waiting; they are played when the expected move comes."""

from __future__ import annotations

import pytest

from bot.features.match.actions.conditional_moves import read_plan
from play.refusal import Refused
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message

pytestmark = pytest.mark.usefixtures("no_confirmation")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("k12 l13", [("k12", "l13")]),
        ("K12 → L13\nM14 -> M15", [("K12", "L13"), ("M14", "M15")]),
        ("k12 l13; m14: m15 paint n14;", [("k12", "l13"), ("m14", "m15 paint n14")]),
        ("F7-I10 > A1-D4", [("F7-I10", "A1-D4")]),
        ("k12 l13, m14 m15", [("k12", "l13"), ("m14", "m15")]),
    ],
)
def test_a_line_may_be_written_in_many_ways(text: str, line: list[tuple[str, str]]) -> None:
    assert list(read_plan(text)) == line


@pytest.mark.parametrize("text", ["k12", "k12 l13 m14", "", "; ;", "k12 -> l13 -> m14"])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="bad_plan"):
        list(read_plan(text))


async def test_a_plan_is_private_until_its_move_is_played(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    words = await private_words(room.maksim.command(thread, "if", line="c3 c2; b2 b3"))
    assert "1. If Ola plays **C3**, you play **C2**." in words
    assert "2. If Ola plays **B2**, you play **B3**." in words
    assert "You have no conditional moves" in await private_words(room.ola.command(thread, "if"))
    assert len(room.discord.messages(thread)) == 1
    await room.ola.command(thread, "move", point="c3").answered()
    both = await version_message(room, thread, 2)
    first, second, *_ = both.content.splitlines()
    assert first == "🔴 **Ola** played **C3**."
    assert second == "🔵 **Максим** played **C2** as planned."
    assert both.mentions == (room.ola.id,)
    assert len(room.boards(thread)) == 2
    assert "1. If Ola plays **B2**" in await private_words(room.maksim.command(thread, "if"))


async def test_the_board_of_a_reply_tells_the_conditional_move_as_well(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    board = await room.wait_for_board(thread, 0)
    await room.maksim.command(thread, "if", line="c3 c2").answered()
    room.ola.say(thread, "c3", reply_to=board)
    both = await version_message(room, thread, 2)
    assert both.content.count(" played ") == 2
    assert both.mentions == (room.ola.id,)
    assert len(room.boards(thread)) == 2


async def test_a_plan_is_written_in_a_form_that_keeps_what_was_planned(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    more = await private_message(room.maksim.click(await room.wait_for_board(thread, 0), "More"))
    shown = await room.maksim.click(more, "Plan ahead").followed()
    await room.restart()
    opened = await room.maksim.click(shown, "Write a plan").answered()
    await room.restart()
    assert opened.modal is not None
    written = await room.maksim.submit(opened.modal, {"line": "C3 C2"}).followed()
    assert written.id == shown.id
    assert "If Ola plays **C3**" in written.text
    again = await room.maksim.click(written, "Write a plan").answered()
    assert again.modal is not None
    assert next(iter(again.modal.fields))["value"] == "C3 → C2"
    shown = await private_message(room.maksim.command(thread, "if"))
    assert "are deleted" in (await room.maksim.click(shown, "Delete the plan").followed()).text
    await room.ola.command(thread, "move", point="c3").answered()
    await version_message(room, thread, 1)
    assert await room.version() == 1


async def test_a_plan_that_cannot_be_played_is_refused_and_keeps_what_was_typed(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    words = await private_words(room.maksim.command(thread, "if", line="c3 c3"))
    assert "You typed “c3 c3”. There's already a dot on C3. Choose a free crossing." in words
    words = await private_words(room.maksim.command(thread, "if", line="perhaps"))
    assert "I can't read these conditional moves" in words
    words = await private_words(room.ola.command(thread, "if", line="c3 c2"))
    assert "It's your turn, so just move" in words


async def test_in_ones_own_turn_there_is_nothing_to_plan(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    board = await room.wait_for_board(thread, 0)
    assert "Plan ahead" not in (await private_message(room.ola.click(board, "More"))).labels
