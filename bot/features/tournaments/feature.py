"""Tournaments."""

from __future__ import annotations

from bot.features.tournaments import buttons, commands, removal
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=commands.commands,
    components=(*buttons.BUTTONS, *removal.ITEMS),
)
