"""Steps of a game that wait for what the bot says, with or without a board."""

from __future__ import annotations

from typing import Any

from loopback import Channel, Interaction, Message
from play.ids import UserId
from play.people.settings import PlayerSettings
from tests.bot.room import Room, private_message


async def skip_confirmations(room: Room) -> None:
    """Lets the moves of all three count without a confirmation, whatever the clock."""
    async with room.services.store.write() as tx:
        for person in (room.ola, room.maksim, room.kasia):
            await tx.people.save(PlayerSettings(UserId(person.id), confirm_days=False))


async def version_message(room: Room, channel: Channel, version: int, match: int = 1) -> Message:
    """Returns the message of a version when it is the only one with buttons."""

    def there() -> Message | None:
        own = [each for each in room.discord.messages(channel) if each.author_id == room.discord.bot.id]
        boards = [each for each in own if not each.reference and _shows(each, f"match:{match}:")]
        shows_it = len(boards) == 1 and _shows(boards[0], f"match:{match}:{version}:")
        return boards[0] if shows_it else None

    message: Message = await room.discord.until(there)
    await room.wait_for_outbox()
    return message


def _shows(message: Message, prefix: str) -> bool:
    """Returns whether the custom id of a component begins with `prefix`."""
    return any(str(part.get("custom_id")).startswith(prefix) for part in message.controls)


async def play_rated_match(room: Room, match: int = 1, **options: Any) -> Channel:
    """Plays a rated match of Ola and Максим, which she resigns after both have moved; returns its thread."""
    thread = await room.start_match(**{"size": "10x10", "rated": True, **options})
    for person, move in ((room.ola, "e5"), (room.maksim, "f6")):
        await person.command(thread, "move", point=move).answered()
    question = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(question, "Yes, resign").answered()
    await version_message(room, thread, 3, match)
    return thread


async def panel(interaction: Interaction) -> Message:
    """Returns what the player alone was shown last, in words or as a panel."""
    await interaction.answered()
    shown: list[Message] = await interaction.until(
        lambda: [message for message in interaction.messages if message.ephemeral and message.text]
    )
    return shown[-1]
