"""A game whose thread is closed to its players goes on in the channel where its card is, and they read why."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from loopback import Channel, Impossible, Permission
from play.ids import MatchId
from play.people.settings import Reminders
from tests.bot.features.match.delivery.test_digests import digests, pass_to_morning, switch_on
from tests.bot.features.match.delivery.test_lost_channels import direct_message
from tests.bot.room import Room, answering_board, private_message, private_words
from tests.bot.waiting import skip_confirmations, version_message
from tests.clock import DAY, HOUR

THREAD = "/channels/{channel_id}"
REFUSED = "Discord doesn't let me use a thread for this game"
LOCKED = "A moderator has locked the game's thread"
ADDED = "PUT /channels/{channel_id}/thread-members/{user_id}"

REFUSALS = ((400, 160006), (403, 50013), (400, 50083), (403, 50001), (403, 160005), (400, 77777))
"""Answers to opening a thread; nobody knows the last one."""


@pytest.fixture(autouse=True)
async def _unasked(room: Room) -> None:
    await skip_confirmations(room)


async def keep_threads(room: Room) -> None:
    """Lets a week pass, and the bot look at the threads that are due."""
    await room.pass_time(7 * DAY)
    await room.bot.workers.threads.poll()


async def remind(room: Room) -> None:
    await room.pass_time(4 * DAY + HOUR)
    await room.use_cases.clocks.remind()


async def by_reminder_in_the_channel(room: Room) -> None:
    await remind(room)


async def by_reminder_in_private(room: Room) -> None:
    await room.change_settings(room.ola, reminders=Reminders.DM)
    await remind(room)


async def by_digest(room: Room) -> None:
    await switch_on(room, room.ola)
    await pass_to_morning(room)


ROADS = (keep_threads, by_reminder_in_the_channel, by_reminder_in_private, by_digest)
Road = Callable[[Room], Awaitable[None]]


async def start(room: Room, clock: str = "5d", **options: str) -> Channel:
    thread = await room.start_match(clock=clock, **options)
    await room.wait_for_board(thread, 0)
    return thread


async def require_played_in(room: Room, channel: Channel, version: int = 0, *, reason: str) -> None:
    """Checks that a channel has the newest board of match 1, once and with buttons, that it says why, and that commands
    work there."""
    board = await version_message(room, channel, version)
    assert reason in board.content
    assert set(board.mentions) == {room.ola.id, room.maksim.id}
    assert len(room.boards(channel)) == 1
    assert "Type a move" in board.labels
    assert "no game in this channel" not in await private_words(room.ola.command(channel, "clock"))


@pytest.mark.sample(5)
@pytest.mark.parametrize(("status", "code"), REFUSALS)
@pytest.mark.parametrize("road", ROADS)
async def test_a_thread_that_discord_does_not_open_is_left(room: Room, road: Road, status: int, code: int) -> None:
    thread = await start(room, "30d" if road is keep_threads else "5d")
    room.discord.archive(thread)
    fault = room.discord.fault("PATCH", THREAD, status, code=code, times=None)
    await road(room)
    await require_played_in(room, room.channel, reason=LOCKED if code == 160005 else REFUSED)
    assert len(fault.hits) == 2  # the second time for the board, just before it is posted elsewhere
    assert "C3" in (await answering_board(room.ola.command(room.channel, "move", point="c3"))).content
    assert "D2" in (await answering_board(room.maksim.command(room.channel, "move", point="d2"))).content


async def test_the_thread_that_a_moderator_archives_is_opened_by_the_next_reminder(room: Room) -> None:
    thread = await start(room)
    room.discord.archive(thread)
    with pytest.raises(Impossible):
        room.ola.command(thread, "board")
    await remind(room)
    await room.wait_for_outbox()
    assert "C3" in (await answering_board(room.ola.command(thread, "move", point="c3"))).content
    assert room.boards(room.channel) == []


@pytest.mark.parametrize("archived", [False, True])
async def test_the_thread_that_a_moderator_locks_is_left_at_once(room: Room, *, archived: bool) -> None:
    thread = await start(room, "10m+30s")
    if archived:
        room.discord.archive(thread, locked=True)
    else:
        room.discord.lock(thread)
    with pytest.raises(Impossible):
        room.maksim.command(thread, "board")
    await require_played_in(room, room.channel, reason=LOCKED)
    assert "C3" in (await answering_board(room.ola.command(room.channel, "move", point="c3"))).content
    assert "D2" in (await answering_board(room.maksim.command(room.channel, "move", point="d2"))).content


async def test_a_locked_thread_is_left_although_the_bot_may_write_there(room: Room) -> None:
    room.discord.allow(room.channel, Permission.MANAGE_THREADS)
    thread = await start(room)
    room.discord.lock(thread)
    await require_played_in(room, room.channel, reason=LOCKED)
    assert len(room.boards(thread)) == 1


async def lock_while_away(room: Room, clock: str = "5d") -> Channel:
    """Starts a match whose thread is locked while the bot does not run."""
    thread = await start(room, clock)
    await room.stop()
    room.discord.archive(thread, locked=True)
    await room.start()
    return thread


@pytest.mark.sample(3)
@pytest.mark.parametrize("road", ROADS)
async def test_a_thread_that_was_locked_while_the_bot_was_away_is_left_later(room: Room, road: Road) -> None:
    await lock_while_away(room, "30d" if road is keep_threads else "5d")
    await road(room)
    await require_played_in(room, room.channel, reason=LOCKED)


async def test_to_continue_a_game_leaves_its_locked_thread(room: Room) -> None:
    await lock_while_away(room)
    assert "still have their channels" in await private_words(room.maksim.command(room.general, "continue"))
    await require_played_in(room, room.channel, reason=LOCKED)


async def test_the_thread_of_a_player_on_vacation_is_left_as_well(room: Room) -> None:
    thread = await start(room, "1d", breaks="all")
    taken = await private_message(room.ola.command(thread, "vacation"))
    await room.ola.click(taken, "Take 14 days").followed()
    await version_message(room, thread, 1)
    await room.stop()
    room.discord.archive(thread, locked=True)
    await room.start()
    await keep_threads(room)
    await require_played_in(room, room.channel, 1, reason=LOCKED)


async def test_a_move_of_a_match_whose_thread_was_locked_brings_its_board_to_the_channel(room: Room) -> None:
    await lock_while_away(room)
    await room.use_cases.matches.move(1, room.ola.id, "c3", room.clock(), 1)  # type: ignore[arg-type]
    await require_played_in(room, room.channel, 1, reason=REFUSED)
    assert "D2" in (await answering_board(room.maksim.command(room.channel, "move", point="d2"))).content


async def test_a_restart_between_leaving_the_thread_and_the_board_loses_neither(room: Room) -> None:
    thread = await start(room)
    room.discord.fault("POST", "/channels/{channel_id}/messages", 500, times=None)
    room.discord.lock(thread)
    await room.discord.until(lambda: [each for each in room.discord.requests if "messages" in each.endpoint][3:])
    await room.stop()
    room.discord.end_faults()
    await room.start()
    await version_message(room, room.channel, 0)
    assert "C3" in (await answering_board(room.ola.command(room.channel, "move", point="c3"))).content


async def test_the_board_in_a_locked_thread_plays_no_second_move(room: Room) -> None:
    thread = await start(room)
    old = room.boards(thread)[0]
    room.discord.lock(thread)
    await require_played_in(room, room.channel, reason=LOCKED)
    opened = await room.ola.click(old, "Type a move").answered()  # the owner of the server may press it
    assert opened.modal is not None
    await answering_board(room.ola.command(room.channel, "move", point="c3"))
    assert "moved on" in await private_words(room.ola.submit(opened.modal, {"point": "d2"}))
    assert await room.version() == 1


async def test_a_rematch_leaves_the_locked_thread_of_the_game_before(room: Room) -> None:
    thread = await start(room, "3d")
    await room.cancel_match(room.ola, thread)
    last = await version_message(room, thread, 1)
    await room.ola.click(last, "Rematch").answered()
    card = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if "Accept" in each.labels), None)
    )
    await room.maksim.click(card, "Accept").followed()
    await version_message(room, thread, 0, match=2)
    room.discord.lock(thread)
    board = await version_message(room, room.channel, 0, match=2)
    assert LOCKED in board.content
    assert "C3" in (await answering_board(room.maksim.command(room.channel, "move", point="c3"))).content


async def test_a_game_stays_out_of_a_channel_that_has_another_one_and_goes_to_its_players(room: Room) -> None:
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    await room.maksim.click(await room.challenge(opponent=room.maksim, clock="3d"), "Accept").followed()
    await version_message(room, room.channel, 0)
    room.discord.allow(room.channel, Permission.CREATE_PUBLIC_THREADS)
    card = await room.challenge(opponent=room.maksim, clock="3d")
    await room.maksim.click(card, "Accept").followed()
    room.discord.lock(await room.wait_for_thread(card))
    assert "I can no longer post where you play" in (await direct_message(room, room.maksim, "⚠️")).content
    await room.wait_for_outbox()
    assert "Your game continues" in await private_words(room.maksim.command(room.general, "continue"))
    await version_message(room, room.general, 0, match=2)
    assert (await room.use_cases.matches.load(MatchId(1))).channel == room.channel.id


async def test_a_game_of_a_private_thread_is_not_shown_in_its_channel(room: Room) -> None:
    thread = room.ola.open_thread(room.channel, "Secret", private=True)
    room.discord.add_to_thread(thread, room.maksim)
    room.discord.world.join(thread, [room.discord.bot.id])
    options = {"opponent": room.maksim, "size": "5x5", "start": "empty", "clock": "5d"}
    await room.ola.command(thread, "challenge", **options).answered()
    await room.maksim.click(room.discord.messages(thread)[-1], "Accept").followed()
    await version_message(room, thread, 0)
    room.discord.lock(thread)
    await room.use_cases.matches.move(1, room.ola.id, "c3", room.clock(), 1)  # type: ignore[arg-type]
    assert (await direct_message(room, room.maksim, "**Ola** played **C3**")).attachments
    await room.wait_for_outbox()
    assert room.discord.messages(room.channel) == []


async def test_the_thread_that_someone_opened_on_the_card_is_opened_again(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim, clock="5d")
    thread = room.kasia.start_thread(card, "Ola against Максим")
    await room.maksim.click(card, "Accept").followed()
    await version_message(room, thread, 0)
    room.discord.archive(thread)
    await remind(room)
    await room.wait_for_outbox()
    assert "C3" in (await answering_board(room.ola.command(thread, "move", point="c3"))).content


async def test_a_reminder_in_private_has_what_is_needed_to_move(room: Room) -> None:
    thread = await start(room)
    room.discord.archive(thread)
    await by_reminder_in_private(room)
    told = await direct_message(room, room.ola, "is gone")
    assert told.attachments
    opened = await room.ola.click(told, "Type a move").answered()
    assert opened.modal is not None
    assert "C3" in await private_words(room.ola.submit(opened.modal, {"point": "c3"}))
    assert "C3" in (await version_message(room, thread, 1)).content


async def test_a_reminder_links_to_the_board_in_the_channel_once_the_thread_was_left(room: Room) -> None:
    await lock_while_away(room)
    await by_reminder_in_private(room)
    board = await version_message(room, room.channel, 0)
    assert f"/{room.channel.id}/{board.id})" in (await direct_message(room, room.ola, "is gone")).content


async def test_a_reminder_comes_without_the_picture_that_discord_refuses(room: Room) -> None:
    await start(room)
    room.discord.fault("POST", "/channels/{channel_id}/messages", 400, code=240000, word="is gone")
    await by_reminder_in_private(room)
    told = await direct_message(room, room.ola, "is gone")
    assert (told.attachments, "Type a move" in told.labels) == ((), True)


async def test_a_digest_opens_the_archived_thread_that_it_links_to(room: Room) -> None:
    thread = await start(room)
    board = room.boards(thread)[0]
    room.discord.archive(thread)
    await by_digest(room)
    (digest,) = digests(room, room.ola)
    assert f"/{thread.id}/{board.id})" in digest.text
    assert not room.discord.world.channels[thread.id].archived


async def test_a_digest_links_to_the_board_in_the_channel_once_the_thread_was_left(room: Room) -> None:
    await lock_while_away(room)
    await by_digest(room)
    board = await version_message(room, room.channel, 0)
    room.bot.workers.digests.wake()
    (digest,) = await room.discord.until(lambda: digests(room, room.ola))
    assert f"/{room.channel.id}/{board.id})" in digest.text


async def test_the_third_player_of_a_rematch_is_added_to_its_thread(room: Room) -> None:
    thread = await start(room, "3d")
    await room.cancel_match(room.ola, thread)
    await version_message(room, thread, 1)
    room.maksim.leave_thread(thread)
    await room.ola.click(room.boards(thread)[-1], "Rematch").answered()
    card = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if "Accept" in each.labels), None)
    )
    room.maksim.leave_thread(thread)
    before = sum(each.endpoint == ADDED for each in room.discord.requests)
    await room.maksim.click(card, "Accept").followed()
    await version_message(room, thread, 0, match=2)
    assert sum(each.endpoint == ADDED for each in room.discord.requests) - before == 2
    assert room.maksim.id in room.discord.world.channels[thread.id].members


async def test_both_players_are_added_to_the_thread_in_which_a_game_is_continued(room: Room) -> None:
    thread = await start(room, "3d")
    room.discord.delete_channel(thread)
    room.discord.delete_channel(room.channel)
    await room.use_cases.matches.move(1, room.ola.id, "c3", room.clock(), 1)  # type: ignore[arg-type]
    await direct_message(room, room.maksim, "⚠️")
    await room.wait_for_outbox()
    talk = room.ola.open_thread(room.general, "Dots")
    assert "Your game continues" in await private_words(room.ola.command(talk, "continue"))
    await version_message(room, talk, 1)
    assert {room.ola.id, room.maksim.id} <= {*room.discord.world.channels[talk.id].members}
