"""The permissions of roles and members, their overwrites in a channel, and timeouts."""

import discord as library
import pytest

from loopback import Channel, Discord, Impossible, Permission, Person
from loopback.permissions import ALL, MEMBER, NONE, READING, Overwrite, effective_permissions
from tests.loopback.bot import Bot
from tests.loopback.conftest import Clock

EVERYONE, RED, BLUE, USER = 1, 2, 3, 4
SEND, VIEW, PIN = Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL, Permission.MANAGE_MESSAGES


@pytest.mark.parametrize(
    ("overwrites", "sends"),
    [
        ([], True),
        ([Overwrite(EVERYONE, deny=SEND)], False),
        ([Overwrite(EVERYONE, deny=SEND), Overwrite(RED, allow=SEND)], True),
        ([Overwrite(RED, deny=SEND), Overwrite(BLUE, allow=SEND)], True),
        ([Overwrite(BLUE, allow=SEND), Overwrite(RED, deny=SEND)], True),
        ([Overwrite(RED, allow=SEND), Overwrite(USER, deny=SEND)], False),
        ([Overwrite(RED, deny=SEND), Overwrite(USER, allow=SEND)], True),
        ([Overwrite(EVERYONE, deny=VIEW), Overwrite(USER, allow=SEND)], False),
    ],
)
def test_overwrites_count_in_discords_order(overwrites: list[Overwrite], sends: bool) -> None:
    has = effective_permissions(MEMBER, overwrites, USER, EVERYONE, (RED, BLUE))
    assert (SEND in has) is sends


def test_who_sees_no_channel_can_do_nothing_in_it_but_administrators_do_all() -> None:
    hidden = [Overwrite(EVERYONE, deny=VIEW)]
    assert effective_permissions(MEMBER, hidden, USER, EVERYONE) == NONE
    assert effective_permissions(MEMBER | Permission.ADMINISTRATOR, hidden, USER, EVERYONE) == ALL


async def test_a_role_gives_its_permissions_in_every_channel(discord: Discord, dots: Channel, maksim: Person) -> None:
    role = discord.make_role("Moderator", permissions=PIN)
    assert PIN not in discord.world.permissions(maksim.id, dots)
    maksim.add_role(role.id)
    assert PIN in discord.world.permissions(maksim.id, dots)
    discord.delete_role(role)
    assert PIN not in discord.world.permissions(maksim.id, dots)


async def test_a_channel_is_for_a_role(discord: Discord, bot: Bot, dots: Channel, maksim: Person) -> None:
    role = discord.make_role("Player")
    discord.deny(dots, VIEW, discord.guild)
    discord.allow(dots, VIEW, role)
    with pytest.raises(library.Forbidden) as caught:
        await bot.get_partial_messageable(dots.id).send("hello")
    assert caught.value.code == 50001
    with pytest.raises(Impossible, match="sees no channel"):
        maksim.say(dots, "hello")
    maksim.add_role(role.id)
    maksim.say(dots, "hello")
    (channel,) = (each for each in await bot.http.get_all_guild_channels(discord.guild.id) if each["name"] == "dots")
    kinds = {each["id"]: each["type"] for each in channel["permission_overwrites"]}
    assert kinds == {str(discord.guild.id): 0, str(role.id): 0}
    discord.delete_role(role)
    assert [each.id for each in discord.channel(dots).overwrites] == [discord.guild.id]


async def test_threads_ask_for_a_permission_of_their_own(
    discord: Discord, bot: Bot, dots: Channel, maksim: Person
) -> None:
    thread = maksim.open_thread(dots, "A match")
    discord.deny(dots, Permission.SEND_MESSAGES)
    await bot.get_partial_messageable(thread.id).send("hello")
    discord.deny(dots, Permission.SEND_MESSAGES_IN_THREADS, maksim)
    maksim.say(dots, "hello")
    with pytest.raises(Impossible, match="50013"):
        maksim.say(thread, "hello")


async def test_who_has_yet_to_accept_the_rules_only_reads(
    discord: Discord, bot: Bot, dots: Channel, maksim: Person
) -> None:
    counter = (await maksim.command(dots, "counter").answered()).message
    assert counter is not None
    discord.screen(maksim)
    assert discord.world.permissions(maksim.id, dots) == READING
    assert (await bot.http.get_member(discord.guild.id, maksim.id))["pending"] is True
    with pytest.raises(Impossible):
        maksim.say(dots, "hello")
    with pytest.raises(Impossible):
        maksim.click(counter, "Count 1")
    discord.screen(maksim, on=False)
    maksim.say(dots, "hello")


async def test_slow_mode_holds_people_back_from_all_and_neither_moderators_nor_the_bot(
    discord: Discord, bot: Bot, dots: Channel, maksim: Person, ola: Person, clock: Clock
) -> None:
    discord.slow_down(dots, 30)
    counter = (await maksim.command(dots, "counter").answered()).message
    assert counter is not None
    clock.time += 29
    for refused in (
        lambda: maksim.say(dots, "hello"),
        lambda: maksim.command(dots, "hello"),
        lambda: maksim.click(counter, "Count 1"),
    ):
        with pytest.raises(Impossible, match="slow mode"):
            refused()
    clock.time += 1
    maksim.say(dots, "hello")
    assert ola.id == discord.guild.owner_id
    for _ in range(2):
        ola.say(dots, "hello")
        await bot.get_partial_messageable(dots.id).send("hello")


async def test_a_timeout_leaves_reading(
    discord: Discord, bot: Bot, dots: Channel, maksim: Person, ola: Person, clock: Clock
) -> None:
    counter = (await maksim.command(dots, "counter").answered()).message
    assert counter is not None
    discord.time_out(maksim, 60)
    assert discord.world.permissions(maksim.id, dots) == READING
    until = (await bot.http.get_member(discord.guild.id, maksim.id))["communication_disabled_until"]
    assert until is not None
    for refused in (
        lambda: maksim.say(dots, "hello"),
        lambda: maksim.command(dots, "hello"),
        lambda: maksim.click(counter, "Count 1"),
        lambda: maksim.open_thread(dots, "A match"),
    ):
        with pytest.raises(Impossible):
            refused()
    clock.time += 60
    maksim.say(dots, "hello")
    discord.time_out(ola, 60)  # the owner
    ola.say(dots, "hello")


async def test_the_bot_can_be_timed_out(discord: Discord, bot: Bot, dots: Channel) -> None:
    discord.time_out(None, 60)
    with pytest.raises(library.Forbidden) as caught:
        await bot.get_partial_messageable(dots.id).send("hello")
    assert caught.value.code == 50013
    discord.time_out(None, 0)
    await bot.get_partial_messageable(dots.id).send("hello")


async def test_commands_are_a_permission(discord: Discord, bot: Bot, dots: Channel, maksim: Person) -> None:
    await bot.until(lambda: discord.commands)
    discord.deny(dots, Permission.USE_APPLICATION_COMMANDS, maksim)
    with pytest.raises(Impossible, match="no command"):
        maksim.command(dots, "hello")


async def test_who_has_left_sees_nothing(discord: Discord, dots: Channel, maksim: Person) -> None:
    maksim.leave()
    assert maksim.channels == []
    with pytest.raises(Impossible):
        maksim.say(dots, "hello")
