"""A process that thinks: `python -m opponent.worker THREADS [NICENESS]` reads requests from its standard input and
answers on its output.

A frame is its length in four bytes and a pickled value. The first answer, None, says that the worker is ready. By then
the compiled field is loaded, or compiled if the disk has no copy.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

HEADER_BYTES = 4
"""Bytes of a frame's length."""

NICENESS = 10
"""The priority of a worker below that of the bot."""


def write(stream: BinaryIO, value: Any) -> None:
    stream.write(encode_frame(value))
    stream.flush()


def encode_frame(value: Any) -> bytes:
    data = pickle.dumps(value)
    return len(data).to_bytes(HEADER_BYTES, "big") + data


def read(stream: BinaryIO) -> Any:
    """Reads the value of the next frame. Raises EOFError if the other end is closed."""
    head = stream.read(HEADER_BYTES)
    if len(head) < HEADER_BYTES:
        raise EOFError
    return pickle.loads(stream.read(int.from_bytes(head, "big")))  # noqa: S301 - our own parent wrote it


def serve(think: Callable[..., Any]) -> None:
    """Answers until the bot is gone. An error in a request is its answer."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # keeps printed text out of the frames
    write(answers, None)
    while True:
        try:
            request = read(sys.stdin.buffer)
        except EOFError:
            return
        write(answers, answer_to(request, think))


def answer_to(request: tuple[Any, ...], think: Callable[..., Any]) -> Any:
    """Returns the answer to a request, or the error in it."""
    try:
        return think(*request)
    except Exception as error:
        error.__traceback__ = None
        return error


def lower_priority(niceness: int = NICENESS) -> None:
    """Gives the bot priority over this process where the system can, and takes it out of the reach of Ctrl-C."""
    if sys.platform == "win32":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return
    # A process group, not a session: Linux shares the processor among sessions first (autogroups), and niceness counts
    # only within one.
    os.setpgid(0, 0)
    os.nice(niceness)


def main() -> None:
    lower_priority(*map(int, sys.argv[2:]))
    # Imported here: the import compiles, and modules that only use frames should not wait for that.
    from opponent.captures import oversight
    from opponent.choose import choose
    from opponent.dots.player import Searcher, use

    use(Searcher(threads=int(sys.argv[1])))

    def answer(position: Any, asked: Any, *more: Any) -> Any:
        return oversight(position, asked) if isinstance(asked, str) else choose(position, asked, *more)

    serve(answer)


if __name__ == "__main__":
    main()
