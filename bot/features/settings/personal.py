"""`/settings me`: a player's own settings, as a panel that saves each choice at once, with pings and quiet hours."""

import asyncio
from collections.abc import Mapping
from io import BytesIO
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

import discord

from bot.features.settings.blocked import OpenBlocked
from bot.features.terms import terms_panel
from bot.features.terms.drafts import DefaultTermsTarget, TermsBasis
from bot.features.terms.offered_rules import default_terms
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Form, PanelItem, field_value, make_form, open_form
from bot.interactions.context import Context
from bot.interactions.fields import SelectField, language_field, read_field, theme_field
from bot.interactions.layout import Choice, Part, Select, button, select
from bot.interactions.offers import TextField
from bot.markup import escape, quote
from play.challenge.terms import Terms
from play.clock.clock import HOURS, ReminderStep
from play.clock.schedule import Night, parse_night
from play.community.roles import LinkState
from play.ids import Millis
from play.people.digest import DAY_MINUTES, DIGEST_HOURS, digest_minutes
from play.people.settings import PlayerSettings, Reminders
from play.refusal import Reason, Refused
from presentation.terms import describe_terms
from presentation.words.words import Words
from presentation.words.zones import Found, Guess, find_zones, zone_name
from renderer.board import draw
from renderer.theme import THEMES
from rules.registry import DEFAULT, make_game
from use_cases.player_settings import change_player

EACH_TURN = "each"
"""The choice of no digest."""

MAX_TEXT = 60
"""Characters of a typed time zone, and of typed quiet hours."""

ZONE, NIGHT = TextField("zone", MAX_TEXT, required=False), TextField("night", MAX_TEXT, required=False)
HOURS_FIELDS = {ZONE: "Kraków, Москва, UTC+3", NIGHT: "22:00-07:00"}
"""The fields of the form, with an example of each."""

SAMPLE_MOVES = ("C3", "G4", "G3", "F3", "E2", "H3", "D2", "G2")
"""The moves on the board that shows the theme."""

SWITCHES = ("milestones", "watchable")
"""Settings of two values that have a button."""

SPEEDS = ("live", "days")
"""The speeds of games whose moves can be confirmed first."""


def describe_pings(settings: PlayerSettings, words: Words) -> str:
    """Returns when the digest comes, or why it has ended; empty for a player who has had none."""
    if settings.digest is None:
        return words("me.pings.closed") if settings.digest_closed else ""
    if settings.zone is None:
        return words("me.digest.utc", time=_hour(settings.digest, words))
    minutes = digest_minutes(settings)
    key = "awake" if minutes == 60 * settings.digest else "now"
    return words(
        f"me.digest.{key}", time=words.time_of_day(minutes % DAY_MINUTES), zone=zone_name(settings.zone, words.locale)
    )


def _step_text(step: ReminderStep, words: Words) -> str:
    return words("me.steps.most") if step is ReminderStep.MOST else words("me.steps.left", count=HOURS[step])


def _hour(hour: int, words: Words) -> str:
    return words.time_of_day(60 * hour)


def _ping_text(choice: str, words: Words) -> str:
    if choice == EACH_TURN:
        return words("me.pings.each")
    return words("me.pings.digest", time=_hour(int(choice), words))


PING_FIELDS = (
    SelectField(
        "reminders",
        lambda words: words("me.reminders"),
        (*Reminders,),
        lambda way, words: words(f"me.reminders.{way}"),
        lambda settings: (settings.reminders,),
        lambda way: {"reminders": Reminders(way)},
    ),
    SelectField(
        "steps",
        lambda words: words("me.steps"),
        tuple(str(step.value) for step in ReminderStep),
        lambda step, words: _step_text(ReminderStep(int(step)), words),
        lambda settings: [str(step.value) for step in ReminderStep if step in settings.steps],
        lambda *steps: {"steps": ReminderStep(sum(map(int, set(steps)))) or ReminderStep.MOST},  # none is the default
        several=True,
    ),
    SelectField(
        "pings",
        lambda words: words("me.pings"),
        (EACH_TURN, *map(str, DIGEST_HOURS)),
        _ping_text,
        lambda settings: (EACH_TURN if settings.digest is None else str(settings.digest),),
        lambda choice: {"digest": None if choice == EACH_TURN else int(choice)},
    ),
)


def describe_hours(settings: PlayerSettings, now: Millis, words: Words) -> str:
    """Returns the time zone and the quiet hours, with the time in that zone, which shows a player a wrong zone."""
    if settings.zone is None:
        return words("me.no_zone")
    there, zone = words.time(now, settings.zone), zone_name(settings.zone, words.locale)
    if settings.night is None:
        return words("me.zone", zone=zone, time=there)
    night = "–".join(map(words.time_of_day, (settings.night.start, settings.night.end)))
    return words("me.night", zone=zone, time=there, night=night)


def hours_form(settings: PlayerSettings, words: Words) -> discord.ui.Modal:
    """Returns the form for both, filled with the present settings."""
    now = {"zone": zone_name(settings.zone, words.locale) if settings.zone else "", "night": str(settings.night or "")}
    questions = (
        discord.ui.Label[Any](
            text=words(f"me.{field.name}.label"),
            description=words(f"me.{field.name}.description"),
            component=field.make(default=now[field.name], placeholder=example),
        )
        for field, example in HOURS_FIELDS.items()
    )
    return make_form(ids.QUIET_HOURS(), words("me.clock.title"), *questions)


