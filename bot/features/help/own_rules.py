"""The page of an own rule set: its options in words, with the pictures of the preset that it changes."""

from __future__ import annotations

from bot.features.help.rulebook import RulesPageButton, pictures
from bot.features.terms.offered_rules import OfferedRules
from bot.interactions.context import Context
from bot.interactions.layout import Part
from presentation.terms.terms_text import describe_rules, rules_help
from presentation.text import escape


async def own_rules_page(ctx: Context, rules: OfferedRules) -> list[Part]:
    """Returns the page, with a button to that of the preset."""
    words, preset = await ctx.words(), rules.game.key
    lines = [f"## {escape(rules.rule_set or rules.name)}"]
    lines += (f"- {line}" for line in describe_rules(rules.game, None, words).values())
    if rules.control is not None:
        lines.append(f"- {words('card.clock', clock=words.control(rules.control))}")
    lines.append(f"-# {rules_help(rules.game, words)}")
    return ["\n".join(lines), await pictures(ctx, preset), [RulesPageButton.to(preset, "on", words)]]
