"""A match goes on elsewhere when its channel is deleted or a player leaves the server, and its players learn of it."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from loopback import Channel, Message, Permission, Person
from storage import schema
from tests.bot.panels import confirm
from tests.bot.room import Room, answering_board, private_words
from tests.bot.waiting import version_message
from tests.clock import DAY

pytestmark = pytest.mark.usefixtures("no_confirmation")

MEMBER = "/guilds/{guild_id}/members/{user_id}"


async def direct_message(room: Room, person: Person, words: str) -> Message:
    """Returns the direct message with these words, once the bot has sent it."""
    dm = person.open_dm()
    message: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(dm) if words in each.content), None)
    )
    return message


async def lose_channel(room: Room) -> Channel:
    """Deletes a match's thread together with its channel; its first board cannot be posted."""
    thread = await room.start_match(clock="3d")
    board = await room.wait_for_board(thread, 0)
    opened = await room.ola.click(board, "Type a move").answered()
    assert opened.modal is not None
    room.discord.delete_channel(room.channel)
    await room.use_cases.matches.move(1, room.ola.id, "c3", room.clock(), 1)  # type: ignore[arg-type]
    return thread


async def leave_server(room: Room) -> None:
    """Removes Максим from the server, unknown to the process that takes over."""
    await room.restart()
    room.discord.fault("GET", MEMBER, 404, code=10007)


