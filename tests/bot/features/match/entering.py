"""Turns that tests play, the ways to enter them, and the replies to messages."""

from __future__ import annotations

from loopback import Channel, Interaction, Message, Person
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
