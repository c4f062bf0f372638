"""The analysis sheet over its socket: what a player tries stays with them, and plays nothing that they did not send."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.features.coach.computer import Computer
from loopback import Channel
from opponent.choice import Choice
from play.ids import MatchId, UserId
from play.match.sheet import try_turn
from tests.bot.room import Room
from tests.loop_calls import calls_on_loop
from tests.opponent.quick import Inside
from tests.web.finished import path_of, switch_pages
from tests.web.visit import Board, Visit, link_for
from use_cases import sheets

GAME = MatchId(1)


async def lay(board: Board, *texts: str, after: int = 0) -> int:
    """Lays a branch from a position of the game on; returns the id of its last turn."""
    turn: int | None = None
    for text in texts:
        done = await board.ask("lay", turn=turn, after=after, text=text)
        assert done["is"] == "done", done
        turn = int(done["turn"])
    assert turn is not None
    return turn


async def read(board: Board) -> dict[str, Any]:
    return await board.ask("sheet")


async def texts(board: Board) -> list[str]:
    return [turn["text"] for turn in (await read(board))["turns"]]


async def reopen(room: Room, thread: Channel, browser: Visit) -> Board:
    """Opens Maksim's board."""
    return await browser.open(await link_for(room, room.maksim, room.boards(thread)[-1]))


async def test_a_player_has_a_sheet_and_one_who_watches_has_none(
    room: Room, thread: Channel, board: Board, visit: Callable[[], Visit]
) -> None:
    assert board.board["view"]["sheet"] is True
    assert (await read(board))["turns"] == []
    watching = await visit().open(await link_for(room, room.kasia, room.boards(thread)[-1]))
    assert watching.board["view"]["sheet"] is False
    assert (await watching.ask("sheet"))["is"] == "refused"


async def test_turns_of_both_colours_are_kept_in_private(
    room: Room, thread: Channel, board: Board, visit: Callable[[], Visit]
) -> None:
    await lay(board, "E5", "E6", "D5")
    found = (await read(board))["turns"]
    assert [(turn["text"], turn["seat"], turn["parent"]) for turn in found] == [
        ("E5", 0, None),
        ("E6", 1, 1),
        ("D5", 0, 2),
    ]
    assert await room.version() == 0
    other = await reopen(room, thread, visit())
    assert await texts(other) == []


async def test_a_place_shows_its_position_and_who_would_be_to_act(board: Board) -> None:
    turn = await lay(board, "E5")
    scene = await board.ask("scene", turn=turn, after=0)
    assert [stone["point"] for stone in scene["picture"]["stones"]] == [[4, 4]]
    assert scene["enter"] == "dot"
    assert scene["line"] == "Score: Ola 0, Максим 0. It's Максим's turn."
    ghost = await board.ask("sketch", turn=turn, after=0, steps=["E6"])
    assert (ghost["is"], ghost["turn"]) == ("ghost", "E6")
    assert ghost["picture"]["ghost"] == {"point": [4, 5], "seat": 1}


async def test_what_is_tried_has_no_part_in_what_the_game_tells(room: Room, thread: Channel, board: Board) -> None:
    await room.play(thread, "e5", "e6", "d6", "a1", "f6", "a2")
    turn = await lay(board, "E7", after=6)
    scene = await board.ask("scene", turn=turn, after=6)
    assert scene["line"].startswith("Score: Ola 1, Максим 0.")
    await board.version(6)
    await board.play("E7")
    posted = await room.wait_for_board(thread, 7)
    assert "captured 1 dot" in posted.content, posted.content


async def test_places_that_there_are_not_are_refused(board: Board) -> None:
    for place in ({"turn": 99, "after": 0}, {"turn": None, "after": 5}):
        assert (await board.ask("scene", **place))["is"] == "refused"
        assert (await board.ask("lay", text="E5", **place))["is"] == "refused"
    assert (await board.ask("lay", turn=None, after=0, text="A1"))["line"].startswith("A1 is too far out")


