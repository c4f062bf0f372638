"""Turns put together step by step: a short code in a custom id says how far a turn is, and each step how to go on."""

from bot.features.match.turn.steps.start import (
    choose_closings,
    chooses_closings,
    encode,
    leaves_choice,
    read_code,
    recent_points,
    step_at,
)
from bot.features.match.turn.steps.step import MAX_CODE, Phrase, StepOption, TurnStep
from bot.features.match.turn.steps.turn_code import CHOSEN

__all__ = [
    "CHOSEN",
    "MAX_CODE",
    "Phrase",
    "StepOption",
    "TurnStep",
    "choose_closings",
    "chooses_closings",
    "encode",
    "leaves_choice",
    "read_code",
    "recent_points",
    "step_at",
]
