"""A board that a newer one has replaced keeps what happened, and nothing that was true only while it was the newest."""

from __future__ import annotations

import pytest

from tests.bot.features.match.entering import TRAP
from tests.bot.room import Room, private_message

pytestmark = pytest.mark.usefixtures("no_confirmation")

BY_TOKEN = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"  # noqa: S105 - a path


@pytest.mark.parametrize("restarts", [False, True], ids=["", "after a restart"])
async def test_an_old_board_says_what_happened_and_asks_nobody(room: Room, restarts: bool) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    await room.play(thread, *TRAP[:5])
    asked = room.boards(thread)[-1].content
    assert "your turn" in asked
    assert "Time runs out" in asked
    if restarts:
        await room.restart()
    await room.play(thread, TRAP[5])
    *old, newest = room.boards(thread)
    assert "your turn" in newest.content
    for board in old:
        assert not any(part in board.content for part in ("your turn", "<t:", "<@"))
        assert board.labels == []
        assert board.attachments
    assert old[-1].content == "\n".join(asked.splitlines()[:2])


async def test_the_last_board_folds_the_one_before(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    await room.play(thread, "e5")
    question = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(question, "Yes, resign").answered()
    await room.wait_for_board(thread, 2)
    assert "your turn" not in room.boards(thread)[1].content


async def test_an_old_board_whose_words_are_refused_loses_its_buttons_all_the_same(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    await room.play(thread, "e5")
    room.discord.fault("PATCH", BY_TOKEN, 400, code=200000)
    await room.play(thread, "e6")
    old = room.boards(thread)[1]
    assert "your turn" in old.content
    assert old.labels == []
