"""Messages of the bot and of people, replies, DMs, and the content that the bot can read."""

import discord as library
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopback import Channel, Discord, File, Impossible, Permission, Person
from loopback.model import Message
from loopback.state import Messages
from tests.loopback.bot import Bot, board


@pytest.fixture
def channel(bot: Bot, dots: Channel) -> library.PartialMessageable:
    """Returns the channel as the bot addresses it without a cache."""
    return bot.get_partial_messageable(dots.id)


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans())))
def test_a_channel_has_the_messages_that_are_in_it(steps: list[tuple[int, bool]]) -> None:
    messages, known = Messages(), dict[int, Message]()
    for number, goes in steps:
        if goes:
            assert messages.pop(number, None) == known.pop(number, None)
        else:
            messages[number] = known[number] = Message(number, channel_id=number % 3, author_id=1)
        assert dict(messages) == known
        for channel in range(3):
            assert set(messages.in_channel(channel)) == {each for each in known.values() if each.channel_id == channel}


async def test_a_message_can_be_sent_edited_read_and_deleted(
    discord: Discord, channel: library.PartialMessageable, dots: Channel
) -> None:
    sent = await channel.send("one")
    await sent.edit(content="two")
    assert (await channel.fetch_message(sent.id)).content == "two"
    assert [message.text for message in discord.messages(dots)] == ["two"]
    await sent.delete()
    assert discord.messages(dots) == []


async def test_history_comes_newest_first_in_pages(channel: library.PartialMessageable) -> None:
    for number in range(5):
        await channel.send(str(number))
    assert [message.content async for message in channel.history(limit=3)] == ["4", "3", "2"]
    assert [message.content async for message in channel.history(limit=2, oldest_first=True)] == ["0", "1"]


async def test_the_same_nonce_gives_the_first_message(
    discord: Discord, channel: library.PartialMessageable, dots: Channel
) -> None:
    first = await channel.send("a board", nonce="match 1 version 2")
    second = await channel.send("a board", nonce="match 1 version 2")
    assert first.id == second.id
    assert len(discord.messages(dots)) == 1


async def test_a_message_mentions_only_whom_it_is_allowed_to(
    discord: Discord, channel: library.PartialMessageable, ola: Person, maksim: Person
) -> None:
    allowed = library.AllowedMentions(users=[library.Object(ola.id)])
    sent = await channel.send(f"{ola.mention} against {maksim.mention}", allowed_mentions=allowed)
    message = discord.message(sent.id)
    assert message is not None
    assert message.mentions == (ola.id,)


async def test_a_message_mentions_only_the_roles_that_exist_and_that_it_is_allowed_to(
    discord: Discord, channel: library.PartialMessageable
) -> None:
    players, others, gone = (discord.make_role(name) for name in ("players", "others", "gone"))
    discord.delete_role(gone)
    text = " ".join(f"<@&{role.id}>" for role in (players, others, gone))
    allowed = library.AllowedMentions(everyone=False, roles=[library.Object(role.id) for role in (players, gone)])
    sent = await channel.send(text, allowed_mentions=allowed)
    message = discord.message(sent.id)
    assert message is not None
    assert message.mention_roles == (players.id,)


async def test_attachments_that_an_edit_does_not_list_are_gone(
    discord: Discord, channel: library.PartialMessageable
) -> None:
    sent = await channel.send("boards", files=[board("a.png"), board("b.png")])
    await sent.edit(attachments=[sent.attachments[1], board("c.png")])
    message = discord.message(sent.id)
    assert message is not None
    assert [each.filename for each in message.attachments] == ["b.png", "c.png"]


async def test_an_embed_takes_the_picture_that_it_shows_out_of_the_list(
    discord: Discord, channel: library.PartialMessageable
) -> None:
    embed = library.Embed(title="Browser").set_image(url="attachment://board.png")
    sent = await channel.send(embed=embed, file=board())
    assert sent.attachments == []
    assert (sent.embeds[0].image.url or "").startswith(discord.cdn)


async def test_what_people_say_among_themselves_reaches_the_bot_without_its_text(
    bot: Bot, ola: Person, dots: Channel
) -> None:
    ola.say(dots, "k12")
    await bot.until(lambda: bot.received)
    assert bot.received[0].content == ""


async def test_what_mentions_the_bot_reaches_it_with_its_text(
    bot: Bot, discord: Discord, ola: Person, dots: Channel
) -> None:
    ola.say(dots, f"{discord.bot.mention} k12")
    await bot.until(lambda: bot.received)
    assert bot.received[0].content == f"{discord.bot.mention} k12"


@pytest.mark.parametrize(("ping", "text"), [(True, "k12"), (False, "")])
async def test_a_reply_to_the_bot_carries_its_text_if_it_pings(
    bot: Bot, channel: library.PartialMessageable, ola: Person, dots: Channel, ping: bool, text: str
) -> None:
    sent = await channel.send("a board")
    ola.say(dots, "k12", reply_to=sent.id, ping=ping)
    await bot.until(lambda: bot.received)
    reference = bot.received[0].reference
    assert reference is not None
    assert (bot.received[0].content, reference.message_id) == (text, sent.id)


