"""The form that names a rule set: a new one, the rules of a terms panel, or one that gets another name.

The buttons that open it and the form have the same custom id.
"""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.features.rule_sets.panels import rule_set_page
from bot.features.terms import terms_panel
from bot.features.terms.default_terms import default_terms
from bot.features.terms.targets import read_target
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.modals import Form, field_value, make_form, open_form
from bot.interactions.offers import TextField
from bot.interactions.rule_sets import read_name, require_owner
from play.challenge.rule_set import MAX_NAME
from play.ids import RuleSetId
from presentation.text import escape

NAME: Final = TextField("name", MAX_NAME)


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
    made = await ctx.use_cases.rule_sets.make(owner, name, (await default_terms(ctx)).game, None)
    await ctx.show(await rule_set_page(ctx, whose, made.id))


async def _rename(ctx: Context, whose: str, number: RuleSetId) -> None:
    await ctx.defer_update()
    owner = await require_owner(ctx, whose)
    await ctx.use_cases.rule_sets.load(number, owner)
    await ctx.use_cases.rule_sets.rename(number, owner, read_name(field_value(ctx, NAME)))
    await ctx.show(await rule_set_page(ctx, whose, number))


async def _save_draft(ctx: Context, target: str, draft: str) -> None:
    """Keeps the rules of a terms panel as the player's rule set or, in the panel of a server, as the server's."""
    await ctx.defer_update()
    terms, panel = terms_panel.read_draft(draft), read_target(target)
    owner = await require_owner(ctx, "server" if panel.kind == "server" else "me")
    own = await ctx.use_cases.rule_sets.make(owner, read_name(field_value(ctx, NAME)), terms.game, None)
    words = await ctx.words()
    note = words(f"sets.saved.{'me' if owner.guild is None else 'server'}", name=escape(own.name))
    await ctx.show([note, *await terms_panel.terms_panel(ctx, panel, terms)])


ITEMS: tuple[type[NameButton], ...] = (NameNewRuleSet, RenameRuleSet, NameDraft)
FORMS = (
    Form(ids.NEW_RULE_SET, _create, (NAME,)),
    Form(ids.RENAME_RULE_SET, _rename, (NAME,)),
    Form(ids.NAME_DRAFT, _save_draft, (NAME,)),
)
