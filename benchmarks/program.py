"""The common parts of these programs: an empty database, and printing figures."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.figure import Figure
from benchmarks.yardstick import yardstick
from tests.postgres import Postgres
from tools.program import say

DURABLE = {"max_connections": "100", "shared_buffers": "128MB"}
"""The settings of a server in production: a commit survives a power cut."""

Measurement = Callable[[argparse.Namespace, str, Path], Coroutine[Any, Any, list[Figure]]]
"""Takes the command line, the address of a database and a folder; returns the figures."""


def add_database_option(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the engine of `database`."""
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")


@contextmanager
def database(engine: str, kept: Path | None = None) -> Iterator[tuple[str, Path]]:
    """Yields the address of an empty database, and a folder for it and for logs; a given folder stays."""
    with ExitStack() as stack:
        folder = kept or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        if engine == "sqlite":
            yield f"sqlite+aiosqlite:///{folder}/kropka.db", folder
        else:
            server = stack.enter_context(Postgres(DURABLE))
            yield asyncio.run(server.create("kropka")), folder


def report(figures: Iterable[Figure]) -> bool:
    """Prints each figure as soon as it is measured, beside the limit that it has on this machine at its present pace;
    returns whether any misses its limit, the exit status."""
    failed = False
    with yardstick() as pace_of_machine:
        before = pace_of_machine.measure()
        say(f"     this machine takes {before} what that of the limits takes")
        for figure in figures:
            after = pace_of_machine.measure() if figure.limit is not None else before
            here = figure.here(before.mean(after))
            say(here)
            failed |= not here.holds
            before = after
    return failed


def report_failures(failed: dict[str, int]) -> None:
    """Prints why, and how often, moves failed."""
    for reason, times in failed.items():
        say(f"     {times} times: {reason}")


def run(
    parser: argparse.ArgumentParser,
    measure: Callable[[argparse.Namespace, str, Path], Coroutine[Any, Any, list[Figure]]],
) -> bool:
    """Measures on an empty database and prints the figures; returns the exit status."""
    add_database_option(parser)
    parser.add_argument("--folder", type=Path, help="the folder that keeps logs and the database")
    arguments = parser.parse_args()
    with database(arguments.database, arguments.folder) as (address, folder):
        return report(asyncio.run(measure(arguments, address, folder)))
