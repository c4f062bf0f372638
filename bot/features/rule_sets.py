"""Own rule sets: the list of a player or of a server, the page of each, and the form that names one.

The buttons that open the form and the form itself have the same custom id.
"""

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

import discord

from bot.features.settings.personal import change_settings
from bot.features.settings.server import change_server
from bot.features.terms import terms_panel
from bot.features.terms.drafts import TermsBasis, TermsTarget, read_target
from bot.features.terms.offered_rules import NUMBER, default_terms, read_name, read_number, require_owner
from bot.interactions import custom_ids as ids
from bot.interactions.components import (
    Component,
    Confirmation,
    Form,
    PanelItem,
    Question,
    field_value,
    make_form,
    open_form,
)
from bot.interactions.context import Context
from bot.interactions.layout import Choice, Control, Part, button, select
from bot.interactions.offers import TextField
from bot.markup import escape
from play.challenge.terms import MAX_NAME, MAX_RULE_SETS, RuleSet, Terms
from play.ids import RuleSetId
from presentation.terms import departures, describe_rules, rules_name
from presentation.words.words import Words

NAME: Final = TextField("name", MAX_NAME)


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
                await ctx.use_cases.rule_sets.change(own.id, owner, ctx.user, own.game, None)
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
        await ctx.use_cases.rule_sets.delete(own.id, owner, ctx.user)
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
        await ctx.use_cases.rule_sets.change(self.number, owner, ctx.user, terms.game, control)
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


class NameButton(Component):
    """Opens the form."""

    async def pressed(self, ctx: Context) -> None:
        words = await ctx.words()
        question = discord.ui.Label[Any](
            text=words("sets.name.label"),
            description=words("sets.name.description"),
            component=NAME.make(default=await self.present_name(ctx)),
        )
        await open_form(ctx, make_form(self.custom_id, words("sets.name.title"), question))

    async def present_name(self, ctx: Context) -> str:
        """Returns the name that is changed; a new rule set has none. Raises Refused."""
        return ""


class NameNewRuleSet(NameButton, id=ids.NEW_RULE_SET):
    """Makes a rule set."""


class NameDraft(NameButton, id=ids.NAME_DRAFT):
    """Keeps the rules of a terms panel."""


class RenameRuleSet(NameButton, id=ids.RENAME_RULE_SET):
    """Gives a rule set another name."""

    whose: str
    number: RuleSetId

    async def present_name(self, ctx: Context) -> str:
        return (await ctx.use_cases.rule_sets.load(self.number, await require_owner(ctx, self.whose))).name


async def _create(ctx: Context, whose: str) -> None:
    """Makes a rule set of the rules that the player's challenges offer, and opens its page."""
    await ctx.defer_update()
    owner = await require_owner(ctx, whose)
    name = read_name(field_value(ctx, NAME))
    made = await ctx.use_cases.rule_sets.make(owner, ctx.user, name, (await default_terms(ctx)).game, None)
    await ctx.show(await rule_set_page(ctx, whose, made.id))


async def _rename(ctx: Context, whose: str, number: RuleSetId) -> None:
    await ctx.defer_update()
    owner = await require_owner(ctx, whose)
    await ctx.use_cases.rule_sets.load(number, owner)
    await ctx.use_cases.rule_sets.rename(number, owner, ctx.user, read_name(field_value(ctx, NAME)))
    await ctx.show(await rule_set_page(ctx, whose, number))


async def _save_draft(ctx: Context, target: str, draft: str) -> None:
    """Keeps the rules of a terms panel as the player's rule set or, in the panel of a server, as the server's."""
    await ctx.defer_update()
    terms, panel = terms_panel.read_draft(draft), read_target(target)
    owner = await require_owner(ctx, "server" if panel.kind == "server" else "me")
    own = await ctx.use_cases.rule_sets.make(owner, ctx.user, read_name(field_value(ctx, NAME)), terms.game, None)
    words = await ctx.words()
    note = words(f"sets.saved.{'me' if owner.guild is None else 'server'}", name=escape(own.name))
    await ctx.show([note, *await terms_panel.terms_panel(ctx, panel, terms)])


FORMS = (
    Form(ids.NEW_RULE_SET, _create, (NAME,)),
    Form(ids.RENAME_RULE_SET, _rename, (NAME,)),
    Form(ids.NAME_DRAFT, _save_draft, (NAME,)),
)

BUTTONS: tuple[type[Component], ...] = (
    RuleSetSelect,
    RuleSetsButton,
    RuleSetButton,
    DeleteRuleSet,
    NameNewRuleSet,
    RenameRuleSet,
    NameDraft,
)
