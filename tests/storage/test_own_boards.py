"""Boards of players' own: each is its player's alone, and no change is lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from play.boards.own_board import MAX_BOARDS, OwnBoard, play_steps
from play.ids import Millis, OwnBoardId
from play.refusal import Refused
from storage import Database
from tests.matches import ANNA, BORIS
from tests.play.boards.test_own_board import a_board, laid
from use_cases.own_boards import Change, OwnBoards


def whole() -> OwnBoard:
    board = laid(a_board("zagram-territory"), "A1", "A2", "B3").remove(3)
    return board.annotate_place(1, "два\nряда").mark_place(None, ["label C3 x"]).annotate_place(None, "why")


def lay(text: str) -> Change:
    return lambda board: board.lay(text, None, play_steps(board.game, ()))[0]


async def test_a_board_is_read_as_it_was_kept(store: Database) -> None:
    boards = OwnBoards(store)
    kept = await boards.keep(whole(), ANNA)
    assert await boards.load(kept.id, ANNA) == kept


async def test_a_board_is_its_players_alone(store: Database) -> None:
    boards = OwnBoards(store)
    kept = await boards.keep(whole(), ANNA)
    for attempt in (boards.load(kept.id, BORIS), boards.change(kept.id, BORIS, lay("C1"))):
        with pytest.raises(Refused, match="no_own_board"):
            await attempt
    await boards.delete(kept.id, BORIS)
    assert [each.id for each in await boards.list(ANNA)] == [kept.id]


async def test_two_browsers_that_draw_at_once_both_find_their_strokes(store: Database) -> None:
    boards = OwnBoards(store)
    kept = await boards.keep(a_board(), ANNA)
    await asyncio.gather(*(boards.change(kept.id, ANNA, lay(text)) for text in ("A1", "B1")))
    assert {turn.text for turn in (await boards.load(kept.id, ANNA)).turns} == {"A1", "B1"}


async def test_a_change_of_all_for_an_older_version_is_refused(store: Database) -> None:
    boards = OwnBoards(store)
    kept = await boards.keep(a_board(), ANNA)
    await boards.change(kept.id, ANNA, lay("A1"))
    with pytest.raises(Refused, match="board_changed"):
        await boards.change(kept.id, ANNA, lambda board: replace(board, turns=()), version=1)


async def test_the_board_that_was_changed_last_comes_first(store: Database) -> None:
    boards = OwnBoards(store)
    kept = [await boards.keep(replace(a_board(), name=name), ANNA) for name in ("one", "two")]
    async with store.write() as tx:
        later = Millis(await tx.clock.now() + 1000)
        await tx.own_boards.save(replace(kept[0], version=2), later)
    assert [each.name for each in await boards.list(ANNA)] == ["one", "two"]


async def test_a_player_keeps_a_bounded_number(store: Database) -> None:
    boards = OwnBoards(store)
    for _ in range(MAX_BOARDS):
        await boards.keep(a_board(), ANNA)
    with pytest.raises(Refused, match="too_many_own_boards"):
        await boards.keep(a_board(), ANNA)


async def test_a_deleted_board_is_gone(store: Database) -> None:
    boards = OwnBoards(store)
    kept = await boards.keep(a_board(), ANNA)
    await boards.delete(kept.id, ANNA)
    with pytest.raises(Refused, match="no_own_board"):
        await boards.load(kept.id, ANNA)
    assert await boards.list(ANNA) == []
    assert kept.id != OwnBoardId(0)
