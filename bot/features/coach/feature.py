"""Hints, reviews and puzzles."""

from __future__ import annotations

from bot.features.coach import commands, own_mistakes, puzzle_answers, reviews, rush
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, _presets: commands.commands(words),
    components=(*puzzle_answers.BUTTONS, *rush.BUTTONS, *reviews.BUTTONS, *own_mistakes.BUTTONS),
)
