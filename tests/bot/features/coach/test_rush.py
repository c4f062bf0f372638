"""Ten puzzles in a row, on a private panel."""

from __future__ import annotations

import re

from loopback import Channel, Message
from loopback.person import Person
from play.community.exercise import Kind
from play.community.exercises import exercise_task, exercises, find_exercise
from play.community.rush import LENGTH, Rush
from play.ids import GuildId, Millis, UserId
from rules.dots import Call
from tests.bot.forging import click_on
from tests.bot.room import Room, private_message, private_words


async def stored(room: Room, person: Person) -> Rush:
    async with room.services.store.read() as reader:
        rush = await reader.rushes.of_user(UserId(person.id))
    assert rush is not None
    return rush


async def begin(room: Room, person: Person, channel: Channel) -> Message:
    """Returns the panel with the first puzzle."""
    offer = await private_message(person.command(channel, "puzzle"))
    return await person.click(offer, "Ten in a row").followed()


async def answer(room: Room, person: Person, panel: Message, *, right: bool = True) -> Message:
    """Answers the puzzle of the panel, or the next one if it shows a solution; returns the panel after it."""
    if "Next puzzle" in panel.labels:
        panel = await person.click(panel, "Next puzzle").followed()
    rush = await stored(room, person)
    task = find_exercise(int(rush.tasks[rush.step][1:]))
    assert task is not None
    label = next(each for number, each in enumerate(task.answers) if task.is_right(number) is right)
    return await person.click(panel, "STOP" if label == Call.STOP else label).followed()


async def solve_all(room: Room, person: Person, panel: Message, wrong: int = 0) -> Message:
    """Answers ten puzzles, the first `wrong` of them wrongly; returns the result."""
    for number in range(LENGTH):
        panel = await answer(room, person, panel, right=number >= wrong)
    return panel


async def test_a_rush_in_a_direct_message_shows_a_puzzle_from_the_built_in_set(room: Room) -> None:
    panel = await begin(room, room.kasia, room.kasia.open_dm())
    assert "**Ten in a row**: puzzle 1 of 10" in panel.text
    assert "is to move." in panel.text
    assert len(panel.labels) == 4
    assert len(panel.attachments) == 1


async def test_the_next_puzzle_comes_with_a_word_about_the_last_one(room: Room) -> None:
    panel = await begin(room, room.kasia, room.kasia.open_dm())
    panel = await answer(room, room.kasia, panel)
    assert "puzzle 2 of 10" in panel.text
    assert "✅ Solved!" in panel.text


async def test_a_missed_puzzle_shows_why_before_the_next_one(room: Room) -> None:
    panel = await begin(room, room.kasia, room.kasia.open_dm())
    panel = await answer(room, room.kasia, await answer(room, room.kasia, panel), right=False)
    assert "puzzle 2 of 10" in panel.text
    assert "✅❌" in panel.text
    assert "wasn't it. The right move was" in panel.text
    assert "with a number on each of these dots" in (panel.attachments[0].description or "")
    assert panel.labels == ["Next puzzle", "Look back"]
    await room.restart()
    panel = await room.kasia.click(panel, "Next puzzle").followed()
    assert "puzzle 3 of 10" in panel.text
    assert "✅❌" in panel.text
    assert "The right move was" not in panel.text


async def test_the_last_puzzle_shows_its_solution_in_the_result(room: Room) -> None:
    panel = await begin(room, room.kasia, room.kasia.open_dm())
    for number in range(LENGTH):
        panel = await answer(room, room.kasia, panel, right=number < LENGTH - 1)
    assert "9 right answers of 10" in panel.text
    assert "with a number on each of these dots" in (panel.attachments[0].description or "")
    assert panel.labels == ["Ten more", "Look back"]


async def test_ten_answers_lead_to_a_result_with_the_rating_and_the_best_of_the_week(room: Room) -> None:
    panel = await solve_all(room, room.kasia, await begin(room, room.kasia, room.channel), wrong=3)
    assert "7 right answers of 10" in panel.text
    assert "❌❌❌✅✅✅✅✅✅✅" in panel.text
    assert re.search(r"Your puzzle rating: 1500 → \*\*\d+\*\* \([+−]\d+\)", panel.text)
    assert "1. Kasia Wiśniewska: 7 of 10" in panel.text
    assert panel.labels == ["Ten more"]


