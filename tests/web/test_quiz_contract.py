"""Every kind of exercise in Discord and on the web: the same exercise, the same verdict, one progress, one streak."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest
from pydantic import SecretStr

from bot.cli.tryout import mount_site
from bot.settings import Hosting
from loopback import Discord, Message, Person
from play.community.exercises import exercise_task, exercises, find_exercise
from play.community.lesson import LESSONS
from play.community.rush import LENGTH, Rush
from play.community.solving import Solving
from play.ids import Millis, UserId
from tests.bot.features.coach.missed_capture import MissedCaptureEngine, finish_match
from tests.bot.room import Room, private_message
from tests.clock import DAY, StoppedClock
from tests.web.home_visit import AtHome
from tests.web.test_private_games import close_to_members
from tests.web.visit import Visit
from use_cases.practice import Drill
from use_cases.quiz import Learner, Quiz
from use_cases.quizzes import DailyQuiz, LessonQuiz, MistakeQuiz, OwnQuiz, RushQuiz

KINDS = ("daily", "rush", "lesson:fork", "drill:fork", "mistakes", "puzzle:1")
"""Addresses by which all kinds are opened."""

ON_BOARD = tuple(kind for kind in KINDS if kind != "rush")

Visits = Callable[..., Visit]


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock) -> AsyncIterator[Room]:
    """A server with an Activity. Ola has a mistake that is back, and two members have the same ten puzzles."""
    hosting = Hosting(web=discord.address.rstrip("/"), client_secret=SecretStr(discord.client_secret))
    room = Room(discord, url, clock, hosting=hosting)
    room.thinkers = MissedCaptureEngine
    await room.start()
    async with mount_site(discord, room.bot.website):
        thread = await finish_match(room)
        await room.ola.command(thread, "review").followed()
        await room.pass_time(DAY)
        await in_discord(room, room.maksim, "puzzle", "This server's puzzle")
        tasks = tuple(exercise_task(number) for number in [*exercises()][:LENGTH])
        async with room.services.store.write() as tx:
            for person in (room.ola, room.kasia):
                await tx.rushes.save(Rush(UserId(person.id), None, Millis(room.clock()), tasks, 1500.0))
        yield room
    await room.stop()


@pytest.fixture
async def ola(room: Room, visit: Visits) -> AtHome:
    """Ola's home in a browser."""
    return await AtHome.enter(room, room.ola, visit())


async def in_discord(room: Room, person: Person, command: str, *choices: str) -> Message:
    """Gives a command, and presses what is named one after the other; returns the panel."""
    panel = await private_message(person.command(room.channel, command))
    for choice in choices:
        panel = await person.click(panel, choice).followed()
    return panel


async def open_in_discord(room: Room, kind: str) -> tuple[Person, Message]:
    """Opens an exercise of a kind in Discord, for one who has done nothing on the web that would change it."""
    if kind == "mistakes":
        return room.ola, await in_discord(room, room.ola, "learn", "All lessons", "My mistakes (1)")
    ways: dict[str, Sequence[str]] = {
        "daily": ("puzzle", "Today's puzzles"),
        "rush": ("puzzle", "Ten in a row"),
        "puzzle:1": ("puzzle", "This server's puzzle"),
        "lesson:fork": ("learn", "All lessons", "▶", "▶", "learn:fork"),
        "drill:fork": ("learn", "All lessons", "▶", "▶", "learn:fork", "learn:fork:play:C3", "Three puzzles"),
    }
    command, *choices = ways[kind]
    panel = await private_message(room.kasia.command(room.channel, command))
    for choice in choices:
        if choice.startswith("learn:fork:play"):
            choice = next(each["custom_id"] for each in panel.controls if ":go:C3@" in each["custom_id"])
        panel = await room.kasia.click(panel, choice).followed()
    return room.kasia, panel


def unmarked(panel: Message) -> str:
    """Returns the text of a panel without Discord's marks."""
    return re.sub(r"\*\*|^### |^-# ", "", panel.text, flags=re.MULTILINE)


