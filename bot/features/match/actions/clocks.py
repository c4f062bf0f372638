"""The clock panel: every player's time, why a clock stopped, and what to do about it. Vacations have a yearly bank."""

from collections.abc import Collection, Iterator, Sequence

import discord

from bot.features.match.actions.offers import propose, resume
from bot.features.match.button import MatchButton, show_line
from bot.features.match.open_games import linked_line
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Component, Question, show_question
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, rows
from bot.markup import escape
from play.clock import Speed, Untimed, parse_duration
from play.ids import MatchId, Millis
from play.match.events import OfferKind
from play.match.match import Match
from play.people.vacation import DAYS_PER_YEAR
from play.refusal import Refused
from presentation.match.narration import clock_stop
from presentation.match.phrases import emblem
from presentation.typed import typed_time
from presentation.words.words import Words
from presentation.words.zones import zone_name
from rules.game import Seat
from use_cases.match_writer import InChannel, MatchRef

LENGTHS = (1, 3, 7, 14)
"""Days of the vacations that have a button."""

MAX_LISTED = 8
"""Games that are named because their clocks go on."""

GIFTS = {Speed.LIVE: ("1m", "5m"), Speed.DAYS: ("1d", "3d")}
PAUSES = {Speed.LIVE: ("5m", "15m", "1h"), Speed.DAYS: ("3d", "7d", "14d")}
"""The lengths that have a button; commands take others, too."""


class OpenVacation(MatchButton, id=ids.OPEN_VACATION):
    """The button of the clock panel that opens the vacation panel."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_vacation(ctx)


class VacationButton(Component, id=ids.VACATION):
    """Takes so many days, or ends the vacation (0 days)."""

    days: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        try:
            await self.act(ctx)
        except Refused as refused:  # since the panel was shown, the bank or the vacation has changed
            words = await ctx.words()
            await show_vacation(ctx, await errors.explain(ctx.services, words, ctx.request, refused))

    async def act(self, ctx: Context) -> None:
        """Does it, and tells the player. Raises Refused."""
        await (ask_for_vacation(ctx, self.days) if self.days else end_vacation(ctx))


class TakeAnyway(VacationButton, id=ids.VACATION_ANYWAY):
    """Takes so many days that stop no clock, after the panel has said so."""

    async def act(self, ctx: Context) -> None:
        await _start_vacation(ctx, self.days)


async def show_vacation(ctx: Context, notice: str = "", lengths: Sequence[int] = LENGTHS) -> None:
    """Shows the player's vacation and the days left in their bank, with buttons for these `lengths`, below a `notice`.

    Says in which games the clock does not stop, and whether it stops in none. The interaction is acknowledged.
    """
    words = await ctx.words()
    current, left = await ctx.use_cases.actions.load_vacation(ctx.user)
    stopping = await ctx.use_cases.actions.with_vacation(ctx.user)
    lines = [f"⚠️ {notice}"] if notice else []
    lines.append(words("vacation.about", days=DAYS_PER_YEAR))
    if current:
        lines.append(words("vacation.away", when=words.moment(current.end)))
    lines.append(words("vacation.left", count=left))
    if not current and not stopping:
        lines.append(words("vacation.useless"))
    lines += await _going_on(ctx, stopping, words)
    if current:
        buttons = [VacationButton.make(words("button.come_back"), days=0)]
    else:
        kind, label = (VacationButton, "vacation.take") if stopping else (TakeAnyway, "vacation.anyway")
        buttons = [kind.make(words(label, count=days), days=days) for days in lengths if days <= left]
    await ctx.show(["\n".join(lines), *rows(buttons, PHONE_ROW)])


async def ask_for_vacation(ctx: Context, days: int) -> None:
    """Starts the player's vacation and tells them, unless it would stop no clock: then asks first.

    The interaction is acknowledged. Raises Refused.
    """
    if await ctx.use_cases.actions.with_vacation(ctx.user):
        await _start_vacation(ctx, days)
    else:
        await show_vacation(ctx, lengths=[days])


async def _start_vacation(ctx: Context, days: int) -> None:
    taken, matches = await ctx.use_cases.actions.start_vacation(ctx.user, days, ctx.at)
    words = await ctx.words()
    told = words("vacation.taken", count=len(matches), when=words.moment(taken.end))
    lines = await _going_on(ctx, {match.id for match in matches}, words)
    await show_line(ctx, "\n".join((told, *lines)))


async def _going_on(ctx: Context, stopping: Collection[MatchId], words: Words) -> list[str]:
    """Returns the player's games whose clocks a vacation does not stop, as lines below a head; none without any."""
    entries = await ctx.use_cases.matches.list_open(ctx.user)
    running = [entry for entry in entries if entry.deadline is not None and entry.id not in stopping]
    if not running:
        return []
    more = [words("games.more", count=len(running) - MAX_LISTED)] if len(running) > MAX_LISTED else []
    lines = [f"- {await linked_line(ctx, entry, words)}" for entry in running[:MAX_LISTED]]
    return [words("vacation.goes_on", count=len(running)), *lines, *more]


