"""Rules on offer: presets and own rule sets, as menus and suggestions list them, and terms for those who name none."""

import re

from discord.app_commands import Choice

from bot.interactions import permissions
from bot.interactions.context import Context
from bot.interactions.layout import MAX_OPTION
from bot.services.messages import fit
from play.challenge.terms import MAX_NAME, Owner, RuleSet, Terms, with_name
from play.ids import RuleSetId
from play.refusal import Reason, Refused
from presentation import offered_rules as rules_on_offer
from presentation.offered_rules import OfferedRules, list_rules, names_of, require_offered, usual_terms
from presentation.text import visible_text
from presentation.words.words import Words

NUMBER = r"\d{1,15}"
"""The number of a rule set in a custom id or a value."""

_MARKUP = re.compile(r"[<>@]|://|\bwww\.|\w\.\w+/", re.IGNORECASE)
"""Beginnings of mentions and links."""

MAX_CHOICES = 25
"""Options of a select, and suggestions; Discord's limit."""


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
    return usual_terms(await ctx.settings(), await permissions.server_settings(ctx))


async def offered_rules(ctx: Context, words: Words, seats: int | None = None) -> list[OfferedRules]:
    """Returns the rules that can be chosen on the server; for `seats` players where their number cannot change."""
    server = await permissions.server_settings(ctx)
    return list_rules(ctx.services.presets, server, await readable_rule_sets(ctx), words, seats)


async def chosen_terms(ctx: Context, rules: str | None) -> Terms:
    """Returns the player's default terms with the rules of a key or a name, if any.

    Raises Refused (`no_preset`, `no_dot_dash`, `no_rule_set`).
    """
    terms = await default_terms(ctx)
    if rules:
        return (await find_rules(ctx, rules)).put_into(terms)
    require_offered(await permissions.server_settings(ctx), terms.game)
    return terms


async def find_rules(ctx: Context, key: str) -> OfferedRules:
    """Returns the offered rules of that key, or of a name that was typed in full, in any language.

    Raises Refused (`no_preset`, `no_dot_dash`, `no_rule_set`).
    """
    offered = await offered_rules(ctx, await ctx.words())
    return rules_on_offer.find_rules(key, offered, ctx.services.presets, ctx.services.languages)


async def name_rules(ctx: Context, draft: Terms, before: Terms | None = None) -> Terms:
    """Returns a draft with the name that its rules have for the player, or that they had `before`."""
    return with_name(draft, await readable_rule_sets(ctx), before or await default_terms(ctx))


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
        known = [each.key, each.name, *names_of(each, ctx.services.languages), *([each.about] if each.rule_set else [])]
        if plain in " ".join(known).casefold():
            found.append(Choice(name=fit(f"{each.name}: {each.about}".removesuffix(": "), MAX_OPTION), value=each.key))
    return found[:MAX_CHOICES]
