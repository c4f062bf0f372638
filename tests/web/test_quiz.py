"""Exercises at home: the same use cases as the panel in Discord, asked for by a page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr

from bot.settings import Hosting
from loopback import Discord
from play.community.daily import STEPS
from play.community.exercises import exercises
from play.community.puzzle import puzzle_day
from play.community.solving import DailyState, Solving
from play.ids import GuildId, UserId
from tests.bot.features.match.delivery.test_digests import note_mistakes
from tests.bot.room import Room
from tests.clock import DAY
from tests.solvers import settle
from tests.web.home_visit import AtHome
from tests.web.test_private_games import close_to_members
from tests.web.visit import Visit

Visits = Callable[..., Visit]


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    """A site with an Activity."""
    secret = SecretStr(discord.client_secret)
    return {"hosting": Hosting(web=discord.address.rstrip("/"), client_secret=secret)}


@pytest.fixture
async def ola(room: Room, visit: Visits) -> AtHome:
    """Ola's home in a browser."""
    return await AtHome.enter(room, room.ola, visit())


async def left(home: AtHome) -> dict[str, str]:
    """Returns what the home says of each kind, by its address."""
    return {each["to"]: each["line"] for each in (await home.read())["puzzles"]["others"]}


async def state(room: Room) -> DailyState:
    return await room.use_cases.dailies.state(puzzle_day(room.clock()), UserId(room.ola.id))


async def solving(room: Room) -> Solving:
    found = (await state(room)).solving
    assert found is not None
    return found


async def wrong(room: Room) -> str:
    at = await solving(room)
    return next(str(move) for move in at.position.moves() if str(move) not in at.node.right)


