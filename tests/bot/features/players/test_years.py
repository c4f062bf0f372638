"""A year in dots: a player sees theirs in private and may share it, a manager posts that of the server, and in December
each server is told once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from loopback import Message, Person
from loopback.permissions import Permission
from play.community.home import Home
from play.community.year import FIRST_TOLD_DAY, Year
from play.ids import ChannelId, GuildId, Millis, UserId
from tests.bot.forging import click_on
from tests.bot.room import Room, private_message, private_words
from tests.web.finished import store_game
from tests.web.test_home import GAME

MOVES = ("E5", "E6", "D5", "D6", "C5")


def alt(message: Message) -> str:
    """Returns the description of a message's picture."""
    return message.attachments[0].description or ""


async def add_game(room: Room, moves: Sequence[str] = MOVES) -> int:
    """Stores a game that Ola has lost to Максим; returns its year."""
    await store_game(room, room.channel, GAME, moves)
    return Year.at(room.clock()).number


async def open_year(room: Room, person: Person) -> Message:
    profile = await private_message(person.command(room.channel, "profile"))
    return await person.click(profile, "Your year").followed()


async def open_server_year(room: Room, person: Person) -> Message:
    return await person.click(await open_year(room, person), "This server's year").followed()


async def test_a_player_sees_their_year_with_whom_they_met_most(room: Room) -> None:
    year = await add_game(room)
    panel = await open_year(room, room.ola)
    assert alt(panel).startswith(f"The year as a picture. Ola: {year} in dots. 1 game. Results: 0 won, 0 drawn, 1 lost")
    assert "Most games with: Максим · 1" in alt(panel)
    assert panel.visible_to == room.ola.id


async def test_a_shared_year_names_nobody_else(room: Room) -> None:
    await add_game(room)
    panel = await open_year(room, room.ola)
    assert "Shared" in await private_words(room.ola.click(panel, "Share here"))
    shared = room.discord.messages(room.channel)[-1]
    assert "1 game" in alt(shared)
    assert "Максим" not in alt(shared) + shared.text


async def test_a_player_without_a_game_is_told_how_to_begin(room: Room) -> None:
    panel = await open_year(room, room.kasia)
    assert "No game and no puzzle in" in panel.text
    assert panel.attachments == ()
    assert "Share here" not in panel.labels


async def test_an_empty_year_is_not_shared(room: Room) -> None:
    year = Year.at(room.clock()).number
    panel = await open_year(room, room.kasia)
    before = len(room.discord.messages(room.channel))
    await private_words(click_on(room, room.kasia, panel, f"share:year:{year}"))
    assert len(room.discord.messages(room.channel)) == before


async def test_the_year_before_is_a_tap_away(room: Room) -> None:
    year = await add_game(room)
    await room.pass_time(366 * 86_400_000)
    panel = await open_year(room, room.ola)
    assert "No game and no puzzle in" in panel.text
    panel = await room.ola.click(panel, str(year)).followed()
    assert f"{year} in dots" in alt(panel)


async def test_others_see_no_year_in_a_profile(room: Room) -> None:
    await add_game(room)
    profile = await private_message(room.ola.command(room.channel, "profile", player=room.maksim))
    assert "Your year" not in profile.labels


async def test_the_year_of_a_server_is_drawn_for_a_member_who_cannot_post_it(room: Room) -> None:
    year = await add_game(room)
    panel = await open_server_year(room, room.kasia)
    assert f"{year} in dots. 1 game. Players: 2" in alt(panel)
    assert "Met most often: " in alt(panel)
    assert "Share here" not in panel.labels
    before = len(room.discord.messages(room.channel))
    refused = await private_words(click_on(room, room.kasia, panel, f"share:server-year:{year}"))
    assert "Manage Server" in refused
    assert len(room.discord.messages(room.channel)) == before


async def test_a_manager_posts_the_year_of_a_server(room: Room) -> None:
    await add_game(room)
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
    panel = await open_server_year(room, room.ola)
    assert "Shared" in await private_words(room.ola.click(panel, "Share here"))
    shared = room.discord.messages(room.channel)[-1]
    assert "Players: 2" in alt(shared)
    assert shared.labels == ["Your year"]
    own = await room.maksim.click(shared, "Your year").followed()
    assert "1 won, 0 drawn, 0 lost" in alt(own)
    assert own.visible_to == room.maksim.id


async def test_a_server_without_a_game_is_told_how_to_begin(room: Room) -> None:
    assert "No game here in" in (await open_server_year(room, room.ola)).text


async def test_the_leaderboard_leads_to_the_year_of_the_server(room: Room) -> None:
    await add_game(room)
    board = await private_message(room.ola.command(room.channel, "leaderboard"))
    assert "Players: 2" in alt(await room.ola.click(board, "This server's year").followed())


async def test_who_has_left_is_not_named(room: Room) -> None:
    await add_game(room)
    async with room.services.store.write() as tx:
        await tx.absences.add(GuildId(room.discord.guild.id), UserId(room.maksim.id))
    assert "Максим" not in alt(await open_server_year(room, room.kasia))


async def in_december(room: Room, *, news: bool = True, day: int = FIRST_TOLD_DAY) -> None:
    """Gives the server a home post, and goes on to a day of December."""
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, news=news, log_channel=ChannelId(room.channel.id)))
        await tx.homes.save(Home(GuildId(room.discord.guild.id), ChannelId(room.general.id)))
    now = datetime.fromtimestamp(room.clock() / 1000, UTC)
    then = now.replace(month=12, day=day, hour=12)
    await room.pass_time(Millis(round((then - now).total_seconds()) * 1000))


def told(room: Room) -> list[Message]:
    """Returns the cards that a server was told of its year."""
    return [each for each in room.discord.messages(room.general) if "on this server, in dots" in each.text]


async def settled(room: Room) -> bool:
    async with room.services.store.read() as reader:
        return not await reader.news.pending(1)


async def test_a_server_is_told_once_in_december_where_its_home_is(room: Room) -> None:
    await add_game(room)
    await in_december(room)
    await room.restart()
    (message,) = await room.discord.until(lambda: told(room))
    assert "Players: 2" in alt(message)
    assert message.labels == ["Your year"]
    await room.restart()
    await room.until(lambda: settled(room))
    assert len(told(room)) == 1


@pytest.mark.parametrize(("news", "day"), [(False, FIRST_TOLD_DAY), (True, FIRST_TOLD_DAY - 1)], ids=["off", "early"])
async def test_a_server_is_not_told_early_or_against_its_will(room: Room, news: bool, day: int) -> None:
    await add_game(room)
    await in_december(room, news=news, day=day)
    await room.restart()
    await room.until(lambda: settled(room))
    assert told(room) == []


async def test_a_server_without_a_game_is_told_nothing(room: Room) -> None:
    await in_december(room)
    await room.restart()
    await room.until(lambda: settled(room))
    assert told(room) == []
