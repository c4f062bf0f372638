"""Own rule sets of players and servers."""

from __future__ import annotations

from typing import Protocol

from play.challenge.rule_set import Owner, RuleSet
from play.ids import RuleSetId


class RuleSetReader(Protocol):
    """Own rule sets, as reads see them."""

    async def get(self, rule_set: RuleSetId) -> RuleSet | None: ...

    async def of(self, owner: Owner) -> list[RuleSet]:
        """Returns the rule sets of a player or a server in the order in which they were made."""


class RuleSetRepository(RuleSetReader, Protocol):
    """Own rule sets, as a transaction writes them."""

    async def lock(self) -> None:
        """Lets no other transaction pass this point until this one ends, so that a count stays true."""

    async def add(self, rule_set: RuleSet) -> RuleSet:
        """Stores a new rule set; returns it with its id. Raises NameTaken."""

    async def rename(self, rule_set: RuleSetId, name: str) -> None:
        """Stores another name. Raises NameTaken, or Stale if the rule set is gone."""

    async def change(self, rule_set: RuleSet) -> None:
        """Stores other rules, with their clock. Raises Stale if the rule set is gone."""

    async def remove(self, rule_set: RuleSetId) -> None:
        """Deletes a rule set, if it is there."""
