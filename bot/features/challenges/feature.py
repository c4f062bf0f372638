"""Challenges."""

from __future__ import annotations

from bot.features.challenges import accept_at_home, buttons, commands, new_challenges, newcomer_game
from bot.features.terms import terms_panel
from bot.interactions.feature import Feature

FEATURE = Feature(
    commands=commands.commands,
    components=(
        *(*buttons.BUTTONS, *accept_at_home.BUTTONS, *newcomer_game.BUTTONS, *new_challenges.BUTTONS),
        *terms_panel.ITEMS,
    ),
    forms=terms_panel.FORMS,
)
