"""Private panels that the game has overtaken come up to date when their buttons are pressed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from loopback import Channel, Message
from play.ids import IdempotencyKey, MatchId, UserId
from renderer.theme import THEMES
from tests.bot.room import Room, private_message
from tests.bot.waiting import skip_confirmations, version_message

STALE = "The game has moved on: "


@pytest.fixture(autouse=True)
async def _no_confirmation(room: Room) -> None:
    await skip_confirmations(room)


async def more(room: Room, thread: Channel) -> Message:
    return await private_message(room.ola.click(await version_message(room, thread, await room.version()), "More"))


async def clocks(room: Room, thread: Channel) -> Message:
    return await room.ola.click(await more(room, thread), "Clock").followed()


async def keypad(room: Room, thread: Channel) -> Message:
    return await room.ola.click(await more(room, thread), "Keypad").followed()


async def preview(room: Room, thread: Channel) -> Message:
    await room.change_settings(room.ola, confirm_days=True)
    return await room.ola.click(await keypad(room, thread), "1").followed()


async def resignation(room: Room, thread: Channel) -> Message:
    return await private_message(room.ola.command(thread, "resign"))


Opening = Callable[[Room, Channel], Awaitable[Message]]

SHOWN_ANEW: list[tuple[Opening, str, str]] = [
    (more, "Offer a draw", "Offer a draw"),
    (more, "Take back", "Offer a draw"),
    (more, "Type a move", "Type a move"),
    (more, "Resign", "Resign"),
    (more, "Keypad", "25"),
    (clocks, "Give 1 day", "Give 1 day"),
    (clocks, "Pause for 3 days", "Pause for 3 days"),
    (keypad, "1", "25"),
    (preview, "Play A5", "25"),
    (resignation, "Yes, resign", "Yes, resign"),
]


async def test_a_panel_that_was_overtaken_shows_the_game_as_it_is_now(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    stale = [await opened(room, thread) for opened, _, _ in SHOWN_ANEW]
    newest = await room.play(thread, "b3", "b2")
    for shown, (opened, label, then) in zip(stale, SHOWN_ANEW, strict=True):
        now = await room.ola.click(shown, label).followed()
        case = f"{label} of {opened.__name__}"
        assert now.id == shown.id, case
        assert f"{STALE}🔵 **Максим** played **B2**." in now.text, case
        assert then in now.labels, case
        assert all(":4:" in part["custom_id"] for part in now.controls if part["custom_id"].startswith("match:")), case
        if opened is more and then != "25":
            assert str(newest.id) in now.text, case
    assert await room.version() == 4


async def test_a_panel_of_a_game_that_is_over_says_so_and_has_no_buttons(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    opened = [(each, await each(room, thread)) for each in (more, clocks, keypad, preview, resignation)]
    await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(5))
    for each, stale in opened:
        button = next(label for label in reversed(stale.labels) if label != "Keep playing")
        now = await room.ola.click(stale, button).followed()
        assert now.id == stale.id, each.__name__
        assert "This game is over." in now.text, each.__name__
        assert now.labels == [], each.__name__


async def test_a_plan_that_came_too_late_is_not_written_and_the_panel_says_so(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await version_message(room, thread, 0)
    shown = await private_message(room.maksim.command(thread, "if"))
    await room.play(thread, "c3")
    now = await room.maksim.click(shown, "Write a plan").followed()
    assert now.id == shown.id
    assert STALE in now.text
    assert "Write a plan" not in now.labels


async def test_a_vacation_panel_that_was_overtaken_shows_the_vacation(room: Room) -> None:
    stale = await private_message(room.ola.command(room.channel, "vacation"))
    asked = await private_message(room.ola.command(room.channel, "vacation", days=3))
    await room.ola.click(asked, "Take 3 days anyway").followed()
    now = await room.ola.click(stale, stale.labels[0]).followed()
    assert now.id == stale.id
    assert "You're already on vacation" in now.text
    assert now.labels == ["Come back"]


async def test_a_choice_that_is_offered_no_more_brings_the_settings_up_to_date(room: Room) -> None:
    shown = await private_message(room.ola.command(room.channel, "settings me"))
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(THEMES, "notebook")
        now = await room.ola.click(shown, "me:theme", ["notebook"]).followed()
    assert now.id == shown.id
    assert "⚠️" in now.text
    assert "notebook" not in {option["value"] for option in now.control("me:theme")["options"]}


async def test_a_private_board_that_was_overtaken_leads_to_what_can_be_done_now(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await version_message(room, thread, 0)
    own = await private_message(room.ola.command(thread, "board"))
    await room.play(thread, "c3", "c2")
    now = await room.ola.click(own, "Type a move").followed()
    assert STALE in now.text
    assert "Type a move" in now.labels
