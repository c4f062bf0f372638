"""What people see and set of themselves: profile, leaderboard of the group, settings, and their data."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import orjson

from chat.actions import Action
from chat.endings import close_question
from chat.messages import Button, File, Picture
from chat.port import Typed
from chat.request import Request, button
from play.challenge.pool import POOLS, Pool
from play.clock.schedule import parse_night
from play.ids import DAY, Millis, UserId
from play.people.career import Visibility, summarize
from play.people.settings import Reminders
from play.ratings.leaderboard import LINES_PER_PAGE, LeaderboardPage
from play.refusal import Reason, Refused
from presentation.leaderboards import describe_line, write_line, write_notes, write_title
from presentation.match.phrases import rating_text
from presentation.people import read_members
from presentation.words.words import Words
from presentation.words.zones import find_zones, zone_name
from renderer.graph import Caption, Rated, curve
from renderer.table import table
from renderer.theme import PAPER, THEMES
from use_cases.player_settings import change_player
from use_cases.profiles import MAX_GROUPS, read_lines, read_profile

QUITS_MILLIS = Millis(90 * DAY)
"""Milliseconds in which abandoned games are counted."""

LANGUAGES_IN_ROW = 3
MAX_SHOWN_BLOCKS = 20
"""Blocked people with a button, the newest."""


async def show_profile(request: Request) -> None:
    """Shows what the person may see of another one, or of themselves."""
    user = _subject(request)
    guild, words, services = request.guild, await request.words(), request.services
    sight = Visibility.of(request.user, guild, user)
    async with services.store.read() as reader:
        profile = await read_profile(reader, user, guild, sight, None)
        since = Millis(profile.now - QUITS_MILLIS)
        quits = 0 if sight.beside else await reader.careers.count_quits(user, since, sight.guild)
    name = await services.names.of(user, guild)
    career = summarize(user, profile.matches)
    lines = [words.markup.title(words.literal(name))]
    for pool, leader in profile.ratings.items():
        listed = profile.places.get(pool)
        place = listed.place if listed else None
        shown = {"pool": words(f"pool.{pool}"), "rating": rating_text(leader.rating.at_time(profile.now))}
        lines.append(
            words("profile.placed" if place else "profile.rating", count=leader.games, place=place or 0, **shown)
        )
    if not career.all.games:
        lines.append(words("profile.nothing"))
    else:
        lines.append(words("profile.all", tally=_tally(career.all, words)))
        for opponent, tally in career.opponents[:MAX_GROUPS]:
            other = words.literal(await services.names.of(opponent, guild))
            lines.append(words("profile.against", name=other, tally=_tally(tally, words)))
    if quits:
        lines.append(words("profile.quits", count=quits))
    picture = None
    if profile.pool:
        history = profile.history
        points = [Rated(change.at, change.after.value, change.after.deviation) for change in history]
        pool_name, rating = words.plain(f"pool.{profile.pool}"), rating_text(history[-1].after)
        caption = Caption(name, f"{pool_name} · {rating}", words.date(history[0].at), words.date(history[-1].at))
        theme = THEMES.get((await request.settings()).theme, PAPER)
        png = await services.jobs.pictures.make(request.user, curve, points, caption, theme)
        picture = Picture(png, words.plain("profile.curve", name=name, pool=pool_name, rating=rating))
    await request.answer("\n".join(lines), picture=picture)


def _tally(tally: Any, words: Words) -> str:
    return words("tally", won=tally.won, drawn=tally.drawn, lost=tally.lost)


def _subject(request: Request) -> UserId:
    """Returns the person whom a line mentions or answers, else its author."""
    asked = request.asked
    if not isinstance(asked, Typed):
        return request.user
    named = [*asked.mentions, *([asked.answered] if asked.answered else [])]
    own_id = request.services.platform.own_id
    return next((person.id for person in named if person.id != own_id), request.user)


async def show_leaderboard(request: Request, action: Action | None = None) -> None:
    """Shows the best players of the group in one kind of games. Raises Refused (`leaderboard_in_dm`)."""
    guild, services, words = request.guild, request.services, await request.words()
    if guild is None:
        raise Refused(Reason.LEADERBOARD_IN_DM)
    async with services.store.read() as reader:
        now = await reader.clock.now()
        own = next(iter(await reader.ratings.of_user(request.user)), Pool.parse("dots-days"))
    pools = list(POOLS)
    chosen = own if action is None else pools[action.number(0) % len(pools)]
    page = LeaderboardPage(chosen, False)

    async def read() -> Any:
        async with services.store.read() as reader:
            return await read_lines(reader, page, guild)

    shown = (await read_members(read, services.names, guild))[:LINES_PER_PAGE]
    names = await services.names.of_all([each.user for each in shown], guild)
    lines = [
        write_line(each, name, number, now, words.plain)._replace(own=each.user == request.user)
        for number, (each, name) in enumerate(zip(shown, names, strict=True), 1)
    ]
    title = write_title(page, words.plain)
    texts = [words.markup.title(words.literal(title)), *(describe_line(line, words) for line in lines)]
    texts += write_notes(page, shown, now, words)
    picture = None
    if lines:
        theme = THEMES.get((await request.group()).theme, PAPER)
        heading = words.plain("leaders.here")
        png = await services.jobs.pictures.make(request.user, table, title, heading, lines, theme)
        picture = Picture(png, words.plain("leaders.alt", title=title))
    others = [number for number, pool in enumerate(pools) if pool != chosen]
    rows = [[button(words.plain(f"pool.{pools[number]}"), "leaders", number)] for number in others[:MAX_GROUPS]]
    await request.answer("\n".join(texts), rows, picture=picture)


async def show_settings(request: Request, typed: str = "") -> None:
    """Shows the person's settings with buttons for the short ones, or reads a typed zone and quiet hours."""
    if typed:
        await _read_hours(request, typed)
    words, settings = await request.words(), await request.settings()
    async with request.services.store.read() as reader:
        now = await reader.clock.now()
    lines = [words.markup.title(words("me.title"))]
    if settings.zone is None:
        lines.append(words("chat.no_zone"))
    else:
        zone, there = zone_name(settings.zone, words.locale), words.time(now, settings.zone)
        night = settings.night
        hours = "–".join(map(words.time_of_day, (night.start, night.end))) if night else ""
        lines.append(words("me.night" if night else "me.zone", zone=zone, time=there, night=hours))
    lines.append(words.markup.small(words("chat.settings.hours")))
    await request.answer(
        "\n".join(lines), _settings_rows(request, words.plain, settings.digest, settings.reminders), private=True
    )


