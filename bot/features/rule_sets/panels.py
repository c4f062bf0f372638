"""The panels of own rule sets: the list of a player or of a server, and the page of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Self

import discord

from bot.features.settings.personal import change_settings
from bot.features.settings.server import change_server
from bot.features.terms import terms_panel
from bot.features.terms.default_terms import default_terms
from bot.features.terms.targets import TermsBasis, TermsTarget
from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from bot.interactions.questions import Confirmation, Question
from bot.interactions.rule_sets import NUMBER, read_number, require_owner
from bot.interactions.selects import Choice, select
from play.challenge.rule_set import MAX_RULE_SETS, RuleSet
from play.challenge.terms import Terms
from play.ids import RuleSetId
from presentation.terms.option_phrases import departures
from presentation.terms.terms_text import describe_rules, rules_name
from presentation.text import escape
from presentation.words.words import Words


class RuleSetSelect(PanelItem, id=ids.PICK_RULE_SET):
    """Opens the page of a rule set."""

    kind = discord.ComponentType.string_select
    whose: str

    async def parts(self, ctx: Context) -> list[Part]:
        (number,) = self.item.values
        return await rule_set_page(ctx, self.whose, read_number(number))


class RuleSetsButton(PanelItem, id=ids.RULE_SETS):
    """Opens the list."""

    whose: str

    async def parts(self, ctx: Context) -> list[Part]:
        return await rule_sets_panel(ctx, self.whose)


class RuleSetButton(PanelItem, id=ids.RULE_SET):
    """Changes the rules of a rule set, drops its clock, makes it the default, or asks whether it is to be deleted."""

    whose: str
    number: RuleSetId
    way: str

    async def parts(self, ctx: Context) -> list[Part]:
        owner = await require_owner(ctx, self.whose)
        own = await ctx.use_cases.rule_sets.load(self.number, owner)
        match self.way:
            case "rules":
                target = RuleSetRules(self.whose, own.id)
                return await terms_panel.terms_panel(ctx, target, own.apply(await default_terms(ctx)))
            case "clock":
                await ctx.use_cases.rule_sets.change(own.id, owner, own.game, None)
            case "usual":
                change = change_settings if self.whose == "me" else change_server
                return await change(ctx, terms=own.apply(await default_terms(ctx)))
            case "delete":
                return await _deletion_panel(ctx, self.whose, own)
        return await rule_set_page(ctx, self.whose, self.number)


class DeleteRuleSet(Confirmation, id=ids.DELETE_RULE_SET):
    """Deletes a rule set."""

    whose: str
    number: RuleSetId

    async def carry_out(self, ctx: Context) -> list[Part]:
        owner = await require_owner(ctx, self.whose)
        own = await ctx.use_cases.rule_sets.load(self.number, owner)
        await ctx.use_cases.rule_sets.delete(own.id, owner)
        words = await ctx.words()
        return await rule_sets_panel(ctx, self.whose, words("sets.deleted", name=escape(own.name)))


@dataclass(frozen=True, slots=True)
class RuleSetRules(TermsTarget):
    """The rules of a rule set and, where another one is chosen, the clock that comes with them."""

    kind: ClassVar[str] = "rules"
    whose: str
    number: RuleSetId

    def __str__(self) -> str:
        return f"s{self.whose[0]}{self.number}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        found = re.fullmatch(rf"s([ms])({NUMBER})", text)
        return cls("me" if found[1] == "m" else "server", read_number(found[2])) if found else None

    async def basis(self, ctx: Context) -> TermsBasis:
        own = await ctx.use_cases.rule_sets.load(self.number, await require_owner(ctx, self.whose))
        return TermsBasis(own.apply(await default_terms(ctx)), ctx.user, ordered=False)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        owner = await require_owner(ctx, self.whose)
        own = await ctx.use_cases.rule_sets.load(self.number, owner)
        before = own.apply(await default_terms(ctx))
        control = own.control if terms.control == before.control else terms.control
        await ctx.use_cases.rule_sets.change(self.number, owner, terms.game, control)
        return await rule_set_page(ctx, self.whose, self.number)


async def rule_sets_panel(ctx: Context, whose: str, note: str = "") -> list[Part]:
    """Returns the list, below a `note`. Raises Refused for players who may not manage the server."""
    owner = await require_owner(ctx, whose)
    found, words = await ctx.use_cases.rule_sets.of(owner), await ctx.words()
    lines = [f"### {words(f'sets.title.{whose}')}", words(f"sets.about.{whose}"), ""]
    lines += [_line(each, words) for each in found] or [f"- {words('sets.none')}"]
    choices = [Choice(str(each.id), each.name, chosen=False, note=departures(each.game, words)) for each in found]
    new = button(ids.NEW_RULE_SET(whose=whose), words("sets.new"), disabled=len(found) >= MAX_RULE_SETS)
    panel = ids.PERSONAL if whose == "me" else ids.SERVER
    back = button(panel(way="shown"), words("sets.back"))
    return [
        *([note] if note else []),
        "\n".join(lines),
        *([[RuleSetSelect(select(ids.PICK_RULE_SET(whose=whose), words("sets.open"), choices))]] if choices else []),
        [new, back],
    ]


async def rule_set_page(ctx: Context, whose: str, number: RuleSetId) -> list[Part]:
    """Returns the page of a rule set. Raises Refused (`no_rule_set`)."""
    owner = await require_owner(ctx, whose)
    own = await ctx.use_cases.rule_sets.load(number, owner)
    words = await ctx.words()
    lines = [f"### {escape(own.name)}", *(f"- {line}" for line in describe_rules(own.game, None, words).values())]
    clock = words.control(own.control) if own.control else words("sets.clock.none")
    lines.append(f"- {words('card.clock', clock=clock)}")
    ways = {"rules": words("sets.rules"), "usual": words(f"sets.usual.{whose}"), "delete": words("sets.delete")}
    if own.control:
        ways["clock"] = words("sets.clock.drop")
    rename = button(ids.RENAME_RULE_SET(whose=whose, number=own.id), words("sets.rename"))
    buttons: list[Control] = [
        RuleSetButton.make(label, whose=whose, number=own.id, way=way) for way, label in ways.items()
    ]
    return [
        "\n".join(lines),
        [buttons[0], rename, *buttons[1:]],
        [RuleSetsButton.make(words("sets.back"), whose=whose)],
    ]


def _line(own: RuleSet, words: Words) -> str:
    preset, changes = rules_name(own.game.key, None, words), departures(own.game, words)
    return f"- **{escape(own.name)}**: {', '.join(filter(None, (preset, changes)))}"


async def _deletion_panel(ctx: Context, whose: str, own: RuleSet) -> list[Part]:
    words = await ctx.words()
    sure = DeleteRuleSet.make(words("sets.delete.sure"), whose=whose, number=own.id)
    keep = RuleSetButton.make(words("sets.delete.keep"), whose=whose, number=own.id, way="show")
    return Question(words("sets.delete.ask", name=escape(own.name)), None, (sure, keep)).parts


ITEMS: tuple[type[Component], ...] = (RuleSetSelect, RuleSetsButton, RuleSetButton, DeleteRuleSet)
