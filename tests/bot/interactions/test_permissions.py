"""Places to play: missing permissions are named, and impossible places explained."""

from __future__ import annotations

import pytest

from loopback import Message, Permission
from tests.bot.room import Room, private_words


@pytest.mark.parametrize(
    ("permission", "name"),
    [
        (Permission.ATTACH_FILES, "**Attach Files**"),
        (Permission.EMBED_LINKS, "**Embed Links**"),
        (Permission.READ_MESSAGE_HISTORY, "**Read Message History**"),
        (Permission.SEND_MESSAGES, "**Send Messages**"),
    ],
)
async def test_a_challenge_names_the_permission_that_is_missing(room: Room, permission: Permission, name: str) -> None:
    room.discord.deny(room.channel, permission)
    words = await private_words(room.ola.command(room.channel, "challenge"))
    assert f"I'm missing {name}." in words
    assert "under Permissions" in words
    assert room.discord.messages(room.channel) == []


async def test_several_missing_permissions_are_named_together(room: Room) -> None:
    room.discord.deny(room.channel, Permission.ATTACH_FILES | Permission.EMBED_LINKS)
    words = await private_words(room.ola.command(room.channel, "challenge"))
    assert "**Embed Links**, **Attach Files**" in words


async def test_in_a_thread_the_permission_for_threads_counts(room: Room) -> None:
    thread = await room.start_match()
    room.discord.deny(room.channel, Permission.SEND_MESSAGES_IN_THREADS)
    words = await private_words(room.kasia.command(thread, "challenge"))
    assert "**Send Messages in Threads**" in words


async def test_a_challenge_without_threads_is_posted_and_says_what_would_make_them(room: Room) -> None:
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    words = await private_words(room.ola.command(room.channel, "challenge", size="20x20"))
    assert words.startswith("✅ [Your challenge]")
    assert "allow me **Create Public Threads**" in words


async def test_what_needs_no_board_works_where_the_bot_was_brought_along(room: Room) -> None:
    room.discord.bring_along()
    for command in ("rules", "settings me", "help", "games"):
        assert "This server hasn't added me" not in await private_words(room.kasia.command(room.general, command))


async def test_a_direct_message_has_room_for_the_computer_only(room: Room) -> None:
    dm = room.ola.open_dm()
    words = await private_words(room.ola.command(dm, "challenge"))
    assert "Only the two of us are here" in words
    assert "`computer`" in words


@pytest.mark.parametrize("command", ["help", "rules", "settings me", "games"])
async def test_a_direct_message_has_the_commands_that_need_nobody_else(room: Room, command: str) -> None:
    shown: Message | None = (await room.ola.command(room.ola.open_dm(), command).answered()).message
    assert shown is not None
    assert shown.text
