"""The slash commands for all that happens in a match besides its moves. Most are also buttons."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from discord import app_commands
from discord.app_commands import Choice

from bot.features.match.actions import clocks, conditional_moves, offers, rematch, vacations
from bot.features.match.actions.endings import ask_first
from bot.features.match.actions.prompts import show_line
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from play.clock import Speed, Untimed, duration_text, parse_duration
from play.ids import side_of
from play.match.choices import ENDINGS, Action, available_actions
from play.match.events import OfferKind
from play.match.match import Match
from play.match.offers import MAX_PAUSE, MIN_PAUSE
from play.people.vacation import DAYS_PER_YEAR
from play.refusal import Reason, Refused
from presentation.addresses import link
from presentation.words.words import Words

SUGGESTED_TIMES = {Speed.LIVE: ("1m", "5m", "10m", "1h"), Speed.DAYS: ("12h", "1d", "3d", "7d", "14d")}
"""Suggestions for time that is given."""

MAX_DURATION = 10
"""Characters of a length of time."""


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None], ...]:
    """Returns the commands, described in `words`."""

    @app_commands.command(name="draw", description=words("command.draw"))
    @takes_context
    async def draw(ctx: Context) -> None:
        await ctx.defer_private()
        await offers.propose(ctx, ctx.here, OfferKind.DRAW)

    @app_commands.command(name="takeback", description=words("command.takeback"))
    @takes_context
    async def takeback(ctx: Context) -> None:
        await ctx.defer_private()
        await offers.propose(ctx, ctx.here, OfferKind.TAKEBACK)

    @app_commands.command(name="pause", description=words("command.pause"))
    @app_commands.describe(time=words("command.pause.time"))
    @app_commands.autocomplete(time=_suggest_pauses)
    @takes_context
    async def pause(ctx: Context, time: app_commands.Range[str, 1, MAX_DURATION] | None = None) -> None:
        await ctx.defer_private()
        here = ctx.here
        length = parse_duration(time) if time else None
        match = await ctx.load_match(here)
        if time is None and match.clock.current_pause(ctx.at):
            await offers.resume(ctx, here)
        else:
            await offers.propose(ctx, here, OfferKind.PAUSE, pause=length)

    @app_commands.command(name="clock", description=words("command.clock"))
    @app_commands.describe(give=words("command.clock.give"))
    @app_commands.autocomplete(give=suggest_times)
    @takes_context
    async def clock(ctx: Context, give: app_commands.Range[str, 1, MAX_DURATION] | None = None) -> None:
        await ctx.defer_private()
        here = ctx.here
        await (clocks.give_time(ctx, here, give) if give else clocks.show_clocks(ctx, here))

    @app_commands.command(name="stop", description=words("command.stop"))
    @takes_context
    async def stop(ctx: Context) -> None:
        await ctx.defer_private()
        await _ask_to_end(ctx)

    @app_commands.command(name="abort", description=words("command.abort"))
    @takes_context
    async def abort(ctx: Context) -> None:
        await ctx.defer_private()
        await offers.ask_to_cancel(ctx, ctx.here)

    @app_commands.command(name="rematch", description=words("command.rematch"))
    @takes_context
    async def rematch_(ctx: Context) -> None:
        await ctx.defer_private()
        match = await ctx.load_match(ctx.here)
        await rematch.offer_rematch(ctx, match.id)

    @app_commands.command(name="if", description=words("command.if"))
    @app_commands.describe(line=words("command.if.line"))
    @takes_context
    async def if_(ctx: Context, line: app_commands.Range[str, 1, conditional_moves.MAX_PLAN] | None = None) -> None:
        await ctx.defer_private()
        here = ctx.here
        await (conditional_moves.write_plan(ctx, here, line) if line else conditional_moves.show_plan(ctx, here))

    @app_commands.command(name="vacation", description=words("command.vacation"))
    @app_commands.describe(days=words("command.vacation.days"))
    @takes_context
    async def vacation(ctx: Context, days: app_commands.Range[int, 0, DAYS_PER_YEAR] | None = None) -> None:
        await ctx.defer_private()
        if days is None:
            await vacations.show_vacation(ctx)
        else:
            await (vacations.ask_for_vacation(ctx, days) if days else vacations.end_vacation(ctx))

    @app_commands.command(name="continue", description=words("command.continue"))
    @takes_context
    async def continue_(ctx: Context) -> None:
        await ctx.defer_private()
        await _continue_here(ctx)

    return draw, takeback, pause, clock, stop, abort, rematch_, if_, vacation, continue_


async def _ask_to_end(ctx: Context) -> None:
    """Shows the end that the player can choose now: STOP in games that have it, landing, or an agreed end."""
    match = await ctx.load_match(ctx.here)
    account = await ctx.account_in(match)
    seat = match.seat_of(account)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    agreed = {Action.END} if side_of(account) is not None else set[Action]()  # a side cannot offer it
    available = available_actions(match, seat) - agreed
    way = next((each for each in ENDINGS if each in available and each is not Action.RESIGN), Action.STOP)
    await ask_first(ctx, match, way)


async def _continue_here(ctx: Context) -> None:
    """Moves to this channel the most urgent match of the player that has lost its own.

    Without one, those whose threads are closed to their players soon go on in their channels.
    """
    entries = await ctx.use_cases.matches.list_open(ctx.user)
    lost = [entry for entry in entries if entry.lost]
    if not lost:
        for entry in entries:
            if entry.parent is not None:
                await ctx.use_cases.actions.check_thread(entry.channel)
        raise Refused(Reason.NOTHING_LOST)
    match = await ctx.use_cases.actions.relocate(lost[0].id, ctx.user, ctx.guild, ctx.channel)
    words = await ctx.words()
    url = link(match.guild, match.channel)
    await show_line(ctx, words("found", url=url), match)


@takes_context
async def suggest_times(ctx: Context, typed: str) -> list[Choice[str]]:
    match = await _timed_match(ctx)
    return [] if match is None else _choices(typed, SUGGESTED_TIMES[match.clock.control.speed], await ctx.words())


@takes_context
async def _suggest_pauses(ctx: Context, typed: str) -> list[Choice[str]]:
    match = await _timed_match(ctx)
    if match is None:
        return []
    speed = match.clock.control.speed
    choices = _choices(typed, clocks.PAUSES[speed], await ctx.words())
    return [each for each in choices if MIN_PAUSE <= parse_duration(each.value) <= MAX_PAUSE[speed]]


async def _timed_match(ctx: Context) -> Match | None:
    """Returns the match of the channel if it has a clock."""
    try:
        match = await ctx.load_match(ctx.here)
    except Refused:
        return None
    return None if isinstance(match.clock.control, Untimed) else match


def _choices(typed: str, suggested: Sequence[str], words: Words) -> list[Choice[str]]:
    """Returns what is typed, if it is a length of time, and then the suggested ones."""
    times = [parse_duration(time) for time in suggested]
    with suppress(Refused):
        times = list(dict.fromkeys((parse_duration(typed), *times)))
    return [Choice(name=words.duration(time), value=duration_text(time)) for time in times]
