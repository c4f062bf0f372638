"""Turns put together step by step: a short code in a custom id says how far a turn is, and each step how to go on."""

from play.turns.start import (
    choose_closings,
    chooses_closings,
    code_of,
    encode,
    landings,
    leaves_choice,
    recent_points,
    step_at,
    step_in,
)
from play.turns.step import CHOSEN, MAX_CODE, Phrase, StepOption, TurnStep

__all__ = [
    "CHOSEN",
    "MAX_CODE",
    "Phrase",
    "StepOption",
    "TurnStep",
    "choose_closings",
    "chooses_closings",
    "code_of",
    "encode",
    "landings",
    "leaves_choice",
    "recent_points",
    "step_at",
    "step_in",
]
