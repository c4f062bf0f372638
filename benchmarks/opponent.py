"""The cost of the computer's search: playouts a second, the first move of a fresh process, memory."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from statistics import median
from subprocess import PIPE, Popen
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.figure import Figure
from opponent.dots.field import empty
from opponent.dots.playout import fill_many
from opponent.dots.rng import seeded_rng

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAYOUTS = ((20, 20, 6000, 50_000), (39, 32, 2000, 13_000))
"""Width, height, playouts, and the required rate a second."""

ROUNDS = 5

ENGINE = "import sys; from opponent.engine import serve; serve(sys.stdin, sys.stdout)"


def figures() -> Iterator[Figure]:
    for width, height, many, least in PLAYOUTS:
        rate = median(_rate(width, height, many, seed) for seed in range(ROUNDS))
        yield Figure(f"random playouts to a full {width}x{height}", rate, "/s", least, least=True, processor=True)
    _worker()  # compiles all functions
    taken, memory = _worker()
    yield Figure("import and first move of a fresh process", taken, "s", 1.2, processor=True)
    yield Figure("  its memory after thinking 3 s on 39x32", memory, "MB", 400)


def _rate(width: int, height: int, many: int, seed: int) -> float:
    """Returns the playouts a second of this process's own time."""
    field = empty(width, height)
    start = process_time()
    fill_many(field, field.copy(), np.zeros_like(field), seeded_rng(seed), many)
    return many / (process_time() - start)


def _worker() -> tuple[float, float]:
    """Returns the seconds of work until a fresh engine's first move, and its peak memory in MB."""
    with Popen([sys.executable, "-c", ENGINE], stdin=PIPE, stdout=PIPE, text=True) as engine:  # noqa: S603
        assert engine.stdin is not None
        assert engine.stdout is not None
        for line in ("new 39 32", "play 0 19 15", "genmove 1 1"):
            print(line, file=engine.stdin, flush=True)
            engine.stdout.readline()
        user, system = Path(f"/proc/{engine.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
        taken = (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        print("genmove 0 3000", file=engine.stdin, flush=True)
        engine.stdout.readline()
        status = Path(f"/proc/{engine.pid}/status").read_text(encoding="ascii")
        engine.stdin.close()
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return taken, int(peak.split()[1]) / 1000
