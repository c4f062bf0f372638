"""Messages that no page sends: each is refused, and the board goes on."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loopback import Channel
from play.refusal import Reason, Refused
from rules.game import RuleError
from tests.bot.room import Room
from tests.web.visit import Board
from web.live import fields
from web.live.socket import MAX_BAD_MESSAGES

GENERATED = 10_000
"""Messages, of every kind; each generated one is answered or refused."""

NAMES = ("try", "play", "ask", "act", "describe", "ping", "shout", "", None, 3)
STEPS = st.sampled_from(
    ["K12", "E5", "E5?", "E5+1", "E5/", "E5/abc", "F7>1", "F7-I10", "set D4", "STOP", "9" * 40, "É"]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "do": st.sampled_from(NAMES) | ANYTHING,
    "id": st.integers(0, 5) | st.sampled_from(["a" * 8, "b" * 65, "x"]) | ANYTHING,
    "version": st.integers(0, 2) | ANYTHING,
    "steps": st.lists(STEPS | ANYTHING, max_size=4) | ANYTHING,
    "turn": STEPS | ANYTHING,
    "action": st.sampled_from(["draw", "end", "agree:draw", "agree:x", "stop", "takeback", "rematch"]) | ANYTHING,
    "what": st.sampled_from(["row K", "at E5", "at ZZ99", "last", "score", "board", "row "]) | ANYTHING,
}
MESSAGES = st.fixed_dictionaries({}, optional=FIELDS)


async def answer(room: Room, frame: bytes) -> str:
    """Does what the socket does with a frame of Ola's; returns the name of the answer."""
    site = room.bot.website
    assert site is not None
    (watcher,) = site.hub.watchers
    try:
        message = fields.read_message(frame)
        got = await site.boards.handle(watcher, message)
    except Refused as refused:
        assert refused.key in set(Reason)
        return "refused"
    except RuleError:
        return "refused"
    assert orjson.dumps(got)
    return str(got["is"])


async def test_ten_thousand_messages_are_answered_or_refused(room: Room, thread: Channel, board: Board) -> None:
    loop, seen = asyncio.get_running_loop(), set[str]()
    frames: list[bytes] = []

    @settings(max_examples=GENERATED, database=None, suppress_health_check=list(HealthCheck))
    @given(MESSAGES)
    def generate(message: dict[str, Any]) -> None:
        try:
            frames.append(orjson.dumps(message))
        except TypeError:  # a number or a half character that JSON does not have
            frames.append(repr(message).encode("utf-8", "replace"))

    await loop.run_in_executor(None, generate)
    assert len(frames) >= GENERATED
    for frame in frames:
        seen.add(await answer(room, frame))
    assert {"refused", "ghost", "text", "pong"} <= seen


async def test_a_frame_that_is_no_message_is_refused_and_the_board_goes_on(board: Board) -> None:
    for frame in ("", "{", "[]", "5", '"try"', '{"do":"shout"}', "\x00"):
        await board.socket.send_str(frame)
        assert (await board.until(**{"is": "refused"}))["line"]
    assert (await board.play("E5"))["is"] == "done"


async def test_many_of_them_close_the_board(board: Board) -> None:
    for _ in range(MAX_BAD_MESSAGES + 1):
        await board.socket.send_str("nonsense")
    assert await board.closed() == 1008


async def test_a_frame_that_is_too_long_closes_the_board(board: Board) -> None:
    await board.socket.send_str("x" * (fields.MAX_FRAME_BYTES + 1))
    assert await board.closed() == 1009


async def test_a_binary_frame_closes_the_board(board: Board) -> None:
    await board.socket.send_bytes(b"{}")
    assert await board.closed() == 1008


async def test_a_flood_closes_the_board(board: Board) -> None:
    for _ in range(500):
        await board.socket.send_str('{"do":"ping"}')
    assert await board.closed() == 1008


async def test_deeds_count_as_clicks(board: Board, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    lines = [(await board.play("Z9"))["line"] for _ in range(35)]
    assert lines[-1].startswith("Too many clicks.")
    assert not caplog.records
