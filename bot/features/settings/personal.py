"""`/settings me`: a person's own settings, as a panel that saves what is chosen at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.challenges import terms_panel
from bot.features.challenges.default_terms import usual
from bot.features.challenges.terms_panel import Basis
from bot.features.challenges.terms_text import settings
from bot.features.settings import quiet_hours
from bot.interactions import errors, panels
from bot.interactions.modals import Form, typed
from bot.interactions.responses import acknowledge_quietly
from bot.interactions.selects import Choice, select
from bot.request import Request
from bot.services.names import escaped, quoted
from play.ids import UserId
from play.people.person import Person, Reminders
from play.refusal import Reason, Refused
from play.store.store import Stale
from renderer.board import draw
from renderer.theme import THEMES
from rules.registry import DEFAULT, configured

if TYPE_CHECKING:
    from bot.client import Interaction
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

    async def parts(self, interaction: Interaction) -> list[panels.Part]:
        languages = interaction.client.languages.names
        try:
            return await changed(interaction, **_chosen(self.custom_id, self.item.values, languages))
        except Refused as refused:
            return await _refused(interaction, refused)


class Step(panels.PanelItem, template=r"me:(?P<action>clock|usual|forget)"):
    """Opens the form for the clock on the wall or the panel of one's challenges, or forgets these."""

    @classmethod
    def of(cls, action: str, words: Words) -> Self:
        return cls(discord.ui.Button(label=words(f"me.button.{action}"), custom_id=f"me:{action}"))

    async def pressed(self, interaction: Interaction) -> None:
        if self.custom_id == "me:clock":
            words = await interaction.client.audience.alone(interaction)
            await interaction.response.send_modal(quiet_hours.form(await _person(interaction), words))
        else:
            await super().pressed(interaction)

    async def parts(self, interaction: Interaction) -> list[panels.Part]:
        if self.custom_id == "me:usual":
            return await terms_panel.parts(interaction, Mine(), await usual(interaction))
        return await changed(interaction, terms=None)


class Mine(terms_panel.Usual):
    """What one's own challenges offer."""

    kind = "me"

    async def basis(self, interaction: Interaction) -> Basis:
        person = await _person(interaction)
        return Basis(person.terms, person.id)

    async def saved(self, interaction: Interaction, terms: Terms) -> list[panels.Part]:
        return await changed(interaction, terms=terms)


async def shown(interaction: Interaction, note: str = "") -> list[panels.Part]:
    """The panel, with a `note` on what was wrong."""
    client, person = interaction.client, await _person(interaction)
    words = await client.audience.alone(interaction)
    name = escaped(await client.names.of(person.id, Request.of(interaction).guild))
    async with client.store.read() as reader:
        now = await reader.now()
    lines = [f"### {words('me.title')}", quiet_hours.told(person, now, words), words("me.usual")]
    if person.terms:
        lines += (f"- {line}" for line in settings(person.terms, name, words).values())
    else:
        lines.append(f"- {words('me.nothing')}")
    buttons = [Step.of(action, words) for action in ("clock", "usual", *(("forget",) if person.terms else ()))]
    return [
        *([f"⚠️ {note}"] if note else []),
        "\n".join(lines),
        *([field] for field in _fields(interaction, person, words)),
        buttons,
        await _sample(interaction, person.theme, words),
    ]


async def changed(interaction: Interaction, **changes: Any) -> list[panels.Part]:
    """Saves some settings, and returns the panel."""
    for _ in range(ATTEMPTS):
        try:
            async with interaction.client.store.write() as transaction:
                person = await transaction.person(UserId(interaction.user.id))
                await transaction.save_person(replace(person, **changes))
        except Stale:
            continue
        return await shown(interaction)
    raise Refused(Reason.BUSY)


ATTEMPTS = 3


def _fields(interaction: Interaction, person: Person, words: Words) -> list[Field]:
    languages = [
        Choice(AS_DISCORD, words("me.language.discord"), person.language is None),
        *(
            Choice(tag, words("me.language.is", language=name), tag == person.language)
            for tag, name in interaction.client.languages.names.items()
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


async def _filled(interaction: Interaction, _: re.Match[str]) -> None:
    await acknowledge_quietly(interaction)
    zone, night = typed(interaction, "zone").strip(), typed(interaction, "night").strip()
    try:
        parts = await changed(interaction, **quiet_hours.read(zone, night))
    except Refused as refused:
        words = await interaction.client.audience.alone(interaction)
        written = words("me.typed", typed=quoted(" · ".join(filter(None, (zone, night)))))
        parts = await _refused(interaction, refused, f"{written} ")
    await panels.show(interaction, parts)


async def _refused(interaction: Interaction, refused: Refused, head: str = "") -> list[panels.Part]:
    """The panel as things stand, with what was refused."""
    client, request = interaction.client, Request.of(interaction)
    words = await client.audience.alone(interaction)
    return await shown(interaction, head + await errors.explained(client, words, request, refused))


async def _person(interaction: Interaction) -> Person:
    async with interaction.client.store.read() as reader:
        return await reader.person(UserId(interaction.user.id))


async def _sample(interaction: Interaction, theme: str, words: Words) -> discord.File:
    game = configured(DEFAULT, {"size": "9x5"})
    position = game.start(seed=0)
    for turn in SAMPLE:
        position = position.play(game.parse(turn))
    lane, user = interaction.client.lane, interaction.user.id
    png = await lane.pictures.make(user, draw, position.picture(), None, THEMES[theme])
    return discord.File(BytesIO(png), f"theme-{theme}.png", description=words(f"theme.{theme}"))


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Field, Step)
FORMS = (Form(re.compile("me:clock"), _filled),)
