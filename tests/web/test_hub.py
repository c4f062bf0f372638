"""Changes that no one has told of, and limits of open boards."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

import pytest

from loopback import Channel
from play.ids import IdempotencyKey, MatchId, UserId
from tests.bot.room import Room
from tests.web.visit import Board, Visit, link_for
from use_cases import UseCases
from web.live.hub import MAX_USER_SOCKETS


async def test_a_change_of_another_process_is_found_without_a_notice(room: Room, thread: Channel, board: Board) -> None:
    other = UseCases.over(room.services.store, seeds=lambda: 0)  # its events reach nobody here
    await other.matches.move(MatchId(1), UserId(room.ola.id), "E5", room.clock(), IdempotencyKey(5))
    assert room.bot.website is not None
    await room.bot.website.hub.poll()
    assert (await board.version(1))["view"]["to_act"] == [1]


async def test_a_notice_shows_the_version_that_it_names(room: Room, thread: Channel, board: Board) -> None:
    other = UseCases.over(room.services.store, seeds=lambda: 0)
    await other.matches.move(MatchId(1), UserId(room.ola.id), "E5", room.clock(), IdempotencyKey(5))
    assert room.bot.website is not None
    hub = room.bot.website.hub
    await hub.hear(MatchId(999), 1)
    await hub.hear(MatchId(1), 1)
    assert (await board.version(1))["version"] == 1


async def test_clocks_are_sent_now_and_then(room: Room, thread: Channel, board: Board) -> None:
    await room.play(thread, "e5")
    await board.version(1)
    await room.pass_time(5000)
    assert room.bot.website is not None
    await room.bot.website.hub.send_clocks()
    clocks = (await board.until(**{"is": "clock"}))["players"]
    assert [clock["clock"]["running"] for clock in clocks] == [False, True]
    assert clocks[1]["clock"]["ms"] == 600_000 - 5000


async def test_a_board_that_is_closed_is_watched_no_more(room: Room, thread: Channel, board: Board) -> None:
    assert room.bot.website is not None
    hub = room.bot.website.hub
    assert len(hub.watchers) == 1
    await board.close()
    await room.discord.until(lambda: True)
    await room.play(thread, "e5")
    assert hub.watchers == []


async def test_a_user_has_a_limited_number_of_boards(room: Room, thread: Channel, visit: Callable[[], Visit]) -> None:
    browser = visit()
    _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    opened = [await browser.live(answer["to"]) for _ in range(MAX_USER_SOCKETS)]
    assert [(await each.read())["is"] for each in opened] == ["board"] * MAX_USER_SOCKETS
    one_more = await browser.live(answer["to"])
    assert await one_more.closed() == 1013
    assert one_more.line.startswith("Too many boards are open.")


@pytest.mark.sample(3)
@pytest.mark.parametrize("preset", ["zagram", "sport-territory", "paper", "dot-dash"])
async def test_ten_turns_are_played_by_what_the_board_offers(
    room: Room, visit: Callable[[], Visit], preset: str
) -> None:
    size, start = ("9", None) if preset == "dot-dash" else ("9x9", "empty")
    thread = await room.start_match(rules=preset, size=size, start=start)
    browser, message = visit(), room.boards(thread)[-1]
    boards = [await browser.open(await link_for(room, person, message)) for person in (room.ola, room.maksim)]
    for version in range(10):
        (mover,) = boards[0].board["view"]["to_act"]
        await play_any(boards[mover])
        for each in boards:
            await each.version(version + 1)


async def play_any(board: Board) -> None:
    """Plays a turn as a player does who takes the first of what is offered, again and again."""
    steps: list[str] = []
    columns = board.board["view"]["coordinates"]["columns"]
    while True:
        ghost = await board.attempt(*steps)
        assert ghost["is"] == "ghost", ghost
        if ghost.get("turn") and steps:
            assert (await board.play(ghost["turn"]))["is"] == "done"
            return
        if ghost["points"]:
            x, y = ghost["points"][len(ghost["points"]) // 2]
            steps.append(f"{columns[x]}{y + 1}")
        else:
            steps.append(next(each["step"] for each in ghost["choices"] if not each.get("disabled")))


async def test_a_board_is_not_deflated_for_each_browser(
    room: Room, thread: Channel, visit: Callable[[], Visit]
) -> None:
    browser = visit()
    _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    board = await browser.live(answer["to"], compress=15)
    assert (await board.read())["is"] == "board"
    assert board.socket.compress == 0


class TestOnPostgres:
    """A database that lets others go on while it answers."""

    @pytest.fixture
    def url(self, postgres_url: str) -> str:
        return postgres_url

    async def test_of_many_boards_that_are_opened_at_once_no_more_get_in(
        self, room: Room, thread: Channel, visit: Callable[[], Visit]
    ) -> None:
        browser = visit()
        _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
        opened = await asyncio.gather(*(browser.live(answer["to"]) for _ in range(2 * MAX_USER_SOCKETS)))
        first = Counter([(await each.read())["is"] for each in opened])
        assert first == {"board": MAX_USER_SOCKETS, "gone": MAX_USER_SOCKETS}
