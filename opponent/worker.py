"""A process that thinks: `python -m opponent.worker` reads requests from its standard input and answers on its output.

A frame is its length in four bytes and a pickled value. The first answer, None, says that it is ready: by then the
compiled field is loaded, or compiled where there is none on the disk.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

HEAD = 4
"""Bytes of a frame's length."""

NICENESS = 10
"""How far the worker stands behind the bot when both want the processor."""


def write(stream: BinaryIO, value: Any) -> None:
    stream.write(framed(value))
    stream.flush()


def framed(value: Any) -> bytes:
    data = pickle.dumps(value)
    return len(data).to_bytes(HEAD, "big") + data


def read(stream: BinaryIO) -> Any:
    """Raises EOFError where the other end is closed."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        raise EOFError
    return pickle.loads(stream.read(int.from_bytes(head, "big")))  # noqa: S301 - our own parent wrote it


def serve(think: Callable[..., Any]) -> None:
    """Answers until the bot is gone. What goes wrong with one request is its answer."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing that is printed may come between the frames
    write(answers, None)
    while True:
        try:
            request = read(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = think(*request)
        except Exception as error:
            error.__traceback__ = None
            answer = error
        write(answers, answer)


def step_back(niceness: int = NICENESS) -> None:
    """Puts this process behind the bot where both want the processor, and out of the reach of Ctrl-C."""
    # A process group and not a session of its own: Linux shares the processor among sessions first (autogroups), and
    # niceness counts only within one.
    os.setpgid(0, 0)
    os.nice(niceness)


def main() -> None:
    step_back()
    # Here, since to be imported it is compiled, and whoever only reads frames need not wait for that.
    from opponent.choose import choose

    serve(choose)


if __name__ == "__main__":
    main()
