"""`/tournament`: makes, changes, begins and cancels the tournament of a channel, adds, pairs and removes its players,
and lists those of the server."""

import asyncio
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import discord
from dateparser.date import DateDataParser
from discord import app_commands
from discord.app_commands import Choice

from bot.addresses import link
from bot.features.competitions.tournaments import buttons
from bot.features.competitions.tournaments.publisher import message_text
from bot.features.terms.offered_rules import chosen_terms, name_rules, suggest_rules_of_two
from bot.interactions import permissions
from bot.interactions.commands import Command, Group, declare, level_choices
from bot.interactions.context import Context
from bot.markup import escape
from play.challenge.terms import Terms
from play.clock import MAX_DURATION, parse_control, parse_duration
from play.competitions.tournament import Format, Stage, Tournament, TournamentId, usual_pace
from play.ids import DAY, MINUTE, Millis, UserId
from play.refusal import Reason, Refused
from presentation.text import plain_name, visible_text
from presentation.tournaments import MAX_NAME
from presentation.typed import typed_time
from presentation.words.words import Words

MAX_BEGIN = 40
"""Characters of a typed time."""

MIN_AHEAD_MILLIS: Final = Millis(10 * MINUTE)
MAX_AHEAD_MILLIS: Final = Millis(60 * DAY)
"""A sign-up takes from 10 minutes to 60 days."""

_NOW_MICROSECOND: Final = 1
"""The microsecond of the moment from which is counted: what is found keeps it only without a time of day."""

_FAR_EAST = ZoneInfo("Asia/Tokyo")
"""A time that is the same there and by UTC needs no time zone."""

MAX_TYPED = 30
"""Characters of a typed size, clock or pace."""

NO_LIMIT: Final = "none"
"""What is typed for rounds that take as long as their clocks allow."""

MAX_ROUNDS: Final = 15
"""Rounds of a Swiss system, at most."""

LISTED_MILLIS: Final = Millis(30 * DAY)
MAX_LISTED: Final = 20
"""The list has the newest tournaments, ended ones for a month."""

MIN_ROUND_MILLIS = Millis(10 * MINUTE)
"""A shorter round would be over before its players have seen their pairs."""


def read_begin(typed: str, zone: ZoneInfo | None, now: Millis, words: Words) -> Millis:
    """Returns the moment that a host means, in the language of `words` or in English.

    Raises Refused (`bad_begins`, `begins_needs_zone`, `begins_when`).
    """
    begins = _parse(typed, zone or ZoneInfo("UTC"), now, words)
    if begins is None:
        raise Refused(Reason.BAD_BEGINS, example=_example(zone or ZoneInfo("UTC"), now))
    if zone is None and begins != _parse(typed, _FAR_EAST, now, words):
        raise Refused(Reason.BEGINS_NEEDS_ZONE)
    if not MIN_AHEAD_MILLIS <= begins - now <= MAX_AHEAD_MILLIS:
        raise Refused(Reason.BEGINS_WHEN, least=words.duration(MIN_AHEAD_MILLIS), most=words.duration(MAX_AHEAD_MILLIS))
    return begins


def _example(zone: ZoneInfo, now: Millis) -> str:
    """Returns an evening in a week as it can be typed, so that the example in a sentence is never in the past."""
    return f"{datetime.fromtimestamp(now / 1000, zone) + timedelta(days=7):%Y-%m-%d} 18:00"


