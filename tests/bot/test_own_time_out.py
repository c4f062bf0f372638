"""A time-out of the bot: it is named as what it is, with its end, wherever a permission would be named."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from loopback import Permission
from play.posts import PostProblem
from tests.bot.features.competitions.tournaments.cup import load_tournament, resign_all
from tests.bot.features.competitions.tournaments.test_closed_channels import begin_round
from tests.bot.features.home.test_home import home, open_panel
from tests.bot.features.match.delivery.test_lost_channels import direct_message
from tests.bot.features.settings.test_settings import open_settings
from tests.bot.panels import choose
from tests.bot.room import Room, private_words


def silence_bot(room: Room, **how_long: int) -> str:
    """Times the bot out; returns its end as Discord shows it."""
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(**how_long)  # the bot knows no other time for it
    room.discord.world.silence(room.discord.bot, end.timestamp())
    return f"<t:{int(end.timestamp())}:"


async def test_who_begins_a_game_reads_until_when_the_bot_is_timed_out(room: Room) -> None:
    end = silence_bot(room, hours=1)
    told = await private_words(room.ola.command(room.channel, "challenge", opponent=room.maksim))
    assert told.startswith("A moderator has put me in time-out on this server until <t:")
    assert end in told
    assert "missing" not in told


@pytest.mark.parametrize("command", ["tournament create", "league open", "team challenge"])
async def test_who_opens_something_reads_it_too(room: Room, command: str) -> None:
    silence_bot(room, hours=1)
    options = {"name": "Cup", "format": "round-robin"} if command.startswith("tournament") else {}
    assert "put me in time-out" in await private_words(room.ola.command(room.channel, command, **options))


async def test_without_a_time_out_permissions_are_named(room: Room) -> None:
    silence_bot(room, hours=-1)
    room.discord.deny(room.channel, Permission.SEND_MESSAGES)
    told = await private_words(room.ola.command(room.channel, "challenge", opponent=room.maksim))
    assert "I'm missing **Send Messages**" in told


async def test_an_administrator_is_never_timed_out(room: Room) -> None:
    room.discord.set_bot_permissions(Permission.ADMINISTRATOR)
    silence_bot(room, hours=1)
    assert "✅" in (await open_settings(room, room.ola, "server")).text


async def test_the_panels_of_managers_say_it(room: Room) -> None:
    end = silence_bot(room, hours=1)
    panel = await open_settings(room, room.ola, "server")
    assert f"⚠️ A moderator has put me in time-out on this server until {end}" in panel.text
    assert "missing" not in panel.text
    rewards = await room.ola.click(panel, "Roles for top places").followed()
    assert "put me in time-out" in rewards.text


async def test_the_panel_of_the_home_says_why_it_is_not_posted(room: Room) -> None:
    silence_bot(room, hours=1)
    await choose(room.ola, await open_panel(room), "home:channel", room.general.id)

    async def is_refused() -> bool:
        return (await home(room)).trouble is PostProblem.PERMISSION

    await room.until(is_refused)
    assert "put me in time-out" in (await open_panel(room)).text


async def test_a_host_reads_why_their_tournament_waits(room: Room) -> None:
    await begin_round(room)
    end = silence_bot(room, hours=1)
    await resign_all(room, await load_tournament(room))
    told = (await direct_message(room, room.ola, "time-out")).content
    assert (
        f"I can't post in <#{room.channel.id}>: a moderator has put me in time-out on that server until {end}" in told
    )
    assert "**Send Messages**" not in told
