"""Vacations: days from a yearly bank, in all games whose players agreed to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.features.match.actions.prompts import show_line
from bot.features.match.button import MatchButton
from bot.features.match.open_games import linked_line
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import PHONE_ROW, rows
from play.ids import MatchId
from play.people.vacation import DAYS_PER_YEAR
from play.refusal import Refused
from presentation.words.words import Words

LENGTHS = (1, 3, 7, 14)
"""Days of the vacations that have a button."""

MAX_LISTED = 8
"""Games that are named because their clocks go on."""


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


BUTTONS: tuple[type[Component], ...] = (OpenVacation, VacationButton, TakeAnyway)
