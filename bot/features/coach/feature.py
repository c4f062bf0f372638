"""Hints, reviews and puzzles."""

from __future__ import annotations

from bot.features.coach import commands, own_mistakes, puzzles
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, _presets: commands.commands(words),
    components=(*puzzles.BUTTONS, *own_mistakes.BUTTONS),
)
