"""Waiting for what the bot says, whether or not it shows a board."""

from __future__ import annotations

from loopback import Channel, Interaction, Message
from play.ids import UserId
from play.people.settings import Person
from tests.bot.room import Room


async def at_once(room: Room) -> None:
    """Moves count at once from now on, whatever the clock."""
    async with room.services.store.write() as tx:
        for person in (room.ola, room.maksim, room.kasia):
            await tx.people.save(Person(UserId(person.id), confirm_days=False))


async def told(room: Room, channel: Channel, version: int, match: int = 1) -> Message:
    """The message of a version, once it is the newest one with buttons, and noted."""

    def there() -> Message | None:
        own = [each for each in room.discord.messages(channel) if each.author_id == room.discord.bot.id]
        boards = [each for each in own if not each.reference and _shows(each, f"match:{match}:")]
        shows_it = len(boards) == 1 and _shows(boards[0], f"match:{match}:{version}:")
        return boards[0] if shows_it else None

    message: Message = await room.discord.until(there)
    await room.noted()
    return message


def _shows(message: Message, prefix: str) -> bool:
    """Whether a button of the message begins so."""
    return any(str(part.get("custom_id")).startswith(prefix) for part in message.controls)


async def panel(interaction: Interaction) -> Message:
    """What the person alone was shown, in words or as a panel."""
    await interaction.answered()
    shown: list[Message] = await interaction.until(
        lambda: [message for message in interaction.messages if message.ephemeral and message.text]
    )
    return shown[-1]
