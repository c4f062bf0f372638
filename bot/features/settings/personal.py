"""`/settings me`: a player's own settings, as a panel that saves each choice at once."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import discord

from bot.features.settings import pings, quiet_hours
from bot.features.settings.blocked import OpenBlocked
from bot.features.settings.choices import language_field, theme_field
from bot.features.terms import terms_panel
from bot.features.terms.default_terms import default_terms
from bot.features.terms.targets import DefaultTermsTarget, TermsBasis
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.buttons import button
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.fields import SelectField, read_field
from bot.interactions.layout import Part
from bot.interactions.modals import Form, field_value, open_form
from bot.interactions.selects import Select
from play.challenge.terms import Terms
from play.clock.night import parse_night
from play.community.linked_account import LinkState
from play.people.settings import Reminders
from play.refusal import Refused
from presentation.terms.terms_text import describe_terms
from presentation.text import escape, quote
from presentation.words.words import Words
from renderer.board import draw
from renderer.theme import THEMES
from rules.registry import DEFAULT, make_game
from use_cases.player_settings import change_player

SAMPLE_MOVES = ("C3", "G4", "G3", "F3", "E2", "H3", "D2", "G2")
"""The moves on the board that shows the theme."""

SPEEDS = ("live", "days")
"""The speeds of games whose moves can be confirmed first."""

OWN_FIELDS = (
    SelectField(
        "confirm",
        lambda words: words("me.confirm"),
        SPEEDS,
        lambda speed, words: words(f"me.confirm.{speed}"),
        lambda settings: [each for each in SPEEDS if getattr(settings, f"confirm_{each}")],
        lambda *speeds: {f"confirm_{each}": each in speeds for each in SPEEDS},
        several=True,
    ),
    SelectField(
        "next",  # a move in a game over days leaves the game as it is, or opens the next one
        lambda words: words("me.next"),
        ("stay", "open"),
        lambda way, words: words(f"me.next.{way}"),
        lambda settings: ("open" if settings.opens_next else "stay",),
        lambda way: {"opens_next": way == "open"},
    ),
    SelectField(
        "watching",  # who watches a game is named there, or only counted
        lambda words: words("me.watching"),
        ("named", "counted"),
        lambda way, words: words(f"me.watching.{way}"),
        lambda settings: ("named" if settings.named else "counted",),
        lambda way: {"named": way == "named"},
    ),
    *pings.FIELDS,
)


class PersonalField(PanelItem, id=ids.PERSONAL_FIELD):
    """The select of a setting."""

    kind = discord.ComponentType.string_select
    field: str

    async def parts(self, ctx: Context) -> list[Part]:
        try:
            return await change_settings(
                ctx, **read_field(_fields(ctx.services.languages.names), self.field, self.item.values)
            )
        except Refused as refused:
            return await _refused_panel(ctx, refused)


class ZoneField(PanelItem, id=ids.ZONE):
    """The select of the time zones that a typed name may mean."""

    kind = discord.ComponentType.string_select
    night: str

    async def parts(self, ctx: Context) -> list[Part]:
        try:
            zone = quiet_hours.read_zone("".join(self.item.values))
            return await change_settings(ctx, zone=zone, night=parse_night(self.night) if self.night else None)
        except Refused as refused:
            return await _refused_panel(ctx, refused)


class PersonalButton(PanelItem, id=ids.PERSONAL):
    """Opens the form for the quiet hours or the panel of the player's default terms, deletes these terms, has
    milestones told (1) or not (0), or unlinks the account.

    `shown` leads back to this panel.
    """

    way: str

    async def pressed(self, ctx: Context) -> None:
        if self.way == "clock":
            words = await ctx.words()
            await open_form(ctx, quiet_hours.hours_form(await ctx.settings(), words))
        else:
            await super().pressed(ctx)

    async def parts(self, ctx: Context) -> list[Part]:
        if self.way == "usual":
            return await terms_panel.terms_panel(ctx, PersonalDefaults(), await default_terms(ctx))
        if self.way.startswith("milestones"):
            return await change_settings(ctx, milestones=self.way[-1] == "1")
        if self.way == "unlink":
            await ctx.use_cases.linked_accounts.unlink(ctx.user)
        if self.way in ("shown", "unlink"):
            return await personal_panel(ctx)
        return await change_settings(ctx, terms=None)


class PersonalDefaults(DefaultTermsTarget):
    """The terms that a player's own challenges offer."""

    kind = "me"

    async def basis(self, ctx: Context) -> TermsBasis:
        return TermsBasis((await ctx.settings()).terms, ctx.user)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        return await change_settings(ctx, terms=terms)


