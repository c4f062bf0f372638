"""`/settings me`: a player's own settings, as a panel that saves each choice at once."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any

import discord

from bot.features.settings import pings, quiet_hours
from bot.features.settings.blocked import OpenBlocked
from bot.features.settings.choices import language_select, read_choice, theme_select
from bot.features.terms import terms_panel
from bot.features.terms.default_terms import default_terms
from bot.features.terms.targets import DefaultTermsTarget, TermsBasis
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.buttons import button
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.modals import Form, field_value, open_form
from bot.interactions.selects import Choice, Select, select
from play.challenge.terms import Terms
from play.clock.night import parse_night
from play.community.linked_account import LinkState
from play.people.settings import PlayerSettings, Reminders
from play.refusal import Reason, Refused
from presentation.terms.terms_text import describe_terms
from presentation.text import escape, quote
from presentation.words.words import Words
from renderer.board import draw
from renderer.theme import THEMES
from rules.registry import DEFAULT, make_game
from use_cases.player_settings import change_player

SAMPLE_MOVES = ("C3", "G4", "G3", "F3", "E2", "H3", "D2", "G2")
"""The moves on the board that shows the theme."""

CONFIRMED = ("live", "days")
"""The speeds of games whose moves can be confirmed first."""

AFTER_MOVE = ("stay", "open")
"""A move in a game over days leaves the game as it is, or opens the next one."""
WATCHING = ("named", "counted")
"""Who watches a game is named there, or only counted."""


class PersonalField(PanelItem, id=ids.PERSONAL_FIELD):
    """The select of a setting."""

    kind = discord.ComponentType.string_select
    field: str

    async def parts(self, ctx: Context) -> list[Part]:
        try:
            return await change_settings(
                ctx, **_read_choice(self.field, self.item.values, ctx.services.languages.names)
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
        *([PersonalField(each)] for each in _selects(ctx, settings, words)),
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


def _selects(ctx: Context, settings: PlayerSettings, words: Words) -> list[Select]:
    confirm = [Choice(each, words(f"me.confirm.{each}"), getattr(settings, f"confirm_{each}")) for each in CONFIRMED]
    after = [Choice(each, words(f"me.next.{each}"), (each == "open") == settings.opens_next) for each in AFTER_MOVE]
    watching = [Choice(each, words(f"me.watching.{each}"), (each == "named") == settings.named) for each in WATCHING]
    return [
        language_select(ids.PERSONAL_FIELD, settings.language, ctx.services.languages.names, words),
        theme_select(ids.PERSONAL_FIELD, settings.theme, words),
        select(ids.PERSONAL_FIELD(field="confirm"), words("me.confirm"), confirm, several=True),
        select(ids.PERSONAL_FIELD(field="next"), words("me.next"), after),
        select(ids.PERSONAL_FIELD(field="watching"), words("me.watching"), watching),
        *pings.ping_selects(settings, words),
    ]


def _read_choice(field: str, values: list[str], languages: Iterable[str]) -> dict[str, Any]:
    """Returns the change that a choice makes. Raises Refused (`old_button`) if it is no longer offered."""
    if field == "confirm":
        if not {*CONFIRMED}.issuperset(values):
            raise Refused(Reason.OLD_BUTTON)
        return {f"confirm_{speed}": speed in values for speed in CONFIRMED}
    if field == "next":
        if len(values) != 1 or values[0] not in AFTER_MOVE:
            raise Refused(Reason.OLD_BUTTON)
        return {"opens_next": values == ["open"]}
    if field == "watching":
        if len(values) != 1 or values[0] not in WATCHING:
            raise Refused(Reason.OLD_BUTTON)
        return {"named": values == ["named"]}
    if field in pings.FIELDS:
        return pings.read_ping_choice(field, values)
    return dict(read_choice(field, values, languages))


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
