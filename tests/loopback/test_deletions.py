"""Events that tell the bot what was deleted: messages one by one or together, threads, and channels with theirs."""

from __future__ import annotations

from typing import Any

import pytest

from loopback import Channel, Discord, Permission, Person
from loopback.dispatches import Dispatch, dispatches
from loopback.events import Event


@pytest.fixture
def sent(discord: Discord) -> list[Dispatch]:
    """The events that the bot gets from now on."""
    found: list[Dispatch] = []

    def note(event: Event) -> None:
        found.extend(dispatches(discord.wire, event))

    discord.world.listeners.append(note)
    return found


def told(sent: list[Dispatch]) -> list[tuple[str, dict[str, Any]]]:
    return [(each.name, each.data) for each in sent]


def test_messages_that_are_deleted_together_are_one_event(
    discord: Discord, dots: Channel, ola: Person, sent: list[Dispatch]
) -> None:
    messages = [ola.say(dots, text) for text in ("one", "two")]
    sent.clear()
    discord.purge(*messages)
    where = {"channel_id": str(dots.id), "guild_id": str(discord.guild.id)}
    assert told(sent) == [("MESSAGE_DELETE_BULK", {"ids": [str(each.id) for each in messages], **where})]
    assert discord.messages(dots) == []


def test_the_bot_hears_nothing_of_messages_that_it_does_not_see(
    discord: Discord, dots: Channel, ola: Person, sent: list[Dispatch]
) -> None:
    message = ola.say(dots, "one")
    discord.deny(dots, Permission.VIEW_CHANNEL)
    sent.clear()
    discord.purge(message)
    assert told(sent) == []


def test_a_deleted_thread_is_an_event_without_its_messages(
    discord: Discord, dots: Channel, ola: Person, sent: list[Dispatch]
) -> None:
    thread = ola.open_thread(dots, "Dots")
    ola.say(thread, "one")
    sent.clear()
    discord.delete_channel(thread)
    ((name, data),) = told(sent)
    assert (name, data["id"], data["parent_id"]) == ("THREAD_DELETE", str(thread.id), str(dots.id))


def test_a_deleted_channel_is_the_only_event_of_its_threads(
    discord: Discord, dots: Channel, ola: Person, sent: list[Dispatch]
) -> None:
    ola.open_thread(dots, "Dots")
    sent.clear()
    discord.delete_channel(dots)
    ((name, data),) = told(sent)
    assert (name, data["id"]) == ("CHANNEL_DELETE", str(dots.id))
    assert discord.threads == []
