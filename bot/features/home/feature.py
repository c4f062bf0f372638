"""The home post of a server."""

from __future__ import annotations

from bot.features.home import panel
from bot.interactions.feature import Feature

FEATURE = Feature(components=panel.ITEMS)