async def present(room: Room, person: Person, address: str) -> Solving:
    """Returns the exercise of an address, by the use cases below both surfaces."""

    async def sees(*_: object) -> bool:
        return True

    async def named(*_: object) -> None:
        """Names nobody."""

    learner = Learner(room.use_cases, UserId(person.id), None, room.clock(), sees, named)
    word, *values = address.split(":")
    kinds: dict[str, tuple[type[Quiz], tuple[str, ...]]] = {
        "daily": (DailyQuiz, ("day",)),
        "rush": (RushQuiz, ("begun", "step")),
        "lesson": (LessonQuiz, ("lesson",)),
        "drill": (Drill, ("lesson", "number", "found")),
        "mistake": (MistakeQuiz, ("match", "number")),
        "puzzle": (OwnQuiz, ("puzzle",)),
    }
    kind, names = kinds[word]
    texts = {"day", "lesson", "found"}
    key = {name: value if name in texts else int(value) for name, value in zip(names, values, strict=False)}
    quiz = await kind.find(learner, **key)
    return quiz.posed


def wrong_of(solving: Solving) -> str:
    """Returns a dot that solves nothing."""
    zone = solving.exercise.zone
    for turn in solving.position.moves():
        if (zone is None or zone.contains(turn.dot)) and str(turn) not in solving.node.right:
            return str(turn).partition(" ")[0]
    raise AssertionError("all is right")


async def type_move(person: Person, panel: Message, move: str) -> Message:
    form = (await person.click(panel, "Type a move").answered()).modal
    assert form is not None
    return await person.submit(form, {"point": move}).followed()


def told_by(verdict: dict[str, Any]) -> str:
    return f"{verdict['head']}\n{verdict['text']}"


def about(text: str) -> str:
    """Returns a text without the day of a server's puzzle, which Discord writes as a mark of its own, and without what
    a player of its game reads."""
    return re.sub(r"Puzzle of [^\n]*?, from|\nThis puzzle comes from one of your own[^\n]*", "", text)


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ON_BOARD)
async def test_the_same_exercise_has_the_same_verdicts_and_ways_on_both_surfaces(
    room: Room, ola: AtHome, kind: str
) -> None:
    person, panel = await open_in_discord(room, kind)
    told = await ola.must("quiz", quiz=kind)
    solving = await present(room, room.ola, told["quiz"])
    for part in filter(None, (told["step"]["head"], told["step"]["goal"])):
        assert about(part) in about(unmarked(panel))
    wrong, right = wrong_of(solving), solving.node.line[0]

    told = await ola.must("solve", quiz=told["quiz"], move=wrong)
    panel = await type_move(person, panel, wrong)
    assert told["verdict"]["is"] == "wrong"
    assert about(told_by(told["verdict"])) == about(unmarked(panel))
    assert panel.labels == ["Try again", "Show the solution"]

    for move in (right, *solving.node.line[2::2]):
        told = await ola.must("solve", quiz=told["quiz"], move=move)
        if "Try again" in panel.labels:
            panel = await person.click(panel, "Try again").followed()
        panel = await type_move(person, panel, move)
        if told["verdict"]:
            break
    assert told["verdict"]["is"] == "solved"
    if kind != "puzzle:1":  # its table has grown since
        assert about(told_by(told["verdict"])) == about(unmarked(panel))
    if told["step"] is None and told["result"] is None:
        assert [each["label"] for each in told["ways"]] == panel.labels


