"""Profiles, histories and privacy."""

from __future__ import annotations

from bot.features.players import commands, histories, privacy, profiles
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, _presets: commands.commands(words),
    components=(*histories.BUTTONS, *profiles.BUTTONS, *privacy.BUTTONS),
)
