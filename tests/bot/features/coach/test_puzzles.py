"""The daily puzzle of a server, answered by buttons."""

from __future__ import annotations

import pytest

from bot.interactions.layout import Part, files, layout
from loopback import Channel, Interaction, Message, Permission, Person
from play.ids import ChannelId, GuildId, MessageId, UserId
from tests.bot.features.coach.missed_capture import MissedCaptureEngine, finish_match, picture_answer
from tests.bot.forging import click_on
from tests.bot.room import Room, private_message, private_words
from tests.clock import DAY
from tests.old_puzzles import built_in_puzzle

RIGHT = "✅ Right! That captures 2 dots: E4, F4."


@pytest.fixture
def engine() -> MissedCaptureEngine:
    return MissedCaptureEngine()


async def ask(room: Room, person: Person, channel: Channel) -> Interaction:
    """Asks for the puzzle of the server by the menu of `/puzzle`."""
    menu = await private_message(person.command(channel, "puzzle"))
    return person.click(menu, "This server's puzzle")


def newest_puzzle(room: Room) -> Message:
    return next(message for message in reversed(room.discord.messages(room.channel)) if message.attachments)


async def post_puzzle(room: Room) -> Message:
    """Returns the message of today's puzzle, for which Kasia asks."""
    await finish_match(room)
    words = await private_words(await ask(room, room.kasia, room.channel))
    assert "Today's puzzle" in words
    return newest_puzzle(room)


async def test_in_the_thread_of_a_game_the_puzzle_is_posted_above_it(room: Room) -> None:
    await finish_match(room)
    thread = next(each for each in room.discord.threads)
    assert "Today's puzzle" in await private_words(await ask(room, room.kasia, thread))
    assert newest_puzzle(room).attachments
    assert not any("is to move" in message.content for message in room.discord.messages(thread)[-1:])


async def test_a_puzzle_is_found_in_a_finished_game(room: Room) -> None:
    puzzle = await post_puzzle(room)
    assert "🔴 (red) is to move" in puzzle.content
    assert sorted(puzzle.labels) == ["A1", "B2", "F3"]


async def test_the_right_answer_names_the_captured_dots_and_its_solver(room: Room) -> None:
    puzzle = await post_puzzle(room)
    answer = await picture_answer(room.kasia.click(puzzle, "F3"))
    assert answer.content.startswith(RIGHT)
    shown = room.discord.message(puzzle.id)
    assert shown is not None
    assert "✅ Solved by Kasia Wiśniewska" in shown.content


async def test_a_wrong_answer_shows_the_right_one_and_a_second_press_shows_both(room: Room) -> None:
    puzzle = await post_puzzle(room)
    answer = await picture_answer(room.kasia.click(puzzle, "B2"))
    assert "The right move was **F3**" in answer.content
    again = await picture_answer(room.kasia.click(puzzle, "F3"))
    assert "Your answer to this puzzle was **B2**" in again.content
    assert "The right move was **F3**" in again.content
    assert "puzzle rating" not in again.content
    shown = room.discord.message(puzzle.id)
    assert shown is not None
    assert "Solved" not in shown.content


async def test_a_player_of_the_game_answers_without_a_score(room: Room) -> None:
    puzzle = await post_puzzle(room)
    answer = await picture_answer(room.ola.click(puzzle, "F3"))
    assert answer.content.startswith(RIGHT)
    assert "one of your own games" in answer.content
    assert "puzzle rating" not in answer.content
    shown = room.discord.message(puzzle.id)
    assert shown is not None
    assert "Solved" not in shown.content
    assert await room.services.coach.puzzles.table(GuildId(room.discord.guild.id), room.clock()) == []


async def test_who_has_answered_is_shown_the_solution_and_the_table(room: Room) -> None:
    puzzle = await post_puzzle(room)
    await picture_answer(room.kasia.click(puzzle, "F3"))
    answer = await picture_answer(await ask(room, room.kasia, room.general))
    assert "waiting" not in answer.content
    assert "Your answer to this puzzle was **F3**" in answer.content
    assert "1. Kasia Wiśniewska: 1 of 1 · 🔥 1" in answer.content


async def test_a_puzzle_of_another_server_is_neither_answered_nor_shown(room: Room) -> None:
    puzzle = await post_puzzle(room)
    await picture_answer(room.kasia.click(puzzle, "F3"))
    dm = room.maksim.open_dm()
    elsewhere = await room.maksim.command(dm, "leaderboard", everywhere=True).followed()
    words = await private_words(click_on(room, room.maksim, elsewhere, "puzzle:1:0"))
    assert "This puzzle no longer exists" in words
    now = room.discord.message(elsewhere)
    assert now is not None
    assert "Kasia" not in now.text


