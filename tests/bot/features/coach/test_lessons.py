"""The path of lessons, by buttons alone."""

from __future__ import annotations

import re

import pytest

from loopback import Message
from play.community.lesson import LESSONS, PATH
from play.community.solving import Solving, Wrong
from play.ids import UserId
from rules.dots import Call
from tests.bot.features.coach.missed_capture import pad
from tests.bot.forging import click_on
from tests.bot.room import Room, private_words

KEYS = list(LESSONS)

NO_ROOM = "Then you run out of room first, and have to give a dot away."
CUT_OFF = "Now your dots are cut off from the edge."
WHY = {"fill": NO_ROOM, "room": NO_ROOM, "ground": CUT_OFF, "early": CUT_OFF}
"""Sentences for what a picture of the answer does not show."""


async def learn(room: Room) -> Message:
    await room.kasia.command(room.general, "learn").answered()
    shown = (await room.kasia.command(room.general, "learn").answered()).message
    assert shown is not None
    assert shown.ephemeral
    return shown


async def press(room: Room, message: Message, choice: str) -> Message:
    """Presses a button by its label or id; returns the panel, which changes in place."""
    changed = await room.kasia.click(message, choice).followed()
    assert changed.id == message.id
    return changed


async def find(room: Room, shown: Message, answer: str) -> Message:
    """Tries a dot by its pad, or STOP by its button; returns the panel after it."""
    return await press(room, shown, "STOP" if answer == Call.STOP else pad(shown, answer))


async def open_lesson(room: Room, key: str) -> Message:
    chapter = next(number for number, chapter in enumerate(PATH, start=1) if LESSONS[key] in chapter.lessons)
    path = await learn(room)
    if "▶" not in path.labels:
        path = await press(room, path, "All lessons")
    while f"**{chapter}/{len(PATH)}" not in path.text:
        path = await press(room, path, "▶")
    return await press(room, path, f"learn:{key}")


async def test_a_newcomer_begins_with_the_first_lesson(room: Room) -> None:
    shown = await learn(room)
    assert f"Lesson 1 of {len(KEYS)} · Close a chain" in shown.text


@pytest.mark.contest
async def test_the_whole_path_can_be_walked_and_interrupted_by_a_restart(room: Room) -> None:
    shown = await learn(room)
    for number, key in enumerate(KEYS, start=1):
        assert f"Lesson {number} of {len(KEYS)}" in shown.text
        await room.restart()
        shown = await find(room, shown, LESSONS[key].right[0])
        assert "✅" in shown.text
        if number < len(KEYS):
            shown = await press(room, shown, "Next lesson")
    assert "🎓" in shown.text
    assert "Next lesson" not in shown.labels
    path = await learn(room)
    assert f"{len(KEYS)} of {len(KEYS)} done" in path.text
    assert "Continue" not in path.labels


@pytest.mark.sample(6)
@pytest.mark.parametrize("key", KEYS)
async def test_a_wrong_dot_shows_the_answer_of_the_opponent(room: Room, key: str) -> None:
    lesson = LESSONS[key]
    shown = await open_lesson(room, key)
    pads = re.findall(r":go:(\w+)@", " ".join(control["custom_id"] for control in shown.controls))
    wrong = next(each for each in pads if each not in lesson.right)
    shown = await find(room, shown, wrong)
    verdict = Solving.begin(lesson.exercise).try_move(wrong)
    assert isinstance(verdict, Wrong)
    _, *replies = verdict.line
    comes = f"your opponent answers {replies[0]}." if replies else "a dot is captured there at once."
    assert f"❌ Not {wrong}: {comes}" in shown.text
    if replies and (why := WHY.get(key)):
        assert shown.text.endswith(why)
    assert len(shown.attachments) == 1
    assert (await press(room, shown, "Try again")).text.startswith("### Lesson")


async def test_a_stop_that_comes_too_early_shows_what_it_costs(room: Room) -> None:
    shown = await press(room, await open_lesson(room, "early"), "STOP")
    assert "❌ Not STOP: it costs you 6 dots." in shown.text
    shown = await find(room, await press(room, shown, "Try again"), "D1")
    assert "✅ Now your dots are safe." in shown.text
    assert "Three puzzles" in shown.labels


async def test_a_stop_that_wins_is_the_answer(room: Room) -> None:
    shown = await open_lesson(room, "stop")
    assert "You lead by one" in shown.text
    shown = await press(room, shown, "STOP")
    assert "✅ Nothing of yours can be captured" in shown.text
    assert "STOP" not in (await open_lesson(room, "fill")).labels


async def test_the_path_goes_on_where_its_user_was(room: Room) -> None:
    shown = await learn(room)
    shown = await find(room, shown, LESSONS["capture"].right[0])
    path = await learn(room)
    assert f"1 of {len(KEYS)} done" in path.text
    assert "✅ Close a chain" in path.text
    assert "▶️ Any shape will do" in path.text
    assert "Lesson 2 of" in (await press(room, path, "Continue")).text


async def test_after_the_basics_one_press_begins_a_game_against_the_weakest_level(room: Room) -> None:
    shown = await learn(room)
    for key in ("capture", "chain", "block"):
        shown = await find(room, shown, LESSONS[key].right[0])
        if key != "block":
            shown = await press(room, shown, "Next lesson")
    assert "{/challenge}" not in shown.text
    assert "first game" in shown.text
    begun = await room.kasia.click(shown, "Play the Newcomer on 9×9").followed()
    assert "Your game has begun" in begun.text
    (game,) = await room.use_cases.matches.list_open(UserId(room.kasia.id))
    assert game.game.options["size"] == "9x9"


async def test_a_pad_of_a_former_message_plays_its_dot(room: Room) -> None:
    shown = await click_on(room, room.kasia, await learn(room), "learn:capture:D3").followed()
    assert "✅ The chain is closed!" in shown.text
    shown = await click_on(room, room.kasia, shown, "lesson:1:A5").followed()
    assert "❌ Not A5" in shown.text


async def test_the_solution_of_a_lesson_is_shown_and_then_played(room: Room) -> None:
    shown = await press(room, await open_lesson(room, "capture"), "Show the solution")
    assert "Here's the solution, move by move. That captures 1 dot: C3." in shown.text
    assert shown.labels == ["Try again", "All lessons"]
    assert f"0 of {len(KEYS)} done" in (await press(room, shown, "All lessons")).text
    shown = await find(room, await open_lesson(room, "capture"), "D3")
    assert "✅" in shown.text


async def test_a_dot_is_typed_and_one_outside_of_the_part_is_refused(room: Room) -> None:
    shown = await open_lesson(room, "wedge")
    assert "⬅️" not in shown.labels
    for dot, answer in (("A7", "the framed part of the board"), ("D3", "✅")):
        form = (await room.kasia.click(shown, "Type a move").answered()).modal
        assert form is not None
        submitted = room.kasia.submit(form, {"point": dot})
        assert answer in (await private_words(submitted) if dot == "A7" else (await submitted.followed()).text)
