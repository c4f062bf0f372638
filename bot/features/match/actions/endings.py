"""Ends that somebody chooses: resigning, STOP, landing, ending by agreement. Each shows first what it comes to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, ClassVar

import discord

from bot.features.match.actions.preview import Preview
from bot.features.match.actions.prompts import Question, show_line, show_question
from bot.features.match.board.crops import MAX_ALT
from bot.features.match.board.narration import CALLS
from bot.features.match.board_link import with_board_link
from bot.features.match.button import MATCH, MatchButton
from bot.interactions.context import Context, Services
from play.ids import UserId
from play.match.endings import agreed
from play.match.events import OfferKind
from play.refusal import Reason, Refused
from play.services.match_actions import TurnPreview
from rules.dots import DotsPosition
from rules.game import AnyPosition, BadNotation, Outcome
from rules.point import Seat

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.match.match import Match

WAYS = (*CALLS, "end", "resign")


class ConfirmEnd(MatchButton, template=rf"{MATCH}:sure:(?P<argument>{'|'.join(WAYS)})"):
    """Does what was looked at."""

    action = "sure"
    style = discord.ButtonStyle.danger

    @classmethod
    def of(cls, match: Match, way: str, words: Words) -> ConfirmEnd:
        return cls(match.id, match.version, words(f"button.sure.{way}"), way)

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        match = await ctx.services.matches.load(self.match)
        try:
            await ask_first(ctx, match, self.argument, notice)
        except Refused:  # it is not possible any more, but other things are
            await super().refresh_panel(ctx, notice)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        words = await ctx.words()
        at, source = ctx.at, ctx.key
        if self.argument == "resign":
            await ctx.services.matches.resign(self.match, ctx.user, at, source, version=self.version)
            await show_line(ctx, words("resign.done"))
            return
        if self.argument == "end":
            match = await ctx.services.actions.propose(
                self.match, ctx.user, OfferKind.END, at, source, version=self.version
            )
        else:
            match = await ctx.services.matches.move(
                self.match, ctx.user, self.argument, at, source, version=self.version
            )
        key = "end_agreed" if match.outcome and self.argument == "end" else self.argument
        await show_line(ctx, await with_board_link(ctx.services, match, words(f"ending.done.{key}"), words))


class CancelEnd(MatchButton, template=rf"{MATCH}:keep:(?P<argument>\d)"):
    """Thinks better of it; carries the seat of whoever was asked."""

    action = "keep"

    @classmethod
    def of(cls, match: Match, seat: Seat, words: Words) -> CancelEnd:
        return cls(match.id, match.version, words("button.play_on"), str(seat))

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        match = await ctx.services.matches.load(self.match)
        asked = match.players[int(self.argument)] if int(self.argument) < len(match.players) else 0
        if asked != ctx.user:
            raise Refused(Reason.NOT_ASKED)
        words = await ctx.words()
        await show_line(ctx, words("resign.not"))


class EndButton(MatchButton, template=r"(?!)"):
    """Shows what an end would come to."""

    way: ClassVar[str]

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ask_first(ctx, await self._current_match(ctx), self.way)


class Stop(EndButton, template=rf"{MATCH}:stop"):
    action = way = "stop"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act and "stop" in _calls(match.position)


class Land(EndButton, template=rf"{MATCH}:land"):
    action = way = "land"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act and "land" in _calls(match.position)


class End(EndButton, template=rf"{MATCH}:end"):
    action = way = "end"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        offer = match.offer(OfferKind.END)
        waits = offer is not None and (offer.declined or seat in offer.agreed)
        return agreed(match.position) is not None and match.all_have_moved and not waits


class Resign(EndButton, template=rf"{MATCH}:resign"):
    action = way = "resign"
    style = discord.ButtonStyle.danger


async def ask_first(ctx: Context, match: Match, way: str, notice: str = "") -> None:
    """Shows the person what a way to end comes to, and asks whether he wants it, below a `notice`.

    The interaction is acknowledged. Raises Refused, as the end itself would.
    """
    user = ctx.user
    words, theme = await ctx.words(), (await ctx.settings()).theme
    await show_question(ctx, await end_question(ctx.services, match, user, way, words, theme), notice)


async def end_question(services: Services, match: Match, user: UserId, way: str, words: Words, theme: str) -> Question:
    """What `user` is asked before it counts. Raises Refused, as the end itself would."""
    seat = match.seat_of(user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if way == "resign":
        after = TurnPreview(Outcome(tuple(other for other in match.seats if other != seat), "resign"), match.score)
    else:
        after = await services.actions.preview(match.id, user, way)
    names = await services.names.of_all(match.players, match.guild)
    ahead = Preview(match, seat, way, after, names, words)
    png = await asyncio.to_thread(ahead.png, theme)
    name = f"kropka-{match.id}-{match.version}-{way}.png"
    file = discord.File(BytesIO(png), name, description=ahead.text[:MAX_ALT])
    return Question(ahead.text, file, (ConfirmEnd.of(match, way, words), CancelEnd.of(match, seat, words)))


def parse_call(match: Match, text: str) -> str | None:
    """The call that `text` is, as a turn is written; None for any other turn, and for no turn."""
    try:
        turn = str(match.game.parse(text))
    except BadNotation:
        return None
    return turn if turn in CALLS else None


def _calls(position: AnyPosition) -> Iterable[str]:
    return map(str, position.calls()) if isinstance(position, DotsPosition) else ()


BUTTONS: tuple[type[MatchButton], ...] = (Stop, Land, End, Resign, ConfirmEnd, CancelEnd)
