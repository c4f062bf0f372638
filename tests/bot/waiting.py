"""Waiting for what the bot says, whether or not it shows a board."""

from __future__ import annotations

from loopback import Channel, Interaction, Message
from play.ids import UserId
from play.people import Person
from tests.bot.room import Room


async def at_once(room: Room) -> None:
    """Moves count at once from now on, whatever the clock."""
    async with room.client.store.write() as transaction:
        for person in (room.ola, room.maksim, room.kasia):
            await transaction.save_person(Person(UserId(person.id), confirm_days=False))


async def told(room: Room, channel: Channel, version: int, match: int = 1) -> Message:
    """The message of a version, once it is the newest one with buttons, and noted."""

    def there() -> Message | None:
        own = [each for each in room.discord.messages(channel) if each.author_id == room.discord.bot.id]
        told = [each for each in own if each.nonce == f"{match}:{version}"]
        earlier = [each for each in own if told and each.id < told[0].id and str(each.nonce).startswith(f"{match}:")]
        return told[0] if told and not any(each.labels for each in earlier) else None

    message: Message = await room.discord.until(there)
    await room.noted()
    return message


async def panel(interaction: Interaction) -> Message:
    """What the person alone was shown, in words or as a panel."""
    await interaction.answered()
    shown: list[Message] = await interaction.until(
        lambda: [message for message in interaction.messages if message.ephemeral and message.text]
    )
    return shown[-1]
