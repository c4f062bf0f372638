"""Own rule sets as handlers use them: whose they are, who sees them, and the names that players type."""

from __future__ import annotations

import re

from bot.interactions import permissions
from bot.interactions.context import Context
from play.challenge.rule_set import MAX_NAME, Owner, RuleSet
from play.ids import RuleSetId
from play.refusal import Reason, Refused
from presentation.text import visible_text

NUMBER = r"\d{1,15}"
"""The number of a rule set in a custom id or a value."""

_MARKUP = re.compile(r"[<>@]|://|\bwww\.|\w\.\w+/", re.IGNORECASE)
"""Beginnings of mentions and links."""


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