async def personal_panel(ctx: Context, note: str = "", zones: Select | None = None) -> list[Part]:
    """Returns the panel, with a `note` on what was wrong, and with `zones` to choose from."""
    settings, words = await ctx.settings(), await ctx.words()
    name = escape(await ctx.services.names.of(settings.id, ctx.guild))
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
    lines = [f"### {words('me.title')}", quiet_hours.describe_hours(settings, now, words)]
    lines += [*filter(None, [pings.describe_pings(settings, words)]), words("me.usual")]
    if settings.terms:
        lines += (f"- {line}" for line in describe_terms(settings.terms, name, words).values())
    else:
        lines.append(f"- {words('me.nothing')}")
    link = await ctx.use_cases.linked_accounts.state(ctx.user)
    if link is LinkState.LINKED:
        lines.append(words("me.linked"))
    elif link is LinkState.ENDED and ctx.services.web_links is not None:
        lines.append(words("me.link_ended", url=ctx.services.web_links.linking))
    sets = button(ids.RULE_SETS(whose="me"), words("sets.button"))
    ways = ("clock", "usual", *(("forget",) if settings.terms else ()))
    told = "on" if settings.milestones else "off"
    more = [PersonalButton.make(words(f"switch.milestones.{told}"), way=f"milestones{int(not settings.milestones)}")]
    if link is not LinkState.NONE:
        more.append(PersonalButton.make(words("me.button.unlink"), way="unlink"))
    own = [PersonalButton.make(words(f"me.button.{way}"), way=way) for way in ways]
    return [
        *([f"⚠️ {note}"] if note else []),
        *([[ZoneField(zones)]] if zones else []),
        "\n".join(lines),
        *(
            [PersonalField(each.select(ids.PERSONAL_FIELD(field=each.name), settings, words))]
            for each in _fields(ctx.services.languages.names)
        ),
        [*own, sets, OpenBlocked.make(words("blocked.button"))],
        more,
        await _draw_sample(ctx, settings.theme, words),
    ]


async def change_settings(ctx: Context, **changes: Any) -> list[Part]:
    """Saves changes of the player's settings, and returns the panel. Raises Refused (`busy`)."""
    await change_player(ctx.services.store, ctx.user, changes)
    if changes.get("digest") is not None or changes.get("reminders") is Reminders.DM:
        await ctx.services.direct.open(ctx.user)
    return await personal_panel(ctx)


def _fields(languages: Mapping[str, str]) -> tuple[SelectField, ...]:
    """Returns the fields from top to bottom."""
    return language_field("me", languages), theme_field("me"), *OWN_FIELDS


async def _submit_hours(ctx: Context) -> None:
    await ctx.defer_update()
    zone, night = (field_value(ctx, field).strip() for field in quiet_hours.FIELDS)
    words = await ctx.words()
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
    hours = await quiet_hours.read_hours(zone, night, await ctx.settings(), now, words)
    if hours.changes is not None:
        parts = await change_settings(ctx, **hours.changes)
    else:
        assert hours.zones is not None
        choice = quiet_hours.zone_select(hours.zones, hours.night, now, words)
        parts = await personal_panel(ctx, words("me.zone.several", typed=quote(zone)), choice)
    await ctx.show(parts)


async def _refused_panel(ctx: Context, refused: Refused) -> list[Part]:
    """Returns the panel with the present settings, and why the change was refused."""
    words = await ctx.words()
    return await personal_panel(ctx, await errors.explain(ctx.services, words, ctx.request, refused))


async def _draw_sample(ctx: Context, theme: str, words: Words) -> discord.File:
    """Draws a small board in a theme."""
    game = make_game(DEFAULT, {"size": "9x5"})
    position = game.start(seed=0)
    for turn in SAMPLE_MOVES:
        position = position.play(game.parse(turn))
    png = await ctx.services.jobs.pictures.make(ctx.user, draw, position.picture(), None, THEMES[theme])
    return discord.File(BytesIO(png), f"theme-{theme}.png", description=words(f"theme.{theme}"))


ITEMS: tuple[type[PanelItem], ...] = (PersonalField, ZoneField, PersonalButton)
FORMS = (Form(ids.QUIET_HOURS, _submit_hours, tuple(quiet_hours.FIELDS)),)
