"""Draws, take-backs and pauses: offered in private, told and answered in the match's channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.features.match.actions.endings import ask_first
from bot.features.match.actions.prompts import show_line
from bot.features.match.board_link import with_board_link
from bot.features.match.button import MATCH, MatchButton
from bot.interactions.context import Context
from play.match.events import EventKind, OfferKind
from play.match.offers import PAUSE

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.ids import Millis
    from play.match.match import Match
    from play.services.match_writer import MatchRef
    from rules.point import Seat

KINDS = "|".join(OfferKind)


async def propose(
    ctx: Context, table: MatchRef, kind: OfferKind, *, pause: Millis = PAUSE, version: int | None = None
) -> None:
    """Offers something for the person, and tells him. The interaction is acknowledged. Raises Refused."""
    actions, user, at, source = ctx.services.actions, ctx.user, ctx.at, ctx.key
    if kind is OfferKind.TAKEBACK:
        match = await actions.take_back(table, user, at, source, version=version)
    else:
        match = await actions.propose(table, user, kind, at, source, pause=pause, version=version)
    words = await ctx.words()
    done = next(event for event in match.events if event.source == source)
    if done.kind is EventKind.TAKEBACK:
        line = words("offer.taken_back")
    else:
        line = words("offer.agreed" if done.kind is EventKind.AGREE else f"offer.made.{kind}")
    await show_line(ctx, await with_board_link(ctx.services, match, line, words))


class Draw(MatchButton, template=rf"{MATCH}:draw"):
    action = "draw"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        offer = match.offer(OfferKind.DRAW)
        return offer is None or (offer.declined and offer.seat != seat)

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await propose(ctx, self.match, OfferKind.DRAW, version=self.version)


class TakeBack(MatchButton, template=rf"{MATCH}:takeback"):
    action = "takeback"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return match.offer(OfferKind.TAKEBACK) is None and any(move.seat == seat for move in match.moves)

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await propose(ctx, self.match, OfferKind.TAKEBACK, version=self.version)


async def resume(ctx: Context, table: MatchRef, version: int | None = None) -> None:
    """Ends the pause, and tells the person. The interaction is acknowledged. Raises Refused."""
    match = await ctx.services.actions.resume(table, ctx.user, ctx.at, ctx.key, version=version)
    words = await ctx.words()
    await show_line(ctx, await with_board_link(ctx.services, match, words("offer.resumed"), words))


class Abort(MatchButton, template=rf"{MATCH}:abort"):
    action = "abort"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return not match.all_have_moved

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await abort(ctx, self.match, self.version)


async def abort(ctx: Context, table: MatchRef, version: int | None = None) -> None:
    """Calls the match off, and tells the person. The interaction is acknowledged. Raises Refused."""
    match = await ctx.services.actions.abort(table, ctx.user, ctx.at, ctx.key, version=version)
    words = await ctx.words()
    await show_line(ctx, await with_board_link(ctx.services, match, words("offer.aborted"), words))


class Agree(MatchButton, template=rf"{MATCH}:agree:(?P<argument>{KINDS})"):
    """Agrees to an offer; hangs on the board for everybody to see, and works for those who have to answer."""

    action = "agree"
    style = discord.ButtonStyle.success

    @classmethod
    def of(cls, match: Match, kind: OfferKind, words: Words) -> Agree:
        return cls(match.id, match.version, words(f"button.agree.{kind}"), kind.value)

    async def pressed(self, ctx: Context) -> None:
        kind = OfferKind(self.argument)
        if kind is OfferKind.END:
            await ctx.open_panel()
            await ask_first(ctx, await self._current_match(ctx), "end")
            return
        await ctx.defer_update()
        await ctx.services.actions.agree(self.match, ctx.user, kind, ctx.at, ctx.key, version=self.version)


class Decline(MatchButton, template=rf"{MATCH}:disagree:(?P<argument>{KINDS})"):
    """Declines an offer, as `Agree` agrees to it."""

    action = "disagree"

    @classmethod
    def of(cls, match: Match, kind: OfferKind, words: Words) -> Decline:
        return cls(match.id, match.version, words(f"button.disagree.{kind}"), kind.value)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        kind = OfferKind(self.argument)
        await ctx.services.actions.disagree(self.match, ctx.user, kind, ctx.at, ctx.key, version=self.version)


def answers(match: Match, words: Words) -> list[MatchButton]:
    """The buttons that answer what is on offer, a row for each offer."""
    found: list[MatchButton] = []
    for row, offer in enumerate(offer for offer in match.offers if not offer.declined):
        pair = Agree.of(match, offer.kind, words), Decline.of(match, offer.kind, words)
        for button in pair:
            button.item.row = row
        found += pair
    return found


BUTTONS: tuple[type[MatchButton], ...] = (Draw, TakeBack, Abort, Agree, Decline)
