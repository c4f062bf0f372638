"""`/help` and `/rules`: how the games are played, and what the commands do."""

from __future__ import annotations

from bot.features.help.manual import manual_page
from bot.features.help.own_rules import own_rules_page
from bot.features.help.rulebook import BASICS, GLANCE, rulebook_page
from bot.features.terms.offered_rules import find_rules, suggest_rules
from bot.interactions.commands import Command
from bot.interactions.context import Context
from bot.interactions.layout import Part


async def rules(ctx: Context, rules: str | None = None) -> None:
    await ctx.show(await _rules_page(ctx, rules or next(iter(BASICS))))


async def help_(ctx: Context) -> None:
    await ctx.show(await manual_page(ctx, 0))


async def _rules_page(ctx: Context, rules: str) -> list[Part]:
    """Returns a page of the rulebook, or that of an own rule set. Raises Refused (`no_preset`, `no_rule_set`)."""
    if rules in (*BASICS, GLANCE, *ctx.services.presets):
        return await rulebook_page(ctx, rules)
    found = await find_rules(ctx, rules)
    return await rulebook_page(ctx, found.key) if found.rule_set is None else await own_rules_page(ctx, found)


COMMANDS = (Command(rules, suggests={"rules": suggest_rules}), Command(help_))
