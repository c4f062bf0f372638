"""Threads: their start, permissions, and archived ones."""

import discord as library
import pytest

from loopback import Channel, Discord, Permission, Person
from tests.loopback.bot import Bot


@pytest.fixture
def channel(bot: Bot, discord: Discord, dots: Channel) -> library.TextChannel:
    """Returns the channel from the bot's cache, which the guilds intent fills."""
    guild = bot.get_guild(discord.guild.id)
    assert guild is not None
    found = guild.get_channel(dots.id)
    assert isinstance(found, library.TextChannel)
    return found


async def test_a_thread_from_a_message_has_the_messages_id(discord: Discord, channel: library.TextChannel) -> None:
    message = await channel.send("Ola against Максим")
    thread = await message.create_thread(name="A match")
    assert thread.id == message.id
    assert [(each.name, each.parent_id) for each in discord.threads] == [("A match", channel.id)]


async def test_a_message_has_one_thread_at_most(channel: library.TextChannel) -> None:
    message = await channel.send("Ola against Максим")
    await message.create_thread(name="A match")
    with pytest.raises(library.HTTPException) as caught:
        await message.create_thread(name="Another")
    assert caught.value.code == 160004


async def test_a_thread_is_told_to_the_bot(bot: Bot, channel: library.TextChannel) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    await bot.until(lambda: bot.threads_seen)
    assert bot.threads_seen[0].id == thread.id


async def test_a_private_thread_is_seen_by_its_members_alone(
    discord: Discord, channel: library.TextChannel, ola: Person, maksim: Person
) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.private_thread)
    await thread.add_user(library.Object(ola.id))
    found = discord.channel(thread.id)
    assert found in ola.channels
    assert found not in maksim.channels


async def test_a_mention_brings_a_person_into_the_thread(
    discord: Discord, channel: library.TextChannel, maksim: Person
) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    await thread.send(maksim.mention, allowed_mentions=library.AllowedMentions(users=True))
    assert maksim.id in discord.channel(thread.id).members


async def test_no_thread_begins_without_permission(
    discord: Discord, channel: library.TextChannel, dots: Channel
) -> None:
    message = await channel.send("Ola against Максим")
    discord.deny(dots, Permission.CREATE_PUBLIC_THREADS)
    with pytest.raises(library.Forbidden) as caught:
        await message.create_thread(name="A match")
    assert caught.value.code == 50013


async def test_a_thread_has_the_permissions_of_its_channel(
    discord: Discord, channel: library.TextChannel, dots: Channel
) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    discord.deny(dots, Permission.SEND_MESSAGES_IN_THREADS)
    with pytest.raises(library.Forbidden) as caught:
        await thread.send("hello")
    assert caught.value.code == 50013


async def test_an_archived_thread_refuses_edits_and_wakes_when_written_to(
    discord: Discord, channel: library.TextChannel
) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    message = await thread.send("a board")
    discord.archive(thread.id)
    with pytest.raises(library.HTTPException) as caught:
        await message.edit(content="another")
    assert caught.value.code == 50083
    await thread.send("hello")
    await message.edit(content="another")
    assert not discord.channel(thread.id).archived


async def test_the_bot_renames_and_archives_its_own_thread(discord: Discord, channel: library.TextChannel) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    await thread.edit(name="A finished match", archived=True)
    found = discord.channel(thread.id)
    assert (found.name, found.archived) == ("A finished match", True)


async def test_only_who_manages_threads_locks_them(
    discord: Discord, channel: library.TextChannel, dots: Channel
) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    with pytest.raises(library.Forbidden):
        await thread.edit(locked=True)
    discord.allow(dots, Permission.MANAGE_THREADS)
    await thread.edit(locked=True)
    assert discord.channel(thread.id).locked
