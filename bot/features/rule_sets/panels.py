"""The panels of own rule sets: the list of a player or of a server, and the page of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from re import Match as Found
from typing import Any, ClassVar, Self

import discord

from bot.features.settings.personal import change_settings
from bot.features.settings.server import change_server
from bot.features.terms import terms_panel
from bot.features.terms.default_terms import default_terms
from bot.interactions import panels
from bot.interactions.context import Context, TermsBasis, TermsTarget
from bot.interactions.layout import Control, Part
from bot.interactions.rule_sets import NUMBER, read_number, require_owner
from bot.interactions.selects import Choice, select
from play.challenge.rule_set import MAX_RULE_SETS, RuleSet
from play.challenge.terms import Terms
from play.ids import RuleSetId
from presentation.terms.option_phrases import departures
from presentation.terms.terms_text import describe_rules, rules_name
from presentation.text import escape
from presentation.words.words import Words

WHOSE = r"(?P<whose>me|server)"
SET = rf"(?P<number>{NUMBER})"


class RuleSetSelect(panels.PanelItem, template=rf"sets:{WHOSE}:open"):
    """Opens the page of a rule set."""

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        return discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        (number,) = self.item.values
        return await rule_set_page(ctx, self.custom_id.split(":")[1], read_number(number))


class RuleSetsButton(panels.PanelItem, template=rf"sets:{WHOSE}:list"):
    """Opens the list."""

    @classmethod
    def to(cls, whose: str, label: str) -> Self:
        return cls(discord.ui.Button(label=label, custom_id=f"sets:{whose}:list"))

    async def parts(self, ctx: Context) -> list[Part]:
        return await rule_sets_panel(ctx, self.custom_id.split(":")[1])


class RuleSetButton(panels.PanelItem, template=rf"sets:{WHOSE}:{SET}:(?P<action>show|rules|clock|usual|delete|sure)"):
    """Changes the rules of a rule set, drops its clock, makes it the default, or deletes it."""

    def __init__(self, item: Any, whose: str, number: RuleSetId, action: str) -> None:
        super().__init__(item)
        self.whose, self.number, self.action = whose, number, action

    @classmethod
    def to(cls, whose: str, number: RuleSetId, action: str, label: str, *, danger: bool = False) -> Self:
        style = discord.ButtonStyle.danger if danger else discord.ButtonStyle.secondary
        button = discord.ui.Button[Any](label=label, style=style, custom_id=f"sets:{whose}:{number}:{action}")
        return cls(button, whose, number, action)

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(item, match["whose"], read_number(match["number"]), match["action"])

    async def parts(self, ctx: Context) -> list[Part]:
        owner = await require_owner(ctx, self.whose)
        own = await ctx.services.rule_sets.load(self.number, owner)
        match self.action:
            case "rules":
                target = RuleSetRules(self.whose, own.id)
                return await terms_panel.terms_panel(ctx, target, own.apply(await default_terms(ctx)))
            case "clock":
                await ctx.services.rule_sets.change(own.id, owner, own.game, None)
            case "usual":
                change = change_settings if self.whose == "me" else change_server
                return await change(ctx, terms=own.apply(await default_terms(ctx)))
            case "delete":
                return await _deletion_panel(ctx, self.whose, own)
            case "sure":
                await ctx.services.rule_sets.delete(own.id, owner)
                words = await ctx.words()
                return await rule_sets_panel(ctx, self.whose, words("sets.deleted", name=escape(own.name)))
        return await rule_set_page(ctx, self.whose, self.number)


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
        own = await ctx.services.rule_sets.load(self.number, await require_owner(ctx, self.whose))
        return TermsBasis(own.apply(await default_terms(ctx)), ctx.user, ordered=False)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        owner = await require_owner(ctx, self.whose)
        own = await ctx.services.rule_sets.load(self.number, owner)
        before = own.apply(await default_terms(ctx))
        control = own.control if terms.control == before.control else terms.control
        await ctx.services.rule_sets.change(self.number, owner, terms.game, control)
        return await rule_set_page(ctx, self.whose, self.number)


async def rule_sets_panel(ctx: Context, whose: str, note: str = "") -> list[Part]:
    """Returns the list, below a `note`. Raises Refused for players who may not manage the server."""
    owner = await require_owner(ctx, whose)
    found, words = await ctx.services.rule_sets.of(owner), await ctx.words()
    lines = [f"### {words(f'sets.title.{whose}')}", words(f"sets.about.{whose}"), ""]
    lines += [_line(each, words) for each in found] or [f"- {words('sets.none')}"]
    choices = [Choice(str(each.id), each.name, chosen=False, note=departures(each.game, words)) for each in found]
    new = discord.ui.Button[Any](
        label=words("sets.new"), custom_id=f"sets:{whose}:new", disabled=len(found) >= MAX_RULE_SETS
    )
    back = discord.ui.Button[Any](label=words("sets.back"), custom_id=f"{whose}:shown")
    return [
        *([note] if note else []),
        "\n".join(lines),
        *([[RuleSetSelect(select(f"sets:{whose}:open", words("sets.open"), choices))]] if choices else []),
        [new, back],
    ]


async def rule_set_page(ctx: Context, whose: str, number: RuleSetId, note: str = "") -> list[Part]:
    """Returns the page of a rule set, below a `note`. Raises Refused (`no_rule_set`)."""
    owner = await require_owner(ctx, whose)
    own = await ctx.services.rule_sets.load(number, owner)
    words = await ctx.words()
    lines = [f"### {escape(own.name)}", *(f"- {line}" for line in describe_rules(own.game, None, words).values())]
    clock = words.control(own.control) if own.control else words("sets.clock.none")
    lines.append(f"- {words('card.clock', clock=clock)}")
    actions = {"rules": words("sets.rules"), "usual": words(f"sets.usual.{whose}"), "delete": words("sets.delete")}
    if own.control:
        actions["clock"] = words("sets.clock.drop")
    rename = discord.ui.Button[Any](label=words("sets.rename"), custom_id=f"sets:{whose}:{own.id}:name")
    buttons: list[Control] = [RuleSetButton.to(whose, own.id, action, label) for action, label in actions.items()]
    return [
        *([note] if note else []),
        "\n".join(lines),
        [buttons[0], rename, *buttons[1:]],
        [RuleSetsButton.to(whose, words("sets.back"))],
    ]


def _line(own: RuleSet, words: Words) -> str:
    preset, changes = rules_name(own.game.key, None, words), departures(own.game, words)
    return f"- **{escape(own.name)}**: {', '.join(filter(None, (preset, changes)))}"


async def _deletion_panel(ctx: Context, whose: str, own: RuleSet) -> list[Part]:
    words = await ctx.words()
    return [
        words("sets.delete.ask", name=escape(own.name)),
        [
            RuleSetButton.to(whose, own.id, "sure", words("sets.delete.sure"), danger=True),
            RuleSetButton.to(whose, own.id, "show", words("sets.delete.keep")),
        ],
    ]


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (RuleSetSelect, RuleSetsButton, RuleSetButton)
