"""`/about`, and `/feedback` where the operator takes it: a feature of its own, since it may be missing."""

from __future__ import annotations

from bot.features.about import about, feedback
from bot.interactions.feature import Feature

FEATURE = Feature(commands=lambda words, _presets: about.commands(words))
FEEDBACK = Feature(commands=lambda words, _presets: feedback.commands(words), forms=feedback.FORMS)