async def test_notes_keep_lines_and_emoji_and_lose_what_cannot_be_seen(board: Board) -> None:
    turn = await lay(board, "E5")
    await board.ask("note", turn=turn, note=" плохо\n👨‍👩‍👧 \x00\u202e! ")
    assert (await read(board))["turns"][0]["note"] == "плохо\n👨‍👩‍👧 !"
    assert "500" in (await board.ask("note", turn=turn, note="x" * 501))["line"]


async def test_what_was_erased_comes_back_once(board: Board) -> None:
    await lay(board, "E5", "E6")
    for _ in range(2):
        assert (await board.ask("erase", turn=1))["is"] == "done"
    assert await texts(board) == []
    for _ in range(2):
        assert (await board.ask("restore", turn=1))["is"] == "done"
    assert await texts(board) == ["E5", "E6"]


async def test_a_branch_after_the_own_move_is_planned_and_played_when_it_is_due(
    room: Room, thread: Channel, board: Board
) -> None:
    await board.play("E5")
    turn = await lay(board, "E6", "D6", after=1)
    assert (await board.ask("plan", turn=turn, version=1))["is"] == "done"
    assert [one["planned"] for one in (await read(board))["turns"]] == [True, True]
    await room.maksim.command(thread, "move", point="E6").answered()
    assert [move["text"] for move in (await read(board))["moves"]] == ["E5", "E6", "D6"]


async def test_a_branch_that_begins_with_the_own_turn_plays_it_first_and_once(
    room: Room, thread: Channel, board: Board
) -> None:
    turn = await lay(board, "E5", "E6", "D6")
    key = "0123456789"
    for _ in range(2):
        done = await board.ask("plan", id=key, turn=turn, version=0)
        assert (done["is"], done["version"]) == ("done", 1)
    assert await room.version() == 1
    await room.maksim.command(thread, "move", point="E6").answered()
    assert await room.version() == 3
    again = await board.ask("plan", id=key, turn=turn, version=0)
    assert again["is"] == "done", "sent again after the game has gone on"
    assert await room.version() == 3


async def test_a_branch_of_an_older_version_plays_nothing(room: Room, thread: Channel, board: Board) -> None:
    turn = await lay(board, "E5", "E6", "D6")
    await board.play("D4")
    await room.maksim.command(thread, "move", point="F6").answered()
    refused = await board.ask("plan", turn=turn, version=0)
    assert refused["is"] == "refused"
    assert await room.version() == 2


async def test_a_branch_without_an_answer_plays_nothing(room: Room, board: Board) -> None:
    for branch in (("E5",), ("E5", "E6")):
        turn = await lay(board, *branch)
        assert (await board.ask("plan", turn=turn, version=0))["is"] == "refused"
    assert await room.version() == 0


async def test_a_plan_ends_on_request(room: Room, thread: Channel, board: Board) -> None:
    await board.play("E5")
    await board.ask("plan", turn=await lay(board, "E6", "D6", after=1), version=1)
    assert (await board.ask("unplan"))["is"] == "done"
    await room.maksim.command(thread, "move", point="E6").answered()
    assert await room.version() == 2


async def test_notes_are_published_after_the_game_and_hidden_again(
    room: Room, thread: Channel, board: Board, visit: Callable[[], Visit]
) -> None:
    turn = await lay(board, "E5")
    await board.ask("note", turn=turn, note="my idea")
    assert (await read(board))["published"] is None
    assert (await board.ask("publish", on=True))["is"] == "refused"
    await board.play("E5")
    other = await reopen(room, thread, visit())
    await other.play("D4")
    await board.version(2)
    await board.ask("act", version=2, action="resign")
    assert (await read(other))["others"] == []
    assert (await other.ask("scene", turn=turn, after=0, of=0))["is"] == "refused"
    assert (await board.ask("publish", on=True))["is"] == "done"
    (shared,) = (await read(other))["others"]
    assert (shared["seat"], shared["name"], shared["turns"][0]["note"]) == (0, "Ola", "my idea")
    assert (await other.ask("scene", turn=turn, after=0, of=0))["is"] == "scene"
    await board.ask("publish", on=False)
    assert (await read(other))["others"] == []


