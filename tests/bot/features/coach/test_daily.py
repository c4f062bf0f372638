"""The daily on Discord: played on the board in a private panel, from a first look to a result that is shared."""

from __future__ import annotations

import re
from dataclasses import replace

from loopback import Channel, Message, Permission, Person
from play.community.daily import STEPS
from play.community.exercise import Kind
from play.community.exercises import exercises
from play.community.lesson import LESSONS
from play.community.puzzle import puzzle_day
from play.community.solving import DailyState
from play.ids import ChannelId, GuildId, UserId
from play.ratings.glicko import Rating
from tests.bot import forging
from tests.bot.room import Room, private_message, private_words
from tests.clock import DAY
from tests.solvers import settle


async def open_daily(room: Room, person: Person, channel: Channel | None = None) -> Message:
    """Returns the panel with the first step."""
    menu = await private_message(person.command(channel or room.channel, "puzzle"))
    return await person.click(menu, "Today's puzzles").followed()


async def state(room: Room, person: Person) -> DailyState:
    return await room.use_cases.dailies.state(puzzle_day(room.clock()), UserId(person.id))


async def play(room: Room, person: Person, panel: Message, move: str) -> Message:
    """Types a move into the form of the panel; returns the panel after it."""
    form = await person.click(panel, "Type a move").answered()
    assert form.modal is not None
    return await person.submit(form.modal, {"point": move}).followed()


async def solve_step(room: Room, person: Person, panel: Message) -> Message:
    """Solves the present step; returns the panel that says so."""
    step = (await state(room, person)).run.step
    while (at := await state(room, person)).run.step == step:
        assert at.solving is not None
        panel = await play(room, person, panel, at.solving.node.line[0])
    return panel


async def miss(room: Room, person: Person, panel: Message) -> Message:
    """Plays a move that is wrong; returns the panel that says so."""
    solving = (await state(room, person)).solving
    assert solving is not None
    wrong = next(str(move) for move in solving.position.moves() if str(move) not in solving.node.right)
    return await play(room, person, panel, wrong)


async def solve_all(room: Room, person: Person, channel: Channel | None = None) -> Message:
    """Returns the panel with the result."""
    panel = await open_daily(room, person, channel)
    for _ in range(STEPS - 1):
        panel = await person.click(await solve_step(room, person, panel), "Next puzzle").followed()
    return await person.click(await solve_step(room, person, panel), "See your result").followed()


async def test_the_menu_leads_to_all_puzzles(room: Room) -> None:
    menu = await private_message(room.kasia.command(room.channel, "puzzle"))
    further = ["Ten in a row", "Train: Captures", "Puzzles by kind"]
    assert menu.labels == ["Today's puzzles", "This server's puzzle", *further]
    assert "Solved on this server" not in menu.text
    alone = await private_message(room.kasia.command(room.kasia.open_dm(), "puzzle"))
    assert alone.labels == ["Today's puzzles", *further]


async def test_a_step_is_played_on_the_keypad_after_a_look(room: Room) -> None:
    panel = await open_daily(room, room.kasia)
    assert "**Kropka Daily**: puzzle 1 of 3" in panel.text
    assert "is to move" in panel.text
    pad = next(label for label in panel.labels if label.isdigit())
    look = await room.kasia.click(panel, pad).followed()
    assert any(label.startswith("Play ") for label in look.labels)
    assert (await state(room, room.kasia)).run.tries == 0
    again = await room.kasia.click(look, "Choose another").followed()
    assert again.labels == panel.labels
    look = await room.kasia.click(again, pad).followed()
    await room.restart()
    played = await room.kasia.click(look, next(label for label in look.labels if label.startswith("Play "))).followed()
    assert (await state(room, room.kasia)).run.tries == 1
    assert re.search("doesn't do it|Solved|Right", played.text)


async def test_who_confirms_no_moves_plays_with_one_tap(room: Room) -> None:
    await room.change_settings(room.kasia, confirm_days=False)
    panel = await open_daily(room, room.kasia)
    await room.kasia.click(panel, next(label for label in panel.labels if label.isdigit())).followed()
    assert (await state(room, room.kasia)).run.tries == 1


async def test_a_wrong_move_is_refuted_by_a_picture_and_may_be_tried_again(room: Room) -> None:
    wrong = await miss(room, room.kasia, await open_daily(room, room.kasia))
    assert "doesn't do it" in wrong.text
    assert "Your puzzle rating:" in wrong.text
    assert "a number on each of these dots" in (wrong.attachments[0].description or "")
    assert wrong.labels == ["Try again", "Show the solution"]
    again = await room.kasia.click(wrong, "Try again").followed()
    assert "puzzle 1 of 3" in again.text
    solved = await solve_step(room, room.kasia, again)
    assert "✅ Solved!" in solved.text
    assert "Your puzzle rating:" not in solved.text


