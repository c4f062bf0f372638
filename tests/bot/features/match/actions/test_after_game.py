"""The buttons of the last board: who sees them, who may press them, and what each shows."""

from __future__ import annotations

import pytest

from loopback import Channel, Message
from tests.bot import forging
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message
from tests.opponent.quick import Inside

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def resign(room: Room, thread: Channel) -> None:
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").followed()


async def finish(room: Room, moves: int = 4, **terms: str) -> tuple[Channel, Message]:
    """Returns the thread and the last board of a game that ended by resignation."""
    thread = await room.start_match(**{"size": "9x9", "start": "empty", "clock": "3d", **terms})
    await room.play(thread, *("e5", "e6", "f5", "f6")[:moves])
    await resign(room, thread)
    return thread, await version_message(room, thread, moves + 1)


async def without_rematch(room: Room, board: Message) -> Message:
    """Returns the board when its button for a rematch is gone."""

    def edited() -> Message | None:
        now = room.discord.message(board)
        return None if now is None or "Rematch" in now.labels else now

    message: Message = await room.discord.until(edited)
    return message


async def test_a_finished_game_offers_a_rematch_and_a_replay(room: Room) -> None:
    _, last = await finish(room)
    assert last.labels == ["Rematch", "Replay"]


async def test_a_cancelled_game_without_moves_offers_a_rematch_alone(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.cancel_match(room.ola, thread)
    assert (await version_message(room, thread, 1)).labels == ["Rematch"]


async def test_with_the_computer_a_review_is_offered_in_a_row_that_a_phone_shows_whole(room: Room) -> None:
    await room.stop()
    room.thinkers = Inside
    await room.start()
    _, last = await finish(room)
    assert [[each["label"] for each in row["components"]] for row in last.components] == [
        ["Rematch", "Review", "Replay"],
    ]
    shown = room.kasia.click(last, "Review")
    assert "**Review.**" in await private_words(shown)


async def test_a_game_of_dot_dash_has_no_record(room: Room) -> None:
    thread = await room.start_match(rules="dot-dash", size="7", start=None)
    await resign(room, thread)
    assert "Record" not in (await version_message(room, thread, 1)).labels


async def test_everybody_in_the_channel_gets_film_and_record_in_private(room: Room) -> None:
    _, last = await finish(room)
    for person in (room.ola, room.kasia):
        panel = await private_message(person.click(last, "Replay"))
        for label, name in (("Film", "kropka-1.gif"), ("Record", "kropka-1.sgf")):
            click = person.click(panel, label)
            await private_words(click)
            message = click.messages[-1]
            assert message.ephemeral
            assert [file.filename for file in message.attachments] == [name]


async def test_a_rematch_takes_its_own_button_off_the_board_and_leaves_the_others(room: Room) -> None:
    _, last = await finish(room)
    assert "is waiting for an answer" in await private_words(room.ola.click(last, "Rematch"))
    left = await without_rematch(room, last)
    assert left.labels == ["Replay"]
    assert "Move 4 of 4" in (await private_message(room.ola.click(left, "Replay"))).text


async def test_a_last_board_of_an_earlier_version_offers_its_rematch_once(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.cancel_match(room.ola, thread)
    old = await version_message(room, thread, 1)
    assert "is waiting for an answer" in await private_words(room.ola.click(old, "Rematch"))
    assert (await without_rematch(room, old)).labels == []


async def test_a_forged_button_shows_no_game_that_goes_on_elsewhere_in_private(room: Room) -> None:
    await finish(room)
    nobody = room.discord.invite("Nobody")
    nobody.install()
    private = nobody.open_dm()
    for action in ("review", "film", "record", "replay"):
        forged = forging.click(room, nobody, private, f"match:1:5:{action}")
        assert "This game no longer exists" in await private_words(forged), action
