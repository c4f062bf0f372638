"""The panel in which terms are put together: a counter-offer, or the defaults of challenges.

Each of its controls has the whole draft in its custom id. The rules check a choice at once; a choice that they refuse
is explained above the draft, which does not change.
"""

from __future__ import annotations

import re
from re import Match as Found
from typing import Any, ClassVar, Self

import discord

from bot.features.challenges.terms_code import LETTERS, decode, encode
from bot.features.challenges.terms_menus import Menu, apply_choice, menus
from bot.features.challenges.terms_text import compare, describe_terms
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
"""Characters of a typed size or clock."""

_DRAFT = rf"terms:(?P<target>[a-z]+[\d.]*):(?P<draft>{LETTERS})"


class DefaultTermsTarget:
    """The common part of the TermsTargets that save the defaults of challenges: there is one of each kind."""

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
    """The select of a setting."""

    def __init__(self, target: str, draft: str, field: str, select: Select) -> None:
        super().__init__(select)
        self.target, self.draft, self.field = target, draft, field

    @classmethod
    def of(cls, target: TermsTarget, draft: str, menu: Menu) -> Self:
        control = select(f"terms:{target}:{draft}:{menu.field}", menu.hint, menu.choices, several=menu.several)
        return cls(str(target), draft, menu.field, control)

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["target"], match["draft"], match["field"], item)

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        return discord.ComponentType.string_select

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await _show_change(ctx, self.target, self.draft, self.field, *self.item.values)


class TermsButton(
    GatedItem,
    discord.ui.DynamicItem[discord.ui.Button[Any]],
    template=rf"{_DRAFT}:(?P<action>save|rated|other-size|other-clock)",
):
    """Saves the draft, changes whether it is rated, or asks for a size or a clock that is not in the list."""

    def __init__(self, target: str, draft: str, action: str, label: str | None, *, primary: bool = False) -> None:
        style = discord.ButtonStyle.success if primary else discord.ButtonStyle.secondary
        custom_id = f"terms:{target}:{draft}:{action}"
        super().__init__(discord.ui.Button(label=label, style=style, custom_id=custom_id))
        self.target, self.draft, self.action = target, draft, action

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(match["target"], match["draft"], match["action"], item.label)

    async def pressed(self, ctx: Context) -> None:
        if self.action == "rated":
            await ctx.defer_update()
            await _show_change(ctx, self.target, self.draft, "rated")
        else:
            await (self._save(ctx) if self.action == "save" else self._ask(ctx))

    async def _ask(self, ctx: Context) -> None:
        words = await ctx.words()
        draft = read_draft(self.draft)
        asked = self.action.removeprefix("other-")
        now = draft.game.options["size"] if asked == "size" else str(draft.control)
        form = discord.ui.Modal(title=words(f"terms.{asked}.title"), timeout=None, custom_id=self.custom_id)
        form.add_item(
            discord.ui.Label(
                text=words(f"terms.{asked}.label"),
                description=words(f"terms.{asked}.description"),
                component=discord.ui.TextInput(custom_id="value", default=now, max_length=MAX_VALUE),
            )
        )
        form.stop()
        await ctx.interaction.response.send_modal(form)

    async def _save(self, ctx: Context) -> None:
        await ctx.defer_update()
        target, draft = read_target(ctx, self.target), read_draft(self.draft)
        try:
            await ctx.show(await target.save(ctx, draft))
        except Refused as refused:
            words = await ctx.words()
            note = await errors.explain(ctx.services, words, ctx.request, refused)
            await ctx.show(await terms_panel(ctx, await target.refresh(ctx), draft, note))


async def terms_panel(ctx: Context, target: TermsTarget, draft: Terms, note: str = "") -> list[Part]:
    """Returns the panel, with a `note` on what was wrong."""
    words, basis = await ctx.words(), await target.basis(ctx)
    name = await ctx.services.names.of(basis.challenger, ctx.guild)
    now, before = (describe_terms(terms, escape(name), words) for terms in (draft, basis.terms or draft))
    text = "\n".join((f"### {words(f'terms.title.{target.kind}')}", *compare(now, before)))
    help_ = f"-# {words(f'preset.{draft.game.key}.help')}"
    letters = encode(draft)
    presets = await _offered_presets(ctx, basis.seats)
    fields = [TermsField.of(target, letters, menu) for menu in menus(draft, presets, name, words)]
    buttons = (
        TermsButton(str(target), letters, "save", words(f"terms.save.{target.kind}"), primary=True),
        TermsButton(str(target), letters, "rated", words("terms.unrate" if draft.rated else "terms.rate")),
        TermsButton(str(target), letters, "other-size", words("terms.size.button")),
        TermsButton(str(target), letters, "other-clock", words("terms.clock.button")),
    )
    return [*([f"⚠️ {note}"] if note else []), f"{text}\n{help_}", *([field] for field in fields), buttons]


async def _offered_presets(ctx: Context, seats: int | None) -> list[str]:
    """Returns the rules that can be chosen on the server; for `seats` players where their number cannot change."""
    server = await permissions.server_settings(ctx)
    offered = (key for key in ctx.services.presets if server.dot_dash or key not in NEEDS_CONSENT)
    return [key for key in offered if seats in (None, GAMES[key].seats)]


async def _show_change(ctx: Context, target: str, letters: str, field: str, *values: str) -> None:
    """Shows the panel with other values of a setting, or why they are refused."""
    draft, note = read_draft(letters), ""
    try:
        draft = apply_choice(draft, field, *values)
    except (KeyError, ValueError, TypeError) as error:
        raise Refused(Reason.OLD_BUTTON) from error  # the choice is no longer offered, or was made up
    except (Refused, RuleError) as error:
        words = await ctx.words()
        note = await errors.explain(ctx.services, words, ctx.request, error)
    await ctx.show(await terms_panel(ctx, read_target(ctx, target), draft, note))


def read_target(ctx: Context, text: str) -> TermsTarget:
    """Returns the target in a custom id. Raises Refused (`old_button`)."""
    for kind in ctx.services.terms_targets:
        if target := kind.read(text):
            return target
    raise Refused(Reason.OLD_BUTTON)


def read_draft(letters: str) -> Terms:
    """Returns the terms in a custom id. Raises Refused (`old_button`)."""
    try:
        return decode(letters)
    except (ValueError, KeyError, IndexError, Refused, RuleError) as error:
        raise Refused(Reason.OLD_BUTTON) from error  # made up, or by rules that no longer exist


async def _submit_value(ctx: Context, found: re.Match[str]) -> None:
    await ctx.defer_update()
    await _show_change(ctx, found["target"], found["draft"], found["field"], text_value(ctx, "value"))


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (TermsField, TermsButton)
FORMS = (Form(re.compile(rf"{_DRAFT}:other-(?P<field>size|clock)"), _submit_value),)
