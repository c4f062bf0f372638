"""Clocks of turns. Values are frozen, and the time is always an argument."""

from play.clock.clock import Clock
from play.clock.time_control import (
    MAX_DURATION,
    MIN_BLITZ_TIME,
    MIN_TIME,
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

__all__ = [
    "MAX_DURATION",
    "MIN_BLITZ_TIME",
    "MIN_TIME",
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
