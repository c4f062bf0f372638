"""The panel in which terms are put together: a counter-offer, or what somebody's challenges usually offer.

Every part of it has the whole draft in its custom id. What is chosen is judged by the rules at once; what they refuse
is explained above, and the draft stays as it was.
"""

from __future__ import annotations

import re
from re import Match as Found
from typing import Any, ClassVar, Self

import discord

from bot.features.challenges.terms_code import LETTERS, decode, encode
from bot.features.challenges.terms_menus import Menu, apply_choice, menus
from bot.features.challenges.terms_text import compare, settings
from bot.interactions import errors, permissions
from bot.interactions.admission import GatedItem
from bot.interactions.context import Context, TermsTarget
from bot.interactions.layout import Part
from bot.interactions.modals import Form, text_value
from bot.interactions.selects import Select, select
from bot.services.names import escape
from play.challenge.terms import Terms
from play.refusal import Reason, Refused
from rules.game import RuleError
from rules.registry import GAMES, NEEDS_CONSENT

MAX_VALUE = 30
"""Characters that are read of a size or a clock."""

_DRAFT = rf"terms:(?P<purpose>[a-z]+[\d.]*):(?P<draft>{LETTERS})"


class DefaultTermsTarget:
    """What the TermsTargets have in common that set what challenges offer from now on: there is one of each kind."""

    kind: ClassVar[str]

    def __str__(self) -> str:
        return self.kind

    @classmethod
    def read(cls, text: str) -> Self | None:
        return cls() if text == cls.kind else None

    async def refresh(self, ctx: Context) -> Self:
        return self


class TermsField(
    GatedItem, discord.ui.DynamicItem[Select], template=rf"{_DRAFT}:(?P<field>rules|size|start|clock|order|agreed)"
):
    """A setting with what it may be."""

    def __init__(self, purpose: str, draft: str, field: str, select: Select) -> None:
        super().__init__(select)
        self.purpose, self.draft, self.field = purpose, draft, field

    @classmethod
    def of(cls, purpose: TermsTarget, draft: str, menu: Menu) -> Self:
        shown = select(f"terms:{purpose}:{draft}:{menu.field}", menu.hint, menu.choices, several=menu.several)
        return cls(str(purpose), draft, menu.field, shown)

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["purpose"], match["draft"], match["field"], item)

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        return discord.ComponentType.string_select

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _changed(ctx, self.purpose, self.draft, self.field, *self.item.values)


class TermsButton(
    GatedItem,
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=rf"{_DRAFT}:(?P<action>save|rated|other-size|other-clock)",
):
    """Sends the draft, or asks for a size or a clock that is not in the list."""

    def __init__(self, purpose: str, draft: str, action: str, label: str | None, *, primary: bool = False) -> None:
        style = discord.ButtonStyle.success if primary else discord.ButtonStyle.secondary
        custom_id = f"terms:{purpose}:{draft}:{action}"
        super().__init__(discord.ui.Button(label=label, style=style, custom_id=custom_id))
        self.purpose, self.draft, self.action = purpose, draft, action

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["purpose"], match["draft"], match["action"], item.label)

    async def pressed(self, ctx: Context) -> None:
        if self.action == "rated":
            await ctx.defer_update()
            await _changed(ctx, self.purpose, self.draft, "rated")
        else:
            await (self._save(ctx) if self.action == "save" else self._ask(ctx))

    async def _ask(self, ctx: Context) -> None:
        words = await ctx.words()
        draft = read_draft(self.draft)
        asked = self.action.removeprefix("other-")
        now = draft.game.options["size"] if asked == "size" else str(draft.control)
        form = discord.ui.Modal(title=words(f"terms.{asked}.title"), timeout=None, custom_id=self.custom_id)
        field: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id="value", default=now, max_length=MAX_VALUE)
        form.add_item(
            discord.ui.Label(
                text=words(f"terms.{asked}.label"),
                description=words(f"terms.{asked}.description"),
                component=field,
            )
        )
        form.stop()
        await ctx.interaction.response.send_modal(form)

    async def _save(self, ctx: Context) -> None:
        await ctx.defer_update()
        purpose, draft = _purpose(ctx, self.purpose), read_draft(self.draft)
        try:
            await ctx.show(await purpose.save(ctx, draft))
        except Refused as refused:
            words = await ctx.words()
            note = await errors.explain(ctx.services, words, ctx.request, refused)
            await ctx.show(await terms_panel(ctx, await purpose.refresh(ctx), draft, note))


async def terms_panel(ctx: Context, purpose: TermsTarget, draft: Terms, note: str = "") -> list[Part]:
    """The panel, with a `note` on what was wrong."""
    words, basis = await ctx.words(), await purpose.basis(ctx)
    name = await ctx.services.names.of(basis.challenger, ctx.guild)
    now, before = (settings(terms, escape(name), words) for terms in (draft, basis.terms or draft))
    text = "\n".join((f"### {words(f'terms.title.{purpose.kind}')}", *compare(now, before)))
    help_ = f"-# {words(f'preset.{draft.game.key}.help')}"
    letters = encode(draft)
    presets = await _presets(ctx, basis.seats)
    fields = [TermsField.of(purpose, letters, menu) for menu in menus(draft, presets, name, words)]
    buttons = (
        TermsButton(str(purpose), letters, "save", words(f"terms.save.{purpose.kind}"), primary=True),
        TermsButton(str(purpose), letters, "rated", words("terms.unrate" if draft.rated else "terms.rate")),
        TermsButton(str(purpose), letters, "other-size", words("terms.size.button")),
        TermsButton(str(purpose), letters, "other-clock", words("terms.clock.button")),
    )
    return [*([f"⚠️ {note}"] if note else []), f"{text}\n{help_}", *([field] for field in fields), buttons]


async def _presets(ctx: Context, seats: int | None) -> list[str]:
    """The rules that are offered here, for so many players if that must stay as it is."""
    here = await permissions.server_settings(ctx)
    offered = (key for key in ctx.services.presets if here.dot_dash or key not in NEEDS_CONSENT)
    return [key for key in offered if seats in (None, GAMES[key].seats)]


async def _changed(ctx: Context, purpose: str, letters: str, field: str, *values: str) -> None:
    """Shows the panel with another value of a setting, or why that cannot be."""
    draft, note = read_draft(letters), ""
    try:
        draft = apply_choice(draft, field, *values)
    except (KeyError, ValueError, TypeError) as error:
        raise Refused(Reason.OLD_BUTTON) from error  # a choice that is no more, or was made up
    except (Refused, RuleError) as error:
        words = await ctx.words()
        note = await errors.explain(ctx.services, words, ctx.request, error)
    await ctx.show(await terms_panel(ctx, _purpose(ctx, purpose), draft, note))


def _purpose(ctx: Context, text: str) -> TermsTarget:
    for kind in ctx.services.terms_targets:
        if purpose := kind.read(text):
            return purpose
    raise Refused(Reason.OLD_BUTTON)


def read_draft(letters: str) -> Terms:
    """The terms that stand in a custom id. Raises Refused (`old_button`)."""
    try:
        return decode(letters)
    except (ValueError, KeyError, IndexError, Refused, RuleError) as error:
        raise Refused(Reason.OLD_BUTTON) from error  # made up, or by rules that are no more


async def _filled(ctx: Context, found: re.Match[str]) -> None:
    await ctx.defer_update()
    await _changed(ctx, found["purpose"], found["draft"], found["field"], text_value(ctx, "value"))


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (TermsField, TermsButton)
FORMS = (Form(re.compile(rf"{_DRAFT}:other-(?P<field>size|clock)"), _filled),)