def add_computer(room: Room, engine: Inside | None = None) -> None:
    """Lets the computer advise."""
    services, engine = room.services, engine or Inside()
    room.bot.publishers.coach.computer = Computer(
        room.client, services.store, services.use_cases.challenges, services.channels, engine
    )


async def test_where_nothing_thinks_an_unrated_game_is_told_so(room: Room, visit: Callable[[], Visit]) -> None:
    thread = await room.start_match(size="9x9", rated=False)
    board = await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
    weighed = await board.ask("weigh", turn=None, after=0)
    assert weighed["line"].startswith("This bot has no computer player.")


async def test_an_unrated_game_has_the_view_of_the_computer(room: Room, visit: Callable[[], Visit]) -> None:
    thread = await room.start_match(size="9x9", rated=False)
    board = await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
    assert (await read(board))["computer"] is False, "the operator has none"
    assert (await board.ask("weigh", turn=None, after=0))["is"] == "refused"
    add_computer(room)
    assert (await read(board))["computer"] is True
    turn = await lay(board, "E5")
    weighed = await board.ask("weigh", turn=turn, after=0)
    assert weighed["is"] == "weighed", weighed
    assert weighed["line"].startswith("I'd give Максим a ")
    assert weighed["picture"]["ghost"]["seat"] == 1


async def test_a_rated_game_has_the_view_of_the_computer_only_when_it_is_over(
    room: Room, visit: Callable[[], Visit]
) -> None:
    add_computer(room)
    thread = await room.start_match(size="10x10", rated=True)
    board = await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
    assert (await read(board))["computer"] is False
    assert (await board.ask("weigh", turn=None, after=0))["line"].startswith("Rated games have no hints")
    await room.play(thread, "e5", "d4")
    await board.version(2)
    await board.ask("act", version=2, action="resign")
    assert (await read(board))["computer"] is True
    assert (await board.ask("weigh", turn=None, after=1))["is"] == "weighed"
    assert (await board.ask("weigh", turn=None, after=2))["is"] == "weighed"


async def test_a_sheet_goes_with_its_players_data(room: Room, board: Board) -> None:
    await lay(board, "E5")
    async with room.services.store.read() as reader:
        assert await reader.sheets.get(GAME, UserId(room.ola.id)) is not None
    async with room.services.store.write() as tx:
        await tx.privacy.forget(UserId(room.ola.id))
    async with room.services.store.read() as reader:
        assert await reader.sheets.get(GAME, UserId(room.ola.id)) is None


@pytest.mark.parametrize("number", [6])
async def test_turns_that_are_laid_at_once_are_all_kept(board: Board, number: int) -> None:
    columns = "ABCDEF"[:number]
    for column in columns:
        frame = {"do": "lay", "id": f"key-{column}-0123", "turn": None, "after": 0, "text": f"{column}5"}
        await board.socket.send_json(frame)
    got = [await board.until(id=f"key-{column}-0123") for column in columns]
    assert {answer["is"] for answer in got} <= {"done", "refused"}
    assert len(await texts(board)) == sum(answer["is"] == "done" for answer in got)


class Gated(Inside):
    """An engine that answers once it is `allowed`."""

    def __init__(self) -> None:
        super().__init__()
        self.allowed = asyncio.Event()

    async def choose(self, *request: Any) -> Choice:
        await self.allowed.wait()
        return await super().choose(*request)


async def test_while_the_computer_looks_the_player_plays_on(room: Room, board: Board) -> None:
    engine = Gated()
    add_computer(room, engine)
    for number in (1, 2):
        await board.socket.send_json({"do": "weigh", "id": number, "turn": None, "after": 0})
    assert (await board.until(id=2))["line"].startswith("I'm still working on your last request.")
    assert (await board.play("E5"))["is"] == "done"
    engine.allowed.set()
    assert (await board.until(id=1))["is"] == "weighed"