async def test_ten_in_a_row_is_the_same_on_both_surfaces(room: Room, ola: AtHome) -> None:
    person, panel = await open_in_discord(room, "rush")
    told = await ola.must("quiz", quiz="rush")
    for step in range(LENGTH):
        assert told["step"]["goal"] in unmarked(panel)
        assert [each["label"] for each in told["step"]["choices"]] == panel.labels
        task = find_exercise(step + 1)
        assert task is not None
        answer = next(n for n in range(4) if exercises()[[*exercises()][step]].is_right(n) is (step % 2 == 0))
        told = await ola.must("choose", quiz=told["quiz"], answer=answer)
        panel = await person.click(panel, panel.controls[answer]["custom_id"]).followed()
        if step % 2:
            assert told["verdict"]["text"] in unmarked(panel)
            if step < LENGTH - 1:
                panel = await person.click(panel, "Next puzzle").followed()
        else:
            assert told["verdict"] is None
            assert told["notice"] in unmarked(panel)
    assert told["step"] is None
    assert told["result"]["text"] in unmarked(panel)
    assert [each["label"] for each in told["ways"]] == ["Ten more"] == panel.labels


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ON_BOARD)
async def test_a_solution_is_shown_on_the_web_and_counts_for_no_streak(room: Room, ola: AtHome, kind: str) -> None:
    told = await ola.must("quiz", quiz=kind)
    shown = await ola.must("solution", quiz=told["quiz"])
    assert shown["verdict"]["is"] == "solved"
    assert "✅" not in shown["verdict"]["text"]
    assert await room.use_cases.dailies.streak(UserId(room.ola.id), room.clock()) == 0


@pytest.mark.sample(6)
@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_solved_on_the_web_counts_for_the_streak(room: Room, ola: AtHome, kind: str) -> None:
    told = await ola.must("quiz", quiz=kind)
    solving = await present(room, room.ola, told["quiz"])
    if kind == "rush":
        await ola.must("choose", quiz=told["quiz"], answer=next(n for n in range(4) if solving.exercise.is_right(n)))
    else:
        for move in solving.node.line[::2]:
            told = await ola.must("solve", quiz=told["quiz"], move=move)
    assert await room.use_cases.dailies.streak(UserId(room.ola.id), room.clock()) == 1


@pytest.mark.sample(6)
@pytest.mark.parametrize("kind", KINDS)
async def test_a_reload_in_mid_exercise_goes_on(room: Room, ola: AtHome, kind: str) -> None:
    told = await ola.must("quiz", quiz=kind)
    again = await ola.must("quiz", quiz=told["quiz"])
    assert again["quiz"] == told["quiz"]
    assert again["step"]["picture"] == told["step"]["picture"]
    assert not again["notice"]


async def test_a_lesson_that_is_done_on_the_web_is_done_in_discord(room: Room, ola: AtHome) -> None:
    await ola.must("solve", quiz="lesson:capture", move=LESSONS["capture"].right[0])
    path = await in_discord(room, room.ola, "learn")
    assert "✅ Close a chain" in path.text
    chapters = (await ola.must("quiz", quiz="lessons"))["chapters"]
    first, second, *_ = chapters[0]["lessons"]
    assert (first["text"], first["label"], first["next"]) == ("✅ Close a chain", "Repeat", False)
    assert (second["text"], second["label"], second["next"]) == ("▶️ Any shape will do", "Continue", True)
    assert sum(len(each["lessons"]) for each in chapters) == len(LESSONS)


async def test_a_lesson_takes_a_dot_of_its_part_of_the_board_alone(ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="lesson:wedge")
    assert told["step"]["picture"]["focus"]
    assert told["step"]["instant"]
    status, answer = await ola.do("solve", quiz="lesson:wedge", move="A7")
    assert status >= 400
    assert "the framed part of the board" in answer["line"]


async def test_a_solved_puzzle_of_a_server_names_its_solver_in_the_post(room: Room, visit: Visits) -> None:
    kasia = await AtHome.enter(room, room.kasia, visit())
    await kasia.must("solve", quiz="puzzle:1", move="F3")
    await room.discord.until(
        lambda: any("✅ Solved by Kasia" in each.content for each in room.discord.messages(room.channel)) or None
    )
    again = await kasia.must("quiz", quiz="puzzle:1")
    assert "You've tried this puzzle before" in again["step"]["head"]


