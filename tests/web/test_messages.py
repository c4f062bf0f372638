"""Messages that no page sends: each is refused, and the board goes on."""

from __future__ import annotations

import json
import logging
import random
from collections import Counter

import orjson
import pytest

from bot.services.rate_limits import Rate, RateLimits
from loopback import Channel
from play.refusal import Refused
from rules.game import RuleError
from tests.bot.room import Room
from tests.web.visit import Board
from web import bodies
from web.live.socket import MAX_BAD_MESSAGES

GENERATED, SHARE = 20_000, 4
"""Messages, of every kind, of the long test, and of how many the quick one sends one; each is answered or refused."""

FREE = Rate(10**9, 1e-9)
UNLIMITED = {"limits": RateLimits(person=FREE, server=FREE, typing=FREE)}

USUAL: dict[str, tuple[object, ...]] = {
    "do": (
        *("try", "try", "play", "ask", "act", "describe", "ping", "shout", ""),
        *("sheet", "scene", "sketch", "lay", "lay", "note", "erase", "restore", "plan", "unplan", "publish", "weigh"),
        *("hint", "replay", "review"),
    ),
    "id": (0, 7, 2**31, 2**31 + 1, -1, "abcdefgh", "b" * 65, "x", "a b c d e"),
    "version": (0, 0, 0, 1, 2, 10**9),
    "steps": ([], ["E5"], ["e5", "E6"], ["E5?"], ["E5+f"], ["E5/"], ["E5/abc."], ["F7>1", "I10"], ["9" * 601], ["É"]),
    "turn": (None, None, None, 1, 2, 10**9, "E5", "E5 +D4", "K99", "stop", "", "\x00", "9" * 3000, "F7-I10", "E5&A1"),
    "action": (
        "draw",
        "end",
        "agree:draw",
        "agree:x",
        "stop",
        "land",
        "takeback",
        "abort?",
        "resume",
        "Resign",
        "rules",
        "rematch",
        "rematch:accept:1:0",
    ),
    "text": ("E5", "D4", "E6", "stop", "K99", "9" * 3000),
    "after": (0, 0, 1, 2, 10**9),
    "note": ("a cut", "два\nряда", "\x00", "x" * 600, "x" * 2000),
    "of": (None, None, None, 0, 7),
    "on": (True, False, 1),
    "what": ("row K", "row 5", "at E5", "at ZZ99", "last", "score", "board", "row ", "at", "E5"),
}
"""Values of fields as pages send them, or nearly."""

ANYTHING: tuple[object, ...] = (None, True, -1, 0.5, 2**70, "", "\u202e", "\ud800", [], {}, [[]], {"a": [1]}, "é" * 900)
"""Values of the wrong type, or beyond all bounds."""


def a_frame(chance: random.Random) -> bytes:
    """Returns a message, most often with most of its fields, and one in ten values of the wrong type."""
    fields_of = [name for name in USUAL if chance.random() < 0.9]
    message = {name: chance.choice(ANYTHING if chance.random() < 0.1 else USUAL[name]) for name in fields_of}
    written = json.dumps(message).encode()
    return written if chance.random() < 0.95 else written[: chance.randrange(len(written))]


async def answer(room: Room, frame: bytes) -> str:
    """Does what the socket does with a frame of Ola's; returns the name of the answer."""
    site = room.bot.website
    assert site is not None
    (watcher,) = site.hub.watchers
    try:
        message = bodies.read_message(frame)
        got = await site.boards.handle(watcher, message)
    except (Refused, RuleError):
        return "refused"
    assert orjson.dumps(got)
    return str(got["is"])


@pytest.mark.parametrize("run_options", [UNLIMITED], ids=["unlimited"])
@pytest.mark.parametrize("number", [GENERATED // SHARE, pytest.param(GENERATED, marks=pytest.mark.contest)])
async def test_generated_messages_are_answered_or_refused(
    room: Room, thread: Channel, board: Board, caplog: pytest.LogCaptureFixture, number: int
) -> None:
    chance = random.Random(22)
    seen = Counter([await answer(room, a_frame(chance)) for _ in range(number)])
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert {"refused", "ghost", "asked", "text", "pong", "done", "sheet", "scene"} <= seen.keys(), seen


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
    await board.socket.send_str("x" * (bodies.MAX_FRAME_BYTES + 1))
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
