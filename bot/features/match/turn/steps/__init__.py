"""Turns put together step by step: what was begun, as a short code in a custom id, and how it can go on."""

from bot.features.match.turn.steps.start import begin, coded, recent
from bot.features.match.turn.steps.step import ROOM, Option, Said, Step

__all__ = ["ROOM", "Option", "Said", "Step", "begin", "coded", "recent"]
