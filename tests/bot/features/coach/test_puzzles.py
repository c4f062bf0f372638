"""The puzzle of a server, played on the board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopback import Channel, Message, Permission, Person
from play.community.puzzle import PuzzleId
from play.ids import ChannelId, GuildId, UserId
from tests.bot.features.coach.missed_capture import MissedCaptureEngine, finish_match, pad
from tests.bot.forging import click_on
from tests.bot.room import Room, private_message, private_words
from tests.old_puzzles import built_in_puzzle

RIGHT = "✅ Solved! That captures 2 dots: E4, F4."


@pytest.fixture
def engine() -> MissedCaptureEngine:
    return MissedCaptureEngine()


async def ask(person: Person, channel: Channel) -> Message:
    """Asks for the puzzle of the server by the menu of `/puzzle`; returns the panel."""
    menu = await private_message(person.command(channel, "puzzle"))
    return await person.click(menu, "This server's puzzle").followed()


def newest_puzzle(room: Room) -> Message:
    return next(message for message in reversed(room.discord.messages(room.channel)) if message.attachments)


async def post_puzzle(room: Room) -> Message:
    """Returns the message of today's puzzle, for which Ola asks."""
    await finish_match(room)
    shown = await ask(room.ola, room.channel)
    assert "from a game on this server" in shown.text
    return newest_puzzle(room)


async def solve(room: Room, person: Person, puzzle: Message, move: str) -> Message:
    """Opens the puzzle below its post and types a move; returns the panel after it."""
    shown = await private_message(person.click(puzzle, "Solve it"))
    form = (await person.click(shown, "Type a move").answered()).modal
    assert form is not None
    return await person.submit(form, {"point": move}).followed()


def named(room: Room, puzzle: Message) -> str:
    """Returns what the post says now."""
    shown = room.discord.message(puzzle.id)
    assert shown is not None
    return shown.content


async def test_in_the_thread_of_a_game_the_puzzle_is_posted_above_it(room: Room) -> None:
    await finish_match(room)
    thread = next(each for each in room.discord.threads)
    assert "is to move" in (await ask(room.kasia, thread)).text
    assert newest_puzzle(room).attachments
    assert not any("is to move" in message.content for message in room.discord.messages(thread)[-1:])


async def test_a_puzzle_is_found_in_a_finished_game_and_posted_with_one_button(room: Room) -> None:
    puzzle = await post_puzzle(room)
    assert "🔴 (red) is to move" in puzzle.content
    assert puzzle.labels == ["Solve it"]


async def test_it_is_played_on_the_board_and_names_the_captured_dots_and_its_solver(room: Room) -> None:
    puzzle = await post_puzzle(room)
    shown = await private_message(room.kasia.click(puzzle, "Solve it"))
    assert len([label for label in shown.labels if label.isdigit()]) > 9
    shown = await room.kasia.click(shown, pad(shown, "F3")).followed()
    told = await room.kasia.click(shown, "Play F3").followed()
    assert RIGHT in told.text
    assert "1. Kasia Wiśniewska: 1 of 1 · 🔥 1" in told.text
    await room.discord.until(lambda: "✅ Solved by Kasia Wiśniewska" in named(room, puzzle))


async def test_a_wrong_move_may_be_tried_again_and_does_not_count(room: Room) -> None:
    puzzle = await post_puzzle(room)
    told = await solve(room, room.kasia, puzzle, "b2")
    assert "❌ **B2** doesn't do it." in told.text
    again = await room.kasia.click(told, "Try again").followed()
    assert "You've tried this puzzle before" in again.text
    look = await room.kasia.click(again, pad(again, "F3")).followed()
    told = await room.kasia.click(look, "Play F3").followed()
    assert RIGHT in told.text
    assert "puzzle rating" not in told.text
    assert "Solved" not in named(room, puzzle)


async def test_who_is_shown_the_solution_has_not_solved_it(room: Room) -> None:
    puzzle = await post_puzzle(room)
    shown = await private_message(room.kasia.click(puzzle, "Solve it"))
    told = await room.kasia.click(shown, "Show the solution").followed()
    assert "Here's the solution, move by move. That captures 2 dots" in told.text
    assert await room.use_cases.puzzles.table(GuildId(room.discord.guild.id), room.clock()) == []


async def test_a_player_of_the_game_answers_without_a_score(room: Room) -> None:
    puzzle = await post_puzzle(room)
    told = await solve(room, room.ola, puzzle, "F3")
    assert RIGHT in told.text
    assert "one of your own games" in told.text
    assert "Solved" not in named(room, puzzle)
    assert await room.use_cases.puzzles.table(GuildId(room.discord.guild.id), room.clock()) == []


