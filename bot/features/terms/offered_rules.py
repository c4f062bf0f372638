"""Rules on offer: presets and own rule sets, as menus and suggestions list them, and terms for those who name none."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from discord.app_commands import Choice

from bot.interactions import permissions
from bot.interactions.context import Context
from bot.interactions.layout import MAX_OPTION
from bot.services.messages import fit
from play.challenge.terms import MAX_NAME, USUAL_CONTROL, Owner, RuleSet, Terms, fold, same_rules, with_name
from play.clock import TimeControl
from play.ids import RuleSetId
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from presentation.terms import departures, rules_name
from presentation.text import visible_text
from presentation.words.words import Languages, Words
from rules.game import AnyGame, BadOption
from rules.registry import DEFAULT, GAMES, NEEDS_CONSENT, make_game, with_seats

NUMBER = r"\d{1,15}"
"""The number of a rule set in a custom id or a value."""

_MARKUP = re.compile(r"[<>@]|://|\bwww\.|\w\.\w+/", re.IGNORECASE)
"""Beginnings of mentions and links."""

FIRST_TERMS = Terms(make_game(DEFAULT, {"size": "20x20"}), USUAL_CONTROL)
"""For a first game between friends: a board that a phone shows well, a fight from the first move, time to answer."""

MAX_CHOICES = 25
"""Options of a select, and suggestions; Discord's limit."""

OWN = "own."
"""What the key of an own rule set begins with."""


async def require_owner(ctx: Context, whose: str) -> Owner:
    """Returns the player (`me`) or the server of the interaction. Raises Refused unless the player may manage it."""
    return Owner(ctx.user) if whose == "me" else Owner(guild=(await permissions.require_manage_server(ctx)).id)


async def readable_rule_sets(ctx: Context) -> list[RuleSet]:
    """Returns the rule sets that the player sees: their own, then those of the server."""
    guild = permissions.installed_guild(ctx)
    return await ctx.use_cases.rule_sets.of(Owner(ctx.user), *([] if guild is None else [Owner(guild=guild)]))


def read_number(text: str) -> RuleSetId:
    """Returns the number of a rule set. Raises Refused (`old_button`) for a text that no menu has."""
    if not re.fullmatch(NUMBER, text, re.ASCII):
        raise Refused(Reason.OLD_BUTTON)
    return RuleSetId(int(text))


def read_name(typed: str) -> str:
    """Returns the name of a rule set as it was typed, in one visible line.

    Raises Refused (`no_rule_set_name`, `bad_rule_set_name`).
    """
    if _MARKUP.search(typed):
        raise Refused(Reason.BAD_RULE_SET_NAME)
    if not (name := visible_text(typed, MAX_NAME)):
        raise Refused(Reason.NO_RULE_SET_NAME)
    return name


async def default_terms(ctx: Context) -> Terms:
    """Returns the terms of the player's settings, else those of the server's, else the first ones."""
    player, server = await ctx.settings(), await permissions.server_settings(ctx)
    return player.terms or server_terms(server)


def server_terms(server: ServerSettings) -> Terms:
    """Returns the terms that a server offers: its own, else the first ones, rated if games are by default there."""
    return server.terms or replace(FIRST_TERMS, rated=server.rated)


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


async def offered_rules(ctx: Context, words: Words, seats: int | None = None) -> list[OfferedRules]:
    """Returns the rules that can be chosen on the server; for `seats` players where their number cannot change."""
    server = await permissions.server_settings(ctx)
    return list_rules(ctx.services.presets, server, await readable_rule_sets(ctx), words, seats)


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


async def chosen_terms(ctx: Context, rules: str | None) -> Terms:
    """Returns the player's default terms with the rules of a key or a name, if any.

    Raises Refused (`no_preset`, `no_dot_dash`, `no_rule_set`).
    """
    terms = await default_terms(ctx)
    if rules:
        return (await find_rules(ctx, rules)).put_into(terms)
    require_offered(await permissions.server_settings(ctx), terms.game)
    return terms


def require_offered(server: ServerSettings, game: AnyGame) -> None:
    """Raises Refused (`no_dot_dash`) for a game that the server has switched off."""
    if game.key in NEEDS_CONSENT and not server.dot_dash:
        raise Refused(Reason.NO_DOT_DASH)


def offered_preset(game: AnyGame, words: Words) -> OfferedRules:
    """Returns the rules of a game as those of its preset."""
    return OfferedRules(game.key, words(f"preset.{game.key}.name"), game, about=words(f"preset.{game.key}.line"))


async def find_rules(ctx: Context, key: str) -> OfferedRules:
    """Returns the offered rules of that key, or of a name that was typed in full, in any language.

    Raises Refused (`no_preset`, `no_dot_dash`, `no_rule_set`).
    """
    offered, typed, presets = await offered_rules(ctx, await ctx.words()), fold(key.strip()), ctx.services.presets
    for each in offered:
        if key == each.key or typed in map(fold, _names(each, ctx.services.languages)):
            return each
    if key.startswith(OWN):
        raise Refused(Reason.NO_RULE_SET)
    raise (
        Refused(Reason.NO_DOT_DASH)
        if key in NEEDS_CONSENT.intersection(presets)
        else Refused(Reason.NO_PRESET, preset=key)
    )


def _names(rules: OfferedRules, languages: Languages) -> list[str]:
    """Returns what rules are called: an own rule set as its owner does, a preset in each language."""
    if rules.rule_set is not None:
        return [rules.rule_set]
    return [words(f"preset.{rules.key}.name") for words in languages]


async def name_rules(ctx: Context, draft: Terms, before: Terms | None = None) -> Terms:
    """Returns a draft with the name that its rules have for the player, or that they had `before`."""
    return with_name(draft, await readable_rule_sets(ctx), before or await default_terms(ctx))


def _own_rules(own: RuleSet, words: Words) -> OfferedRules:
    name, changes = rules_name(own.game.key, own.name, words.plain), departures(own.game, words)
    return OfferedRules(f"{OWN}{own.id}", name, own.game, own.control, own.name, changes)


async def suggest_rules(ctx: Context, typed: str) -> list[Choice[str]]:
    """Suggests the rules whose name contains what was typed."""
    return await _suggestions(ctx, typed)


async def suggest_rules_of_two(ctx: Context, typed: str) -> list[Choice[str]]:
    """Suggests the rules for two players whose name contains what was typed."""
    return await _suggestions(ctx, typed, seats=2)


async def _suggestions(ctx: Context, typed: str, seats: int | None = None) -> list[Choice[str]]:
    """Returns the rules of which a name in any language contains what was typed, or what an own rule set changes."""
    plain, found = typed.strip().casefold(), []
    for each in await offered_rules(ctx, await ctx.words(), seats):
        known = [each.key, each.name, *_names(each, ctx.services.languages), *([each.about] if each.rule_set else [])]
        if plain in " ".join(known).casefold():
            found.append(Choice(name=fit(f"{each.name}: {each.about}".removesuffix(": "), MAX_OPTION), value=each.key))
    return found[:MAX_CHOICES]


def _for_seats(rules: OfferedRules, seats: int | None) -> OfferedRules | None:
    """Returns the rules for so many players. Rules for two are without what needs two then, if there can be more."""
    if seats is None or seats == rules.game.seats:
        return rules
    with suppress(BadOption):
        return rules._replace(game=with_seats(rules.game, seats)) if rules.game.seats == 2 else None
    return None
