"""What the programs here have in common: their options, an empty database to work on, and what they print."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.figure import Figure
from tests.postgres import Postgres

DURABLE = {"max_connections": "100", "shared_buffers": "128MB"}
"""A server as it is installed: what it says is committed survives a power cut."""


def options(about: str | None) -> argparse.ArgumentParser:
    """Those of a program about which its docstring says enough."""
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def database_option(parser: argparse.ArgumentParser) -> None:
    """Which engine `database` is to be."""
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")


@contextmanager
def database(engine: str, kept: Path | None = None) -> Iterator[tuple[str, Path]]:
    """The address of an empty one, and a folder for it and for logs, which stays if it is given."""
    with ExitStack() as stack:
        folder = kept or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        if engine == "sqlite":
            yield f"sqlite+aiosqlite:///{folder}/kropka.db", folder
        else:
            server = stack.enter_context(Postgres(DURABLE))
            yield asyncio.run(server.create("kropka")), folder


def say(*words: object) -> None:
    """Prints at once, also into a file."""
    print(*words, flush=True)  # noqa: T201 - what these programs are for


def report(figures: Iterable[Figure]) -> bool:
    """Prints each figure as soon as it is known; whether any does not hold, which is the exit status of a program."""
    failed = False
    for figure in figures:
        say(figure)
        failed |= not figure.holds
    return failed


def explain(failed: dict[str, int]) -> None:
    """Prints for what reasons, and how often, moves failed."""
    for reason, times in failed.items():
        say(f"     {times} times: {reason}")
