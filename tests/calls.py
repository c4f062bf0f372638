"""Calls of functions, counted: how much work something is, whatever else the machine does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Calls:
    """The number of calls so far."""

    number = 0


@contextmanager
def count_calls() -> Iterator[Calls]:
    """Counts the calls of functions in a block, also of those in C."""
    calls = Calls()

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        calls.number += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)