async def test_a_post_with_moves_to_choose_from_still_answers(room: Room) -> None:
    puzzle = await post_puzzle(room)
    async with room.services.store.read() as reader:
        stored = await reader.puzzles.get(PuzzleId(1))
    assert stored is not None
    wrong, right = (
        next(n for n, each in enumerate(stored.answers) if (each == "F3") is right) for right in (False, True)
    )
    told = await click_on(room, room.maksim, puzzle, f"puzzle:1:{wrong}").followed()
    assert "doesn't do it." in told.text
    told = await click_on(room, room.kasia, puzzle, f"puzzle:1:{right}").followed()
    assert RIGHT in told.text
    await room.discord.until(lambda: "✅ Solved by Kasia Wiśniewska" in named(room, puzzle))


async def test_where_members_choose_among_moves_they_do_so_here_too(room: Room) -> None:
    puzzle = await post_puzzle(room)
    guild = GuildId(room.discord.guild.id)
    await room.use_cases.dailies.change_place(guild, lambda place: replace(place, choices=True), UserId(1))
    shown = await private_message(room.kasia.click(puzzle, "Solve it"))
    assert sorted(shown.labels) == ["A1", "B2", "F3"]
    assert RIGHT in (await room.kasia.click(shown, "F3").followed()).text


async def test_a_puzzle_of_another_server_is_neither_answered_nor_shown(room: Room) -> None:
    puzzle = await post_puzzle(room)
    await solve(room, room.kasia, puzzle, "F3")
    dm = room.maksim.open_dm()
    elsewhere = await room.maksim.command(dm, "leaderboard", everywhere=True).followed()
    for pressed in ("puzzle:1:0", "puzzle:1:go:@", "puzzle:1:show"):
        assert "This puzzle no longer exists" in await private_words(click_on(room, room.maksim, elsewhere, pressed))


async def test_a_puzzle_outlives_the_process_and_is_posted_once_a_day(room: Room) -> None:
    puzzle = await post_puzzle(room)
    await room.restart()
    await solve(room, room.kasia, puzzle, "F3")
    shown = await ask(room.maksim, room.general)
    assert "is to move" in shown.text
    assert not [message for message in room.discord.messages(room.general) if message.attachments]


async def test_a_day_without_a_good_position_has_no_puzzle_of_the_server(room: Room) -> None:
    words = (await ask(room.kasia, room.channel)).text
    assert "No recent game here has a missed capture" in words


async def test_a_built_in_puzzle_of_former_days_still_answers(room: Room) -> None:
    guild = GuildId(room.discord.guild.id)
    stored = await room.use_cases.puzzles.add(built_in_puzzle(guild, room.clock()))
    await ask(room.kasia, room.channel)
    puzzle = newest_puzzle(room)
    assert "from the built-in set" in puzzle.content
    told = await solve(room, room.kasia, puzzle, stored.solution[0])
    assert "✅ Solved! That captures" in told.text


def close_to_others(room: Room) -> None:
    """Takes #dots from @everyone, and gives it to the bot and to Kasia."""
    everyone = room.discord.guild.id
    room.discord.world.overwrite(room.channel, everyone, allow=Permission(0), deny=Permission.VIEW_CHANNEL)
    for person in (None, room.kasia):
        room.discord.allow(room.channel, Permission.VIEW_CHANNEL, person)


async def test_a_game_of_a_closed_channel_is_no_puzzle_for_others(room: Room) -> None:
    await finish_match(room)
    close_to_others(room)
    words = (await ask(room.kasia, room.general)).text
    assert "No recent game here has a missed capture" in words
    assert not [message for message in room.discord.messages(room.general) if message.attachments]


async def test_a_game_of_a_closed_channel_is_a_puzzle_for_its_readers_and_not_at_the_home(room: Room) -> None:
    await finish_match(room)
    close_to_others(room)
    await ask(room.kasia, room.channel)
    assert newest_puzzle(room).labels == ["Solve it"]
    assert "No recent game here" in (await ask(room.maksim, room.general)).text
    await room.use_cases.homes.settle(GuildId(room.discord.guild.id), ChannelId(room.general.id), None, UserId(1))
    home: Message = await room.discord.until(lambda: next(iter(room.discord.messages(room.general)), None))
    assert "What's on" in home.text
    assert "missed" not in home.text


async def test_the_home_post_is_not_edited_by_an_answer_but_announced(room: Room) -> None:
    announced: list[int] = []
    room.use_cases.events.puzzle_answered.subscribe(announced.append)
    guild = GuildId(room.discord.guild.id)
    await room.use_cases.puzzles.add(built_in_puzzle(guild, room.clock()))
    await room.use_cases.homes.settle(guild, ChannelId(room.channel.id), None, UserId(1))
    home: Message = await room.discord.until(lambda: next(iter(room.discord.messages(room.channel)), None))
    before = room.discord.message(home.id)
    async with room.services.store.read() as reader:
        puzzle = await reader.puzzles.get(PuzzleId(1))
    assert puzzle is not None
    assert "✅ Solved!" in (await solve(room, room.kasia, home, puzzle.solution[0])).text
    assert announced == [guild]
    assert room.discord.message(home.id) == before
    rebuilt = await room.services.coach.posts.daily_puzzle(guild, ChannelId(room.channel.id), room.clock())
    assert rebuilt is not None
    assert "✅ Solved by Kasia Wiśniewska" in rebuilt.text
