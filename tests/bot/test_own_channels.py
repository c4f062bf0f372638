"""Channels that are stored for a server and are not of it: the bot posts nothing there, wherever the row came from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import discord as library
import pytest

from bot.features.coach.posts import PuzzlePosts
from bot.features.competitions.ladder import LadderStanding
from bot.features.competitions.tournaments.publisher import TournamentPublisher
from bot.features.home import HomePublisher
from bot.services.channels import ServerPosts
from bot.services.rate_limits import ThreadBudget
from loopback import Channel
from play.community.home import Home
from play.competitions.tournament import Notice, NoticeKind
from play.ids import ChannelId, GuildId
from tests.bot.features.competitions.tournaments.cup import load_tournament, make_tournament
from tests.bot.features.match.actions.test_bans import ban
from tests.bot.room import Room, private_message, private_words
from tests.old_puzzles import built_in_puzzle
from tests.open_channels import OPEN
from use_cases.homes import load_home_content
from use_cases.worker import Undeliverable
from use_cases.workers.daily_relay import DailyNotPosted
from use_cases.workers.home_refresher import HomeNotPosted

ROOT = Path(__file__).parents[2]

Post = Callable[[Room, GuildId, ChannelId], Awaitable[object]]


@pytest.fixture
def stranger(room: Room) -> Channel:
    """The direct messages of a player who has nothing to do with the server's settings."""
    return room.kasia.open_dm()


def guild_of(room: Room) -> GuildId:
    return GuildId(room.discord.guild.id)


async def post_home(room: Room, guild: GuildId, channel: ChannelId) -> object:
    services, home = room.services, Home(guild, channel)
    there = services.channels, services.locales, services.names
    publisher = HomePublisher(room.client, *there, services.coach.posts, room.use_cases)
    content = await load_home_content(services.store, OPEN, home, room.clock())
    return await publisher.post(home, content, room.clock())


async def post_ladder(room: Room, guild: GuildId, channel: ChannelId) -> object:
    await private_words(room.ola.command(room.channel, "ladder create"))
    services = room.services
    posts = ServerPosts(services.directory, ThreadBudget())
    standing = LadderStanding(posts, services.store, services.locales, services.names, None)
    return await standing.show(replace(await services.use_cases.ladders.load(guild), channel=channel, message=None))


def tournaments(room: Room) -> TournamentPublisher:
    services = room.services
    posts = ServerPosts(services.directory, ThreadBudget())
    return TournamentPublisher(posts, services.store, services.locales, services.names, None)


async def post_tournament(room: Room, guild: GuildId, channel: ChannelId) -> object:
    await make_tournament(room)
    return await tournaments(room).show(replace(await load_tournament(room), channel=channel, message=None))


async def edit_tournament(room: Room, guild: GuildId, channel: ChannelId) -> object:
    await make_tournament(room)
    return await tournaments(room).show(replace(await load_tournament(room), channel=channel))


async def announce_tournament(room: Room, guild: GuildId, channel: ChannelId) -> None:
    await make_tournament(room)
    now = replace(await load_tournament(room), channel=channel)
    await tournaments(room).announce(now, Notice(NoticeKind.ENDED, now.version), [])


async def post_daily(room: Room, guild: GuildId, channel: ChannelId) -> object:
    posts = room.services.coach.posts
    assert isinstance(posts, PuzzlePosts)
    return await posts.post(await room.use_cases.dailies.announce(guild, channel, room.clock()))


async def post_puzzle(room: Room, guild: GuildId, channel: ChannelId) -> object:
    await room.use_cases.puzzles.add(built_in_puzzle(guild, room.clock()))
    return await room.services.coach.posts.post_puzzle(guild, channel, room.clock())


async def post_anything(room: Room, guild: GuildId, channel: ChannelId) -> object:
    return await room.services.channels.post(channel, lambda: {"content": "words"}, "1", guild=guild)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "post",
    [
        *(post_home, post_ladder, post_tournament, edit_tournament, announce_tournament),
        *(post_puzzle, post_daily, post_anything),
    ],
)
async def test_a_foreign_channel_gets_nothing(room: Room, stranger: Channel, post: Post) -> None:
    room.make_moderator(room.ola)
    with pytest.raises((Undeliverable, HomeNotPosted, DailyNotPosted, library.NotFound)):
        await post(room, guild_of(room), ChannelId(stranger.id))
    assert room.discord.messages(stranger) == []


async def test_an_entry_of_the_log_goes_to_no_foreign_channel_and_the_panel_says_so(
    room: Room, stranger: Channel
) -> None:
    async with room.services.store.write() as tx:
        server = await tx.servers.get(guild_of(room))
        await tx.servers.save(replace(server, log_channel=ChannelId(stranger.id)))
    await ban(room, room.ola, room.maksim, reason="Rude")

    async def told() -> bool:
        async with room.services.store.read() as reader:
            return not await reader.news.pending(1)

    await room.until(told)
    assert room.discord.messages(stranger) == []
    shown = await private_message(room.ola.command(room.general, "settings server"))
    assert "⚠️" in shown.text
    room.signposts.forgive()  # the panel shows what is chosen, as "No Access"


async def test_a_channel_of_the_server_is_asked_about_once(room: Room) -> None:
    await room.restart()
    for number in range(3):
        await room.services.channels.post(
            ChannelId(room.general.id), lambda: {"content": "words"}, str(number), guild=guild_of(room)
        )
    asked = [each for each in room.discord.requests if each.endpoint == "GET /channels/{channel_id}"]
    assert len(asked) <= 1


def test_features_post_only_through_what_checks_the_channel() -> None:
    posting = [
        file.relative_to(ROOT).as_posix()
        for file in sorted((ROOT / "bot").rglob("*.py"))
        if "get_partial_messageable(" in file.read_text(encoding="utf-8")
    ]
    assert posting == [
        "bot/services/channels.py",
        "bot/services/feedback.py",
        "bot/services/guild_directory.py",
        "bot/services/messages.py",
    ]