async def test_a_puzzle_outlives_the_process_and_is_posted_once_a_day(room: Room) -> None:
    puzzle = await post_puzzle(room)
    await room.restart()
    await picture_answer(room.kasia.click(puzzle, "F3"))
    words = await private_words(await ask(room, room.maksim, room.general))
    assert str(puzzle.id) in words
    assert "1. Kasia Wiśniewska: 1 of 1" in words


async def test_a_day_without_a_good_position_has_no_puzzle_of_the_server(room: Room) -> None:
    words = await private_words(await ask(room, room.kasia, room.channel))
    assert "No recent game here has a missed capture" in words


async def test_a_built_in_puzzle_of_former_days_still_answers(room: Room) -> None:
    guild = GuildId(room.discord.guild.id)
    await room.services.coach.puzzles.add(built_in_puzzle(guild, room.clock()))
    await private_words(await ask(room, room.kasia, room.channel))
    puzzle = newest_puzzle(room)
    assert "from the built-in set" in puzzle.content
    answer = await picture_answer(room.kasia.click(puzzle, puzzle.labels[0]))
    assert "captures" in answer.content


def close_to_others(room: Room) -> None:
    """Takes #dots from @everyone, and gives it to the bot and to Kasia."""
    everyone = room.discord.guild.id
    room.discord.world.overwrite(room.channel, everyone, allow=Permission(0), deny=Permission.VIEW_CHANNEL)
    for person in (None, room.kasia):
        room.discord.allow(room.channel, Permission.VIEW_CHANNEL, person)


async def test_a_game_of_a_closed_channel_is_no_puzzle_for_others(room: Room) -> None:
    await finish_match(room)
    close_to_others(room)
    words = await private_words(await ask(room, room.kasia, room.general))
    assert "No recent game here has a missed capture" in words
    assert not [message for message in room.discord.messages(room.general) if message.attachments]


async def test_a_game_of_a_closed_channel_is_a_puzzle_for_its_readers_and_not_at_the_home(room: Room) -> None:
    await finish_match(room)
    close_to_others(room)
    await private_words(await ask(room, room.kasia, room.channel))
    assert sorted(newest_puzzle(room).labels) == ["A1", "B2", "F3"]
    await room.use_cases.homes.settle(GuildId(room.discord.guild.id), ChannelId(room.general.id), None, UserId(1))
    home: Message = await room.discord.until(lambda: next(iter(room.discord.messages(room.general)), None))
    assert "What's on" in home.text
    assert "missed" not in home.text


async def test_right_answers_on_following_days_are_a_streak(room: Room) -> None:
    puzzles, guild = room.services.coach.puzzles, GuildId(room.discord.guild.id)
    answer = None
    for _ in range(3):
        puzzle = await puzzles.add(built_in_puzzle(guild, room.clock()))
        await puzzles.mark_posted(puzzle, ChannelId(room.channel.id), MessageId(5))
        await private_words(await ask(room, room.kasia, room.channel))
        number = puzzle.answers.index(puzzle.solution[0])
        answer = await picture_answer(click_on(room, room.kasia, await a_message(room), f"puzzle:{puzzle.id}:{number}"))
        await room.pass_time(DAY)
    assert answer is not None
    assert "🔥 3 days in a row with a right answer" in answer.content


async def a_message(room: Room) -> Message:
    """Returns a message of the bot on the server."""
    return await room.ola.command(room.channel, "leaderboard").followed()


async def test_the_home_post_is_not_edited_by_an_answer_but_announced(room: Room) -> None:
    announced: list[int] = []
    room.use_cases.events.puzzle_answered.subscribe(announced.append)
    guild = GuildId(room.discord.guild.id)
    await room.services.coach.puzzles.add(built_in_puzzle(guild, room.clock()))
    shown = await room.services.coach.daily_puzzle(guild, ChannelId(room.channel.id), room.clock())
    assert shown is not None
    parts: list[Part] = [shown.text, shown.file, shown.buttons]
    channel = room.client.get_partial_messageable(room.channel.id)
    home = await channel.send(view=layout(parts), files=files(parts))
    await room.services.coach.mark_posted(shown.puzzle, ChannelId(room.channel.id), MessageId(home.id))
    before = room.discord.message(home.id)
    await picture_answer(room.kasia.click(home.id, shown.puzzle.solution[0]))
    assert room.discord.message(home.id) == before
    assert announced == [guild]
    rebuilt = await room.services.coach.daily_puzzle(guild, ChannelId(room.channel.id), room.clock())
    assert rebuilt is not None
    assert "✅ Solved by Kasia Wiśniewska" in rebuilt.text
    linked = await private_words(await ask(room, room.ola, room.general))
    assert f"{room.channel.id}/{home.id}" in linked
