"""Public messages, cards and panels in tests: waits for them, opens them and chooses in them."""

from __future__ import annotations

from typing import Any

from loopback import Interaction, Message, Person
from loopback.components import walk
from tests.bot.room import Room, private_message, written_out


async def public_message(interaction: Interaction) -> Message:
    """Returns the newest message that answers an interaction for everybody in the channel."""
    await interaction.answered()
    found: list[Message] = await interaction.until(
        lambda: [message for message in interaction.messages if not message.ephemeral and message.text]
    )
    return found[-1]


async def wait_for_card(room: Room, card: Message, text: str) -> Message:
    """Returns a card when it contains the text."""

    def there() -> Message | None:
        seen: Message | None = room.discord.message(card)
        return seen if seen and text in seen.content else None

    seen: Message = await room.discord.until(there)
    return seen


async def open_terms(person: Person, card: Message) -> Message:
    """Opens the panel behind *Change terms*."""
    panel = (await person.click(card, "Change terms").answered()).message
    assert panel is not None
    return panel


async def choose(person: Person, panel: Message, select: str, *values: Any) -> Message:
    """Chooses in a select of a panel; returns the panel after it."""
    changed: Message = await person.click(panel, select, values).followed()
    return changed


async def confirm(person: Person, asked: Interaction, answer: str) -> str:
    """Answers the question before what cannot be undone; returns what takes its place."""
    question = await private_message(asked)
    after: Message = await person.click(question, answer).followed()
    return written_out(after.text)


def chosen(panel: Message) -> list[str]:
    """Returns the labels of what the menus of a panel have chosen."""
    options = [option for part in panel.controls for option in part.get("options", ())]
    return [option["label"] for option in options if option.get("default")]


def links(message: Message) -> dict[str, str]:
    """Returns the addresses of a message's link buttons by their labels."""
    return {part["label"]: part["url"] for part in walk(message.components) if "url" in part and "label" in part}


async def shared_copy(room: Room) -> Message:
    """Returns the only shared copy in the channel."""

    def there() -> Message | None:
        found = [each for each in room.discord.messages(room.channel) if "Shared by" in each.text]
        assert len(found) < 2
        return found[0] if found else None

    copy: Message = await room.discord.until(there)
    return copy
