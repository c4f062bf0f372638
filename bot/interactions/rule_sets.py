"""Own rule sets as handlers use them: whose they are, which may be chosen here, and the names that players type."""

from __future__ import annotations

import re

from bot.interactions import permissions
from bot.interactions.context import Context
from bot.services.names import visible_text
from play.challenge.rule_set import MAX_NAME, Owner, RuleSet
from play.ids import RuleSetId
from play.refusal import Reason, Refused
from rules.registry import NEEDS_CONSENT

NUMBER = r"\d{1,15}"
"""The number of a rule set in a custom id or a value."""

_MARKUP = re.compile(r"[<>@]|://|\bwww\.|\w\.\w+/", re.IGNORECASE)
"""Beginnings of mentions and links."""


async def require_owner(ctx: Context, whose: str) -> Owner:
    """Returns the player (`me`) or the server of the interaction. Raises Refused unless the player may manage it."""
    return Owner(ctx.user) if whose == "me" else Owner(guild=(await permissions.require_manage_server(ctx)).id)


def readers(ctx: Context) -> tuple[Owner, ...]:
    """Returns the owners of the rule sets that the player may choose: themselves, and the server."""
    guild = permissions.installed_guild(ctx)
    return (Owner(ctx.user), *([] if guild is None else [Owner(guild=guild)]))


async def offered_rule_sets(ctx: Context, seats: int | None = None) -> list[RuleSet]:
    """Returns the rule sets that the player may choose here, for `seats` players where their number cannot change."""
    server = await permissions.server_settings(ctx)
    return [
        each
        for each in await ctx.services.rule_sets.of(*readers(ctx))
        if each.game.key in ctx.services.presets
        and (server.dot_dash or each.game.key not in NEEDS_CONSENT)
        and seats in (None, each.game.seats)
    ]


def read_number(text: str) -> RuleSetId:
    """Returns the number of a rule set. Raises Refused (`old_button`) for a text that no menu has."""
    if not re.fullmatch(NUMBER, text, re.ASCII):
        raise Refused(Reason.OLD_BUTTON)
    return RuleSetId(int(text))


async def load_offered(ctx: Context, number: RuleSetId) -> RuleSet:
    """Returns a rule set that the player may choose here. Raises Refused (`no_rule_set`, `no_dot_dash`)."""
    found = await ctx.services.rule_sets.load(number, *readers(ctx))
    if found not in await offered_rule_sets(ctx):
        raise Refused(Reason.NO_DOT_DASH)
    return found


def read_name(typed: str) -> str:
    """Returns the name of a rule set as it was typed, in one visible line.

    Raises Refused (`no_rule_set_name`, `bad_rule_set_name`).
    """
    if _MARKUP.search(typed):
        raise Refused(Reason.BAD_RULE_SET_NAME)
    if not (name := visible_text(typed, MAX_NAME)):
        raise Refused(Reason.NO_RULE_SET_NAME)
    return name
