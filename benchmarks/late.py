"""Runs the bot by a wrong clock: `python -m benchmarks.late SECONDS run` (early, if the number is negative).

SIGUSR1 puts the clock an hour forward, and the next one back.
"""

from __future__ import annotations

import signal
import sys
import time

from bot.__main__ import main

HOUR = 3600.0

if __name__ == "__main__":
    late = float(sys.argv[1])
    right, right_ns = time.time, time.time_ns

    def put(*_: object) -> None:
        global late
        late += HOUR if late < -HOUR / 2 else -HOUR

    signal.signal(signal.SIGUSR1, put)
    time.time = lambda: right() - late
    time.time_ns = lambda: right_ns() - int(late * 1e9)
    sys.exit(main(sys.argv[2:]))
