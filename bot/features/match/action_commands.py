"""The slash commands for all that happens in a match besides its moves. Most are also buttons."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from discord import app_commands
from discord.app_commands import Choice

from bot.features.match.actions import clocks, conditional_moves, offers, rematch, vacations
from bot.features.match.actions.endings import ask_first
from bot.features.match.actions.prompts import show_line
from bot.interactions.commands import Command, declare
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


async def draw(ctx: Context) -> None:
    await offers.propose(ctx, ctx.here, OfferKind.DRAW)


async def takeback(ctx: Context) -> None:
    await offers.propose(ctx, ctx.here, OfferKind.TAKEBACK)


async def pause(ctx: Context, time: app_commands.Range[str, 1, MAX_DURATION] | None = None) -> None:
    here = ctx.here
    length = parse_duration(time) if time else None
    match = await ctx.load_match(here)
    if time is None and match.clock.current_pause(ctx.at):
        await offers.resume(ctx, here)
    else:
        await offers.propose(ctx, here, OfferKind.PAUSE, pause=length)


async def clock(ctx: Context, give: app_commands.Range[str, 1, MAX_DURATION] | None = None) -> None:
    here = ctx.here
    await (clocks.give_time(ctx, here, give) if give else clocks.show_clocks(ctx, here))


async def stop(ctx: Context) -> None:
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


async def abort(ctx: Context) -> None:
    await offers.ask_to_cancel(ctx, ctx.here)


async def rematch_(ctx: Context) -> None:
    match = await ctx.load_match(ctx.here)
    await rematch.offer_rematch(ctx, match.id)


async def if_(ctx: Context, line: app_commands.Range[str, 1, conditional_moves.MAX_PLAN] | None = None) -> None:
    here = ctx.here
    await (conditional_moves.write_plan(ctx, here, line) if line else conditional_moves.show_plan(ctx, here))


async def vacation(ctx: Context, days: app_commands.Range[int, 0, DAYS_PER_YEAR] | None = None) -> None:
    if days is None:
        await vacations.show_vacation(ctx)
    else:
        await (vacations.ask_for_vacation(ctx, days) if days else vacations.end_vacation(ctx))


async def continue_(ctx: Context) -> None:
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


async def suggest_times(ctx: Context, typed: str) -> list[Choice[str]]:
    match = await _timed_match(ctx)
    return [] if match is None else _choices(typed, SUGGESTED_TIMES[match.clock.control.speed], await ctx.words())


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


COMMANDS = (
    *declare(draw, takeback),
    Command(pause, suggests={"time": _suggest_pauses}),
    Command(clock, suggests={"give": suggest_times}),
    *declare(stop, abort, rematch_, if_, vacation, continue_),
)
