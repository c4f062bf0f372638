"""Turns put together step by step: what was begun, as a short code in a custom id, and how it can go on."""

from bot.features.match.turn.steps.start import encode, recent_points, step_at
from bot.features.match.turn.steps.step import MAX_CODE, Option, Said, Step

__all__ = ["MAX_CODE", "Option", "Said", "Step", "encode", "recent_points", "step_at"]
