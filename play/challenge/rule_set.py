"""Own rule sets: rules to which a player or a server has given a name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from play.challenge.terms import Terms
from play.clock import TimeControl
from play.ids import GuildId, RuleSetId, UserId
from rules.game import AnyGame
from rules.registry import GAMES

MAX_NAME = 32
"""Characters of a name: as many as fit beside the word for rules in a line of a phone."""

MAX_RULE_SETS = 12
"""Rule sets of one owner. A player's own and their server's fit into one select of 25 options together."""


class Owner(NamedTuple):
    """The player or the server to whom a rule set belongs; the other one is None."""

    user: UserId | None = None
    guild: GuildId | None = None


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules with a name, which is unique among those of their owner. `control` is the clock that comes with them."""

    id: RuleSetId
    owner: Owner
    name: str
    game: AnyGame
    control: TimeControl | None = None

    def apply(self, terms: Terms) -> Terms:
        """Returns terms with these rules and, if a clock comes with them or with their preset, that clock."""
        return replace(terms.by_rules(self.game, self.control), rule_set=self.name)


def with_name(terms: Terms, rule_sets: Iterable[RuleSet], before: Terms | None = None) -> Terms:
    """Returns terms with the name of their rules: of the first rule set that has them, else as in the terms `before`.

    One whose board has the same size comes first. The name follows from the options, so that no custom id has to hold
    it.
    """
    fitting = [each for each in rule_sets if same_rules(each.game, terms.game)]
    names = [each.name for each in sorted(fitting, key=lambda each: each.game != terms.game)]
    kept = before.rule_set if before and same_rules(before.game, terms.game) else None
    return replace(terms, rule_set=names[0] if names else kept)


def same_rules(named: AnyGame, game: AnyGame) -> bool:
    """Returns whether `game` has the rules of a rule set, and so its name.

    Its board may have another size, except where a size is all that the rule set changes.
    """
    if named == game:
        return True
    preset = _rules(GAMES[named.key])
    return _rules(named) == _rules(game) != preset


def _rules(game: AnyGame) -> tuple[str, dict[str, str]]:
    """Returns the preset and the options other than the size."""
    return game.key, {option: value for option, value in game.options.items() if option != "size"}


def fold(name: str) -> str:
    """Returns a name as it is compared with others: without upper case, and with one spelling of each letter."""
    return unicodedata.normalize("NFKC", name).casefold()