async def test_the_home_lists_the_puzzle_of_a_server_to_those_who_see_its_channel(room: Room, visit: Visits) -> None:
    kasia = await AtHome.launch(room, room.kasia, room.general, visit())
    (server,) = (await kasia.must("around"))["servers"]
    assert server["puzzle"] == {"to": "puzzle:1", "title": "This server's puzzle", "line": "Solve it"}
    await kasia.must("solve", quiz="puzzle:1", move="F3")
    (server,) = (await kasia.must("around"))["servers"]
    assert server["puzzle"]["line"] == "✅ Solved!"
    close_to_members(room, room.channel)
    room.clock.advance(61_000)  # rights are asked again
    (server,) = (await kasia.must("around"))["servers"]
    assert server["puzzle"] is None


async def test_who_does_not_see_the_channel_of_a_servers_puzzle_is_refused(room: Room, visit: Visits) -> None:
    kasia = await AtHome.enter(room, room.kasia, visit())
    await kasia.must("quiz", quiz="puzzle:1")
    close_to_members(room, room.channel)
    room.clock.advance(61_000)
    for what, more in (("quiz", {}), ("solve", {"move": "F3"}), ("choose", {"answer": 0}), ("solution", {})):
        status, answer = await kasia.do(what, quiz="puzzle:1", **more)
        assert status >= 400, what
        assert "no longer exists" in answer["line"]


async def test_a_mistake_of_another_player_is_refused(room: Room, ola: AtHome, visit: Visits) -> None:
    theirs = (await ola.must("quiz", quiz="mistakes"))["quiz"]
    kasia = await AtHome.enter(room, room.kasia, visit())
    for what, more in (("quiz", {}), ("solve", {"move": "F3"}), ("solution", {})):
        status, answer = await kasia.do(what, quiz=theirs, **more)
        assert status >= 400, what
        assert "no longer on your list" in answer["line"]


async def test_who_has_no_session_is_refused(room: Room, visit: Visits) -> None:
    stranger = visit()
    for kind in KINDS:
        assert (await stranger.post("/home/do", {"do": "quiz", "quiz": kind}))[0] == 401


async def test_a_rush_that_is_over_says_so(room: Room, ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="rush")
    former = told["quiz"]
    for _ in range(LENGTH):
        told = await ola.must("choose", quiz=told["quiz"], answer=0)
    again = await ola.must("quiz", quiz=told["quiz"])
    assert again["result"]["text"].startswith("🏁 Ten in a row")
    room.clock.advance(1000)
    await ola.must("quiz", quiz="rush")
    status, answer = await ola.do("choose", quiz=former, answer=0)
    assert status >= 400
    assert "These ten puzzles are over" in answer["line"]


async def test_without_a_mistake_or_a_new_puzzle_the_page_says_why(room: Room, visit: Visits) -> None:
    kasia, lessons = await AtHome.enter(room, room.kasia, visit()), room.use_cases.lessons
    told = await kasia.must("quiz", quiz="mistakes")
    assert told["result"]["text"].startswith("No mistakes here yet.")
    assert [each["to"] for each in told["ways"]] == ["lessons"]
    while await lessons.open_puzzle(UserId(room.kasia.id), "fork", room.clock()) is not None:
        pass
    told = await kasia.must("quiz", quiz="drill:fork")
    assert told["result"]["text"].startswith("You've seen all puzzles of this kind.")


async def test_who_confirms_no_moves_plays_with_one_tap_on_the_web_too(room: Room, ola: AtHome) -> None:
    assert not (await ola.must("quiz", quiz="daily"))["step"]["instant"]
    await room.change_settings(room.ola, confirm_days=False)
    assert (await ola.must("quiz", quiz="daily"))["step"]["instant"]


async def test_after_the_last_lesson_the_home_says_so(room: Room, ola: AtHome) -> None:
    for key in LESSONS:
        await room.use_cases.lessons.note_found(UserId(room.ola.id), key, room.clock())
    (lessons,) = [each for each in (await ola.read())["puzzles"]["others"] if each["to"] == "lessons"]
    assert lessons["title"] == "Your lessons: 30 of 30 done"
    assert lessons["line"].startswith("🎓 That was the last lesson.")
