"""The context menus of people and of messages."""

from __future__ import annotations

import pytest

from loopback import File, Impossible, Interaction, Permission
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import play_rated_match, version_message

RECORD = File("Game.SGF", b"(;FF[4]GM[40]SZ[9]PB[Ann];B[aa];W[bb])")


async def reads_board(used: Interaction) -> None:
    """Returns when an answer has brought a board of 9x9 in letters, with one dot."""
    await used.until(lambda: len(used.messages) == 2)
    assert " 5 ....R...." in used.messages[-1].content


async def test_a_persons_menu_shows_their_profile_and_the_games_with_them(room: Room) -> None:
    await play_rated_match(room)
    assert "Максим" in await private_words(room.ola.use_menu(room.channel, "Profile", room.maksim))
    assert "Максим" in await private_words(room.ola.use_menu(room.channel, "Our games", room.maksim))
    for person, said in ((room.ola, "two different players"), (room.kasia, "No finished games")):
        assert said in await private_words(room.ola.use_menu(room.channel, "Our games", person)), person


async def test_a_record_in_a_message_opens(room: Room) -> None:
    told = room.kasia.say(room.channel, "Look at this", file=RECORD)
    shown = await private_message(room.ola.use_menu(room.channel, "Open this record", told))
    assert "2 moves" in shown.text
    bare = room.kasia.say(room.channel, "Hello")
    assert "no record" in await private_words(room.ola.use_menu(room.channel, "Open this record", bare))


async def test_a_board_is_read_as_text_also_when_it_has_no_buttons_left(room: Room) -> None:
    thread = await room.start_match(size="9x9", start="empty", clock="3d")
    first = await version_message(room, thread, 0)
    await room.play(thread, "e5")
    for board in (first, await version_message(room, thread, 1)):
        await reads_board(room.kasia.use_menu(thread, "Board as text", board))
    told = room.kasia.say(thread, "Hello")
    assert "isn't one of my boards" in await private_words(room.ola.use_menu(thread, "Board as text", told))


async def test_a_record_opens_in_a_message_that_was_forwarded_also_twice(room: Room) -> None:
    told = room.kasia.say(room.channel, "Look at this", file=RECORD)
    forwarded = room.ola.forward(told, room.general)
    again = room.maksim.forward(forwarded, room.channel)
    for reader, message in ((room.ola, forwarded), (room.kasia, again)):
        channel = room.discord.channel(message.channel_id)
        assert "2 moves" in (await private_message(reader.use_menu(channel, "Open this record", message))).text
    bare = room.kasia.forward(room.kasia.say(room.channel, "Hello"), room.channel)
    assert "no record" in await private_words(room.ola.use_menu(room.channel, "Open this record", bare))


async def test_a_forwarded_board_is_read_as_text(room: Room) -> None:
    thread = await room.start_match(size="9x9", start="empty", clock="3d")
    await room.play(thread, "e5")
    board = await version_message(room, thread, 1)
    forwarded = room.ola.forward(board, room.general)
    await reads_board(room.kasia.use_menu(room.general, "Board as text", forwarded))
    bare = room.kasia.forward(room.kasia.say(thread, "Hello"), room.general)
    assert "isn't one of my boards" in await private_words(room.ola.use_menu(room.general, "Board as text", bare))


async def test_a_forwarded_board_shows_nothing_to_one_who_does_not_see_its_channel(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    forwarded = room.ola.forward(await version_message(room, thread, 0), room.general)
    room.discord.deny(room.channel, Permission.VIEW_CHANNEL, room.kasia)
    assert "no longer exists" in await private_words(room.kasia.use_menu(room.general, "Board as text", forwarded))


async def test_the_buttons_of_a_forwarded_board_do_nothing(room: Room) -> None:
    thread = await room.start_match(size="9x9", clock="3d")
    board = await version_message(room, thread, 0)
    with pytest.raises(Impossible):
        room.ola.click(room.ola.forward(board, room.general), board.labels[0])


async def test_a_persons_menu_challenges_them_after_a_look_at_the_terms(room: Room) -> None:
    panel = await room.ola.use_menu(room.channel, "Challenge", room.maksim).followed()
    assert panel.control("Post challenge")
    assert "Withdraw" in (await room.ola.click(panel, "Post challenge").followed()).labels
    card = next(each for each in reversed(room.discord.messages(room.channel)) if "Accept" in each.labels)
    assert room.maksim.mention in card.text
    assert "yourself" in await private_words(room.ola.use_menu(room.channel, "Challenge", room.ola))
