"""The rule sets on offer. Every menu and every suggestion of rules is made from this one sequence."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from discord.app_commands import Choice

from bot.i18n.words import Words
from bot.interactions import permissions
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.interactions.selects import MAX_LABEL
from play.challenge.terms import Terms
from play.clock import TimeControl
from play.refusal import Reason, Refused
from rules.game import AnyGame, BadOption
from rules.registry import GAMES, NEEDS_CONSENT, with_seats

MAX_CHOICES = 25
"""Options of a select, and suggestions; Discord's limit."""


class OfferedRules(NamedTuple):
    """A rule set on offer: its `key` in menus, its `name` as the reader calls it, and the clock that belongs to it."""

    key: str
    name: str
    game: AnyGame
    control: TimeControl | None = None

    def put_into(self, terms: Terms) -> Terms:
        """Returns terms with these rules instead of theirs."""
        return terms.by_rules(self.game, self.control)

    def is_of(self, game: AnyGame) -> bool:
        """Returns whether the game was made from these rules."""
        return game.key == self.key


async def offered_rules(ctx: Context, words: Words, seats: int | None = None) -> list[OfferedRules]:
    """Returns the rules that can be chosen on the server; for `seats` players where their number cannot change."""
    server = await permissions.server_settings(ctx)
    presets = [key for key in ctx.services.presets if server.dot_dash or key not in NEEDS_CONSENT]
    offered = [OfferedRules(key, words(f"preset.{key}.name"), GAMES[key]) for key in presets]
    return [rules for each in offered if (rules := _for_seats(each, seats))]


def find_rules(offered: Sequence[OfferedRules], key: str, presets: Sequence[str]) -> OfferedRules:
    """Returns the offered rules of that key. Raises Refused (`no_preset`, `no_dot_dash`)."""
    for each in offered:
        if each.key == key:
            return each
    raise (
        Refused(Reason.NO_DOT_DASH)
        if key in NEEDS_CONSENT.intersection(presets)
        else Refused(Reason.NO_PRESET, preset=key)
    )


@takes_context
async def suggest_rules(ctx: Context, typed: str) -> list[Choice[str]]:
    """Suggests the rules whose name contains what was typed."""
    return _suggestions(await offered_rules(ctx, await ctx.words()), typed)


@takes_context
async def suggest_rules_of_two(ctx: Context, typed: str) -> list[Choice[str]]:
    """Suggests the rules for two players whose name contains what was typed."""
    return _suggestions(await offered_rules(ctx, await ctx.words(), seats=2), typed)


def _suggestions(offered: Sequence[OfferedRules], typed: str) -> list[Choice[str]]:
    plain = typed.strip().casefold()
    found = [each for each in offered if plain in f"{each.name} {each.key}".casefold()]
    return [Choice(name=each.name[:MAX_LABEL], value=each.key) for each in found[:MAX_CHOICES]]


def _for_seats(rules: OfferedRules, seats: int | None) -> OfferedRules | None:
    """Returns the rules for so many players. Rules for two are without what needs two then, if there can be more."""
    if seats is None or seats == rules.game.seats:
        return rules
    with suppress(BadOption):
        return rules._replace(game=with_seats(rules.game, seats)) if rules.game.seats == 2 else None
    return None
