"""The signposts find what leads nowhere, and what shows a channel to those who don't see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from loopback import Channel, Discord, Message, Permission
from tests.bot.signposts import Signposts

NOWHERE = 1 << 62
"""The number of nothing that is there yet."""


@pytest.fixture
def closed(discord: Discord) -> Channel:
    """A channel that the owner alone sees."""
    channel = discord.open_channel("council")
    discord.deny(channel, Permission.VIEW_CHANNEL, discord.guild)
    return channel


@pytest.fixture
def signposts(discord: Discord) -> Signposts:
    return Signposts(discord)


def say(discord: Discord, text: str, **about: object) -> Message:
    """Posts something as the bot."""
    world, channel = discord.world, discord.channels["dots"]
    return world.post(Message(world.ids.next(), channel.id, world.bot.id, text, **about))  # type: ignore[arg-type]


def address(discord: Discord, channel: int, message: int = 0) -> str:
    return f"https://discord.com/channels/{discord.guild.id}/{channel}" + (f"/{message}" if message else "")


@contextmanager
def finding(signposts: Signposts, *words: str) -> Iterator[None]:
    yield
    found = signposts.violations
    assert len(found) == len(words), found
    assert all(word in line for word, line in zip(words, found, strict=True)), found


async def test_what_leads_to_a_place_that_never_comes_is_found(discord: Discord, signposts: Signposts) -> None:
    with finding(signposts, "leads nowhere", "leads nowhere"):
        say(discord, f"Go to {address(discord, NOWHERE)}")
        say(discord, f"See {address(discord, discord.channels['dots'].id, NOWHERE)}")


async def test_what_leads_to_a_thread_that_opens_later_is_right(discord: Discord, signposts: Signposts) -> None:
    with finding(signposts):
        card = say(discord, "Accepted")
        say(discord, f"Go to {address(discord, card.id)}")
        discord.people["Ola"].start_thread(card, "A match")


async def test_what_was_corrected_or_deleted_leads_nobody_astray(discord: Discord, signposts: Signposts) -> None:
    with finding(signposts):
        said = say(discord, f"Go to {address(discord, NOWHERE)}")
        discord.delete_message(said)
        target = say(discord, "Here")
        say(discord, f"Go to {address(discord, target.channel_id, target.id)}")
        discord.delete_message(target)


@pytest.mark.parametrize("text", ["Go to {address}", "Go to <#{id}>", "Go to #council"])
async def test_a_place_is_named_to_nobody_who_does_not_see_it(
    discord: Discord, signposts: Signposts, closed: Channel, text: str
) -> None:
    written = text.format(address=address(discord, closed.id), id=closed.id)
    with finding(signposts, "Максим doesn't see", "Kasia Wiśniewska doesn't see"):
        say(discord, written)
        say(discord, written, visible_to=discord.guild.owner_id)


async def test_a_server_that_is_another_ones_is_found(discord: Discord, signposts: Signposts) -> None:
    with finding(signposts, "names the server 5"):
        say(discord, f"Go to https://discord.com/channels/5/{discord.channels['dots'].id}")


async def test_a_command_that_is_not_there_is_found(discord: Discord, signposts: Signposts) -> None:
    with finding(signposts, "no command 17"):
        say(discord, "Try </games:17>")
