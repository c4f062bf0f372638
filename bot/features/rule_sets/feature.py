"""Own rule sets."""

from __future__ import annotations

from bot.features.rule_sets import naming, panels
from bot.interactions.feature import Feature

FEATURE = Feature(components=(*panels.ITEMS, *naming.ITEMS), forms=naming.FORMS)
