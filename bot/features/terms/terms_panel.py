"""The panel in which terms are put together: a challenge, a counter-offer, or the defaults of challenges.

Each of its controls has the whole draft in its custom id. The rules check a choice at once; a choice that they refuse
is explained beside its setting, and the draft does not change.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar, Final, NamedTuple, Self

import discord

from bot.features.terms.drafts import DefaultTermsTarget, TermsBasis, TermsTarget, decode, encode, read_target
from bot.features.terms.offered_rules import name_rules, offered_rules
from bot.features.terms.terms_menus import (
    FIRST_PAGE,
    OTHER,
    Conflict,
    Menu,
    apply_choice,
    changes_of,
    find_conflict,
    menus,
    option_menus,
    page_of,
    pages,
)
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.components import Component, Form, field_value, make_form, open_form
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, Control, Part, button, rows, select
from bot.interactions.offers import TextField
from bot.markup import escape
from play.challenge.challenge import Challenge
from play.challenge.pool import Pool, fair_komi, pool_of, serves
from play.challenge.terms import Order, Terms
from play.clock.agreement import play_out_text
from play.ids import GuildId, Millis, UserId
from play.people.career import Visibility
from play.ratings.glicko import Rating
from play.ratings.settlement import counted_level, level_rating
from play.refusal import Reason, Refused
from presentation.terms import (
    AGREED,
    compare,
    describe_terms,
    level_label,
    phrase,
    read_options,
    rules_help,
    rules_name,
)
from presentation.words.words import Words
from rules.game import BadOption, RuleError
from rules.registry import preset_of
from storage.unit_of_work import Reader

MAX_VALUE = 30
"""Characters of a typed value."""

VALUE: Final = TextField("value", MAX_VALUE)


class _Player(NamedTuple):
    name: str
    rating: Rating


async def can_propose(ctx: Context, basis: TermsBasis, draft: Terms) -> bool:
    """Returns whether a fair handicap can be told to the player who asks, or that none is needed."""
    pool = _fair_pool(draft)
    if pool is None or (draft.level is None and basis.opponent is None):
        return False
    return not any(each.rating.provisional for each in await _players(ctx, basis, draft, pool))


async def can_propose_on_card(reader: Reader, challenge: Challenge) -> bool:
    """Returns whether a fair handicap can be told to either player of a challenge, who see of each other's ratings
    those of its server."""
    pool = _fair_pool(challenge.terms)
    if pool is None or challenge.guild is None or challenge.opponent is None:
        return False
    now, users = await reader.clock.now(), (challenge.challenger, challenge.opponent)
    return not any([(await _rating(reader, user, pool, challenge.guild, now)).provisional for user in users])


async def propose_handicap(ctx: Context, basis: TermsBasis, draft: Terms, button: str) -> tuple[Terms, str]:
    """Returns the draft with a fair handicap, and what the player is told; the same draft if none is proposed.

    `button` is the label of the button that offers the draft.
    """
    words, pool = await ctx.words(), _fair_pool(draft)
    if pool is None:
        return draft, words("terms.fair.none")
    challenger, opponent = await _players(ctx, basis, draft, pool)
    if challenger.rating.provisional or opponent.rating.provisional:
        return draft, words("terms.fair.unknown")
    gap = challenger.rating.value - opponent.rating.value
    komi = fair_komi(abs(gap))
    game = draft.game.with_options({"handicap": "0", "komi": f"{komi:g}"})
    if not komi:
        return replace(draft, game=game), words("terms.fair.even")
    stronger, weaker = (challenger, opponent) if gap > 0 else (opponent, challenger)
    order = Order.LAST if gap > 0 else Order.FIRST
    told = words(
        "terms.fair.proposed",
        stronger=stronger.name,
        weaker=weaker.name,
        gap=str(round(abs(gap), -1)).partition(".")[0],
        terms=phrase("komi", game.options, words),
        button=button,
    )
    return replace(draft, game=game, order=order), told


def _fair_pool(draft: Terms) -> Pool | None:
    """Returns the pool of the draft's rules by the preset, since a game with a handicap has none; None if no fair
    handicap is known for the rules."""
    if not serves(draft.game):
        return None
    try:
        return pool_of(preset_of(draft.game), draft.control, computer=draft.level is not None)
    except Refused:
        return None


async def _players(ctx: Context, basis: TermsBasis, draft: Terms, pool: Pool) -> tuple[_Player, _Player]:
    users = [basis.challenger, *([] if draft.level or basis.opponent is None else [basis.opponent])]
    found = [await _player(ctx, user, pool) for user in users]
    if draft.level is not None:
        words = await ctx.words()
        rating = level_rating(counted_level(draft.game, draft.level))
        found.append(_Player(words("card.level", level=level_label(draft.level, words)), rating))
    first, second = found
    return first, second


async def _player(ctx: Context, user: UserId, pool: Pool) -> _Player:
    """Returns a player with the rating that the reader may see, as in a profile; a newcomer's if there is none."""
    sight, rating = Visibility.of(ctx.user, permissions.installed_guild(ctx), user), Rating()
    if sight.beside is None:
        async with ctx.services.store.read() as reader:
            rating = await _rating(reader, user, pool, sight.guild, ctx.at)
    return _Player(escape(await ctx.services.names.of(user, ctx.guild)), rating)


async def _rating(reader: Reader, user: UserId, pool: Pool, guild: GuildId | None, now: Millis) -> Rating:
    """Returns the rating of a player in a pool, as their matches on `guild` show it; a newcomer's if there is none."""
    ratings = await reader.ratings.of_user(user, guild)
    return (ratings[pool].rating if pool in ratings else Rating()).at_time(now)


async def ask_for_value(ctx: Context, target: str, draft: Terms, asked: str) -> None:
    """Opens the form for a setting, with the value that it has now."""
    words = await ctx.words()
    question = discord.ui.Label[Any](
        text=words(f"terms.{asked}.label"),
        description=words(f"terms.{asked}.description"),
        component=VALUE.make(default=_present_value(draft, asked)),
    )
    custom_id = ids.TERMS_FORM(target=target, draft=encode(draft), field=asked)
    await open_form(ctx, make_form(custom_id, words(f"terms.{asked}.title"), question))


def _present_value(draft: Terms, asked: str) -> str:
    if asked == "clock":
        return str(draft.control)
    if asked == "play_out":
        return play_out_text(draft.time_to_play_out)
    return draft.game.options[asked]


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


class OpenTerms(Component):
    """Opens the panel with the terms of all games of a competition."""

    target: ClassVar[DefaultTermsTarget]

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words("terms.change"))

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await terms_panel(ctx, self.target, await self.target.present(ctx)))


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
    text = "\n".join((f"### {words(f'terms.title.{target.kind}')}", *compare(now, before, words.markup)))
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


BUTTONS: tuple[type[Component], ...] = (TermsField, TermsButton, TypeAgain)
FORMS = (Form(ids.TERMS_FORM, _submit_value, (VALUE,)),)