class Hours(NamedTuple):
    """What was typed: the zones that it may mean, if it was any, and the quiet hours, if any."""

    zones: Found | None
    night: Night | None

    @property
    def changes(self) -> dict[str, Any] | None:
        """The changes of a player's settings; None if the player has to choose a zone first."""
        if self.zones is None:
            return {"zone": None, "night": None}
        return {"zone": self.zones.guesses[0].zone, "night": self.night} if self.zones.certain else None


async def read_hours(zone: str, night: str, settings: PlayerSettings, now: Millis, words: Words) -> Hours:
    """Reads what a player typed; an empty text deletes a setting, and an unchanged zone stays.

    Raises Refused (`night_needs_zone`, and those of `find_zones` and `parse_night`).
    """
    if night and not zone:
        raise Refused(Reason.NIGHT_NEEDS_ZONE)
    quiet = parse_night(night) if night else None
    if not zone:
        return Hours(None, quiet)
    if settings.zone and zone == zone_name(settings.zone, words.locale):
        return Hours(Found([Guess(settings.zone, zone)], certain=True), quiet)
    return Hours(await asyncio.to_thread(find_zones, zone, words.locale, now), quiet)


def zone_select(zones: Found, night: Night | None, now: Millis, words: Words) -> Select:
    """Returns the select of the zones that a player may mean; it remembers the quiet hours that they typed."""
    choices = [
        Choice(
            guess.zone.key,
            guess.place,
            False,
            words("me.zone.option", zone=zone_name(guess.zone, words.locale), time=words.time(now, guess.zone)),
        )
        for guess in zones.guesses
    ]
    return select(ids.ZONE(night=night or ""), words("me.zone.choose"), choices)


def read_zone(key: str) -> ZoneInfo:
    """Returns the time zone of a choice. Raises Refused (`old_button`) if there is none."""
    if key not in available_timezones():
        raise Refused(Reason.OLD_BUTTON)
    return ZoneInfo(key)


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
    *PING_FIELDS,
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
            zone = read_zone("".join(self.item.values))
            return await change_settings(ctx, zone=zone, night=parse_night(self.night) if self.night else None)
        except Refused as refused:
            return await _refused_panel(ctx, refused)


class PersonalButton(PanelItem, id=ids.PERSONAL):
    """Opens the form for the quiet hours or the panel of the player's default terms, deletes these terms, has
    milestones told (1) or not (0), has everybody watch games with strangers or not, or unlinks the account.

    `shown` leads back to this panel.
    """

    way: str

    async def pressed(self, ctx: Context) -> None:
        if self.way == "clock":
            words = await ctx.words()
            await open_form(ctx, hours_form(await ctx.settings(), words))
        else:
            await super().pressed(ctx)

    async def parts(self, ctx: Context) -> list[Part]:
        if self.way == "usual":
            return await terms_panel.terms_panel(ctx, PersonalDefaults(), await default_terms(ctx))
        if self.way[:-1] in SWITCHES:
            return await change_settings(ctx, **{self.way[:-1]: self.way[-1] == "1"})
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
    lines = [f"### {words('me.title')}", describe_hours(settings, now, words)]
    lines += [*filter(None, [describe_pings(settings, words)]), words("me.usual")]
    if settings.terms:
        lines += (f"- {line}" for line in describe_terms(settings.terms, name, words).values())
    else:
        lines.append(f"- {words('me.nothing')}")
    link = await ctx.use_cases.linked_accounts.state(ctx.user)
    if link is LinkState.LINKED:
        lines.append(words("me.linked"))
    elif link is LinkState.ENDED and ctx.services.web_links is not None:
        lines.append(words("me.link_ended", url=ctx.services.web_links.linking))
    lines.append(f"-# {words('me.watchable')}")
    sets = button(ids.RULE_SETS(whose="me"), words("sets.button"))
    ways = ("clock", "usual", *(("forget",) if settings.terms else ()))
    more = [_switch_button(each, words, is_on=getattr(settings, each)) for each in SWITCHES]
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


def _switch_button(field: str, words: Words, *, is_on: bool) -> PersonalButton:
    """Returns the button that says whether a setting is on, and turns it."""
    return PersonalButton.make(words(f"switch.{field}.{'on' if is_on else 'off'}"), way=f"{field}{int(not is_on)}")


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
    zone, night = (field_value(ctx, field).strip() for field in HOURS_FIELDS)
    words = await ctx.words()
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
    hours = await read_hours(zone, night, await ctx.settings(), now, words)
    if hours.changes is not None:
        parts = await change_settings(ctx, **hours.changes)
    else:
        assert hours.zones is not None
        choice = zone_select(hours.zones, hours.night, now, words)
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


BUTTONS: tuple[type[PanelItem], ...] = (PersonalField, ZoneField, PersonalButton)
FORMS = (Form(ids.QUIET_HOURS, _submit_hours, tuple(HOURS_FIELDS)),)
