"""Lessons and puzzles that moderators have made for their server, and its studies, as members find them in the chat."""

from __future__ import annotations

from dataclasses import replace

from bot.settings import Hosting
from loopback import Message
from play.boards.own_board import OwnBoard
from play.boards.study import Study
from play.community.exercise import Kind
from play.community.exercise_tree import Node, Step, write_tree
from play.community.made_exercise import MadeExercise
from play.ids import GuildId, UserId
from tests.bot.features.coach.missed_capture import pad
from tests.bot.features.coach.test_puzzles import ask, newest_puzzle, solve
from tests.bot.room import Room
from tests.clock import NOON
from tests.positions import AT_ONCE, game_of

TREE = write_tree(Node({"D3": Step(())}, ("D3",)))


def lesson(room: Room, name: str = "Close *it*") -> MadeExercise:
    guild, maker, answers = GuildId(room.discord.guild.id), UserId(room.ola.id), ("A1", "D3")
    told, what = (True, name, "The gap was D3"), (game_of(AT_ONCE), Kind.CAPTURE, 4)
    return MadeExercise(guild, maker, *told, *what, answers, TREE, NOON)


async def make(room: Room, *made: MadeExercise) -> None:
    async with room.services.store.write() as tx:
        for each in made:
            await tx.made_exercises.add(each)


async def lessons_here(room: Room) -> Message:
    """Opens the lessons of the server by the path of lessons, as one who has begun it."""
    await room.kasia.command(room.channel, "learn").answered()
    first = (await room.kasia.command(room.channel, "learn").answered()).message
    assert first is not None
    path = first if "▶" in first.labels else await room.kasia.click(first, "All lessons").followed()
    return await room.kasia.click(path, "Lessons of this server").followed()


async def test_a_member_solves_a_lesson_of_the_server(room: Room) -> None:
    await make(room, lesson(room), lesson(room, "Another"))
    shown = await room.kasia.click(await lessons_here(room), "taught:1:go:@").followed()
    assert "Capture at least 4 dots" in shown.text
    solved = await room.kasia.click(shown, pad(shown, "D3")).followed()
    assert "The gap was D3" in solved.text
    assert "Next lesson" in solved.labels


async def test_what_moderators_write_makes_no_marks(room: Room) -> None:
    await make(room, lesson(room))
    assert "Close \\*it\\*" in (await lessons_here(room)).text


async def test_a_server_without_lessons_and_studies_has_no_button(room: Room) -> None:
    await room.kasia.command(room.channel, "learn").answered()
    first = (await room.kasia.command(room.channel, "learn").answered()).message
    assert first is not None
    path = await room.kasia.click(first, "All lessons").followed()
    assert "Lessons of this server" not in path.labels


async def test_the_studies_of_the_server_are_listed_with_its_lessons(room: Room) -> None:
    async with room.services.store.write() as tx:
        club = Study(UserId(room.ola.id), "code-of-it", "Club", guild=GuildId(room.discord.guild.id))
        await tx.studies.add_chapter(await tx.studies.add(club), OwnBoard(game_of(AT_ONCE), "One"), NOON)
    room.options = {"hosting": Hosting(web="https://dots.example")}
    await room.restart()
    assert "https://dots.example/study/code-of-it" in (await lessons_here(room)).text


async def test_a_made_puzzle_is_the_puzzle_of_the_day(room: Room) -> None:
    await make(room, replace(lesson(room), is_lesson=False))
    shown = await ask(room.ola, room.channel)
    assert "made for this server" in shown.text
    puzzle = newest_puzzle(room)
    solved = await solve(room, room.kasia, puzzle, "D3")
    assert "The gap was D3" in solved.text


async def test_the_answer_of_its_maker_is_not_scored(room: Room) -> None:
    await make(room, replace(lesson(room), is_lesson=False))
    await ask(room.kasia, room.channel)
    solved = await solve(room, room.ola, newest_puzzle(room), "D3")
    assert "You made this puzzle" in solved.text
