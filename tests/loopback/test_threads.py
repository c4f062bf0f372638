"""Threads: their start, permissions, and archived ones."""

import discord as library
import pytest

from loopback import Channel, ChannelKind, Discord, Impossible, Permission, Person
from loopback.rest import channels
from tests.loopback.bot import Bot
from tests.loopback.conftest import Clock


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


async def test_a_message_has_one_thread_at_most(channel: library.TextChannel, ola: Person) -> None:
    message = await channel.send("Ola against Максим")
    await message.create_thread(name="A match")
    with pytest.raises(library.HTTPException) as caught:
        await message.create_thread(name="Another")
    assert caught.value.code == 160004
    with pytest.raises(Impossible, match="160004"):
        ola.start_thread(message.id, "A third")


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


async def test_a_server_has_a_limit_of_active_threads(
    discord: Discord, channel: library.TextChannel, dots: Channel, ola: Person
) -> None:
    discord.limit_threads(1)
    first = ola.open_thread(dots, "One")
    message = await channel.send("Ola against Максим")
    with pytest.raises(library.HTTPException) as caught:
        await message.create_thread(name="A match")
    assert caught.value.code == 160006
    discord.archive(first)
    thread = await message.create_thread(name="A match")
    with pytest.raises(Impossible, match="160006"):
        ola.say(first, "hello")
    await thread.edit(archived=True)
    ola.say(first, "hello")


async def test_news_have_a_limit_of_their_own(discord: Discord, bot: Bot, ola: Person, dots: Channel) -> None:
    news = discord.open_channel("news", ChannelKind.NEWS)
    discord.limit_threads(1)
    ola.open_thread(dots, "One")
    message = await bot.get_partial_messageable(news.id, guild_id=discord.guild.id).send("a card")
    await message.create_thread(name="A match")
    with pytest.raises(Impossible, match="160007"):
        ola.open_thread(news, "Two")


async def test_a_locked_thread_is_for_moderators(discord: Discord, channel: library.TextChannel, ola: Person) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    kasia = discord.people["Kasia Wiśniewska"]
    kasia.add_role(discord.make_role("Moderator", permissions=Permission.MANAGE_THREADS).id)
    discord.lock(thread.id)
    with pytest.raises(library.HTTPException) as caught:
        await thread.send("hello")
    assert caught.value.code == 160005
    with pytest.raises(Impossible, match="160005"):
        discord.people["Максим"].say(thread.id, "hello")
    kasia.say(thread.id, "hello")


async def test_a_locked_thread_takes_no_commands_of_its_members(
    discord: Discord, channel: library.TextChannel, ola: Person, maksim: Person
) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    discord.add_to_thread(thread.id, maksim)
    discord.lock(thread.id)
    with pytest.raises(Impossible, match="locked"):
        maksim.command(thread.id, "counter")
    await ola.command(thread.id, "counter").answered()  # the owner of the server


async def test_a_locked_and_archived_thread_stays_archived(discord: Discord, channel: library.TextChannel) -> None:
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    discord.archive(thread.id, locked=True)
    for request, code in ((thread.send("hello"), 50083), (thread.edit(archived=False), 50013)):
        with pytest.raises(library.HTTPException) as caught:
            await request
        assert caught.value.code == code
    assert discord.channel(thread.id).archived


async def test_people_use_nothing_in_an_archived_thread(discord: Discord, channel: library.TextChannel) -> None:
    ola, maksim = discord.people["Ola"], discord.people["Максим"]
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    counter = (await maksim.command(thread.id, "counter").answered()).message
    assert counter is not None
    discord.add_to_thread(thread.id, maksim)
    discord.archive(thread.id)
    for refused in (
        lambda: maksim.click(counter, "Count 1"),
        lambda: maksim.command(thread.id, "hello"),
        lambda: discord.people["Kasia Wiśniewska"].say(thread.id, "hello", reply_to=counter),
        lambda: discord.people["Kasia Wiśniewska"].reopen(thread.id),
        lambda: discord.people["Kasia Wiśniewska"].join(thread.id),
    ):
        with pytest.raises(Impossible):
            refused()
    assert discord.channel(thread.id).archived
    maksim.say(thread.id, "hello", reply_to=counter)
    assert not discord.channel(thread.id).archived
    assert (await maksim.click(counter, "Count 1").answered()).kind == "update"
    discord.archive(thread.id)
    ola.reopen(thread.id)
    assert not discord.channel(thread.id).archived


async def test_a_member_opens_a_thread_again_and_others_do_not(
    discord: Discord, bot: Bot, dots: Channel, maksim: Person
) -> None:
    thread = maksim.open_thread(dots, "Ours")
    discord.archive(thread)
    there = await bot.fetch_channel(thread.id)
    assert isinstance(there, library.Thread)
    with pytest.raises(library.Forbidden):
        await there.edit(archived=False)
    discord.archive(thread)
    discord.world.join(discord.channel(thread), [discord.bot.id])
    await there.edit(archived=False)
    assert not discord.channel(thread).archived


async def test_an_idle_thread_is_archived_by_the_clock(
    discord: Discord, channel: library.TextChannel, bot: Bot, clock: Clock, ola: Person
) -> None:
    thread = await channel.create_thread(
        name="A match", type=library.ChannelType.public_thread, auto_archive_duration=60
    )
    clock.time += 59 * 60
    ola.say(thread.id, "hello")
    clock.time += 59 * 60
    discord.tick()
    assert not discord.channel(thread.id).archived
    clock.time += 60
    there = await bot.fetch_channel(thread.id)
    assert isinstance(there, library.Thread)
    assert there.archived
    await thread.send("hello")
    assert not discord.channel(thread.id).archived


async def test_a_private_thread_is_for_its_members_and_moderators(
    discord: Discord, dots: Channel, bot: Bot, maksim: Person
) -> None:
    kasia = discord.people["Kasia Wiśniewska"]
    thread = maksim.open_thread(dots, "Ours", private=True)
    with pytest.raises(library.Forbidden) as caught:
        await bot.get_partial_messageable(thread.id, guild_id=discord.guild.id).send("hello")
    assert caught.value.code == 50001
    assert bot.threads_seen == []
    assert thread not in kasia.channels
    maksim.say(thread, kasia.mention)
    assert kasia.id in discord.channel(thread).members
    kasia.leave_thread(thread)
    assert discord.channel(thread) not in kasia.channels
    kasia.add_role(discord.make_role("Moderator", permissions=Permission.MANAGE_THREADS).id)
    assert discord.channel(thread) in kasia.channels


async def test_a_mention_brings_in_nobody_who_cannot_see_the_channel(
    discord: Discord, dots: Channel, maksim: Person
) -> None:
    kasia = discord.people["Kasia Wiśniewska"]
    thread = maksim.open_thread(dots, "Ours")
    discord.deny(dots, Permission.VIEW_CHANNEL, kasia)
    maksim.say(thread, kasia.mention)
    assert kasia.id not in discord.channel(thread).members


async def test_a_thread_has_a_thousand_members_at_most(
    discord: Discord, channel: library.TextChannel, maksim: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channels, "MAX_PARTICIPANTS", 1)
    thread = await channel.create_thread(name="A match", type=library.ChannelType.public_thread)
    with pytest.raises(library.HTTPException) as caught:
        await thread.add_user(library.Object(maksim.id))
    assert caught.value.code == 30033