async def test_a_match_whose_thread_is_deleted_goes_on_in_the_channel(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    room.discord.delete_channel(thread)
    await room.use_cases.matches.move(1, room.ola.id, "c3", room.clock(), 1)  # type: ignore[arg-type]
    board = await version_message(room, room.channel, 1)
    assert "C3" in board.content
    assert board.attachments
    assert "C2" in (await answering_board(room.maksim.command(room.channel, "move", point="c2"))).content


async def test_players_of_a_match_without_a_channel_get_its_board_and_play_on_in_direct_messages(room: Room) -> None:
    await lose_channel(room)
    board = await direct_message(room, room.maksim, "**Ola** played **C3**")
    assert board.attachments
    assert "I can no longer post where you play Ola" in (await direct_message(room, room.maksim, "⚠️")).content
    assert "where you play Максим" in (await direct_message(room, room.ola, "⚠️")).content
    await room.restart()
    opened = await room.maksim.click(board, "Type a move").answered()
    assert opened.modal is not None
    await room.maksim.submit(opened.modal, {"point": "c2"}).answered()
    await direct_message(room, room.ola, "**Максим** played **C2**")
    await room.wait_for_outbox()
    notices = [each for each in room.discord.messages(room.ola.open_dm()) if "⚠️" in each.content]
    assert len(notices) == 1


async def test_a_match_without_a_channel_is_continued_in_another_one(room: Room) -> None:
    await lose_channel(room)
    await direct_message(room, room.maksim, "⚠️")
    await room.wait_for_outbox()
    assert "`/continue`" in await private_words(room.maksim.command(room.general, "games"))
    assert "Your game continues" in await private_words(room.maksim.command(room.general, "continue"))
    board = await version_message(room, room.general, 1)
    assert board.attachments
    assert board.mentions == (room.maksim.id,)
    assert "C2" in (await answering_board(room.maksim.command(room.general, "move", point="c2"))).content
    assert "All your games still have their channels" in await private_words(
        room.maksim.command(room.general, "continue")
    )


async def continue_from_elsewhere(room: Room) -> None:
    """Lets Максим continue a match here that began on another server."""
    await lose_channel(room)
    await direct_message(room, room.maksim, "⚠️")
    await room.wait_for_outbox()
    async with room.services.store.write() as tx:
        await tx.connection.execute(update(schema.challenge).values(guild=4242))
    assert "Your game continues" in await private_words(room.maksim.command(room.general, "continue"))
    room.make_moderator(room.kasia, room.general)


@pytest.mark.parametrize(
    ("command", "options"),
    [("annul", {}), ("end", {"winner": "maksim"}), ("extend", {"player": "maksim", "time": "1d"})],
)
async def test_moderators_of_the_server_to_which_a_match_was_taken_decide_nothing(
    room: Room, command: str, options: dict[str, str]
) -> None:
    await continue_from_elsewhere(room)
    given = {name: room.maksim if value == "maksim" else value for name, value in options.items()}
    said = await private_words(room.kasia.command(room.general, f"moderate {command}", **given))
    assert "began on another server" in said
    assert await room.version() == 1


async def test_moderators_decide_by_its_number_about_a_match_that_has_lost_its_channel(room: Room) -> None:
    await lose_channel(room)
    await direct_message(room, room.maksim, "⚠️")
    room.make_moderator(room.kasia, room.general)
    asked = room.kasia.command(room.general, "moderate end", winner=room.maksim, game=1)
    assert "You decided the game." in await confirm(room.kasia, asked, "End game")


async def test_a_match_without_a_channel_ends_by_its_clock_and_its_players_learn_it(room: Room) -> None:
    await lose_channel(room)
    await direct_message(room, room.maksim, "⚠️")
    await room.pass_time(4 * DAY)
    await room.use_cases.clocks.flag_overdue()
    assert "is cancelled" in (await direct_message(room, room.ola, "is cancelled")).content
    assert "is cancelled" in (await direct_message(room, room.maksim, "is cancelled")).content


async def test_closed_direct_messages_stop_no_match(room: Room) -> None:
    room.maksim.close_dms()
    await lose_channel(room)
    await direct_message(room, room.ola, "⚠️")
    await room.wait_for_outbox()
    assert await room.version() == 1


async def test_a_player_who_left_the_server_gets_the_board_directly_and_the_other_learns_it(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    await leave_server(room)
    await private_words(room.ola.command(thread, "move", point="c3"))
    board = await version_message(room, thread, 1)
    assert "has left this server. I've sent them the board in a direct message" in board.content
    direct = await direct_message(room, room.maksim, "**Ola** played **C3**")
    assert "Type a move" in direct.labels


async def test_the_other_learns_that_a_player_who_left_gets_no_direct_messages(room: Room) -> None:
    room.maksim.close_dms()
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    await leave_server(room)
    await private_words(room.ola.command(thread, "move", point="c3"))
    assert "Let the clock end the game" in (await version_message(room, thread, 1)).content


async def test_a_lost_permission_is_no_reason_to_lose_the_channel_for_good(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    room.discord.deny(room.channel, Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS)
    await room.use_cases.matches.move(1, room.ola.id, "c3", room.clock(), 1)  # type: ignore[arg-type]
    await direct_message(room, room.maksim, "⚠️")
    await room.wait_for_outbox()
    room.discord.allow(room.channel, Permission.SEND_MESSAGES | Permission.SEND_MESSAGES_IN_THREADS)
    await answering_board(room.maksim.command(room.channel, "move", point="c2"))
    assert "C2" in (await version_message(room, room.channel, 2)).content


async def test_the_board_of_a_deleted_thread_comes_to_the_channel_though_nobody_moves(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    await room.play(thread, "c3")
    room.discord.delete_channel(thread)
    board = await version_message(room, room.channel, 1)
    assert "it's played in this channel" in board.content
    assert set(board.mentions) == {room.ola.id, room.maksim.id}
    assert "C2" in (await answering_board(room.maksim.command(room.channel, "move", point="c2"))).content


async def test_the_first_board_of_a_deleted_thread_comes_again(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    room.discord.delete_channel(thread)
    board = await room.discord.until(
        lambda: next((each for there in (room.channel, thread) for each in boards_in(room, there)), None)
    )
    await room.wait_for_outbox()
    assert "C3" in (await answering_board(room.ola.command(board.channel_id, "move", point="c3"))).content


def boards_in(room: Room, channel: Channel) -> list[Message]:
    return room.boards(channel) if channel.id in room.discord.world.channels else []


async def test_players_get_their_boards_directly_when_the_channel_is_deleted_though_nobody_moves(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    await room.play(thread, "c3")
    room.discord.delete_channel(room.channel)
    assert (await direct_message(room, room.maksim, "**Ola** played **C3**")).attachments
    assert "I can no longer post where you play Ola" in (await direct_message(room, room.maksim, "⚠️")).content
    await room.wait_for_outbox()


async def test_a_deleted_thread_of_a_game_that_is_over_brings_nothing(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.play(thread, "c3", "c2")
    await room.use_cases.matches.resign(1, room.ola.id, room.clock(), 9)  # type: ignore[arg-type]
    await room.wait_for_outbox()
    before = len(room.discord.messages(room.channel))
    room.discord.delete_channel(thread)
    await room.use_cases.forget_channel(thread.id)  # type: ignore[arg-type]
    await room.wait_for_outbox()
    assert len(room.discord.messages(room.channel)) == before


async def test_a_channel_without_games_that_is_deleted_disturbs_none(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    await room.wait_for_board(thread, 0)
    await room.use_cases.forget_channel(room.general.id)  # type: ignore[arg-type]
    await room.wait_for_outbox()
    assert len(room.boards(thread)) == 1
