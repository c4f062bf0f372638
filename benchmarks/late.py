"""`python -m benchmarks.late SECONDS run`: the bot by a clock that is wrong (early, if the number is negative)."""

from __future__ import annotations

import sys
import time

from bot.__main__ import main

if __name__ == "__main__":
    late = float(sys.argv[1])
    right, right_ns = time.time, time.time_ns
    time.time = lambda: right() - late
    time.time_ns = lambda: right_ns() - int(late * 1e9)
    sys.exit(main(sys.argv[2:]))
