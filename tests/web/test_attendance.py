"""The spectators of a game on the web: their number for all who look, their names for those who may read them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loopback import Channel, Person
from play.ids import ChannelId, MatchId, Millis, UserId
from play.people.web_session import SESSION_MILLIS, WATCHING_MILLIS, Watching, WebWatch
from rules.registry import GAMES
from tests.bot.features.settings.test_settings import open_settings
from tests.bot.panels import choose
from tests.bot.room import Room
from tests.web.finished import store_game
from tests.web.visit import Board, Visit, link_for
from use_cases.channel_rights import MAX_NAMED, Spectators
from web.live.hub import Hub

Visits = Callable[..., Visit]

GAME = GAMES["zagram"].with_options({"size": "9x9", "start": "empty"})


def hub_of(room: Room) -> Hub:
    assert room.bot.website is not None
    return room.bot.website.hub


async def told(room: Room, *boards: Board) -> list[tuple[int, str]]:
    """Returns what each board knows of those who watch, after the next look; the site looks by itself, too."""
    await hub_of(room).note_watchers()
    for board in boards:
        await board.socket.send_json({"do": "ping"})
        await board.until(**{"is": "pong"})
    return [(board.watching["count"], board.watching["line"]) for board in boards]


async def open_board(room: Room, visit: Visits, thread: Channel, person: Person) -> Board:
    return await visit().open(await link_for(room, person, room.boards(thread)[-1]))


@pytest.fixture
async def kasias(room: Room, thread: Channel, visit: Visits) -> Board:
    """The board of Kasia, who watches the game of Ola and Максим."""
    return await open_board(room, visit, thread, room.kasia)


def spectators_of(room: Room) -> Spectators:
    return Spectators(room.services.store, room.services.rights)


async def test_players_and_spectators_read_who_watches(
    room: Room, thread: Channel, visit: Visits, board: Board, kasias: Board
) -> None:
    line = "1 person is watching: Kasia Wiśniewska"
    assert await told(room, board, kasias) == [(1, line), (1, line)]
    other = await open_board(room, visit, thread, room.discord.invite("Zoë"))
    assert await told(room, board, other) == [(2, "2 people are watching: Kasia Wiśniewska, Zoë")] * 2
    await other.close()
    await room.until(lambda: is_alone(room))
    assert await told(room, board) == [(1, line)]


async def is_alone(room: Room) -> bool | None:
    """Returns True once a single spectator's socket is open."""
    return True if sum(each.audience.seat is None for each in hub_of(room).watchers) == 1 else None


async def test_spectators_follow_the_game_move_by_move(room: Room, thread: Channel, kasias: Board) -> None:
    for version, point in enumerate(("E5", "D4", "E4"), 1):
        await room.play(thread, point.lower())
        assert (await kasias.version(version))["view"]["turn"] == version + 1


async def test_one_who_has_many_boards_open_counts_once(
    room: Room, thread: Channel, visit: Visits, board: Board, kasias: Board
) -> None:
    await open_board(room, visit, thread, room.kasia)
    assert (await told(room, board))[0][0] == 1


async def test_boards_of_players_count_for_nothing(room: Room, thread: Channel, visit: Visits, board: Board) -> None:
    for person in (room.ola, room.maksim, room.maksim):
        await open_board(room, visit, thread, person)
    await hub_of(room).note_watchers()
    assert await spectators_of(room).of([MatchId(1)]) == {}
    await board.socket.send_json({"do": "ping"})
    assert (await board.read())["is"] == "pong"  # and nothing before it


async def test_nothing_is_said_again_while_nothing_changes(room: Room, board: Board, kasias: Board) -> None:
    await told(room, board)
    await hub_of(room).note_watchers(renews=True)
    await board.socket.send_json({"do": "ping"})
    assert (await board.read())["is"] == "pong"


async def test_who_switched_the_name_off_is_only_counted(room: Room, board: Board, kasias: Board) -> None:
    await choose(room.kasia, await open_settings(room, room.kasia), "me:watching", "counted")
    assert await told(room, board, kasias) == [(1, "1 person is watching")] * 2
    await choose(room.kasia, await open_settings(room, room.kasia), "me:watching", "named")
    async with room.services.store.read() as reader:
        assert (await reader.people.get(UserId(room.kasia.id))).named


@pytest.mark.parametrize("blocks", ["the spectator", "the other spectator"])
async def test_where_one_has_blocked_the_other_there_is_no_name(
    room: Room, thread: Channel, visit: Visits, board: Board, kasias: Board, blocks: str
) -> None:
    zoe = room.discord.invite("Zoë")
    zoes = await open_board(room, visit, thread, zoe)
    one, other = (room.kasia, zoe) if blocks == "the spectator" else (zoe, room.kasia)
    await room.use_cases.blocks.block(UserId(one.id), UserId(other.id), room.clock())
    line = "2 people are watching: {}, …"
    assert await told(room, board, kasias, zoes) == [
        (2, "2 people are watching: Kasia Wiśniewska, Zoë"),
        (2, line.format("Kasia Wiśniewska")),
        (2, line.format("Zoë")),
    ]


async def test_a_player_whom_a_spectator_has_blocked_reads_the_number_alone(
    room: Room, board: Board, kasias: Board
) -> None:
    await room.use_cases.blocks.block(UserId(room.kasia.id), UserId(room.ola.id), room.clock())
    assert await told(room, board) == [(1, "1 person is watching")]


async def test_a_player_who_has_left_the_server_reads_the_number_alone(room: Room, board: Board, kasias: Board) -> None:
    room.ola.leave()
    assert await told(room, board) == [(1, "1 person is watching")]


async def test_of_many_spectators_some_are_named(room: Room, thread: Channel, visit: Visits, board: Board) -> None:
    names = [f"Fan {number}" for number in range(MAX_NAMED)]
    people = [room.discord.invite(name) for name in (*names, "Fan last", "Fan least")]
    for person in people:
        await open_board(room, visit, thread, person)
    ((count, line),) = await told(room, board)
    assert count == MAX_NAMED + 2
    assert line == f"12 people are watching: {', '.join(names)}, …"


async def test_a_process_that_is_silent_counts_no_more(room: Room, board: Board, kasias: Board) -> None:
    spectators, zoe, match = spectators_of(room), UserId(room.discord.invite("Zoë").id), MatchId(1)
    async with room.services.store.write() as tx:
        until = Millis(room.clock() + SESSION_MILLIS)
        await tx.web.allow_watching(WebWatch(zoe, match, until, ChannelId(room.channel.id)))
    await told(room, board)
    await spectators.note([Watching(zoe, match)], [])  # as another process does
    assert await told(room, board) == [(2, "2 people are watching: Kasia Wiśniewska, Zoë")]
    await room.pass_time(WATCHING_MILLIS)
    await hub_of(room).note_watchers(renews=True)
    assert await spectators.of([match]) == {match: [UserId(room.kasia.id)]}


async def test_where_discord_tells_nothing_of_members_there_are_no_names(room: Room) -> None:
    match = await store_game(room, room.channel, GAME, ("E5",), guild=None)
    kasia = UserId(room.kasia.id)
    assert await spectators_of(room).names_for({*match.players, kasia}, match, [kasia]) == dict.fromkeys(
        {*match.players, kasia}, ()
    )
