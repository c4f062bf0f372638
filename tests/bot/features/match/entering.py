"""Turns that tests play, the ways to enter them, and the replies to messages."""

from __future__ import annotations

import asyncio

import pytest

from loopback import HANG_SECONDS, Channel, Interaction, Message, Person
from tests.bot.room import Room

TRAP = ("d5", "e5", "e6", "d4", "e4", "a2")
"""Seat 0 is to move, and F5 closes the chain around E5."""


async def submit_point(player: Person, board: Message, text: str) -> Interaction:
    """Submits the form of a board with a typed move."""
    opened = await player.click(board, "Type a move").answered()
    assert opened.modal is not None
    return player.submit(opened.modal, {"point": text})


async def by_command(room: Room, thread: Channel, text: str) -> Interaction:
    """Ola's move by `/move`."""
    return room.ola.command(thread, "move", point=text)


async def by_form(room: Room, thread: Channel, text: str) -> Interaction:
    """Ola's move by the form of the newest board."""
    return await submit_point(room.ola, room.boards(thread)[-1], text)


def replies_to(room: Room, said: Message, thread: Channel) -> list[Message]:
    """Returns the replies to a message so far."""
    found = room.discord.messages(thread)
    return [each for each in found if each.reference is not None and each.reference.message_id == said.id]


async def reply_to(room: Room, said: Message, thread: Channel) -> Message:
    """Waits for the reply to a message."""
    replies: list[Message] = await room.discord.until(lambda: replies_to(room, said, thread))
    return replies[0]


async def crash_inside(
    room: Room, monkeypatch: pytest.MonkeyPatch, thread: Channel, place: object, method: str, down: int = 0
) -> None:
    """Ola moves, and the bot ends inside a method; another process takes over after `down` milliseconds."""
    reached, gone_on = asyncio.Event(), asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        reached.set()
        await gone_on.wait()  # an event of its own would be collected, and the handler with it

    with monkeypatch.context() as patch:
        patch.setattr(place, method, never)
        await by_command(room, thread, "e5")
        async with asyncio.timeout(HANG_SECONDS):
            await reached.wait()
        await room.kill()
    room.clock.advance(down)
    await room.start()
