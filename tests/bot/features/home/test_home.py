"""The home post on the stand-in: it is chosen in the settings, and challenges are accepted at it."""

from __future__ import annotations

from typing import Any

from loopback import Message
from play.community.home import Home
from play.ids import ChannelId, GuildId
from tests.bot.panels import choose
from tests.bot.room import Room, private_words
from tests.clock import DAY, HOUR, MINUTE


def guild(room: Room) -> GuildId:
    return GuildId(room.discord.guild.id)


async def open_panel(room: Room) -> Message:
    """Opens the panel for Ola, who owns the server."""
    panel = await room.ola.command(room.channel, "settings server").followed()
    return await room.ola.click(panel, "Home post").followed()


async def settle(room: Room) -> Message:
    """Gives the server its home in #general; returns its message."""
    await choose(room.ola, await open_panel(room), "home:channel", room.general.id)
    return await posted(room)


async def home(room: Room) -> Home:
    found = await room.services.homes.of(guild(room))
    assert found is not None
    return found


async def posted(room: Room) -> Message:
    """Returns the only home post in #general, once it is there."""
    message: Message = await room.discord.until(lambda: next(iter(posts(room)), None))
    return message


def posts(room: Room) -> list[Message]:
    own = room.discord.bot.id
    return [each for each in room.discord.messages(room.general) if each.author_id == own and "What's on" in text(each)]


def text(message: Message) -> str:
    return str(message.components)


async def refresh(room: Room) -> None:
    """Lets the worker look, as a poll does, once the changes of the last minutes may show."""
    await room.bot.workers.homes.pending(50)
    await room.pass_time(10 * MINUTE)
    await room.bot.workers.homes.process(guild(room))


async def test_an_empty_server_is_told_what_to_do_next(room: Room) -> None:
    message = await settle(room)
    assert "Nobody is playing yet" in text(message)
    opened = await room.kasia.click(message, "Play").followed()
    assert "terms:n0" in text(opened)


async def test_an_open_challenge_is_accepted_at_the_home_while_its_card_is_elsewhere(room: Room) -> None:
    await settle(room)
    card = await room.challenge()
    await refresh(room)
    message = await posted(room)
    assert "1 open challenge" in text(message)
    accepted = room.maksim.click(message, "Accept")
    assert "discord.com/channels" in await private_words(accepted)
    thread = await room.wait_for_thread(card)
    assert thread.id == card.id
    await refresh(room)
    assert "1 game in progress" in text(await posted(room))
    assert "open challenge" not in text(await posted(room))


async def test_ones_own_challenge_is_refused_at_the_home_as_at_its_card(room: Room) -> None:
    await settle(room)
    await room.challenge()
    await refresh(room)
    assert "your own" in await private_words(room.ola.click(await posted(room), "Accept"))


async def test_names_with_markdown_are_escaped_at_the_home(room: Room) -> None:
    await settle(room)
    await room.maksim.command(room.channel, "challenge", size="5x5").answered()
    await refresh(room)
    assert "**Максим**" in text(await posted(room))


async def test_each_morning_one_message_takes_the_place_of_the_last(room: Room) -> None:
    first = await settle(room)
    await room.pass_time(DAY)
    await room.restart()
    await room.discord.until(lambda: [each.id for each in posts(room)] not in ([], [first.id]))
    await room.discord.until(lambda: len(posts(room)) == 1)


async def test_a_member_who_may_not_manage_the_server_cannot_give_it_a_home(room: Room) -> None:
    panel = await open_panel(room)
    await choose(room.ola, panel, "home:channel", room.general.id)
    refused: Any = room.kasia.command(room.channel, "settings server")
    assert "Manage Server" in await private_words(refused)


async def test_the_settings_tell_of_a_channel_that_is_gone(room: Room) -> None:
    other = await room.services.homes.settle(guild(room), ChannelId(999), None)
    assert other.channel == 999
    await room.pass_time(2 * HOUR)
    await room.bot.workers.homes.process(guild(room))
    assert (await home(room)).trouble is not None
    panel = await open_panel(room)
    assert "⚠️" in text(panel)


async def test_stop_ends_the_home(room: Room) -> None:
    await settle(room)
    await room.ola.click(await open_panel(room), "Stop").followed()
    assert await room.services.homes.of(guild(room)) is None
