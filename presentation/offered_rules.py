"""Rules on offer: presets and own rule sets by their names in every language, and terms for those who name none."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from play.challenge.terms import USUAL_CONTROL, RuleSet, Terms, fold, same_rules
from play.clock import TimeControl
from play.people.settings import NO_SERVER, PlayerSettings, ServerSettings
from play.refusal import Reason, Refused
from presentation.terms import departures, rules_name
from presentation.words.words import Languages, Words
from rules.game import AnyGame, BadOption
from rules.registry import DEFAULT, GAMES, NEEDS_CONSENT, make_game, with_seats

FIRST_TERMS = Terms(make_game(DEFAULT, {"size": "20x20"}), USUAL_CONTROL)
"""For a first game between friends: a board that a phone shows well, a fight from the first move, time to answer."""

SIZES = ("9x9", "13x13", "15x15", "19x19", "20x20", "25x25", "30x30", "39x32")
"""Sizes of boards that menus offer."""

CLOCKS = (
    "1d",
    "2d",
    "3d",
    "7d",
    "14d",
    "5m+10s",
    "10m+30s",
    "30m+1m",
    "10m+30s max 15m",
    "10m/30s",
    "5s random",
    "none",
)
"""Clocks that menus offer."""

OWN = "own."
"""What the key of an own rule set begins with."""


def server_terms(server: ServerSettings) -> Terms:
    """Returns the terms that a server offers: its own, else the first ones, rated if games are by default there."""
    return server.terms or replace(FIRST_TERMS, rated=server.rated)


def usual_terms(player: PlayerSettings, server: ServerSettings = NO_SERVER) -> Terms:
    """Returns the terms of a player who names none: those of their settings, else those that the server offers."""
    return player.terms or server_terms(server)


class OfferedRules(NamedTuple):
    """A rule set on offer: its `key` in menus, its `name` as the reader calls it, and the clock that belongs to it.

    `rule_set` is the name that its owner has given it; None for a preset. `about` says in a line how it differs: a
    preset from the others, an own rule set from its preset.
    """

    key: str
    name: str
    game: AnyGame
    control: TimeControl | None = None
    rule_set: str | None = None
    about: str = ""

    def put_into(self, terms: Terms) -> Terms:
        """Returns terms with these rules instead of theirs."""
        return replace(terms.by_rules(self.game, self.control), rule_set=self.rule_set)

    def is_of(self, game: AnyGame) -> bool:
        """Returns whether the game was made from these rules."""
        return game.key == self.key if self.rule_set is None else same_rules(self.game, game)


def list_rules(
    presets: Iterable[str],
    server: ServerSettings,
    rule_sets: Iterable[RuleSet],
    words: Words,
    seats: int | None = None,
) -> list[OfferedRules]:
    """Returns the rules that can be chosen, rule sets first: those of which the server and its bot have the presets."""
    keys = [key for key in presets if server.dot_dash or key not in NEEDS_CONSENT]
    offered = [_own_rules(own, words) for own in rule_sets if own.game.key in keys and seats in (None, own.game.seats)]
    offered += (offered_preset(GAMES[key], words) for key in keys)
    return [rules for each in offered if (rules := _for_seats(each, seats))]


def require_offered(server: ServerSettings, game: AnyGame) -> None:
    """Raises Refused (`no_dot_dash`) for a game that the server has switched off."""
    if game.key in NEEDS_CONSENT and not server.dot_dash:
        raise Refused(Reason.NO_DOT_DASH)


def offered_preset(game: AnyGame, words: Words) -> OfferedRules:
    """Returns the rules of a game as those of its preset."""
    return OfferedRules(game.key, words(f"preset.{game.key}.name"), game, about=words(f"preset.{game.key}.line"))


def names_of(rules: OfferedRules, languages: Languages) -> list[str]:
    """Returns what rules are called: an own rule set as its owner does, a preset in each language."""
    if rules.rule_set is not None:
        return [rules.rule_set]
    return [words(f"preset.{rules.key}.name") for words in languages]


def _own_rules(own: RuleSet, words: Words) -> OfferedRules:
    name, changes = rules_name(own.game.key, own.name, words.plain), departures(own.game, words)
    return OfferedRules(f"{OWN}{own.id}", name, own.game, own.control, own.name, changes)


def _for_seats(rules: OfferedRules, seats: int | None) -> OfferedRules | None:
    """Returns the rules for so many players. Rules for two are without what needs two then, if there can be more."""
    if seats is None or seats == rules.game.seats:
        return rules
    with suppress(BadOption):
        return rules._replace(game=with_seats(rules.game, seats)) if rules.game.seats == 2 else None
    return None


def find_rules(key: str, offered: Iterable[OfferedRules], presets: Iterable[str], languages: Languages) -> OfferedRules:
    """Returns the offered rules of that key, or of a name that was typed in full, in any language.

    Raises Refused (`no_preset`, `no_dot_dash`, `no_rule_set`).
    """
    typed = fold(key.strip())
    for each in offered:
        if key == each.key or typed in map(fold, names_of(each, languages)):
            return each
    if key.startswith(OWN):
        raise Refused(Reason.NO_RULE_SET)
    raise (
        Refused(Reason.NO_DOT_DASH)
        if key in NEEDS_CONSENT.intersection(presets)
        else Refused(Reason.NO_PRESET, preset=key)
    )
