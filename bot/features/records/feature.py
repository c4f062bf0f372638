"""Records of games: export and import."""

from __future__ import annotations

from bot.features.records import commands, exports, imports
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, _presets: commands.commands(words),
    components=(*exports.BUTTONS, *imports.BUTTONS),
)