def at(told: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields by which a page says what it shows."""
    return {"quiz": told["quiz"]}


async def solve_step(room: Room, home: AtHome, told: dict[str, Any]) -> dict[str, Any]:
    """Solves the present step; returns the answer to its last move."""
    step = (await state(room)).run.step
    while (await state(room)).run.step == step:
        told = await home.must("solve", **at(told), move=(await solving(room)).node.line[0])
    return told


async def test_the_home_tells_how_far_a_player_is(room: Room, ola: AtHome) -> None:
    told = (await ola.read())["puzzles"]
    assert told["line"].startswith("Three puzzles from easy to hard")
    assert told["label"] == "Solve them"
    board = await ola.must("quiz", quiz="daily")
    told = (await ola.read())["puzzles"]
    assert (told["line"], told["label"]) == ("🧩 Kropka Daily: puzzle 1 of 3", "Go on")
    for _ in range(STEPS):
        board = await solve_step(room, ola, board)
    told = (await ola.read())["puzzles"]
    assert told["label"] == "See your result"
    assert told["line"].startswith("Solved: 3 of 3\n")
    assert told["line"].endswith("1 day in a row\nNext puzzles: in 8 hours, 53 minutes")


async def test_a_step_is_told_with_its_board_and_goal(room: Room, ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="daily")
    step, at_step = told["step"], await solving(room)
    assert (told["verdict"], told["result"], told["newer"], told["notice"]) == (None, None, None, "")
    assert "is to move" in step["goal"]
    assert step["seat"] == at_step.position.to_act
    picture = at_step.position.picture()
    assert {(*stone["point"],) for stone in step["picture"]["stones"]} == {(*each.point,) for each in picture.stones}
    assert len(step["coordinates"]["columns"]) == picture.width
    assert not step["shows"]
    assert json.dumps(told).count(at_step.node.line[0]) <= 1, "nothing gives the move away, but the names of lines"


async def test_all_verdicts(room: Room, ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="daily")
    missed = await ola.must("solve", **at(told), move=await wrong(room))
    verdict = missed["verdict"]
    assert verdict["is"] == "wrong"
    assert "doesn't do it" in verdict["text"]
    assert "Your puzzle rating" in verdict["text"]
    assert verdict["picture"]["numbers"][0]["value"] == 1
    assert missed["step"]["shows"]
    assert missed["quiz"] == told["quiz"][:-1] + "1"
    solved = await solve_step(room, ola, missed)
    assert (solved["verdict"]["is"], solved["verdict"]["head"]) == ("solved", "🧩 Kropka Daily: puzzle 1 of 3")
    assert "✅ Solved!" in solved["verdict"]["text"]
    assert solved["step"]["head"] == "🧩 Kropka Daily: puzzle 2 of 3"
    shown = await ola.must("solution", **at(solved))
    assert (shown["verdict"]["is"], shown["verdict"]["head"]) == ("solved", "🧩 Kropka Daily: puzzle 2 of 3")
    assert "Here's the solution" in shown["verdict"]["text"]
    last = await solve_step(room, ola, shown)
    assert (last["verdict"]["is"], last["step"]) == ("solved", None)
    assert "Solved at the first try" in last["verdict"]["text"]
    assert "Solved: 2 of 3" in last["result"]["text"]
    assert last["result"]["shared"].startswith(f"Kropka Daily {puzzle_day(room.clock())}, first days 1: 2/3\n")
    again = await ola.must("quiz", quiz="daily")
    assert (again["verdict"], again["result"]) == (None, last["result"])


async def test_a_right_move_is_answered_on_the_board(room: Room, ola: AtHome) -> None:
    exercise = room.use_cases.dailies.exercise
    await settle(room.services.store, UserId(room.ola.id), room.clock())
    while all(exercise(puzzle_day(room.clock()), step).tree.depth == 1 for step in range(STEPS)):
        await room.pass_time(DAY)
    told = await ola.must("quiz", quiz="daily")
    while (await solving(room)).node.depth == 1:
        told = await solve_step(room, ola, told)
    told = await ola.must("solve", **at(told), move=(await solving(room)).node.line[0])
    assert told["verdict"] is None
    assert told["notice"].startswith("✅ Right!")
    assert len(told["step"]["picture"]["last"]) == 1


async def test_of_thirty_taps_at_once_the_first_counts(room: Room, ola: AtHome) -> None:
    told, move = await ola.must("quiz", quiz="daily"), await wrong(room)
    answers = await asyncio.gather(*(ola.do("solve", **at(told), move=move) for _ in range(30)))
    done = [answer for status, answer in answers if status == 200]
    assert {status for status, _ in answers} <= {200, 429}
    assert sum(answer["verdict"] is not None for answer in done) == 1
    assert (await state(room)).run.missed == 1
    assert all("moved on" in answer["notice"] for answer in done if answer["verdict"] is None)


async def test_a_page_that_is_behind_is_shown_what_is_now(room: Room, ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="daily")
    await ola.must("solution", **at(told))
    for what, fields in (("solve", {"move": "A1"}), ("solution", {})):
        behind = await ola.must(what, **at(told), **fields)
        assert behind["notice"].startswith("You've moved on since.")
        assert behind["quiz"].endswith(":1")
        assert behind["step"]["head"] == "🧩 Kropka Daily: puzzle 2 of 3"
    assert len((await state(room)).run.results) == 1


async def test_what_the_rules_reject_is_no_try(room: Room, ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="daily")
    taken = told["step"]["picture"]["stones"][0]["point"]
    columns, rows = told["step"]["coordinates"].values()
    for move in (columns[taken[0]] + rows[taken[1]], "Z99", "a move", "resign"):
        status, answer = await ola.do("solve", **at(told), move=move)
        assert status >= 400, move
        assert answer["line"]
    assert (await state(room)).run.tries == 0


MADE_UP = (
    *("daily:", "daily:2026-1-1:0", "daily:yesterday:0", "daily:2026-01-01:-1", "daily:２026-01-01:0", "rush:1"),
    *("rush:1:0:0", "lesson:", "lesson:Capture", "lessons:1", "drill:fork:1", "drill:fork:x:aa", "mistake:1"),
    *("train:Net", "train:net:1", "back:101", "back:101:aa:x", "day:today", "kinds:1"),
    *("puzzle:0x1", "puzzle:9999999999999999", "toys", "newcomer", "game:1"),
)


@pytest.mark.sample(6)
@pytest.mark.parametrize("address", [None, 7, ["daily"], "", "daily\n", "d" * 61, *MADE_UP])
async def test_a_made_up_address_is_refused(ola: AtHome, address: Any) -> None:
    for what, more in (("quiz", {}), ("solve", {"move": "A1"}), ("choose", {"answer": 0}), ("solution", {})):
        assert (await ola.do(what, quiz=address, **more))[0] == 400, what


GONE = (
    *("daily:2026-02-30:0", "daily:1999-01-01", "daily:9999-12-31:0", "rush:1:0", "lesson:nothing", "drill:nothing"),
    *("train:nothing", "train:net:101:aabb", "train:net:999999:", "back:999999::0", "day:1999-01-01"),
    *("drill:fork:101:aabb", "drill:fork:999999:", "mistake:1:1", "puzzle:1"),
)


@pytest.mark.sample(5)
@pytest.mark.parametrize("address", GONE)
async def test_what_is_not_there_is_refused_with_a_sentence(ola: AtHome, address: str) -> None:
    for what, more in (("quiz", {}), ("solve", {"move": "A1"}), ("choose", {"answer": 0}), ("solution", {})):
        status, answer = await ola.do(what, quiz=address, **more)
        assert status >= 400, what
        assert answer["line"]


async def test_made_up_moves_are_refused(room: Room, ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="daily")
    for move in (None, 7, ["A1"]):
        assert (await ola.do("solve", **at(told), move=move))[0] == 400, move
    for answer in (None, -1, "0", 2**40, True):
        assert (await ola.do("choose", **at(told), answer=answer))[0] == 400, answer
    assert (await ola.do("choose", **at(told), answer=9))[0] >= 400
    assert (await state(room)).run.tries == 0


async def test_the_result_leads_to_the_boards_of_what_was_missed_and_back(room: Room, ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="daily")
    for _ in range(STEPS):
        told = await ola.must("solve", **at(told), move=await wrong(room))
        told = await ola.must("solution", **at(told))
    result = await ola.must("quiz", quiz="daily")
    again, *_, lesson = result["ways"]
    assert (again["label"], lesson["label"]) == ("Look at 1 again", "Lesson for what you missed")
    assert [each["primary"] for each in result["ways"]] == [False, False, False, True]
    assert lesson["to"].startswith("lesson:")
    board = await ola.must("quiz", quiz=again["to"])
    assert (board["step"], board["result"], board["quiz"]) == (None, None, again["to"])
    assert board["verdict"]["line"] == "The board before the first move."
    onward, leave = board["ways"]
    assert (onward["label"], leave["label"]) == ("Next move", "See your result")
    later = await ola.must("quiz", quiz=onward["to"])
    assert later["verdict"]["picture"]["numbers"][0]["value"] == 1
    assert "plays" in later["verdict"]["text"]
    assert (await ola.must("quiz", quiz=leave["to"]))["result"] == result["result"]


async def test_an_exercise_that_is_before_its_solver_is_not_looked_back_at(room: Room, ola: AtHome) -> None:
    await ola.must("quiz", quiz="daily")
    number = room.use_cases.dailies.number((await state(room)).run, 0)
    status, answer = await ola.do("quiz", quiz=f"back:{number}::1")
    assert status >= 400
    assert answer["line"]


async def test_training_asks_for_a_move_on_the_board_and_counts_the_first_try(room: Room, ola: AtHome) -> None:
    chapters = (await ola.must("quiz", quiz="kinds"))["chapters"]
    lines = {each["to"]: each for each in chapters[0]["lessons"]}
    assert lines["train:net"]["text"] == "Nets: none yet"
    assert [to for to, each in lines.items() if each["next"]] == ["train:capture"]
    told = await ola.must("quiz", quiz="train:net")
    assert told["step"]["choices"] == []
    number = int(told["quiz"].split(":")[2])
    posed = Solving.begin(exercises()[number])
    bad = next(str(move) for move in posed.position.moves() if str(move) not in posed.node.right)
    missed = await ola.must("solve", **at(told), move=bad)
    assert "Nets: 0 of 1" in missed["verdict"]["text"]
    assert "Your puzzle rating: 1500" in missed["verdict"]["text"]
    shown = await ola.must("solution", **at(missed))
    assert "Nets:" not in shown["verdict"]["text"], "a second try counts for nothing"
    assert shown["ways"][0]["label"] == "Next puzzle"
    further = await ola.must("quiz", quiz=shown["ways"][0]["to"])
    assert int(further["quiz"].split(":")[2]) != number
    chapters = (await ola.must("quiz", quiz="kinds"))["chapters"]
    assert [each["to"] for each in chapters[0]["lessons"] if each["next"]] == ["train:net"]


async def test_a_day_that_turns_is_told_and_can_be_ended(room: Room, ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="daily")
    for _ in range(STEPS - 1):
        await ola.must("solve", **at(told), move=await wrong(room))
        told = await ola.must("solution", quiz=f"daily:{puzzle_day(room.clock())}:{(await state(room)).run.tries}")
    move = (await solving(room)).node.line
    room.clock.advance(DAY)
    late = await ola.must("solution", **at(told))
    assert late["newer"].startswith("A new day has begun")
    assert "no longer counts in its results" in late["result"]["text"]
    assert move
    fresh = await ola.must("quiz", quiz="daily")
    assert fresh["quiz"] == f"daily:{puzzle_day(room.clock())}:0"
    assert fresh["newer"] is None
    assert (await ola.read())["puzzles"]["label"] == "Go on"


async def servers_of_kasia(room: Room) -> list[GuildId]:
    """Returns the servers on which her daily counts."""
    async with room.services.store.read() as reader:
        return await reader.dailies.guilds(puzzle_day(room.clock()), UserId(room.kasia.id))


async def test_it_counts_on_the_server_of_the_activity_for_those_who_see_the_channel(room: Room, visit: Visits) -> None:
    alone = await AtHome.enter(room, room.kasia, visit())
    await alone.must("quiz", quiz="daily")
    assert await servers_of_kasia(room) == []
    framed = await AtHome.launch(room, room.kasia, room.general, visit())
    assert framed.told is not None
    framed.told["here"] = "123456789012345678"
    await framed.must("quiz", quiz="daily")
    close_to_members(room, room.channel)
    room.clock.advance(61_000)  # rights are asked again
    framed.told["here"] = str(room.channel.id)
    await framed.must("quiz", quiz="daily")
    assert await servers_of_kasia(room) == []
    framed.told["here"] = str(room.general.id)
    await framed.must("quiz", quiz="daily")
    assert await servers_of_kasia(room) == [room.discord.guild.id]


@pytest.mark.parametrize(
    ("count", "russian", "english"),
    [
        (1, "К повторению: 1 ошибка", "1 mistake is back"),
        (3, "К повторению: 3 ошибки", "3 mistakes are back"),
        (7, "К повторению: 7 ошибок", "7 mistakes are back"),
    ],
)
async def test_the_home_says_how_many_mistakes_are_due(
    room: Room, ola: AtHome, count: int, russian: str, english: str
) -> None:
    assert (await left(ola))["mistakes"] == "None yet. Reviews of your games find them."
    await room.start_match(clock="14d")
    await note_mistakes(room, count, room.ola)
    assert (await left(ola))["mistakes"].startswith("Nothing for today."), "they come back on the next day"
    await room.pass_time(DAY)
    for language, expected in (("ru", russian), ("en", english)):
        await room.change_settings(room.ola, language=language)
        assert (await left(ola))["mistakes"] == expected


async def test_a_typed_move_may_have_a_number_and_signs_that_nobody_sees(room: Room, ola: AtHome) -> None:
    told = await ola.must("quiz", quiz="daily")
    move = await wrong(room)
    told = await ola.must("solve", **at(told), move=f"1.\u00a0**{move}**\u200b")
    assert told["verdict"]["is"] == "wrong"
    assert f"after {move}," in told["verdict"]["line"]


@pytest.mark.parametrize("typed", ["K" * 121, "A1\0", "A1 or B2"])
async def test_a_text_that_is_no_move_is_told_to_be_none(ola: AtHome, typed: str) -> None:
    told = await ola.must("quiz", quiz="daily")
    _, refused = await ola.do("solve", **at(told), move=typed)
    assert "isn't a crossing" in refused["line"]