@pytest.mark.parametrize(("ping", "text"), [(True, "k12"), (False, "")])
async def test_a_reply_to_an_interactions_response_carries_its_text_if_it_pings(
    bot: Bot, ola: Person, dots: Channel, ping: bool, text: str
) -> None:
    outcome = await ola.command(dots, "settings me", loud=True).answered()
    ola.say(dots, "k12", reply_to=outcome.message, ping=ping)
    await bot.until(lambda: bot.received)
    assert bot.received[0].content == text


async def test_the_bot_reads_every_dm(bot: Bot, ola: Person) -> None:
    ola.say(ola.open_dm(), "hello")
    await bot.until(lambda: bot.received)
    assert bot.received[0].content == "hello"
    assert bot.received[0].guild is None


async def test_the_bot_writes_to_a_person(bot: Bot, ola: Person, maksim: Person) -> None:
    user = await bot.fetch_user(ola.id)
    await user.send("your turn")
    assert [message.text for message in ola.sees(ola.open_dm())] == ["your turn"]
    assert ola.open_dm() not in maksim.channels


async def test_closed_dms_refuse_the_bot(bot: Bot, ola: Person) -> None:
    ola.close_dms()
    with pytest.raises(library.Forbidden) as caught:
        await (await bot.fetch_user(ola.id)).send("your turn")
    assert caught.value.code == 50007


async def test_the_bot_replies_to_a_message(
    bot: Bot, discord: Discord, channel: library.PartialMessageable, ola: Person, dots: Channel
) -> None:
    said = ola.say(dots, "hello")
    sent = await channel.send("hello", reference=channel.get_partial_message(said.id), mention_author=True)
    message = discord.message(sent.id)
    assert message is not None
    assert message.reference is not None
    assert (message.reference.message_id, message.mentions) == (said.id, (ola.id,))


@pytest.mark.parametrize(("permission", "code"), [(Permission.SEND_MESSAGES, 50013), (Permission.VIEW_CHANNEL, 50001)])
async def test_the_bot_sends_nothing_where_it_may_not(
    discord: Discord, channel: library.PartialMessageable, dots: Channel, permission: Permission, code: int
) -> None:
    discord.deny(dots, permission)
    with pytest.raises(library.Forbidden) as caught:
        await channel.send("hello")
    assert caught.value.code == code


async def test_the_bot_attaches_nothing_where_it_may_not(
    discord: Discord, channel: library.PartialMessageable, dots: Channel
) -> None:
    discord.deny(dots, Permission.ATTACH_FILES)
    await channel.send("words")
    with pytest.raises(library.Forbidden) as caught:
        await channel.send("a board", file=board())
    assert caught.value.code == 50013


async def test_a_permission_taken_away_shows_in_the_interaction(
    bot: Bot, discord: Discord, ola: Person, dots: Channel
) -> None:
    discord.deny(dots, Permission.ATTACH_FILES)
    await ola.command(dots, "hello").answered()
    assert not bot.interactions[-1].app_permissions.attach_files


async def test_what_is_not_there_is_unknown_by_its_code(bot: Bot, channel: library.PartialMessageable) -> None:
    with pytest.raises(library.NotFound) as message:
        await channel.fetch_message(1)
    with pytest.raises(library.NotFound) as place:
        await bot.get_partial_messageable(1).send("hello")
    assert (message.value.code, place.value.code) == (10008, 10003)


async def test_the_bot_deletes_what_others_say_only_with_permission(
    discord: Discord, channel: library.PartialMessageable, ola: Person, dots: Channel
) -> None:
    said = channel.get_partial_message(ola.say(dots, "hello").id)
    with pytest.raises(library.Forbidden):
        await said.delete()
    discord.allow(dots, Permission.MANAGE_MESSAGES)
    await said.delete()
    assert discord.messages(dots) == []


async def test_a_deleted_message_is_told_to_nobody_twice(discord: Discord, dots: Channel, ola: Person) -> None:
    said = ola.say(dots, "hello")
    discord.delete_message(said)
    assert discord.message(said) is None


async def test_a_forwarded_message_is_empty_but_for_its_snapshot(
    discord: Discord, bot: Bot, ola: Person, dots: Channel
) -> None:
    written = ola.say(dots, "look", file=File("a.sgf", b"(;)"))
    forwarded = ola.forward(written, ola.open_dm())
    seen = await bot.get_partial_messageable(forwarded.channel_id).fetch_message(forwarded.id)
    assert (seen.content, seen.attachments, seen.flags.forwarded) == ("", [], True)
    assert seen.reference is not None
    assert seen.reference.type is library.MessageReferenceType.forward
    assert (seen.reference.channel_id, seen.reference.message_id) == (dots.id, written.id)
    (snapshot,) = seen.message_snapshots
    assert snapshot.content == "look"
    discord.delete_message(written)
    assert await snapshot.attachments[0].read() == b"(;)"


async def test_what_was_forwarded_without_the_bot_is_hidden_from_it(bot: Bot, ola: Person, dots: Channel) -> None:
    forwarded = ola.forward(ola.say(dots, "look", file=File("a.sgf", b"(;)")), dots)
    seen = await bot.get_partial_messageable(dots.id).fetch_message(forwarded.id)
    (snapshot,) = seen.message_snapshots
    assert (snapshot.content, snapshot.attachments) == ("", [])


async def test_a_message_for_one_person_is_not_forwarded(bot: Bot, ola: Person, dots: Channel) -> None:
    told = (await ola.command(dots, "hello", name="Ola").answered()).message
    assert told is not None
    with pytest.raises(Impossible):
        ola.forward(told, dots)