async def test_a_worse_rush_does_not_replace_the_best_of_the_week(room: Room) -> None:
    panel = await solve_all(room, room.kasia, await begin(room, room.kasia, room.channel), wrong=2)
    again = await room.kasia.click(panel, "Ten more").followed()
    assert "puzzle 1 of 10" in again.text
    panel = await solve_all(room, room.kasia, again, wrong=5)
    assert "1. Kasia Wiśniewska: 8 of 10" in panel.text
    guild = GuildId(room.discord.guild.id)
    assert [each.solved for each in await room.use_cases.rushes.best(guild, room.clock())] == [8]


async def test_thirty_taps_answer_one_puzzle(room: Room) -> None:
    panel = await begin(room, room.kasia, room.kasia.open_dm())
    taps = [room.kasia.click(panel, panel.labels[0]) for _ in range(30)]
    for tap in taps:
        if (await tap.answered()).kind == "deferred":
            await tap.followed()
    assert (await stored(room, room.kasia)).step == 1


async def test_a_rush_goes_on_after_a_restart_and_from_a_new_panel(room: Room) -> None:
    panel = await begin(room, room.kasia, room.kasia.open_dm())
    panel = await answer(room, room.kasia, panel)
    await room.restart()
    panel = await answer(room, room.kasia, panel)
    assert "puzzle 3 of 10" in panel.text
    assert "puzzle 3 of 10" in (await begin(room, room.kasia, room.channel)).text


async def test_a_button_of_another_users_rush_says_that_it_is_over(room: Room) -> None:
    panel = await begin(room, room.kasia, room.kasia.open_dm())
    theirs = panel.controls[0]["custom_id"]
    own = await begin(room, room.ola, room.channel)
    words = await private_words(click_on(room, room.maksim, own, theirs))
    assert "These ten puzzles are over" in words
    assert (await stored(room, room.kasia)).step == 0


async def test_a_step_ahead_of_the_rush_is_refused(room: Room) -> None:
    panel = await begin(room, room.kasia, room.kasia.open_dm())
    begun = (await stored(room, room.kasia)).begun
    for custom_id in (f"rush:{begun}:5:0", f"rush:{begun}:0:9", f"rush:{begun - 1}:0:0"):
        assert "These ten puzzles are over" in await private_words(click_on(room, room.kasia, panel, custom_id))
    assert (await stored(room, room.kasia)).step == 0


async def with_tasks(room: Room, person: Person, numbers: list[int]) -> Message:
    """Returns the panel of a rush with these exercises."""
    tasks = tuple(exercise_task(number) for number in numbers)
    async with room.services.store.write() as tx:
        await tx.rushes.save(Rush(UserId(person.id), None, Millis(room.clock()), tasks, 1500.0))
    return await begin(room, person, person.open_dm())


async def test_each_kind_of_puzzle_says_what_to_do_and_what_would_have_been_right(room: Room) -> None:
    easiest = {each.kind: each for each in sorted(exercises().values(), key=lambda each: -each.rating.value)}
    goals = {
        Kind.CAPTURE: "Capture at least",
        Kind.NET: "Close a net around",
        Kind.LADDER: "Chase",
        Kind.ESCAPE: "Save your",
        Kind.WALL: "Keep your wall closed",
        Kind.STOP: "Win by STOP",
        Kind.ENDING: "Few crossings are left",
    }
    panel = await with_tasks(room, room.kasia, [easiest[kind].number for kind in goals])
    for kind, goal in goals.items():
        if "Next puzzle" in panel.labels:
            panel = await room.kasia.click(panel, "Next puzzle").followed()
        assert goal in panel.text
        assert ("STOP" in panel.labels) is (kind is Kind.STOP)
        panel = await answer(room, room.kasia, panel, right=False)
        assert "wasn't it. The right move was" in panel.text


async def test_a_puzzle_of_the_first_set_asks_for_the_dot_that_wins_most(room: Room) -> None:
    panel = await with_tasks(room, room.kasia, [1, 2])
    assert "is to move. Which dot wins the most?" in panel.text
    assert "✅ Solved! That captures" in (await answer(room, room.kasia, panel)).text
