"""Turn clocks: frozen values; the time is always an argument."""

from play.clock.control import (
    LONGEST,
    SHORTEST,
    SHORTEST_BLITZ,
    Blitz,
    Fischer,
    PerMove,
    Reserve,
    Speed,
    TimeControl,
    Untimed,
    duration_text,
    parse_control,
    parse_duration,
)
from play.clock.running import Clock

__all__ = [
    "LONGEST",
    "SHORTEST",
    "SHORTEST_BLITZ",
    "Blitz",
    "Clock",
    "Fischer",
    "PerMove",
    "Reserve",
    "Speed",
    "TimeControl",
    "Untimed",
    "duration_text",
    "parse_control",
    "parse_duration",
]
