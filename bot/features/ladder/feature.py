"""The ladder of a server."""

from __future__ import annotations

from bot.features.ladder import buttons, commands, terms
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, _presets: commands.commands(words),
    components=(*buttons.BUTTONS, *terms.ITEMS),
)
