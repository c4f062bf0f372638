"""Help, the rules and the lesson."""

from __future__ import annotations

from bot.features.help import commands, help_command, learn_command, lesson, manual, rulebook
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=lambda words, presets: (
        *commands.commands(words, presets),
        *help_command.commands(words),
        *learn_command.commands(words),
    ),
    components=(*lesson.BUTTONS, *manual.BUTTONS, *rulebook.ITEMS),
)
