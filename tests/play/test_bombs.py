"""A record that is meant to exhaust its reader is refused quickly."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from play.records import pointsxt, sgf
from play.records.record import MAX_RECORD_BYTES, BadRecord

BOMBS = {
    "nothing but brackets": b"(" * MAX_RECORD_BYTES,
    "variations in variations": b"(;GM[40]SZ[5]" + b"(;B[aa]" * 9000,
    "a field without end": b"(;GM[40]SZ[99999999999999999999999:1])",
    "more dots than crossings": b"(;GM[40]SZ[39:32]AB" + b"[aa]" * 16_000 + b")",
    "a comment that never closes": b"(;GM[40]C[" + b"a\\" * 32_000,
    "bytes that are no text": b"\0\xff" * (MAX_RECORD_BYTES // 2),
    "one byte too many": b"(;GM[40])" + b" " * MAX_RECORD_BYTES,
}


@contextmanager
def within_a_second() -> Iterator[None]:
    """Fails if the block takes a second of this thread, which is some twenty times what it needs.

    Python's collector rests meanwhile: it would look through all that the tests before have left.
    """
    gc.disable()
    try:
        began = time.thread_time()
        yield
        assert time.thread_time() - began < 1
    finally:
        gc.enable()


@pytest.mark.sample(5)
@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("read", [sgf.read, pointsxt.read], ids=["sgf", "sav"])
def test_a_bomb_is_refused_within_a_second(read: object, bomb: str) -> None:
    with within_a_second(), pytest.raises(BadRecord):
        read(BOMBS[bomb])  # type: ignore[operator]


def test_of_a_thousand_variations_only_the_first_is_read() -> None:
    variations = b"".join(b"(;B[%c%c];W[zz])" % (97 + number % 26, 97 + number // 26 % 26) for number in range(3000))
    with within_a_second():
        record = sgf.read(b"(;GM[40]SZ[30];B[AA]" + variations + b")")
    assert len(record.moves) == 3
