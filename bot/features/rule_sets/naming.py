"""The form that names a rule set: a new one, the rules of a terms panel, or one that gets another name.

The buttons that open it and the form have the same custom id. A name that is refused is repeated above the panel.
"""

from __future__ import annotations

import re
from typing import Any, Final

import discord

from bot.features.rule_sets.panels import SET, WHOSE, rule_set_page, rule_sets_panel
from bot.features.terms import terms_panel
from bot.features.terms.default_terms import default_terms
from bot.features.terms.terms_code import LETTERS
from bot.interactions import errors
from bot.interactions.admission import GatedItem
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.modals import Form, field_value
from bot.interactions.offers import TextField
from bot.interactions.rule_sets import read_name, read_number, require_owner
from play.challenge.rule_set import MAX_NAME
from play.refusal import Refused
from presentation.text import escape, quote

NEW, RENAME = rf"sets:{WHOSE}:new", rf"sets:{WHOSE}:{SET}:name"
SAVE = rf"terms:(?P<target>[a-z]+[\d.]*):(?P<draft>{LETTERS}):name"

NAME: Final = TextField("name", MAX_NAME)

_ANY = re.sub(r"\?P<\w+>", "?:", f"{NEW}|{RENAME}|{SAVE}")
"""All three, without the names of groups, of which a template can have each once."""


class NameButton(GatedItem, discord.ui.DynamicItem[discord.ui.Button[Any]], template=_ANY):
    """Opens the form."""

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Any, /) -> NameButton:
        return cls(item)

    async def pressed(self, ctx: Context) -> None:
        words, now = await ctx.words(), ""
        if found := re.fullmatch(RENAME, self.custom_id):
            owner = await require_owner(ctx, found["whose"])
            now = (await ctx.services.rule_sets.load(read_number(found["number"]), owner)).name
        form = discord.ui.Modal(title=words("sets.name.title"), timeout=None, custom_id=self.custom_id)
        form.add_item(
            discord.ui.Label(
                text=words("sets.name.label"),
                description=words("sets.name.description"),
                component=NAME.make(default=now),
            )
        )
        form.stop()
        await ctx.interaction.response.send_modal(form)


async def _create(ctx: Context, found: re.Match[str]) -> None:
    """Makes a rule set of the rules that the player's challenges offer, and opens its page."""
    await ctx.defer_update()
    whose = found["whose"]
    owner = await require_owner(ctx, whose)
    try:
        name = read_name(field_value(ctx, NAME))
        made = await ctx.services.rule_sets.make(owner, name, (await default_terms(ctx)).game, None)
        parts = await rule_set_page(ctx, whose, made.id)
    except Refused as refused:
        parts = await rule_sets_panel(ctx, whose, await _explain(ctx, refused))
    await ctx.show(parts)


async def _rename(ctx: Context, found: re.Match[str]) -> None:
    await ctx.defer_update()
    whose, number, note = found["whose"], read_number(found["number"]), ""
    owner = await require_owner(ctx, whose)
    await ctx.services.rule_sets.load(number, owner)
    try:
        await ctx.services.rule_sets.rename(number, owner, read_name(field_value(ctx, NAME)))
    except Refused as refused:
        note = await _explain(ctx, refused)
    await ctx.show(await rule_set_page(ctx, whose, number, note))


async def _save_draft(ctx: Context, found: re.Match[str]) -> None:
    """Keeps the rules of a terms panel as the player's rule set or, in the panel of a server, as the server's."""
    await ctx.defer_update()
    draft, target = terms_panel.read_draft(found["draft"]), terms_panel.read_target(ctx, found["target"])
    owner = await require_owner(ctx, "server" if target.kind == "server" else "me")
    try:
        own = await ctx.services.rule_sets.make(owner, read_name(field_value(ctx, NAME)), draft.game, None)
        words = await ctx.words()
        note = words(f"sets.saved.{'me' if owner.guild is None else 'server'}", name=escape(own.name))
    except Refused as refused:
        note = await _explain(ctx, refused)
    parts: list[Part] = [note, *await terms_panel.terms_panel(ctx, target, draft)]
    await ctx.show(parts)


async def _explain(ctx: Context, refused: Refused) -> str:
    """Returns why a name was refused, behind what the player typed."""
    words = await ctx.words()
    typed = words("me.typed", typed=quote(field_value(ctx, NAME)))
    return f"⚠️ {typed} {await errors.explain(ctx.services, words, ctx.request, refused)}"


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (NameButton,)
FORMS = tuple(
    Form(re.compile(template), handle, (NAME,))
    for template, handle in ((NEW, _create), (RENAME, _rename), (SAVE, _save_draft))
)
