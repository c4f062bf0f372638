"""First contact."""

from __future__ import annotations

from bot.features.welcome import card
from bot.interactions.feature import Feature

FEATURE = Feature(components=card.BUTTONS)
