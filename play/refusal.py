"""A wish that was not granted, with the reason as a key; whoever asked is told in words by bot/."""

from __future__ import annotations

from rules.game import RuleError


class Refused(Exception):
    """Nothing was changed. `key` names the reason, `details` are what its sentence needs."""

    def __init__(self, key: str, **details: str | int) -> None:
        super().__init__(key, details)
        self.key = key
        self.details = details

    @classmethod
    def by_rules(cls, error: RuleError) -> Refused:
        """What the rules of the game refuse, under the same key."""
        return cls(error.key, **error.details)