def _settings_rows(request: Request, words: Words, digest: int | None, reminders: Reminders) -> list[list[Button]]:
    names = request.services.languages.names
    tags = [button(name, "set", text=f"language={tag}") for tag, name in names.items()]
    rows = [tags[start : start + LANGUAGES_IN_ROW] for start in range(0, len(tags), LANGUAGES_IN_ROW)]
    ways = [
        button(("✓ " if way is reminders else "") + words(f"me.reminders.{way}"), "set", text=f"reminders={way}")
        for way in Reminders
    ]
    pings = [
        button(("✓ " if digest is None else "") + words("me.pings.each"), "set", text="digest="),
        button(
            ("✓ " if digest is not None else "") + words("me.pings.digest", time=words.time_of_day(8 * 60)),
            "set",
            text="digest=8",
        ),
    ]
    confirms = [button(words("me.confirm"), "set", text="confirm=")]
    blocked = [button(words("blocked.button"), "unblock", request.user)]
    return [*rows, ways, pings, confirms, blocked]


async def unblock(request: Request, action: Action) -> None:
    """Takes the block of a button back, and shows those that are left. Raises Refused (`not_asked`)."""
    if action.number(0) != request.user:
        raise Refused(Reason.NOT_ASKED)
    if action.numbers[1:]:
        await request.use_cases.blocks.unblock(request.user, UserId(action.number(1)))
    words, blocked = await request.words(), await request.use_cases.blocks.load(request.user)
    names = await request.services.names.of_all(blocked, request.guild)
    rows = [
        [button(words.plain("chat.unblock", name=name), "unblock", request.user, user)]
        for user, name in zip(blocked[:MAX_SHOWN_BLOCKS], names, strict=False)
    ]
    lines = words.markup.title(words("blocked.title")), words("blocked.count", count=len(blocked))
    await request.answer("\n".join(lines), rows, private=True)


