"""The kinds of channels: where the bot and people post, reply and start threads."""

import discord as library
import pytest

from loopback import Channel, ChannelKind, Discord, Impossible, Permission, Person
from tests.loopback.bot import Bot
from tests.loopback.conftest import connected

THREADS = "/channels/{channel_id}/messages/{message_id}/threads"
TALKED_IN = (ChannelKind.TEXT, ChannelKind.NEWS, ChannelKind.VOICE, ChannelKind.STAGE)
WITH_POSTS = (ChannelKind.FORUM, ChannelKind.MEDIA)
NAMES = {kind: kind.name.lower() for kind in (*TALKED_IN, *WITH_POSTS)}


async def thread_code(bot: Bot, message: library.Message, name: str = "A match") -> int:
    """The code with which Discord refuses the thread of a message."""
    with pytest.raises(library.HTTPException) as caught:
        await message.create_thread(name=name)
    return caught.value.code


@pytest.mark.parametrize("kind", TALKED_IN)
async def test_people_and_the_bot_talk_in_it(discord: Discord, bot: Bot, ola: Person, kind: ChannelKind) -> None:
    here = discord.open_channel(NAMES[kind], kind)
    said = ola.say(here, f"{discord.bot.mention} hello")
    await bot.until(lambda: bot.received)
    assert bot.received[0].channel.type is library.ChannelType(kind)
    reply = await bot.get_partial_messageable(here.id, guild_id=discord.guild.id).send(
        "hello", reference=library.MessageReference(message_id=said.id, channel_id=here.id)
    )
    assert reply.reference is not None
    answer = (await ola.command(here, "hello").answered()).message
    assert answer is not None
    assert answer.text == "hello you"


@pytest.mark.parametrize("kind", WITH_POSTS)
async def test_a_channel_of_posts_has_no_messages_of_its_own(
    discord: Discord, bot: Bot, ola: Person, kind: ChannelKind
) -> None:
    here = discord.open_channel(NAMES[kind], kind)
    with pytest.raises(library.HTTPException) as caught:
        await bot.get_partial_messageable(here.id, guild_id=discord.guild.id).send("hello")
    assert caught.value.code == 50008
    with pytest.raises(Impossible, match="50008"):
        ola.say(here, "hello")


@pytest.mark.parametrize("kind", WITH_POSTS)
async def test_a_post_is_a_thread_with_a_first_message(
    discord: Discord, bot: Bot, ola: Person, kind: ChannelKind
) -> None:
    here = discord.open_channel(NAMES[kind], kind)
    post = ola.open_post(here, "Who plays?", "I do")
    assert (post.kind, post.parent_id, post.owner_id) == (ChannelKind.PUBLIC_THREAD, here.id, ola.id)
    assert [(each.id, each.text) for each in discord.messages(post)] == [(post.id, "I do")]
    await bot.get_partial_messageable(post.id, guild_id=discord.guild.id).send("hello")
    forum = await bot.fetch_channel(here.id)
    assert isinstance(forum, library.ForumChannel)
    made = await forum.create_thread(name="Mine", content="A board")
    assert made.thread.id == made.message.id


async def test_a_refused_post_leaves_no_thread(discord: Discord, bot: Bot) -> None:
    here = discord.open_channel("forum", ChannelKind.FORUM)
    discord.block_words(here, "spam", bots=True)
    forum = await bot.fetch_channel(here.id)
    assert isinstance(forum, library.ForumChannel)
    with pytest.raises(library.HTTPException) as caught:
        await forum.create_thread(name="Mine", content="spam")
    assert caught.value.code == 200000
    assert discord.threads == []


@pytest.mark.parametrize("kind", [ChannelKind.VOICE, ChannelKind.STAGE])
async def test_no_thread_begins_in_a_channel_to_talk_in(discord: Discord, bot: Bot, kind: ChannelKind) -> None:
    message = await bot.get_partial_messageable(
        discord.open_channel(NAMES[kind], kind).id, guild_id=discord.guild.id
    ).send("a card")
    assert await thread_code(bot, message) == 50024


async def test_no_thread_begins_in_a_thread_a_post_or_a_dm(
    discord: Discord, bot: Bot, ola: Person, dots: Channel
) -> None:
    post = ola.open_post(discord.open_channel("forum", ChannelKind.FORUM), "Who plays?", "I do")
    for here in (ola.open_thread(dots, "A match"), post, ola.open_dm()):
        message = await bot.get_partial_messageable(here.id, guild_id=discord.guild.id).send("a card")
        assert await thread_code(bot, message) == 50024


async def test_threads_of_news_are_news(discord: Discord, bot: Bot, ola: Person) -> None:
    news = discord.open_channel("news", ChannelKind.NEWS)
    message = await bot.get_partial_messageable(news.id, guild_id=discord.guild.id).send("a card")
    thread = await message.create_thread(name="A match")
    assert discord.channel(thread.id).kind is ChannelKind.NEWS_THREAD
    assert ola.open_thread(news, "Another").kind is ChannelKind.NEWS_THREAD
    with pytest.raises(Impossible, match="50024"):
        ola.open_thread(news, "A third", private=True)


async def test_who_does_not_connect_does_not_read(discord: Discord, bot: Bot, ola: Person) -> None:
    voice = discord.open_channel("voice", ChannelKind.VOICE)
    discord.deny(voice, Permission.CONNECT)
    with pytest.raises(library.Forbidden) as caught:
        await bot.get_partial_messageable(voice.id, guild_id=discord.guild.id).send("hello")
    assert caught.value.code == 50013


async def test_the_bot_reads_all_kinds(discord: Discord, bot: Bot) -> None:
    for kind, name in NAMES.items():
        discord.open_channel(name, kind)
    guild = await bot.fetch_guild(discord.guild.id)
    assert {each.type.value for each in await guild.fetch_channels()} == {int(kind) for kind in NAMES}


async def test_the_bot_joins_a_server_with_all_kinds(discord: Discord, intents: library.Intents, ola: Person) -> None:
    for kind, name in NAMES.items():
        discord.open_channel(name, kind)
    post = ola.open_post(discord.channels["forum"], "Who plays?", "I do")
    async with connected(Bot(intents)) as bot:
        guild = bot.get_guild(discord.guild.id)
        assert guild is not None
        assert {each.type.value for each in guild.channels} == {int(kind) for kind in NAMES}
        assert [each.id for each in guild.threads] == [post.id]


async def test_a_deleted_message_is_told_to_the_bot(discord: Discord, bot: Bot, ola: Person, dots: Channel) -> None:
    deleted: list[int] = []

    @bot.event
    async def on_raw_message_delete(event: library.RawMessageDeleteEvent) -> None:
        deleted.append(event.message_id)

    said = ola.say(dots, "hello")
    discord.delete_message(said)
    await bot.until(lambda: deleted)
    assert deleted == [said.id]


async def test_a_reply_to_a_deleted_message_is_refused_or_none(
    discord: Discord, bot: Bot, ola: Person, dots: Channel
) -> None:
    said = ola.say(dots, "d4")
    discord.delete_message(said)
    channel = bot.get_partial_messageable(dots.id, guild_id=discord.guild.id)
    reference = library.MessageReference(message_id=said.id, channel_id=dots.id)
    with pytest.raises(library.HTTPException, match="In message_reference: Unknown message") as caught:
        await channel.send("hello", reference=reference)
    assert (caught.value.status, caught.value.code) == (400, 50035)
    reference.fail_if_not_exists = False
    reply = await channel.send("hello", reference=reference)
    assert reply.reference is None
    assert discord.problems == []
