"""The panel in which terms are put together: a challenge, a counter-offer, or the defaults of challenges.

Each of its controls has the whole draft in its custom id. The rules check a choice at once; a choice that they refuse
is explained beside its setting, and the draft does not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Self

import discord

from bot.features.terms.fair_terms import can_propose, propose_handicap
from bot.features.terms.offered_rules import name_rules, offered_rules
from bot.features.terms.options_page import (
    FIRST_PAGE,
    OTHER,
    Conflict,
    changes_of,
    find_conflict,
    option_menus,
    page_of,
    pages,
)
from bot.features.terms.targets import TermsBasis, TermsTarget, read_target
from bot.features.terms.terms_code import decode, encode
from bot.features.terms.terms_form import VALUE, ask_for_value
from bot.features.terms.terms_menus import Menu, apply_choice, menus
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.buttons import button
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Control, Part, rows
from bot.interactions.modals import Form, field_value
from bot.interactions.selects import select
from play.challenge.terms import Terms
from play.refusal import Reason, Refused
from presentation.terms.option_phrases import read_options
from presentation.terms.terms_text import AGREED, compare, describe_terms, rules_help, rules_name
from presentation.text import escape
from presentation.words.words import Words
from rules.game import BadOption, RuleError


class TermsField(Component, id=ids.TERMS_FIELD):
    """The select of a setting."""

    kind = discord.ComponentType.string_select
    target: str
    draft: str
    field: str

    @classmethod
    def of(cls, target: TermsTarget, draft: str, menu: Menu) -> Self:
        custom_id = ids.TERMS_FIELD(target=target, draft=draft, field=menu.field)
        return cls(select(custom_id, menu.hint, menu.choices, several=menu.several))

    async def pressed(self, ctx: Context) -> None:
        if self.field in ids.TYPED and self.item.values == [OTHER]:
            await ask_for_value(ctx, self.target, read_draft(self.draft), self.field)
        else:
            await ctx.defer_update()
            await _show_change(ctx, self.target, self.draft, self.field, *self.item.values)


class TermsButton(Component, id=ids.TERMS):
    """Saves the draft, changes whether it is rated, proposes a handicap, asks for a size or a clock that is not in the
    list, or shows the draft on a page."""

    target: str
    draft: str
    way: str

    @classmethod
    def of(cls, target: TermsTarget, draft: Terms, way: str, label: str, *, primary: bool = False) -> Self:
        style = discord.ButtonStyle.success if primary else None
        return cls.make(label, style, target=target, draft=encode(draft), way=way)

    async def pressed(self, ctx: Context) -> None:
        if self.way.startswith("other-"):
            await ask_for_value(ctx, self.target, read_draft(self.draft), self.way.removeprefix("other-"))
            return
        await ctx.defer_update()
        if self.way == "save":
            await self._save(ctx)
        elif self.way == "rated":
            await _show_change(ctx, self.target, self.draft, "rated")
        elif self.way == "fair":
            await ctx.show(await fair_panel(ctx, read_target(self.target), read_draft(self.draft)))
        else:
            page = self.way.removeprefix("page-")
            await ctx.show(await terms_panel(ctx, read_target(self.target), read_draft(self.draft), page=page))

    async def _save(self, ctx: Context) -> None:
        target, draft = read_target(self.target), read_draft(self.draft)
        try:
            named = await name_rules(ctx, draft, (await target.basis(ctx)).terms)
            await ctx.show(await target.save(ctx, named))
        except (Refused, RuleError) as refused:
            words = await ctx.words()
            note = await errors.explain(ctx.services, words, ctx.request, refused)
            await ctx.show(await terms_panel(ctx, await target.refresh(ctx), draft, note))


class TypeAgain(Component, id=ids.TYPE_AGAIN):
    """Opens the form of a setting once more whose value was refused. Those of sizes and clocks have a button anyway."""

    target: str
    draft: str
    field: str

    async def pressed(self, ctx: Context) -> None:
        await ask_for_value(ctx, self.target, read_draft(self.draft), self.field)


async def fair_panel(ctx: Context, target: TermsTarget, draft: Terms) -> list[Part]:
    """Returns the page of the handicap with a fair one in the draft, and says why it is fair."""
    words = await ctx.words()
    proposed, told = await propose_handicap(ctx, await target.basis(ctx), draft, _save_label(target, words))
    return [f"⚖️ {told}", *await terms_panel(ctx, target, proposed, page=page_of("komi"))]


async def terms_panel(
    ctx: Context,
    target: TermsTarget,
    draft: Terms,
    note: str = "",
    *,
    page: str = FIRST_PAGE,
    conflict: Conflict | None = None,
) -> list[Part]:
    """Returns a page of the panel, with a `note` on what was wrong, or with a choice that does not go with the rest."""
    words, basis = await ctx.words(), await target.basis(ctx)
    draft = await name_rules(ctx, draft, basis.terms)
    warning = [f"⚠️ {note}"] if note else []
    if page not in pages(draft.game):
        clash = await _clash(ctx, target, draft, conflict, words)
        return [*warning, *clash, *await _first_page(ctx, target, basis, draft, words)]
    parts: list[Part] = [*warning, await _summary(ctx, basis, draft, words)]
    for text, menu in option_menus(draft, page, words, seats=basis.seats):
        parts += [text, [TermsField.of(target, encode(draft), menu)]]
        if conflict and conflict.field == menu.field:
            parts[-1:-1] = await _clash(ctx, target, draft, conflict, words)
    others = [other for other in (FIRST_PAGE, *pages(draft.game)) if other != page]
    buttons = [_page_button(target, draft, other, words(f"terms.page.{other}")) for other in others]
    if page == page_of("komi") and await can_propose(ctx, basis, draft):
        parts.append([TermsButton.of(target, draft, "fair", words("terms.fair"))])
    is_unnamed = draft.rule_set is None and target.kind != "rules"
    name = button(ids.NAME_DRAFT(target=target, draft=encode(draft)), words("sets.name.button"))
    controls: list[Control] = [_save_button(target, draft, words), *buttons, *([name] if is_unnamed else [])]
    return [*parts, *rows(controls, PHONE_ROW)]


async def _first_page(ctx: Context, target: TermsTarget, basis: TermsBasis, draft: Terms, words: Words) -> list[Part]:
    """Returns the page with the menus of what is chosen most. Its text has what they don't show: what has changed, and
    what departs from the rules on other pages."""
    name = await ctx.services.names.of(basis.challenger, ctx.guild)
    letters = encode(draft)
    offered = await offered_rules(ctx, words, basis.seats)
    found = list(menus(draft, offered, name, words, ordered=basis.ordered))
    now, before = (describe_terms(terms, escape(name), words) for terms in (draft, basis.terms or draft))
    if not basis.ordered:
        for lines in (now, before):
            del lines["order"]
    for setting in [each for each in _in_menus(found, draft, words) if each in now and now[each] == before.get(each)]:
        del now[setting], before[setting]
    text = "\n".join((f"### {words(f'terms.title.{target.kind}')}", *compare(now, before)))
    buttons = [
        _save_button(target, draft, words),
        *(_page_button(target, draft, page, words("terms.options")) for page in pages(draft.game)[:1]),
        TermsButton.of(target, draft, "rated", words("terms.unrate" if draft.rated else "terms.rate")),
        TermsButton.of(target, draft, "other-size", words("terms.size.button")),
        TermsButton.of(target, draft, "other-clock", words("terms.clock.button")),
    ]
    fields = [[TermsField.of(target, letters, menu)] for menu in found]
    head = f"{text}\n-# {rules_help(draft.game, words)}"
    return [head, *await target.own_parts(ctx, draft), *fields, *rows(buttons, PHONE_ROW)]


def _in_menus(found: Sequence[Menu], draft: Terms, words: Words) -> set[str]:
    """Returns the settings that menus show as they are. Rules that another player has named are in no menu."""
    shown = {each for menu in found for each in (AGREED if menu.field == "agreed" else (menu.field,))}
    chosen = {choice.label for menu in found for choice in menu.choices if choice.chosen}
    rules = words("card.rules", rules=rules_name(draft.game.key, draft.rule_set, words.plain))
    return shown - {"own", "rules"} | ({"rules"} if rules in chosen else set())


async def _summary(ctx: Context, basis: TermsBasis, draft: Terms, words: Words) -> str:
    """Returns the head of a page of options: the rules, and whether the game is rated."""
    name = await ctx.services.names.of(basis.challenger, ctx.guild)
    lines = describe_terms(draft, escape(name), words)
    return "\n".join((f"### {words('terms.options.title')}", f"- {lines['rules']}", f"- {lines['rated']}"))


async def _clash(
    ctx: Context, target: TermsTarget, draft: Terms, conflict: Conflict | None, words: Words
) -> list[Part]:
    """Returns why a choice does not go with the rest, and the button that changes what it needs as well."""
    if conflict is None:
        return []
    note = f"⚠️ {await errors.explain(ctx.services, words, ctx.request, conflict.reason)}"
    if conflict.fitted is None:
        return [note]
    changes = changes_of(draft.game, conflict.fitted.game, words, beside=conflict.field)
    button = _page_button(target, conflict.fitted, page_of(conflict.field), words("terms.together"), primary=True)
    return [f"{note}\n{words('terms.needed', changes=changes)}", [button]]


def _save_label(target: TermsTarget, words: Words) -> str:
    return words(f"terms.save.{target.kind}")


def _save_button(target: TermsTarget, draft: Terms, words: Words) -> TermsButton:
    return TermsButton.of(target, draft, "save", _save_label(target, words), primary=True)


def _page_button(target: TermsTarget, draft: Terms, page: str, label: str, *, primary: bool = False) -> TermsButton:
    """Returns the button that shows a draft on a page."""
    return TermsButton.of(target, draft, f"page-{page}", label, primary=primary)


async def _show_change(ctx: Context, target: str, letters: str, field: str, *values: str) -> None:
    """Shows the panel with other values of a setting, or why they are refused."""
    draft, found = read_draft(letters), read_target(target)
    try:
        await _change(ctx, found, draft, field, *values)
    except (Refused, RuleError) as error:
        note = await errors.explain(ctx.services, await ctx.words(), ctx.request, error)
        await ctx.show(await terms_panel(ctx, found, draft, note, page=page_of(field)))


async def _change(ctx: Context, target: TermsTarget, draft: Terms, field: str, *values: str) -> None:
    """Shows the panel with other values of a setting, or with what else they would change. Raises Refused and
    RuleError."""
    clash, basis = None, await target.basis(ctx)
    try:
        draft = apply_choice(draft, await offered_rules(ctx, await ctx.words(), basis.seats), field, *values)
    except (KeyError, ValueError, TypeError) as error:
        raise Refused(Reason.OLD_BUTTON) from error  # the choice is no longer offered, or was made up
    except BadOption as error:
        clash = find_conflict(draft, {field: values[0]}, error, basis.seats)
        if clash.fitted is None:
            raise
    await ctx.show(await terms_panel(ctx, target, draft, page=page_of(field), conflict=clash))


def read_draft(letters: str) -> Terms:
    """Returns the terms in a custom id. Raises Refused (`old_button`)."""
    try:
        return decode(letters)
    except (ValueError, KeyError, IndexError, Refused, RuleError) as error:
        raise Refused(Reason.OLD_BUTTON) from error  # made up, or by rules that no longer exist


async def _submit_value(ctx: Context, target: str, draft: str, field: str) -> None:
    await ctx.defer_update()
    value = field_value(ctx, VALUE)
    if field == "win":
        with suppress(Refused):
            value = read_options(value, await ctx.words(), ctx.services.languages.of()).get(field, value)
    await _change(ctx, read_target(target), read_draft(draft), field, value)


ITEMS: tuple[type[Component], ...] = (TermsField, TermsButton, TypeAgain)
FORMS = (Form(ids.TERMS_FORM, _submit_value, (VALUE,)),)