async def test_published_notes_are_on_the_page_of_the_game(
    room: Room, thread: Channel, visit: Callable[[], Visit], board: Board
) -> None:
    await switch_pages(room, on=True)
    await room.play(thread, "E5", "E6")
    turn = await lay(board, "E5", "D5")
    await board.ask("note", turn=turn - 1, note="The <b>centre</b>")
    await board.ask("note", turn=turn, note="Quiet")
    await board.version(2)
    await board.ask("act", version=2, action="resign")
    path = path_of(room, await room.use_cases.matches.load(GAME))
    stranger = visit()
    assert "centre" not in (await stranger.get(path))[1]
    await board.ask("publish", on=True)
    _, page = await stranger.get(path)
    assert "The &lt;b&gt;centre&lt;/b&gt;" in page
    assert re.search(r'<a href="#1">1</a> D5\s*<q dir="auto">Quiet</q>', page)
    await board.ask("publish", on=False)
    assert "centre" not in (await stranger.get(path))[1]


async def test_the_sheet_of_a_finished_game_is_reached_from_its_last_board(
    room: Room, thread: Channel, visit: Callable[[], Visit], board: Board
) -> None:
    await lay(board, "E5")
    await room.play(thread, "E5", "E6")
    await board.version(2)
    await board.ask("act", version=2, action="resign")
    await room.wait_for_board(thread, 3)
    again = await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
    assert await texts(again) == ["E5"]
    assert (await read(again))["published"] is False


WORK = frozenset({"try_turn", "match_at", "picture", "branch_to", "principal_variation", "DotsPosition.play"})
"""Functions that take long on a large board."""


async def test_nothing_of_a_sheet_is_worked_out_on_the_event_loop(room: Room, board: Board) -> None:
    add_computer(room)
    with calls_on_loop() as calls:
        turn = await lay(board, "E5", "E6", "D5")
        assert (await board.ask("scene", turn=turn, after=0))["is"] == "scene"
        assert (await board.ask("sketch", turn=turn, after=0, steps=["D6"]))["is"] == "ghost"
        assert (await board.ask("weigh", turn=turn, after=0))["is"] == "weighed"
    assert not WORK & calls.keys()


async def test_a_turn_is_tried_outside_of_a_transaction(
    room: Room, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: Any = room.services.store
    write, open_ones, tried = store.write, list[Any](), list[int]()

    @asynccontextmanager
    async def begin() -> AsyncIterator[Any]:
        async with write() as tx:
            open_ones.append(tx)
            yield tx
            open_ones.remove(tx)

    def note(*arguments: Any, **options: Any) -> Any:
        tried.append(len(open_ones))
        return try_turn(*arguments, **options)

    monkeypatch.setattr(store, "write", begin)
    monkeypatch.setattr(sheets, "try_turn", note)
    await lay(board, "E5", "E6")
    assert tried == [0, 0]


async def test_a_player_who_deletes_their_data_meanwhile_leaves_no_sheet(
    room: Room, thread: Channel, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.play(thread, "E5", "E6")
    await board.version(2)
    await board.ask("act", version=2, action="resign")
    store: Any = room.services.store
    write, ola = store.write, UserId(room.ola.id)

    @asynccontextmanager
    async def begin() -> AsyncIterator[Any]:
        async with write() as first:
            await first.privacy.forget(ola)
        async with write() as tx:
            yield tx

    monkeypatch.setattr(store, "write", begin)
    assert (await board.ask("lay", turn=None, after=0, text="D5"))["is"] == "refused"
    async with store.read() as reader:
        assert await reader.sheets.get(GAME, ola) is None


async def test_published_notes_are_shown_on_the_boards_of_the_others(
    room: Room, thread: Channel, board: Board, visit: Callable[[], Visit]
) -> None:
    await lay(board, "E5")
    await board.ask("act", version=0, action="abort")
    other, site = await reopen(room, thread, visit()), room.bot.website
    assert site is not None
    assert other.board["view"]["shared"] == []
    for published, shared in ((True, [{"seat": 0, "name": "Ola"}]), (False, [])):
        assert (await board.ask("publish", on=published))["is"] == "done"
        await site.hub.poll()
        while other.board["view"]["shared"] != shared:
            await other.read()
    assert board.board["view"]["shared"] == []
