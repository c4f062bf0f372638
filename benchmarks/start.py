"""Commands that an operator, a container or a mistake calls: how long until they answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.figure import Figure, times

ROOT = Path(__file__).parents[1]

COMMANDS = ("--help", "--version", "healt", "doctor --now", "health")


def figures() -> Iterator[Figure]:
    for command in COMMANDS:
        yield Figure(f"kropka {command}", times([partial(_run, command)] * 5, perf_counter), "ms", 500)


def _run(command: str) -> None:
    # With a port on which nothing answers, health asks and fails at once.
    environment = {"PYTHONPATH": str(ROOT), "KROPKA_STATUS_PORT": "9"}
    program = [sys.executable, "-m", "bot", *command.split()]
    subprocess.run(program, env=environment, capture_output=True, check=False)  # noqa: S603
