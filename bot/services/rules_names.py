"""Rules by their name: that of the preset, behind the name of the own rule set that changes it."""

from __future__ import annotations

from bot.i18n.words import Words
from bot.services.names import escape, isolate


def rules_name(preset: str, rule_set: str | None, words: Words, *, plain: bool = False) -> str:
    """Returns the name of rules for a message or, `plain`, for a label, in which nothing is a mark."""
    name = words(f"preset.{preset}.name")
    if rule_set is None:
        return name
    return words("sets.named", name=isolate(rule_set) if plain else escape(rule_set), rules=name)
