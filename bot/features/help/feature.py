"""Help, the rules and the lesson."""

from __future__ import annotations

from bot.features.help import commands, lesson, manual, rulebook
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, _presets: commands.commands(words),
    components=(*lesson.BUTTONS, *manual.BUTTONS, *rulebook.ITEMS),
)