def _parse(typed: str, zone: ZoneInfo, now: Millis, words: Words) -> Millis | None:
    """Returns the moment that a text means in a time zone; None if it means none.

    Hours and minutes are counted in time. Days keep the time of day, also while the clocks change.
    Source: RFC 5545, section 3.3.6 (exact and nominal durations).
    """
    there = datetime.fromtimestamp(now / 1000, zone).replace(tzinfo=None, microsecond=_NOW_MICROSECOND)
    parser = DateDataParser(
        languages=list(dict.fromkeys((words.locale.language, "en"))),
        settings={
            "PREFER_DATES_FROM": "future",
            "DATE_ORDER": "DMY",
            "RELATIVE_BASE": there,
            "RETURN_TIME_AS_PERIOD": True,
        },
    )
    try:
        read = parser.get_date_data(typed)
        found = read.date_obj
        if found is None:
            return None
        if (
            read.period != "time"
            and found.microsecond == _NOW_MICROSECOND
            and _passes_over_number(parser, typed, found)
        ):
            return None
        if read.period == "time" and found.microsecond == _NOW_MICROSECOND:
            return Millis(now + (found.replace(tzinfo=None) - there) // timedelta(milliseconds=1))
        moment = found if found.tzinfo else found.replace(tzinfo=zone)
        return Millis(int(moment.astimezone(UTC).timestamp() * 1000))
    except (ValueError, OverflowError):  # the last days of the year 9999
        return None


def _passes_over_number(parser: DateDataParser, typed: str, found: datetime) -> bool:
    """Returns whether a number in a text means nothing to the parser, as the hour of `tomorrow 25:00`."""
    return any(
        parser.get_date_data(f"{typed[: each.start()]}{int(each[0]) + 1}{typed[each.end() :]}").date_obj == found
        for each in re.finditer(r"\d+", typed)
    )


async def create(
    ctx: Context,
    name: app_commands.Range[str, 1, MAX_NAME],
    format: str,  # noqa: A002 - the option's name
    rules: str | None = None,
    size: app_commands.Range[str, 1, MAX_TYPED] | None = None,
    clock: app_commands.Range[str, 1, MAX_TYPED] | None = None,
    rounds: app_commands.Range[int, 2, MAX_ROUNDS] | None = None,
    pace: app_commands.Range[str, 1, MAX_TYPED] | None = None,
    rated: bool | None = None,
    begins: app_commands.Range[str, 1, MAX_BEGIN] | None = None,
    computer: int | None = None,
    check_in: bool = False,
) -> None:
    await permissions.require_threaded_channel(ctx)
    if not permissions.may_host(ctx):
        raise Refused(Reason.NOT_A_HOST)
    if format == Format.EXHIBITION:  # the host plays in it
        await permissions.require_player(ctx)
    terms = await _terms(ctx, rules, size, clock)
    kind = Format(format)
    length = usual_pace(kind, terms.control) if pace is None else await _round_length(ctx, pace)
    if check_in and not begins:
        raise Refused(Reason.CHECK_IN_NEEDS_TIME)
    if not (title := visible_text(name, MAX_NAME)):
        raise Refused(Reason.NO_TOURNAMENT_NAME)
    if rated is None:
        rated = (await permissions.server_settings(ctx)).rated
    plan = Plan(title, kind, replace(terms, rated=rated), rounds or 0, length, check_in=check_in)
    starts = await _begin_time(ctx, begins) if begins else None
    await _create(ctx, replace(_with_computer(ctx, plan, computer), begins=starts))


async def begin(ctx: Context) -> None:
    await buttons.begin(ctx, await _tournament_here(ctx))


async def withdraw(ctx: Context) -> None:
    await buttons.withdraw(ctx, await _tournament_here(ctx))


async def remove(ctx: Context) -> None:
    await ctx.show(await buttons.players_panel(ctx, await _tournament_here(ctx)))


async def cancel(ctx: Context) -> None:
    await buttons.ask_to_cancel(ctx, await _tournament_here(ctx))


async def change(
    ctx: Context,
    name: app_commands.Range[str, 1, MAX_NAME] | None = None,
    begins: app_commands.Range[str, 1, MAX_BEGIN] | None = None,
    pace: app_commands.Range[str, 1, MAX_TYPED] | None = None,
    rounds: app_commands.Range[int, 2, MAX_ROUNDS] | None = None,
) -> None:
    number = await _tournament_here(ctx)
    tournament = await ctx.use_cases.tournaments.load(number)
    buttons.require_host(ctx, tournament)
    changes: dict[str, Any] = {}
    if name is not None:
        changes["name"] = visible_text(name, MAX_NAME)
        if not changes["name"]:
            raise Refused(Reason.NO_TOURNAMENT_NAME)
    if begins is not None:
        changes["begins"] = await _begin_time(ctx, begins)
    if pace is not None:
        changes["pace"] = await _round_length(ctx, pace)
    if rounds is not None:
        changes["rounds"] = rounds
    if not changes:
        await buttons.show_terms(ctx, number)
        return
    changed = await ctx.use_cases.tournaments.change(number, ctx.user, lambda stored: replace(stored, **changes))
    words = await ctx.words()
    told = "tournament.changed.told" if changed.playing else "tournament.changed"
    await ctx.reply(words(told))


async def add(ctx: Context, player: discord.User) -> None:
    await buttons.add_player(ctx, await _tournament_here(ctx), player)


async def pair(ctx: Context, player: discord.User, opponent: discord.User) -> None:
    await buttons.pair_by_hand(ctx, await _tournament_here(ctx), UserId(player.id), UserId(opponent.id))


async def list_(ctx: Context) -> None:
    permissions.require_bot_installed(ctx)
    guild, words = permissions.require_guild(ctx), await ctx.words()
    async with ctx.services.store.read() as reader:
        found = await reader.tournaments.of_guild(guild, MAX_LISTED)
    shown = [
        each
        for each in found
        if each.stage in (Stage.SIGN_UP, Stage.RUNNING) or (each.ended or 0) > ctx.at - LISTED_MILLIS
    ]
    lines = [
        words(
            "tournament.listed",
            name=escape(plain_name(each.name, MAX_NAME)),
            url=link(guild, each.channel, each.message),
            stage=words(f"web.tournament.{each.stage}"),
            format=words(f"tournament.format.{each.format}"),
            number=each.players,
        )
        for each in shown
        if each.channel == ctx.channel or not await ctx.services.rights.hides(guild, each.channel, ctx.user)
    ]
    await ctx.reply("\n".join(lines) if lines else words("tournament.list.none"))


async def _tournament_here(ctx: Context) -> TournamentId:
    return (await ctx.use_cases.tournaments.load_newest(ctx.channel)).id


async def _round_length(ctx: Context, pace: str) -> Millis | None:
    """Returns the longest time of a round; None if there is to be none. Raises Refused (`bad_duration`, `bad_pace`)."""
    pace = typed_time(pace)
    if pace.strip() == NO_LIMIT:
        return None
    length = parse_duration(pace)
    if length < MIN_ROUND_MILLIS:
        words = await ctx.words()
        raise Refused(Reason.BAD_PACE, least=words.duration(MIN_ROUND_MILLIS), most=words.duration(MAX_DURATION))
    return length


async def _begin_time(ctx: Context, typed: str) -> Millis:
    """Returns the time that the host has typed, in their own time zone. Raises Refused."""
    words, zone = await ctx.words(), (await ctx.settings()).zone
    return await asyncio.to_thread(read_begin, typed, zone, ctx.at, words)


async def _terms(ctx: Context, rules: str | None, size: str | None, clock: str | None) -> Terms:
    """Returns the player's default terms with the chosen options. Raises Refused and RuleError."""
    terms = await chosen_terms(ctx, rules)
    if terms.game.seats != 2:
        raise Refused(Reason.TOURNAMENT_OF_TWO)
    game = terms.game.with_options({"size": size}) if size else terms.game
    terms = replace(terms, game=game, control=parse_control(typed_time(clock)) if clock else terms.control, window=None)
    return await name_rules(ctx, terms)


@dataclass(frozen=True, slots=True)
class Plan:
    """What the host has chosen; see Tournament."""

    name: str
    format: Format
    terms: Terms
    rounds: int
    pace: Millis | None
    begins: Millis | None = None
    computer: int | None = None
    check_in: bool = False


def _with_computer(ctx: Context, plan: Plan, level: int | None) -> Plan:
    """Returns the plan with the computer's level. Raises Refused (`no_computer`, `no_computer_in_knock_out`,
    `no_computer_in_exhibition`)."""
    if level is not None and not ctx.services.coach.has_computer:
        raise Refused(Reason.NO_COMPUTER)
    if level is not None and plan.format.eliminates:
        raise Refused(Reason.NO_COMPUTER_IN_KNOCK_OUT)
    if level is not None and plan.format is Format.EXHIBITION:
        raise Refused(Reason.NO_COMPUTER_IN_EXHIBITION)
    return replace(plan, computer=level)


async def _create(ctx: Context, plan: Plan) -> None:
    """Makes the tournament. Raises Refused."""
    words = await ctx.words()
    made = await ctx.use_cases.tournaments.make(_new_tournament(ctx, plan))
    key = "tournament.made" if made.begins is None else "tournament.made.timed"
    details = {} if made.begins is None else words.appointment(made.begins, ctx.at)
    length = words.duration(await ctx.use_cases.tournaments.estimate(made))
    await ctx.reply("\n".join((words(key, **details), words("tournament.length", time=length))))


def _new_tournament(ctx: Context, plan: Plan) -> Tournament:
    return Tournament(
        TournamentId(0),
        permissions.require_guild(ctx),
        ctx.channel,
        ctx.user,
        plan.name,
        plan.format,
        plan.terms,
        made=ctx.at,
        rounds=plan.rounds,
        pace=plan.pace,
        stage=Stage.SIGN_UP,
        key=ctx.key,
        begins=plan.begins,
        computer=plan.computer,
        check_in=plan.check_in,
    )


async def preview(ctx: Context, words: Words) -> str:
    """Returns the sign-up of a tournament with the usual options, as it will be posted. Raises Refused."""
    rated = (await permissions.server_settings(ctx)).rated
    terms = replace(await _terms(ctx, None, None, None), rated=rated)
    plan = Plan(words("begin.name.usual"), Format.SWISS, terms, 0, usual_pace(Format.SWISS, terms.control))
    tournament = _new_tournament(ctx, plan)
    return message_text(tournament, {}, {}, await ctx.use_cases.tournaments.estimate(tournament), words, ctx.at)


COMMANDS = (
    Group(
        "tournament",
        (
            Command(
                create,
                like="challenge",
                choices={
                    "format": lambda words: [
                        Choice(name=words(f"tournament.format.{each}"), value=each.value) for each in Format
                    ],
                    "computer": level_choices,
                },
                suggests={"rules": suggest_rules_of_two},
                for_managers=True,
            ),
            Command(change, like="tournament.create", for_managers=True),
            *declare(begin, add, pair, remove, cancel, for_managers=True),
            *declare(withdraw, list_),
        ),
        on_servers=True,
    ),
)
