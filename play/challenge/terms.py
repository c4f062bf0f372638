"""What players agree on before a match: the game, its clocks, who moves first, who may accept; and rules with a
name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from play.challenge.pool import Pool, pool_of
from play.clock import TimeControl, parse_control
from play.clock.agreement import NO_AGREEMENT, NO_LIMIT, TimeAgreement
from play.ids import GuildId, Millis, RuleSetId, UserId
from play.refusal import Reason, Refused
from rules.game import AnyGame
from rules.registry import DEFAULT, GAMES, make_game, renew_game

FIRST_GAME: Final = make_game(DEFAULT, {"size": "9x9"})
"""The rules of a newcomer's first game, against the computer."""

USUAL_CONTROL: Final = parse_control("3d")
"""For a first game: time to answer."""

RULE_CLOCKS: Final[Mapping[str, TimeControl]] = {"sport-blitz": parse_control("5s random")}
"""The clocks that belong to presets. Each comes with its preset wherever rules are chosen."""

UNLIMITED_PLAY_OUT = frozenset({"classic"})
"""Presets in which only the game's clock limits the time for playing out, unless the players agree on another limit."""

MAX_NAME = 32
"""Characters of a name: as many as fit beside the word for rules in a line of a phone."""

MAX_RULE_SETS = 12
"""Rule sets of one owner. A player's own and their server's fit into one select of 25 options together."""


class Order(StrEnum):
    """When the challenger moves: first, last, or as drawn when the match begins."""

    DRAWN = "drawn"
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Window:
    """The range of ratings, both ends included, of players who may accept an open challenge."""

    least: int
    most: int


def parse_window(text: str) -> Window:
    """Returns the window that `text` names, as `1400-1700`. Raises Refused (`bad_window`)."""
    found = re.fullmatch(r"\s*(\d{1,4})\s*[-–—]\s*(\d{1,4})\s*", text)
    if not found or int(found[1]) > int(found[2]):
        raise Refused(Reason.BAD_WINDOW)
    return Window(int(found[1]), int(found[2]))


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a match. `level` is that of the computer, if it plays.

    `rule_set` is the name of the own rule set whose rules they are, as it was when the terms were agreed on.
    """

    game: AnyGame
    control: TimeControl
    order: Order = Order.DRAWN
    rated: bool = False
    window: Window | None = None
    agreement: TimeAgreement = NO_AGREEMENT
    level: int | None = None
    rule_set: str | None = None

    def by_rules(self, game: AnyGame, control: TimeControl | None = None) -> Terms:
        """Returns these terms with other rules, and with the clock that belongs to them: `control`, or that of the
        preset. The clock of the rules before does not stay."""
        own = control or RULE_CLOCKS.get(game.key)
        if own is None:
            own = USUAL_CONTROL if self.control == RULE_CLOCKS.get(self.game.key) else self.control
        return replace(self, game=game, control=own)

    @property
    def time_to_play_out(self) -> Millis:
        """How long the opponent may go on after a STOP, as agreed or as usual with these rules and this clock."""
        if self.agreement.play_out is None and self.game.key in UNLIMITED_PLAY_OUT:
            return NO_LIMIT
        return self.agreement.time_to_play_out(self.control)

    @property
    def settled_agreement(self) -> TimeAgreement:
        """The agreement of a match on these terms, which no later default changes."""
        return replace(self.agreement, play_out=self.time_to_play_out)

    @property
    def pool(self) -> Pool | None:
        """The pool in which the match is rated. None if it is not to be rated, or cannot be."""
        with suppress(Refused):
            return pool_of(self.game, self.control, computer=self.level is not None) if self.rated else None
        return None


class Continuation(NamedTuple):
    """A game that begins at a position, and when its challenger moves."""

    game: AnyGame
    order: Order = Order.DRAWN

    def put_into(self, terms: Terms) -> Terms:
        """Returns terms for it: unrated, by its rules, without what goes with others."""
        own = replace(terms, game=self.game, order=self.order)
        return replace(own, rated=False, window=None, level=None, rule_set=None)


def offered_again(game: AnyGame) -> AnyGame:
    """Returns the game of a match as a challenge offers it: by the rules of today, and without the dots that chance has
    drawn, the opening, and the position that was set up."""
    is_set_up = game.options.get("start") == "stones"
    own = {"stones", "opening", *(("start", "areas", "begins") if is_set_up else ())}
    return renew_game(game.key, {option: value for option, value in game.options.items() if option not in own})


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
