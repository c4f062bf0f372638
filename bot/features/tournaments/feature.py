"""Tournaments."""

from __future__ import annotations

from bot.features.tournaments import commands, tournaments
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, presets: commands.commands(words, presets),
    components=tournaments.BUTTONS,
)
