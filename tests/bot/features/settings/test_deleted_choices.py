"""Roles and channels that a server has chosen and deleted since: they count as not chosen, and the panel says so."""

from __future__ import annotations

from loopback import ChannelKind
from tests.bot.features.settings.test_settings import load_server, open_settings
from tests.bot.panels import choose
from tests.bot.room import Room, private_words

ROLES, CHANNELS = "server:roles", "server:channels"


async def test_a_deleted_role_is_no_role_that_may_play(room: Room) -> None:
    gone, left = room.discord.make_role("Players"), room.discord.make_role("Friends")
    await choose(room.ola, await open_settings(room, room.ola, "server"), ROLES, gone, left)
    room.discord.delete_role(gone)
    said = await private_words(room.maksim.command(room.channel, "challenge", size="5x5"))
    assert f"<@&{left.id}>" in said
    assert f"<@&{gone.id}>" not in said
    shown = await open_settings(room, room.ola, "server")
    assert "Some of the roles that may play were deleted" in shown.text
    assert [each["id"] for each in shown.control(ROLES)["default_values"]] == [str(left.id)]


async def test_all_members_may_play_when_all_roles_that_may_are_deleted(room: Room) -> None:
    gone = room.discord.make_role("Players")
    await choose(room.ola, await open_settings(room, room.ola, "server"), ROLES, gone)
    room.discord.delete_role(gone)
    assert "is posted" in await private_words(room.maksim.command(room.channel, "challenge", size="5x5"))
    shown = await open_settings(room, room.ola, "server")
    assert "All roles that may play were deleted" in shown.text


async def test_a_deleted_channel_is_no_channel_for_challenges(room: Room) -> None:
    gone = room.discord.open_channel("games")
    await choose(room.ola, await open_settings(room, room.ola, "server"), CHANNELS, gone, room.general)
    room.discord.delete_channel(gone)
    said = await private_words(room.maksim.command(room.channel, "challenge", size="5x5"))
    assert f"<#{room.general.id}>" in said
    assert f"<#{gone.id}>" not in said
    shown = await open_settings(room, room.ola, "server")
    assert "Some of the channels for challenges were deleted" in shown.text
    await choose(room.ola, shown, CHANNELS, room.general)
    assert (await load_server(room)).channels == {room.general.id}


async def test_challenges_may_be_anywhere_when_all_their_channels_are_deleted(room: Room) -> None:
    gone = room.discord.open_channel("games")
    await choose(room.ola, await open_settings(room, room.ola, "server"), CHANNELS, gone)
    room.discord.delete_channel(gone)
    assert "is posted" in await private_words(room.maksim.command(room.channel, "challenge", size="5x5"))
    shown = await open_settings(room, room.ola, "server")
    assert "All channels for challenges were deleted" in shown.text


async def test_a_choice_is_kept_while_discord_does_not_say_what_was_deleted(room: Room) -> None:
    role = room.discord.make_role("Players")
    await choose(room.ola, await open_settings(room, room.ola, "server"), ROLES, role)
    room.discord.fault("GET", "/guilds/{guild_id}/roles", 403, times=2, code=50001)
    assert f"<@&{role.id}>" in await private_words(room.maksim.command(room.channel, "challenge", size="5x5"))
    shown = await open_settings(room, room.ola, "server")
    assert "deleted" not in shown.text
    assert [each["id"] for each in shown.control(ROLES)["default_values"]] == [str(role.id)]


async def test_news_voice_and_forum_channels_can_be_chosen_for_challenges(room: Room) -> None:
    kinds = (ChannelKind.NEWS, ChannelKind.VOICE, ChannelKind.STAGE, ChannelKind.FORUM)
    channels = [room.discord.open_channel(kind.name.lower(), kind) for kind in kinds]
    await choose(room.ola, await open_settings(room, room.ola, "server"), CHANNELS, *channels)
    assert (await load_server(room)).channels == {each.id for each in channels}
    assert "challenges belong in" in await private_words(room.maksim.command(room.channel, "challenge", size="5x5"))
    post = room.maksim.open_post(channels[3], "Dots", "Who plays?")
    assert "is posted" in await private_words(room.maksim.command(post, "challenge", size="5x5"))


async def test_a_news_channel_can_have_the_log(room: Room) -> None:
    news = room.discord.open_channel("news", ChannelKind.NEWS)
    shown = await room.ola.click(await open_settings(room, room.ola, "server"), "log:open").followed()
    await choose(room.ola, shown, "log:channel", news)
    assert (await load_server(room)).log_channel == news.id
