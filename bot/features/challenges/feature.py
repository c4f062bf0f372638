"""Challenges."""

from __future__ import annotations

from bot.features.challenges import buttons, commands, newcomer_game
from bot.features.terms import terms_panel
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=commands.commands,
    components=(*buttons.BUTTONS, *newcomer_game.BUTTONS, *terms_panel.ITEMS),
    forms=terms_panel.FORMS,
)
