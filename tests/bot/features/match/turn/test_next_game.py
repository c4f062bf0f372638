"""After a move from a private panel, the next game that waits for its player is one press away."""

from __future__ import annotations

import pytest

from loopback import Channel, Interaction, Message
from tests.bot.room import Room, answering_board
from tests.bot.waiting import panel as panel_of
from tests.opponent.quick import Inside

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def left(room: Room, panel: Message, played: Interaction) -> Message | None:
    """Returns what is left of a panel when its move has been played; None if it is gone."""
    await answering_board(played)
    await room.discord.until(lambda: room.discord.message(panel) != panel)
    return room.discord.message(panel)


async def play(room: Room, thread: Channel) -> Message | None:
    """Lets Ola place a dot by the keypad; returns what is left of it."""
    board = room.boards(thread)[-1]
    keypad = await panel_of(room.ola.click(board, board.labels[0]))
    return await left(room, keypad, room.ola.click(keypad, "13"))


async def tap(room: Room, panel: Message) -> Message:
    """Lets Ola place a dot by the keypad of a game elsewhere; returns the panel then."""
    await room.ola.click(panel, "13").answered()
    await room.discord.until(lambda: room.discord.message(panel) != panel)
    shown = room.discord.message(panel)
    assert shown is not None
    return shown


async def test_the_most_urgent_other_game_is_named_with_the_way_to_it(room: Room) -> None:
    first = await room.start_match(size="9x9", start="empty", clock="3d")
    urgent = await room.start_match(size="9x9", start="empty", clock="1d")
    await room.start_match(size="9x9", start="empty", clock="7d")
    panel = await play(room, first)
    assert panel is not None
    assert "Максим" in panel.text
    (way,) = (part["accessory"] for part in panel.components if part["type"] == 9)
    assert way["label"] == "Next game (2)"
    assert way["url"].endswith(f"/{urgent.id}/{room.boards(urgent)[0].id}")
    assert not panel.attachments


async def test_a_panel_closes_where_no_other_game_waits(room: Room) -> None:
    first = await room.start_match(size="9x9", start="empty", clock="3d")
    assert await play(room, first) is None
    second = await room.start_match(size="9x9", start="empty", clock="3d")
    assert await play(room, second) is None  # in the first it is Максим's turn


async def test_a_live_game_is_not_left_for_another(room: Room) -> None:
    live = await room.start_match(size="9x9", start="empty", clock="10m")
    await room.start_match(size="9x9", start="empty", clock="3d")
    assert await play(room, live) is None


async def test_no_other_game_is_offered_while_the_computer_answers(room: Room) -> None:
    room.thinkers = Inside
    await room.restart()
    await room.start_match(size="9x9", start="empty", clock="3d")
    practice = await room.wait_for_thread(await room.challenge(computer=3, size="9x9", clock="3d"))
    assert await play(room, practice) is None


async def test_the_panel_becomes_the_keypad_of_the_next_game_if_its_player_wishes(room: Room) -> None:
    await room.change_settings(room.ola, opens_next=True)
    first = await room.start_match(size="9x9", start="empty", clock="3d")
    second = await room.start_match(size="9x9", start="empty", clock="3d")
    panel = await play(room, first)
    assert panel is not None
    assert "▶️ **Максим**, 9×9" in panel.text
    assert f"/{second.id}/{room.boards(second)[0].id}" in panel.text
    assert len(panel.attachments) == 1
    done = await tap(room, panel)
    assert "E5" in done.text
    assert f"/{second.id}/" in done.text  # its new board
    assert done.labels == ["Look again"]
    assert [await room.version(number) for number in (1, 2)] == [1, 1]


async def test_four_games_are_played_in_four_taps_on_one_panel(room: Room) -> None:
    await room.change_settings(room.ola, opens_next=True)
    threads = [await room.start_match(size="9x9", start="empty", clock="3d") for _ in range(4)]
    panel = await play(room, threads[0])
    assert panel is not None
    for number in (2, 3):
        panel = await tap(room, panel)
        assert panel.attachments
        assert await room.version(number) == 1
    assert (await tap(room, panel)).labels == ["Look again"]
    assert await room.version(4) == 1
