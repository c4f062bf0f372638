"""Leaderboards."""

from __future__ import annotations

from bot.features.leaderboards import commands, leaderboards
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, _presets: commands.commands(words),
    components=leaderboards.BUTTONS,
)