async def end_vacation(ctx: Context) -> None:
    """Ends the player's vacation, and tells them. The interaction is acknowledged. Raises Refused."""
    await ctx.use_cases.actions.end_vacation(ctx.user, ctx.at)
    _, left = await ctx.use_cases.actions.load_vacation(ctx.user)
    words = await ctx.words()
    await show_line(ctx, words("vacation.back", count=left))


class OpenClocks(MatchButton, id=ids.CLOCKS):
    """Opens the clock panel."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_clocks(ctx, self.match)


class ClockPanelButton(MatchButton):
    """A button of the clock panel, which shows the clocks again when it is refused."""

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        await show_clocks(ctx, self.match, notice)


class GiveTime(ClockPanelButton, id=ids.GIVE_TIME):
    """Gives the others the time that it carries."""

    length: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await give_time(ctx, self.match, self.length, self.version)


class OfferPause(ClockPanelButton, id=ids.PAUSE):
    """Offers a pause of the length that it carries."""

    length: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await propose(ctx, self.match, OfferKind.PAUSE, pause=parse_duration(self.length), version=self.version)


class Resume(ClockPanelButton, id=ids.RESUME):
    """Ends the pause."""

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await resume(ctx, self.match, self.version)


async def give_time(ctx: Context, ref: MatchRef, time: str, version: int | None = None) -> None:
    """Gives the others time, and tells the player. The interaction is acknowledged. Raises Refused."""
    gift = parse_duration(typed_time(time))
    match = await ctx.use_cases.actions.give_time(ref, ctx.user, gift, ctx.at, ctx.key, version=version)
    words = await ctx.words()
    await show_line(ctx, words("clock.given", time=words.duration(gift)), match)


async def show_clocks(ctx: Context, ref: MatchRef, notice: str = "") -> None:
    """Shows the clocks of a match in private, below a `notice`; its players also get buttons.

    The interaction is acknowledged. Raises Refused for other users, since clocks tell of nights and vacations; in the
    match's own channel everyone may look.
    """
    words, theme = await ctx.words(), (await ctx.settings()).theme
    match = await ctx.load_match(ref)
    if not isinstance(ref, InChannel):
        match.seat_of(ctx.user)
    async with ctx.services.store.read() as reader:
        now = await reader.clock.now()
    names = await ctx.services.names.of_all(match.players, match.guild)
    plays = ctx.user in match.players and not match.outcome
    buttons = tuple(_buttons(match, now, words)) if plays else ()
    await show_question(ctx, Question("\n".join(_lines(match, now, names, words, theme)), None, buttons), notice)


def _lines(match: Match, now: Millis, names: tuple[str, ...], words: Words, theme: str) -> Iterator[str]:
    yield f"### ⏱️ {words.control(match.clock.control)}"
    for agreed in ("quiet", "weekends", "vacation"):
        if getattr(match.agreement, agreed):
            yield f"- {words(f'agreed.{agreed}')}"
    for seat in match.seats:
        name = f"{emblem(theme, seat)} **{escape(names[seat])}**"
        yield " · ".join((f"{name}: {_time_left(match, seat, now, words)}", *_calendar(match, seat, now, words)))
    stop = clock_stop(match, now)
    if stop and match.to_act is not None:
        name = f"**{escape(names[match.to_act])}**"
        yield words(f"clock.stopped.{stop.why}", name=name, when=words.moment(stop.until))


def _time_left(match: Match, seat: Seat, now: Millis, words: Words) -> str:
    clock = match.clock
    if isinstance(clock.control, Untimed):
        return words("clock.none")
    if seat == clock.running and clock.deadline is not None:
        return words("clock.runs", when=words.until(clock.deadline, now), moment=words.moment(clock.deadline))
    return words("clock.waits", time=words.left(clock.remaining[seat]))


def _calendar(match: Match, seat: Seat, now: Millis, words: Words) -> Iterator[str]:
    """Yields the player's local time, night and vacation, as far as the game observes them."""
    calendar = match.clock.schedules[seat]
    if calendar.night or calendar.weekends:
        time = words.time(now, calendar.zone)
        yield words("clock.zone", time=time, zone=zone_name(calendar.zone, words.locale))
    if calendar.night:
        yield words("clock.night", night=str(calendar.night))
    if away := match.clock.current_absence(seat, now):
        yield words("clock.away", when=words.moment(away.end))


def _buttons(match: Match, now: Millis, words: Words) -> Iterator[MatchButton]:
    if isinstance(match.clock.control, Untimed):
        return
    speed = match.clock.control.speed
    for length in GIFTS[speed]:
        label = words("clock.give", time=words.duration(parse_duration(length)))
        yield GiveTime.at(match, label, length=length)
    if match.clock.current_pause(now):
        yield Resume.to(match, words)
    else:
        for length in PAUSES[speed]:
            label = words("clock.pause", time=words.duration(parse_duration(length)))
            yield OfferPause.at(match, label, length=length)
    if match.agreement.vacation:
        yield OpenVacation.to(match, words)


BUTTONS: tuple[type[Component], ...] = (
    OpenVacation,
    VacationButton,
    TakeAnyway,
    OpenClocks,
    GiveTime,
    OfferPause,
    Resume,
)