async def test_what_cannot_be_played_is_no_mistake(room: Room) -> None:
    panel = await open_daily(room, room.kasia)
    form = await room.kasia.click(panel, "Type a move").answered()
    assert form.modal is not None
    words = await private_words(room.kasia.submit(form.modal, {"point": "Q"}))
    assert "isn't" in words
    assert (await state(room, room.kasia)).run.tries == 0


async def test_an_old_panel_shows_the_present_step(room: Room) -> None:
    first, second = await open_daily(room, room.kasia), await open_daily(room, room.kasia)
    await solve_step(room, room.kasia, second)
    pad = next(label for label in first.labels if label.isdigit())
    stale = await room.kasia.click(first, pad).followed()
    assert "You've moved on since" in stale.text
    assert "puzzle 2 of 3" in stale.text


async def test_the_result_is_a_grid_that_is_shared_once(room: Room) -> None:
    panel = await open_daily(room, room.kasia)
    again = await room.kasia.click(await miss(room, room.kasia, panel), "Try again").followed()
    panel = await room.kasia.click(await solve_step(room, room.kasia, again), "Next puzzle").followed()
    shown = await room.kasia.click(await miss(room, room.kasia, panel), "Show the solution").followed()
    assert "Here's the solution" in shown.text
    panel = await room.kasia.click(shown, "Next puzzle").followed()
    result = await room.kasia.click(await solve_step(room, room.kasia, panel), "See your result").followed()
    assert "Solved: 2 of 3\n🔵🔴\n⚪\n🔴\n🔥 1 day in a row" in result.text
    assert "Solved on this server by 1 player" in result.text
    for _ in range(2):
        assert "Shared" in await private_words(room.kasia.click(result, "Share here"))
    (posted,) = [each for each in room.discord.messages(room.channel) if "Kropka Daily" in each.text]
    assert "2/3\n🔵🔴\n⚪\n🔴" in posted.text
    assert room.kasia.mention in posted.text
    assert posted.labels == ["Today's puzzles"]
    other = await room.ola.click(posted, "Today's puzzles").followed()
    assert other.ephemeral
    assert "puzzle 1 of 3" in other.text


async def kinds(room: Room, person: Person) -> list[Kind | None]:
    """Returns the kinds of the exercises that a person has today."""
    run = (await state(room, person)).run
    return [room.use_cases.dailies.exercise_of(run, step).kind for step in range(STEPS)]


async def test_a_newcomer_begins_with_a_capture_an_escape_and_a_net_on_three_days(room: Room) -> None:
    for day in range(1, 4):
        panel = await open_daily(room, room.kasia)
        assert f"Day {day} of your first 3" in panel.text
        assert await kinds(room, room.kasia) == [Kind.CAPTURE, Kind.ESCAPE, Kind.NET]
        await room.pass_time(DAY)
    panel = await open_daily(room, room.kasia)
    assert "of your first 3" not in panel.text
    run = (await state(room, room.kasia)).run
    assert (run.first, run.plain) == (0, True)


async def test_nobody_is_asked_for_a_stop_before_they_know_it(room: Room) -> None:
    while room.use_cases.dailies.exercise(puzzle_day(room.clock()), STEPS - 1).kind is not Kind.STOP:
        room.clock.advance(DAY)
    async with room.services.store.write() as tx:
        for person in (room.kasia, room.ola):
            await tx.puzzles.save_skill(UserId(person.id), Rating(1500, 100, at=room.clock()))
    await room.use_cases.lessons.note_found(UserId(room.ola.id), "early", room.clock())
    for person in (room.kasia, room.ola):
        await open_daily(room, person)
    assert Kind.STOP not in await kinds(room, room.kasia)
    assert (await kinds(room, room.ola))[-1] is Kind.STOP


async def give_up_all(room: Room, person: Person) -> Message:
    """Returns the panel with the result of a daily without a solved step."""
    panel = await open_daily(room, person)
    for way in ("Next puzzle", "Next puzzle", "See your result"):
        shown = await person.click(await miss(room, person, panel), "Show the solution").followed()
        panel = await person.click(shown, way).followed()
    return panel


async def test_the_result_of_first_days_says_what_is_compared(room: Room) -> None:
    result = await solve_all(room, room.kasia)
    assert "They count for your streak, but servers are compared by the day's own three." in result.text
    assert "One missed day doesn't end your streak; two in a row do." in result.text
    assert re.search(r"Next puzzles: <t:\d+:R>", result.text)
    assert result.labels == ["Share here", "Play the Newcomer on 9×9"]
    shared = await private_words(room.kasia.click(result, "Share here"))
    assert "Shared" in shared
    (posted,) = [each for each in room.discord.messages(room.channel) if "Kropka Daily" in each.text]
    assert "first days 1: 3/3" in posted.text


