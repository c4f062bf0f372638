"""The home post of a server."""

from __future__ import annotations

from bot.features.home import accept, panel
from bot.interactions.feature import Feature

FEATURE = Feature(components=(*accept.BUTTONS, *panel.ITEMS))
