"""The clock panel: everybody's time, why it stands, and what can be done about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import discord

from bot.features.match.actions.offers import propose, resume
from bot.features.match.actions.prompts import Question, show_line, show_question
from bot.features.match.actions.vacations import Vacations
from bot.features.match.board.clock_status import clock_stop
from bot.features.match.board.emblems import EMBLEMS
from bot.features.match.board.narration import discord_time
from bot.features.match.board_link import with_board_link
from bot.features.match.button import MATCH, MatchButton
from bot.interactions.context import Context
from bot.services.names import escape
from play.clock import Speed, Untimed, parse_duration
from play.ids import Millis
from play.match.events import OfferKind
from play.services.match_writer import InChannel

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.match.match import Match
    from play.services.match_writer import MatchRef
    from rules.point import Seat

GIFTS = {Speed.LIVE: ("1m", "5m"), Speed.DAYS: ("1d", "3d")}
PAUSES = {Speed.LIVE: ("10m", "1h", "1d"), Speed.DAYS: ("3d", "7d", "14d")}
"""What is offered as a button; commands take any length."""


class Clock(MatchButton, template=rf"{MATCH}:clock"):
    action = "clock"

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_clocks(ctx, self.match)


class Timing(MatchButton, template=r"(?!)"):
    """A button of the clock panel, which shows the clocks again when they do not stand as it thought."""

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        await show_clocks(ctx, self.match, notice)


class Give(Timing, template=rf"{MATCH}:give:(?P<argument>\d{{1,4}}[dhms])"):
    """Gives the others the time that it carries."""

    action = "give"

    @classmethod
    def of(cls, match: Match, time: str, words: Words) -> Give:
        return cls(match.id, match.version, words("clock.give", time=words.duration(parse_duration(time))), time)

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await give_time(ctx, self.match, self.argument, self.version)


class Pause(Timing, template=rf"{MATCH}:pause:(?P<argument>\d{{1,4}}[dhms])"):
    """Offers a pause of the length that it carries."""

    action = "pause"

    @classmethod
    def of(cls, match: Match, length: str, words: Words) -> Pause:
        return cls(match.id, match.version, words("clock.pause", time=words.duration(parse_duration(length))), length)

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        length = parse_duration(self.argument)
        await propose(ctx, self.match, OfferKind.PAUSE, pause=length, version=self.version)


class Resume(Timing, template=rf"{MATCH}:resume"):
    action = "resume"
    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await resume(ctx, self.match, self.version)


async def give_time(ctx: Context, table: MatchRef, time: str, version: int | None = None) -> None:
    """Gives the others time, and tells the person. The interaction is acknowledged. Raises Refused."""
    gift = parse_duration(time)
    match = await ctx.services.actions.give_time(table, ctx.user, gift, ctx.at, ctx.key, version=version)
    words = await ctx.words()
    await show_line(
        ctx, await with_board_link(ctx.services, match, words("clock.given", time=words.duration(gift)), words)
    )


async def show_clocks(ctx: Context, table: MatchRef, notice: str = "") -> None:
    """Shows the clocks of a match to the person alone, below a `notice`; a player also gets buttons.

    The interaction is acknowledged. Raises Refused for a stranger, unless the match is that of the channel: clocks tell
    of nights and vacations.
    """
    user = ctx.user
    words = await ctx.words()
    match = await ctx.services.matches.load(table)
    if not isinstance(table, InChannel):
        match.seat_of(user)
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
    names = await ctx.services.names.of_all(match.players, match.guild)
    plays = user in match.players and not match.outcome
    buttons = _buttons(match, now, words) if plays else ()
    await show_question(ctx, Question("\n".join(_lines(match, now, names, words)), None, tuple(buttons)), notice)


def _lines(match: Match, now: Millis, names: tuple[str, ...], words: Words) -> Iterator[str]:
    clock = match.clock
    yield f"### ⏱️ {words.control(clock.control)}"
    for agreed in ("quiet", "weekends", "vacation"):
        if getattr(match.agreement, agreed):
            yield f"- {words(f'agreed.{agreed}')}"
    for seat in match.seats:
        name = f"{EMBLEMS[seat]} **{escape(names[seat])}**"
        yield " · ".join((f"{name}: {_left(match, seat, words)}", *_zone(match, seat, now, words)))
    stands = clock_stop(match, now)
    if stands and match.to_act is not None:
        yield words(
            f"standing.{stands.why}", name=f"**{escape(names[match.to_act])}**", when=discord_time(stands.until)
        )


def _left(match: Match, seat: Seat, words: Words) -> str:
    clock = match.clock
    if isinstance(clock.control, Untimed):
        return words("clock.none")
    if seat == clock.running and clock.deadline is not None:
        return words("clock.runs", when=f"<t:{clock.deadline // 1000}:R>", moment=discord_time(clock.deadline))
    return words("clock.waits", time=words.left(clock.left[seat]))


def _zone(match: Match, seat: Seat, now: Millis, words: Words) -> Iterator[str]:
    """What counts of a player's day and night, and what his own clock on the wall shows."""
    calendar = match.clock.schedules[seat]
    if calendar.night or calendar.weekends:
        time = words.time(now, calendar.zone)
        yield words("clock.zone", time=time, zone=calendar.zone.key)
    if calendar.night:
        yield words("clock.night", night=str(calendar.night))
    if away := match.clock.absence(seat, now):
        yield words("clock.away", when=discord_time(away.end))


def _buttons(match: Match, now: Millis, words: Words) -> Iterator[MatchButton]:
    if isinstance(match.clock.control, Untimed):
        return
    speed = match.clock.control.speed
    for time in GIFTS[speed]:
        yield Give.of(match, time, words)
    if match.clock.pause(now):
        yield Resume.to(match, words)
    else:
        for length in PAUSES[speed]:
            yield Pause.of(match, length, words)
    if match.agreement.vacation:
        yield Vacations.to(match, words)


BUTTONS: tuple[type[MatchButton], ...] = (Clock, Give, Pause, Resume)
