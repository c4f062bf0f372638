"""A bot that is no member, but that a user has installed to their account."""

import discord as library
import pytest
from discord.app_commands import AppInstallationType

from loopback import Channel, Discord, Impossible, Permission, Person
from tests.loopback.bot import Bot


@pytest.fixture
async def friends(bot: Bot, discord: Discord, ola: Person, maksim: Person) -> Channel:
    """Returns a private conversation of Ola, who has installed the bot, and Максим, who has not."""
    bot.tree.allowed_installs = AppInstallationType(guild=True, user=True)
    await bot.tree.sync()
    ola.install()
    return discord.open_private(ola, maksim)


async def use_command(bot: Bot, person: Person, channel: Channel, command: str) -> library.Interaction:
    """Sends a command; returns the interaction as the bot got it, after the response."""
    await person.command(channel, command).answered()
    return bot.interactions[-1]


async def test_an_interaction_says_that_nobody_but_its_user_has_added_the_bot(
    bot: Bot, ola: Person, friends: Channel
) -> None:
    interaction = await use_command(bot, ola, friends, "counter")
    assert interaction.context.private_channel
    assert interaction.is_user_integration()
    assert interaction.guild is None
    assert interaction.app_permissions.attach_files
    assert not interaction.app_permissions.send_messages


async def test_in_a_dm_without_a_common_server_the_installation_is_the_persons_own(bot: Bot, ola: Person) -> None:
    bot.tree.allowed_installs = AppInstallationType(guild=True, user=True)
    await bot.tree.sync()
    ola.leave()
    with pytest.raises(Impossible):
        ola.command(ola.open_dm(), "counter")
    ola.install()
    interaction = await use_command(bot, ola, ola.open_dm(), "counter")
    assert interaction.context.dm_channel
    assert interaction.is_user_integration()
    assert not interaction.is_guild_integration()


@pytest.mark.parametrize(("name", "kind"), [("", library.ChannelType.private), ("Sundays", library.ChannelType.group)])
async def test_two_people_have_a_conversation_and_more_a_group(
    bot: Bot, discord: Discord, ola: Person, maksim: Person, friends: Channel, name: str, kind: library.ChannelType
) -> None:
    interaction = await use_command(bot, ola, discord.open_private(ola, maksim, name=name), "counter")
    assert interaction.channel is not None
    assert interaction.channel.type is kind


async def test_buttons_are_for_everybody_and_belong_to_who_has_brought_the_bot_along(
    bot: Bot, ola: Person, maksim: Person, friends: Channel
) -> None:
    shown = (await ola.command(friends, "counter").answered()).message
    assert shown is not None
    await maksim.click(shown, "Count 1").answered()
    clicked = bot.interactions[-1]
    assert clicked.user.id == maksim.id
    assert not clicked.is_user_integration()
    assert clicked.message is not None
    assert clicked.message.interaction_metadata is not None
    assert clicked.message.interaction_metadata.is_user_integration()


async def test_commands_are_for_who_has_installed_it(maksim: Person, friends: Channel) -> None:
    with pytest.raises(Impossible, match="there is no command"):
        maksim.command(friends, "counter")


async def test_only_those_who_talk_see_a_private_conversation(discord: Discord, friends: Channel) -> None:
    assert friends not in discord.people["Kasia Wiśniewska"].channels


@pytest.mark.parametrize("place", ["friends", "server"])
async def test_what_it_posts_by_itself_is_refused(bot: Bot, discord: Discord, friends: Channel, place: str) -> None:
    channel = friends
    if place == "server":
        discord.bring_along()
        channel = discord.channels["dots"]
    with pytest.raises(library.Forbidden) as refused:
        await bot.get_partial_messageable(channel.id).send("news")
    assert refused.value.code == 50001


async def test_nothing_that_is_said_there_reaches_it(bot: Bot, ola: Person, friends: Channel) -> None:
    shown = (await ola.command(friends, "counter").answered()).message
    ola.say(friends, "hello", reply_to=shown)
    await use_command(bot, ola, friends, "counter")
    assert bot.received == []


async def test_five_messages_follow_an_answer_and_no_more(
    bot: Bot, discord: Discord, ola: Person, friends: Channel
) -> None:
    interaction = await use_command(bot, ola, friends, "counter")
    for number in range(5):
        await interaction.followup.send(f"message {number}")
    with pytest.raises(library.HTTPException) as refused:
        await interaction.followup.send("one more")
    assert refused.value.code == 40094
    await interaction.edit_original_response(content="changed")
    assert len(discord.messages(friends)) == 6


async def test_where_the_bot_is_itself_any_number_follows(bot: Bot, ola: Person, dots: Channel) -> None:
    interaction = await use_command(bot, ola, dots, "counter")
    for number in range(6):
        await interaction.followup.send(f"message {number}")


async def test_a_server_may_keep_its_answers_private(
    bot: Bot, discord: Discord, ola: Person, maksim: Person, friends: Channel, dots: Channel
) -> None:
    discord.bring_along()
    discord.deny(dots, Permission.USE_EXTERNAL_APPS, maksim)
    for person, private in ((ola, False), (maksim, True)):
        shown = (await person.command(dots, "counter").answered()).message
        assert shown is not None
        assert shown.ephemeral is private


async def test_a_server_that_it_is_not_in_is_unknown_to_it(bot: Bot, discord: Discord) -> None:
    discord.bring_along()
    with pytest.raises(library.NotFound):
        await bot.http.get_member(discord.guild.id, discord.people["Ola"].id)
