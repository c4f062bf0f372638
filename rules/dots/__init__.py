"""Dots (Kropki, Точки): surround the opponent's dots with a closed chain of your own."""

from rules.dots.consequences import AgreedEnd, Consequences, Offer
from rules.dots.game import Dots
from rules.dots.options import Closing, Ending, Links, Measure, Reuse, Scoring, Setup, Win
from rules.dots.position import DotsPosition
from rules.dots.presets import FORMER_PRESETS, OLD_CHOICES, PRESETS, with_seats
from rules.dots.rules import DotsRules
from rules.dots.turn import Call, Turn

__all__ = [
    "FORMER_PRESETS",
    "OLD_CHOICES",
    "PRESETS",
    "AgreedEnd",
    "Call",
    "Closing",
    "Consequences",
    "Dots",
    "DotsPosition",
    "DotsRules",
    "Ending",
    "Links",
    "Measure",
    "Offer",
    "Reuse",
    "Scoring",
    "Setup",
    "Turn",
    "Win",
    "with_seats",
]
