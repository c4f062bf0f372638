"""The puzzles that follow a lesson."""

from __future__ import annotations

from loopback import Message
from play.community.daily import calendar
from play.community.exercises import exercises
from play.community.lesson import LESSONS, PUZZLES
from play.community.puzzle import puzzle_day
from play.community.solving import Right, Solving
from play.ids import UserId
from rules.game import parse_point
from tests.bot.features.coach.test_lessons import find, learn, press
from tests.bot.room import Room
from tests.clock import NOON

LESSON = "net"
DAILIES = calendar().around(puzzle_day(NOON))
OF_KIND = sorted(
    (each for each in exercises().values() if each.kind == LESSONS[LESSON].kind and each.number not in DAILIES),
    key=lambda each: (each.rating.value, each.number),
)


async def begin(room: Room) -> Message:
    """Solves the lesson; returns the panel of the first puzzle after it."""
    path = await press(room, await learn(room), "All lessons")
    for _ in range(2):
        path = await press(room, path, "▶")
    shown = await press(room, path, f"learn:{LESSON}")
    shown = await find(room, shown, LESSONS[LESSON].right[0])
    return await press(room, shown, "Three puzzles")


async def type_move(room: Room, shown: Message, move: str) -> Message:
    form = (await room.kasia.click(shown, "Type a move").answered()).modal
    assert form is not None
    return await room.kasia.submit(form, {"point": move}).followed()


async def solve(room: Room, shown: Message, number: int) -> Message:
    """Plays the main line of an exercise to its end."""
    solving = Solving.begin(exercises()[number])
    while True:
        move = solving.node.line[0]
        shown = await type_move(room, shown, move.lower())
        verdict = solving.try_move(move)
        if not isinstance(verdict, Right):
            return shown
        assert "✅ Right!" in shown.text
        solving = verdict.next


async def test_three_puzzles_of_its_kind_follow_a_lesson_and_none_comes_twice(room: Room) -> None:
    shown = await begin(room)
    for number, exercise in enumerate(OF_KIND[:PUZZLES], start=1):
        assert f"### Puzzle {number} of 3 · A net" in shown.text
        await room.restart()
        shown = await solve(room, shown, exercise.number)
        assert "✅ Solved!" in shown.text
        assert shown.labels[0] == ("Next puzzle" if number < PUZZLES else "Next lesson")
        if number < PUZZLES:
            shown = await press(room, shown, "Next puzzle")
    path = await learn(room)
    for _ in range(2):
        path = await press(room, path, "▶")
    assert "A net · 🧩 3/3" in path.text


async def test_a_wrong_move_shows_what_refutes_it_and_may_be_tried_again(room: Room) -> None:
    shown = await begin(room)
    position = OF_KIND[0].position
    right = Solving.begin(OF_KIND[0]).node.right
    pad = next(
        control
        for control in shown.controls
        if ":go:" in control["custom_id"]
        and (code := control["custom_id"].partition(":go:")[2].partition("@")[0])
        and code not in right
        and position.play(OF_KIND[0].game.parse(code))
        and parse_point(code)
    )
    look = await press(room, shown, pad["custom_id"])
    shown = await press(room, look, next(label for label in look.labels if label.startswith("Play ")))
    assert "doesn't do it." in shown.text
    assert len(shown.attachments) == 1
    shown = await press(room, shown, "Try again")
    assert "### Puzzle 1 of 3" in shown.text


async def test_the_solution_is_shown_and_the_next_puzzle_is_another_one(room: Room) -> None:
    shown = await press(room, await begin(room), "Show the solution")
    assert "Here's the solution, move by move." in shown.text
    shown = await press(room, shown, "Next puzzle")
    assert "### Puzzle 2 of 3" in shown.text
    assert f"drill:{LESSON}:{OF_KIND[1].number}:" in " ".join(control["custom_id"] for control in shown.controls)


async def test_who_has_seen_all_puzzles_of_a_kind_is_told_so(room: Room) -> None:
    lessons, kasia = room.use_cases.lessons, UserId(room.kasia.id)
    shown = await press(room, await begin(room), "Show the solution")
    while await lessons.open_puzzle(kasia, LESSON, room.clock()) is not None:
        pass
    shown = await press(room, shown, "Next puzzle")
    assert "You've seen all puzzles of this kind." in shown.text
