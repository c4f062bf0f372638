"""Challenges."""

from __future__ import annotations

from bot.features.challenges import buttons, commands, terms_panel
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, presets: commands.commands(words, presets),
    components=(*buttons.BUTTONS, *terms_panel.ITEMS),
    forms=terms_panel.FORMS,
)