async def test_the_result_has_the_boards_of_what_was_missed_and_one_next_step(room: Room) -> None:
    result = await give_up_all(room, room.kasia)
    again = [f"Look at {number} again" for number in range(1, 4)]
    assert result.labels == [*again, "Share here", "Lesson for what you missed"]
    board = await room.kasia.click(result, "Look at 3 again").followed()
    assert "Move 0 of" in board.text
    assert "Close a net" in board.text
    assert board.labels == ["Next move", "See your result"]
    later = await room.kasia.click(board, "Next move").followed()
    assert re.search(r"Move 1 of \d", later.text)
    assert "plays **" in later.text
    assert later.labels == ["Next move", "Move before", "See your result"]
    back = await room.kasia.click(later, "See your result").followed()
    assert back.labels == result.labels
    lesson = await room.kasia.click(back, "Lesson for what you missed").followed()
    assert "Close a chain" in lesson.text


async def test_who_has_had_the_lessons_trains_what_they_missed(room: Room) -> None:
    for key in LESSONS:
        await room.use_cases.lessons.note_found(UserId(room.kasia.id), key, room.clock())
    result = await give_up_all(room, room.kasia)
    assert result.labels[-1] == "Train what you missed"
    panel = await room.kasia.click(result, "Train what you missed").followed()
    assert "Training · Captures" in panel.text


async def test_an_exercise_that_is_still_to_be_solved_is_not_shown_move_by_move(room: Room) -> None:
    await open_daily(room, room.kasia)
    number = room.use_cases.dailies.number((await state(room, room.kasia)).run, 1)
    refused = await private_words(forging.click(room, room.kasia, room.channel, f"back:{number}::0"))
    assert "Move" not in refused


async def test_the_score_is_shown_where_points_count(room: Room) -> None:
    exercise = next(each for each in exercises().values() if each.kind is Kind.ENDING)
    panel = await private_message(
        forging.click(room, room.kasia, room.channel, f"train:ending:{exercise.number}::go:@")
    )
    position = exercise.position
    mine, theirs = (int(position.score[seat]) for seat in (position.to_act, 1 - position.to_act))
    assert re.search(rf"The score now: . {mine}, . {theirs}\.", panel.text)


async def test_who_may_not_write_there_shares_nothing(room: Room) -> None:
    result = await solve_all(room, room.kasia)
    room.discord.world.overwrite(
        room.channel, room.discord.guild.id, allow=Permission(0), deny=Permission.SEND_MESSAGES
    )
    assert "Shared" not in await private_words(room.kasia.click(result, "Share here"))
    assert not [each for each in room.discord.messages(room.channel) if "Kropka Daily" in each.text]


async def test_in_a_direct_message_the_result_is_to_be_copied(room: Room) -> None:
    result = await solve_all(room, room.kasia, room.kasia.open_dm())
    assert "copy this" in result.text
    assert "3/3\n🔴\n🔴\n🔴\n```" in result.text
    assert result.labels == ["Play the Newcomer on 9×9"]


async def test_another_user_has_a_daily_of_their_own(room: Room) -> None:
    await solve_all(room, room.kasia)
    panel = await open_daily(room, room.ola)
    assert "puzzle 1 of 3" in panel.text


async def test_the_next_day_has_other_puzzles_and_yesterdays_may_be_ended(room: Room) -> None:
    panel = await open_daily(room, room.kasia)
    day = puzzle_day(room.clock())
    await room.pass_time(DAY)
    fresh = await open_daily(room, room.kasia)
    assert "puzzle 1 of 3" in fresh.text
    for tries in range(STEPS):
        await room.use_cases.dailies.play(day, UserId(room.kasia.id), tries, None, room.clock())
    late = await room.kasia.click(panel, "Type a move").followed()
    assert "so your answer no longer counts in its results" in late.text
    assert "Today's puzzles" in late.labels


async def test_a_server_for_beginners_offers_moves_to_choose_from(room: Room) -> None:
    guild = GuildId(room.discord.guild.id)
    await room.use_cases.dailies.change_place(guild, lambda place: replace(place, choices=True), UserId(1))
    panel = await open_daily(room, room.kasia)
    solving = (await state(room, room.kasia)).solving
    assert solving is not None
    assert panel.labels == [*solving.exercise.answers]
    right = next(move for move in panel.labels if move in solving.node.right)
    solved = await room.kasia.click(panel, right).followed()
    assert "Solved at the first try" in solved.text


def posts(room: Room) -> list[Message]:
    return [each for each in room.discord.messages(room.general) if "Kropka Daily" in each.text]


