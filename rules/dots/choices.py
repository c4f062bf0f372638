"""The values that can be chosen for each option of Dots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rules.dots.options import KOMI, MAX_CROSSES, MAX_HANDICAP, Closing, Ending, Links, Measure, Reuse, Scoring, Setup

SWITCH: Final = ("off", "on")

CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "start": tuple(setup for setup in Setup if setup is not Setup.STONES),
    "crosses": tuple(str(count) for count in range(1, MAX_CROSSES + 1)),
    "seats": ("2", "3", "4"),
    "closing": tuple(Closing),
    "chain": tuple(Measure),
    "links": tuple(Links),
    "scoring": tuple(Scoring),
    "ending": tuple(Ending),
    "landing": SWITCH,
    "extra-move": SWITCH,
    "reuse": tuple(Reuse),
    "handicap": tuple(str(count) for count in range(MAX_HANDICAP + 1)),
    "komi": KOMI,
}
"""The values of each option that has a list of them. `size` and `win` have numbers instead.

Options and values are only ever added at the end: codes in old messages count in this order.
"""
