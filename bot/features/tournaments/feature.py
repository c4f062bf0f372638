"""Tournaments."""

from __future__ import annotations

from bot.features.tournaments import commands, publisher
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, presets: commands.commands(words, presets),
    components=publisher.BUTTONS,
)