async def test_where_a_manager_wants_it_it_is_posted_once_a_day_and_tells_how_it_went(room: Room) -> None:
    guild = GuildId(room.discord.guild.id)
    await room.use_cases.dailies.change_place(
        guild, lambda place: replace(place, hour=0).moved(ChannelId(room.general.id), room.clock()), UserId(1)
    )
    await settle(room.services.store, UserId(room.kasia.id), room.clock())
    post: Message = await room.discord.until(lambda: next(iter(posts(room)), None))
    assert post.labels == ["Today's puzzles"]
    assert len(post.attachments) == 1
    await room.restart()
    panel = await room.kasia.click(post, "Today's puzzles").followed()
    assert panel.ephemeral
    for _ in range(STEPS - 1):
        panel = await room.kasia.click(await solve_step(room, room.kasia, panel), "Next puzzle").followed()
    await solve_step(room, room.kasia, panel)
    await room.pass_time(DAY)
    room.use_cases.events.daily_set()
    await room.discord.until(lambda: len(posts(room)) == 2 or None)

    def recapped() -> bool | None:
        shown = room.discord.message(post.id)
        return "1 player here solved it" in (shown.content if shown else "") or None

    await room.discord.until(recapped)
    shown = room.discord.message(post.id)
    assert shown is not None
    assert "⚡ Fastest without a mistake: Kasia Wiśniewska (" in shown.content
    assert len(posts(room)) == 2


async def _has_trouble(room: Room, guild: GuildId) -> bool:
    return (await room.use_cases.dailies.place(guild)).trouble is not None


async def test_a_post_that_is_not_allowed_is_explained_to_managers(room: Room) -> None:
    room.discord.allow(room.general, Permission.MANAGE_GUILD, room.ola)
    panel = await private_message(room.ola.command(room.general, "settings server"))
    daily = await room.ola.click(panel, "Daily puzzles").followed()
    assert "no channel of their own" in daily.text
    room.discord.world.overwrite(
        room.channel, room.discord.guild.id, allow=Permission(0), deny=Permission.SEND_MESSAGES
    )
    await room.ola.click(daily, "Channel of the daily puzzles", [room.channel.id]).followed()
    guild = GuildId(room.discord.guild.id)
    await room.use_cases.dailies.change_place(
        guild, lambda place: replace(place, hour=0).moved(place.channel, room.clock()), UserId(room.ola.id)
    )

    await room.until(lambda: _has_trouble(room, guild))
    again = await room.ola.click(daily, "Compare servers").followed()
    assert "I'm not allowed to post in" in again.text
    assert "**Comparison** is on" in again.text
    assert "Post now" in again.labels


async def test_a_manager_lets_members_choose_among_moves_on_this_server_alone(room: Room) -> None:
    room.discord.allow(room.general, Permission.MANAGE_GUILD, room.ola)
    panel = await private_message(room.ola.command(room.general, "settings server"))
    daily = await room.ola.click(panel, "Daily puzzles").followed()
    assert "**Moves to choose from** are off" in daily.text
    daily = await room.ola.click(daily, "Offer moves").followed()
    assert "**Moves to choose from** are on" in daily.text
    offered = await open_daily(room, room.kasia)
    solving = (await state(room, room.kasia)).solving
    assert solving is not None
    assert offered.labels == [*solving.exercise.answers]
    wrong = next(move for move in offered.labels if move not in solving.node.right)
    missed = await room.kasia.click(offered, wrong).followed()
    assert "doesn't do it" in missed.text
    assert "Type a move" in (await open_daily(room, room.kasia, room.kasia.open_dm())).labels
    daily = await room.ola.click(daily, "Play on the board").followed()
    assert "**Moves to choose from** are off" in daily.text
    assert "Type a move" in (await open_daily(room, room.kasia)).labels


async def test_a_stop_among_moves_to_choose_from_has_its_name(room: Room) -> None:
    guild, kasia = GuildId(room.discord.guild.id), UserId(room.kasia.id)
    await room.use_cases.dailies.change_place(guild, lambda place: replace(place, choices=True), UserId(1))
    while room.use_cases.dailies.exercise(puzzle_day(room.clock()), STEPS - 1).kind is not Kind.STOP:
        room.clock.advance(DAY)
    await settle(room.services.store, kasia, room.clock())
    await room.use_cases.dailies.open(kasia, None, room.clock())
    for tries in range(STEPS - 1):
        await room.use_cases.dailies.play(puzzle_day(room.clock()), kasia, tries, None, room.clock())
    panel = await open_daily(room, room.kasia)
    assert "STOP" in panel.labels
    assert "❌ Not STOP: it costs you" in (await room.kasia.click(panel, "STOP").followed()).text