async def change_setting(request: Request, action: Action) -> None:
    """Changes one setting by its button. Raises Refused (`old_button`)."""
    name, _, value = action.text.partition("=")
    changes: dict[str, Any]
    match name:
        case "language" if value in request.services.languages.names:
            changes = {"language": value}
        case "reminders" if value in set(Reminders):
            changes = {"reminders": Reminders(value)}
        case "digest" if value in ("", "8"):
            changes = {"digest": int(value) if value else None}
        case "confirm":
            before = (await request.settings()).confirm_days
            changes = {"confirm_days": not before}
        case _:
            raise Refused(Reason.OLD_BUTTON)
    await change_player(request.services.store, request.user, changes)
    await show_settings(request)


async def _read_hours(request: Request, typed: str) -> None:
    """Sets the time zone and the quiet hours of a line: `Kraków 22:00-07:00`. Raises Refused."""
    zone, _, last = typed.rpartition(" ")
    night = parse_night(last) if ":" in last else None
    place = zone if night else typed
    if not place:
        raise Refused(Reason.NIGHT_NEEDS_ZONE)
    words = await request.words()
    async with request.services.store.read() as reader:
        now = await reader.clock.now()
    found = await asyncio.to_thread(find_zones, place, words.locale, now)
    await change_player(request.services.store, request.user, {"zone": found.guesses[0].zone, "night": night})


async def set_group_language(request: Request, typed: str) -> None:
    """Sets the language of boards and cards of the group. Raises Refused (`not_your_server`, `no_server_here`)."""
    if request.guild is None:
        raise Refused(Reason.NO_SERVER_HERE)
    if not await request.services.platform.may_manage(request.user, request.asked.place):
        raise Refused(Reason.NOT_YOUR_SERVER)
    names = {name.casefold(): tag for tag, name in request.services.languages.names.items()}
    tag = names.get(typed.casefold(), typed.casefold())
    if tag not in request.services.languages.names:
        words = await request.words()
        raise Refused(Reason.BAD_PART, part=typed, choices=words.literal(", ".join(names)))
    async with request.services.store.write() as tx:
        server = await tx.servers.get(request.guild)
        await tx.servers.save(replace(server, language=tag))
    words = await request.services.locales.for_guild(request.guild)
    await request.answer(words("chat.group.language"))


async def send_data(request: Request) -> None:
    """Sends a file of all that is stored of the person, to them alone."""
    words = await request.words()
    found = await request.services.privacy.export(request.user)
    data = orjson.dumps(found, option=orjson.OPT_INDENT_2)
    await request.answer(words("privacy.export"), file=File("kropka-data.json", data, "application/json"), private=True)


async def ask_to_delete(request: Request) -> None:
    """Says what deletion means, and asks."""
    words = await request.words()
    sure = button(words.plain("privacy.button"), "forget", request.user)
    await request.answer(words("privacy.ask"), [[sure]], private=True)


async def delete(request: Request, action: Action) -> None:
    """Deletes the data of the person who was asked. Raises Refused (`not_asked`)."""
    if action.number(0) != request.user:
        raise Refused(Reason.NOT_ASKED)
    await request.services.privacy.forget(request.user, request.at)
    request.services.names.forget(request.user)
    await close_question(request, "privacy.done")
