"""Games that have no public page: what each of them answers, on each engine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.services.kept_answers import KEPT_SECONDS, KeptAnswers
from bot.services.members import OpenChannels
from loopback import Channel, Permission, components
from loopback.model import ChannelKind
from play.ids import ChannelId, GuildId, UserId
from play.match.match import Match
from rules.registry import GAMES
from tests.bot.room import Room, private_message
from tests.web.finished import path_of, store_game, switch_pages
from tests.web.visit import Visit

GAME = GAMES["zagram"].with_options({"size": "9x9", "start": "empty"})
MOVES = ("E5", "E6", "F5", "D5")
PARTS = ("", "/board.png", "/moves.json", "/game.sgf")
SENTENCE = "This page isn&#x27;t public."

Arrange = Callable[[Room], Awaitable[Match]]


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty database; the engine is the parameter."""
    address: str = request.getfixturevalue(f"{request.param}_url")
    return address


@pytest.fixture
async def stranger(visit: Callable[..., Visit]) -> Visit:
    """A browser of a person who is in no server."""
    return visit()


def dots(room: Room) -> Channel:
    """The channel of the server that all members read."""
    return room.discord.channels["dots"]


def open_thread(room: Room, kind: ChannelKind) -> Channel:
    """Opens a thread below #dots."""
    world, own = room.discord.world, room.discord.world.bot.id
    thread = Channel(world.ids.next(), kind, "game", parent_id=dots(room).id, owner_id=own, members=(own,))
    return world.create(thread)


def close_to_members(room: Room, channel: Channel, permissions: Permission = Permission.VIEW_CHANNEL) -> None:
    """Takes permissions in a channel from @everyone, and gives them to the bot."""
    room.discord.world.overwrite(channel, room.discord.guild.id, allow=Permission(0), deny=permissions)
    room.discord.allow(channel, permissions)


async def running(room: Room) -> Match:
    return await store_game(room, dots(room), GAME, MOVES, resigns=False)


async def in_a_direct_message(room: Room) -> Match:
    return await store_game(room, dots(room), GAME, MOVES, guild=None)


async def on_a_server_without_the_bot(room: Room) -> Match:
    async with room.services.store.write() as tx:
        await tx.servers.save(replace(await tx.servers.get(GuildId(77)), pages=True))
    return await store_game(room, dots(room), GAME, MOVES, guild=77)


async def switched_off_again(room: Room) -> Match:
    await switch_pages(room, on=False)
    return await store_game(room, dots(room), GAME, MOVES)


async def in_a_private_channel(room: Room) -> Match:
    close_to_members(room, dots(room))
    return await store_game(room, dots(room), GAME, MOVES)


async def in_a_channel_without_history(room: Room) -> Match:
    close_to_members(room, dots(room), Permission.READ_MESSAGE_HISTORY)
    return await store_game(room, dots(room), GAME, MOVES)


async def in_a_thread_of_a_private_channel(room: Room) -> Match:
    close_to_members(room, dots(room))
    return await store_game(room, open_thread(room, ChannelKind.PUBLIC_THREAD), GAME, MOVES)


async def in_a_private_thread(room: Room) -> Match:
    return await store_game(room, open_thread(room, ChannelKind.PRIVATE_THREAD), GAME, MOVES)


async def in_a_deleted_channel(room: Room) -> Match:
    match = await store_game(room, dots(room), GAME, MOVES)
    room.discord.delete_channel(dots(room))
    return match


async def after_the_bot_was_removed(room: Room) -> Match:
    match = await store_game(room, dots(room), GAME, MOVES)
    room.discord.remove_bot()
    return match


async def of_a_deleted_player(room: Room) -> Match:
    match = await store_game(room, dots(room), GAME, MOVES)
    async with room.services.store.write() as tx:
        await tx.privacy.forget(UserId(room.maksim.id))
    return match


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "arrange",
    [
        running,
        in_a_direct_message,
        on_a_server_without_the_bot,
        switched_off_again,
        in_a_private_channel,
        in_a_channel_without_history,
        in_a_thread_of_a_private_channel,
        in_a_private_thread,
        in_a_deleted_channel,
        after_the_bot_was_removed,
        of_a_deleted_player,
    ],
)
async def test_a_game_that_not_everyone_may_see_has_no_page(room: Room, stranger: Visit, arrange: Arrange) -> None:
    await switch_pages(room, on=True)
    match = await arrange(room)
    for part in PARTS:
        status, text = await stranger.get(path_of(room, match) + part)
        assert (status, SENTENCE in text) == (404, True), part


async def test_a_game_that_everyone_may_see_has_one(room: Room, stranger: Visit) -> None:
    await switch_pages(room, on=True)
    thread = open_thread(room, ChannelKind.PUBLIC_THREAD)
    for match in (await store_game(room, dots(room), GAME, MOVES), await store_game(room, thread, GAME, MOVES)):
        for part in PARTS:
            assert await stranger.status(path_of(room, match) + part) == 200, part


async def test_a_wrong_address_answers_as_a_private_game_does(room: Room, stranger: Visit) -> None:
    match = await running(room)
    private, wrong = await stranger.get(path_of(room, match)), await stranger.get("/game/1-AAAAAAAAAAAAAAAA")
    assert private == wrong


async def test_a_last_board_in_a_private_channel_has_no_link(room: Room) -> None:
    await switch_pages(room, on=True)
    thread = await room.start_match(size="9x9")
    await room.play(thread, *MOVES)
    close_to_members(room, dots(room))
    for person in (room.ola, room.maksim):
        room.discord.allow(dots(room), Permission.VIEW_CHANNEL, person)
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").answered()
    board = await room.wait_for_board(thread, len(MOVES) + 1)
    await room.wait_for_outbox()
    shown = room.discord.message(board.id)
    assert shown is not None
    assert not [part for part in components.walk(shown.components) if "url" in part]


async def test_nothing_is_shown_while_discord_does_not_say_who_may_read_the_channel(
    room: Room, stranger: Visit
) -> None:
    await switch_pages(room, on=True)
    match = await store_game(room, dots(room), GAME, MOVES)
    room.discord.fault("GET", "/channels/{channel_id}", 400)
    status, text = await stranger.get(path_of(room, match))
    assert (status, "Discord isn&#x27;t answering" in text) == (503, True)
    assert (await stranger.get(path_of(room, match)))[0] == 200


async def test_thirty_readers_at_once_ask_discord_once(room: Room, visit: Callable[..., Visit]) -> None:
    await switch_pages(room, on=True)
    thread = open_thread(room, ChannelKind.PUBLIC_THREAD)
    path, asked = path_of(room, await store_game(room, thread, GAME, MOVES)), len(room.discord.requests)
    stranger = visit()
    assert await asyncio.gather(*(stranger.status(path) for _ in range(30))) == [200] * 30
    assert len(room.discord.requests) - asked <= 6  # the thread, its channel and the server; the names of the players


async def test_a_page_is_gone_a_minute_after_its_channel_was_closed(room: Room) -> None:
    now = [0.0]
    channels = OpenChannels(KeptAnswers(room.client, lambda: now[0]))
    guild, channel = GuildId(room.discord.guild.id), ChannelId(dots(room).id)
    assert await channels.is_open(guild, channel)
    close_to_members(room, dots(room))
    assert await channels.is_open(guild, channel)
    now[0] += KEPT_SECONDS
    assert not await channels.is_open(guild, channel)
    assert await channels.server_name(guild) == room.discord.guild.name
    assert await channels.server_name(GuildId(77)) is None
