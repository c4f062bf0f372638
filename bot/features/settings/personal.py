"""`/settings me`: a person's own settings, as a panel that saves what is chosen at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.challenges import terms_panel
from bot.features.challenges.default_terms import default_terms
from bot.features.challenges.terms_text import settings
from bot.features.settings import quiet_hours
from bot.interactions import errors, panels
from bot.interactions.context import Context, TermsBasis
from bot.interactions.layout import Part
from bot.interactions.modals import Form, text_value
from bot.interactions.selects import Choice, select
from bot.services.names import escape, quote
from play.people.settings import Person, Reminders
from play.refusal import Reason, Refused
from play.store import Stale
from renderer.board import draw
from renderer.theme import THEMES
from rules.registry import DEFAULT, configured

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.challenge.terms import Terms

AS_DISCORD = "-"
"""Stands for no language of one's own."""

SAMPLE = ("C3", "G4", "G3", "F3", "E2", "H3", "D2", "G2")
"""What is played on the board that shows the theme."""


class Field(panels.PanelItem, template=r"me:(?P<field>language|theme|confirm|reminders)"):
    """A setting with what it may be."""

    @classmethod
    def of(cls, field: str, choices: list[Choice], hint: str) -> Self:
        return cls(select(f"me:{field}", hint, choices, several=field == "confirm"))

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        return discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        languages = ctx.services.languages.names
        try:
            return await change_settings(ctx, **_chosen(self.custom_id, self.item.values, languages))
        except Refused as refused:
            return await _refused(ctx, refused)


class Step(panels.PanelItem, template=r"me:(?P<action>clock|usual|forget)"):
    """Opens the form for the clock on the wall or the panel of one's challenges, or forgets these."""

    @classmethod
    def of(cls, action: str, words: Words) -> Self:
        return cls(discord.ui.Button(label=words(f"me.button.{action}"), custom_id=f"me:{action}"))

    async def pressed(self, ctx: Context) -> None:
        if self.custom_id == "me:clock":
            words = await ctx.words()
            await ctx.interaction.response.send_modal(quiet_hours.hours_form(await _person(ctx), words))
        else:
            await super().pressed(ctx)

    async def parts(self, ctx: Context) -> list[Part]:
        if self.custom_id == "me:usual":
            return await terms_panel.terms_panel(ctx, PersonalDefaults(), await default_terms(ctx))
        return await change_settings(ctx, terms=None)


class PersonalDefaults(terms_panel.DefaultTermsTarget):
    """What one's own challenges offer."""

    kind = "me"

    async def basis(self, ctx: Context) -> TermsBasis:
        person = await _person(ctx)
        return TermsBasis(person.terms, person.id)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        return await change_settings(ctx, terms=terms)


async def personal_panel(ctx: Context, note: str = "") -> list[Part]:
    """The panel, with a `note` on what was wrong."""
    person = await _person(ctx)
    words = await ctx.words()
    name = escape(await ctx.services.names.of(person.id, ctx.guild))
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
    lines = [f"### {words('me.title')}", quiet_hours.describe_hours(person, now, words), words("me.usual")]
    if person.terms:
        lines += (f"- {line}" for line in settings(person.terms, name, words).values())
    else:
        lines.append(f"- {words('me.nothing')}")
    buttons = [Step.of(action, words) for action in ("clock", "usual", *(("forget",) if person.terms else ()))]
    return [
        *([f"⚠️ {note}"] if note else []),
        "\n".join(lines),
        *([field] for field in _fields(ctx, person, words)),
        buttons,
        await _sample(ctx, person.theme, words),
    ]


async def change_settings(ctx: Context, **changes: Any) -> list[Part]:
    """Saves some settings, and returns the panel."""
    for _ in range(ATTEMPTS):
        try:
            async with ctx.services.store.write() as tx:
                person = await tx.people.get(ctx.user)
                await tx.people.save(replace(person, **changes))
        except Stale:
            continue
        return await personal_panel(ctx)
    raise Refused(Reason.BUSY)


ATTEMPTS = 3


def _fields(ctx: Context, person: Person, words: Words) -> list[Field]:
    languages = [
        Choice(AS_DISCORD, words("me.language.discord"), person.language is None),
        *(
            Choice(tag, words("me.language.is", language=name), tag == person.language)
            for tag, name in ctx.services.languages.names.items()
        ),
    ]
    themes = [
        Choice(theme, words("me.theme.is", theme=words(f"theme.{theme}")), theme == person.theme) for theme in THEMES
    ]
    confirm = [
        Choice("live", words("me.confirm.live"), person.confirm_live),
        Choice("days", words("me.confirm.days"), person.confirm_days),
    ]
    reminders = [Choice(each, words(f"me.reminders.{each}"), each is person.reminders) for each in Reminders]
    return [
        Field.of("language", languages, words("me.language")),
        Field.of("theme", themes, words("me.theme")),
        Field.of("confirm", confirm, words("me.confirm")),
        Field.of("reminders", reminders, words("me.reminders")),
    ]


def _chosen(custom_id: str, values: list[str], languages: Iterable[str]) -> dict[str, Any]:
    """What a select says about a person. Raises Refused (`old_button`) for a choice that there is no more."""
    field = custom_id.removeprefix("me:")
    if field == "confirm":
        return {"confirm_live": "live" in values, "confirm_days": "days" in values}
    known: dict[str, set[str]] = {
        "theme": set(THEMES),
        "reminders": set(Reminders),
        "language": {AS_DISCORD, *languages},
    }
    if len(values) != 1 or values[0] not in known[field]:
        raise Refused(Reason.OLD_BUTTON)
    if field == "reminders":
        return {"reminders": Reminders(values[0])}
    return {field: None if values[0] == AS_DISCORD else values[0]}


async def _filled(ctx: Context, _: re.Match[str]) -> None:
    await ctx.defer_update()
    zone, night = text_value(ctx, "zone").strip(), text_value(ctx, "night").strip()
    try:
        parts = await change_settings(ctx, **quiet_hours.read_hours(zone, night))
    except Refused as refused:
        words = await ctx.words()
        written = words("me.typed", typed=quote(" · ".join(filter(None, (zone, night)))))
        parts = await _refused(ctx, refused, f"{written} ")
    await ctx.show(parts)


async def _refused(ctx: Context, refused: Refused, head: str = "") -> list[Part]:
    """The panel as things stand, with what was refused."""
    words = await ctx.words()
    return await personal_panel(ctx, head + await errors.explain(ctx.services, words, ctx.request, refused))


async def _person(ctx: Context) -> Person:
    async with ctx.services.store.read() as reader:
        return await reader.people.get(ctx.user)


async def _sample(ctx: Context, theme: str, words: Words) -> discord.File:
    game = configured(DEFAULT, {"size": "9x5"})
    position = game.start(seed=0)
    for turn in SAMPLE:
        position = position.play(game.parse(turn))
    lane, user = ctx.services.jobs, ctx.user
    png = await lane.pictures.make(user, draw, position.picture(), None, THEMES[theme])
    return discord.File(BytesIO(png), f"theme-{theme}.png", description=words(f"theme.{theme}"))


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Field, Step)
FORMS = (Form(re.compile("me:clock"), _filled),)
