"""Draws, take-backs and pauses: players offer them in private, and answer them in the match's channel."""

from __future__ import annotations

import discord

from bot.features.match.actions.endings import ask_first
from bot.features.match.actions.prompts import show_line
from bot.features.match.button import MATCH, MatchButton
from bot.i18n.words import Words
from bot.interactions.context import Context
from play.ids import Millis
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from play.match.offers import DEFAULT_PAUSE
from play.services.match_writer import MatchRef
from rules.point import Seat

KINDS = "|".join(OfferKind)


class Draw(MatchButton, template=rf"{MATCH}:draw"):
    """Offers a draw."""

    action = "draw"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        offer = match.offer(OfferKind.DRAW)
        return offer is None or (offer.declined and offer.seat != seat)

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await propose(ctx, self.match, OfferKind.DRAW, version=self.version)


class TakeBack(MatchButton, template=rf"{MATCH}:takeback"):
    """Takes the last move back, or asks for it."""

    action = "takeback"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return match.offer(OfferKind.TAKEBACK) is None and any(move.seat == seat for move in match.moves)

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await propose(ctx, self.match, OfferKind.TAKEBACK, version=self.version)


class Abort(MatchButton, template=rf"{MATCH}:abort"):
    """Cancels a match that has hardly begun."""

    action = "abort"

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return not match.all_have_moved

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await abort(ctx, self.match, self.version)


class OfferAnswer(MatchButton, template=r"(?!)"):
    """A button on the board that answers an offer: everyone in the channel sees it, the players asked may use it."""

    @classmethod
    def for_offer(cls, match: Match, kind: OfferKind, words: Words) -> OfferAnswer:
        return cls(match.id, match.version, words(f"button.{cls.action}.{kind}"), kind.value)


class AgreeToOffer(OfferAnswer, template=rf"{MATCH}:agree:(?P<argument>{KINDS})"):
    """Agrees to an offer; to the offered end only after a look at it."""

    action = "agree"
    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        kind = OfferKind(self.argument)
        if kind is OfferKind.END:
            await ctx.open_panel()
            await ask_first(ctx, await self._current_match(ctx), "end")
            return
        await ctx.defer_update()
        await ctx.services.actions.agree(self.match, ctx.user, kind, ctx.at, ctx.key, version=self.version)


class DeclineOffer(OfferAnswer, template=rf"{MATCH}:disagree:(?P<argument>{KINDS})"):
    """Declines an offer."""

    action = "disagree"

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        kind = OfferKind(self.argument)
        await ctx.services.actions.disagree(self.match, ctx.user, kind, ctx.at, ctx.key, version=self.version)


async def propose(
    ctx: Context, table: MatchRef, kind: OfferKind, *, pause: Millis = DEFAULT_PAUSE, version: int | None = None
) -> None:
    """Makes an offer for the player, and tells them. The interaction is acknowledged. Raises Refused."""
    if kind is OfferKind.TAKEBACK:
        match = await ctx.services.actions.take_back(table, ctx.user, ctx.at, ctx.key, version=version)
    else:
        match = await ctx.services.actions.propose(table, ctx.user, kind, ctx.at, ctx.key, pause=pause, version=version)
    words = await ctx.words()
    done = next(event for event in match.events if event.key == ctx.key)
    if done.kind is EventKind.TAKEBACK:
        line = words("offer.taken_back")
    else:
        line = words("offer.agreed" if done.kind is EventKind.AGREE else f"offer.made.{kind}")
    await show_line(ctx, line, match)


async def resume(ctx: Context, table: MatchRef, version: int | None = None) -> None:
    """Ends the pause, and tells the player. The interaction is acknowledged. Raises Refused."""
    match = await ctx.services.actions.resume(table, ctx.user, ctx.at, ctx.key, version=version)
    words = await ctx.words()
    await show_line(ctx, words("offer.resumed"), match)


async def abort(ctx: Context, table: MatchRef, version: int | None = None) -> None:
    """Cancels the match, and tells the player. The interaction is acknowledged. Raises Refused."""
    match = await ctx.services.actions.abort(table, ctx.user, ctx.at, ctx.key, version=version)
    words = await ctx.words()
    await show_line(ctx, words("offer.aborted"), match)


def answer_buttons(match: Match, words: Words) -> list[MatchButton]:
    """Returns the buttons that answer the open offers, a row for each offer."""
    buttons: list[MatchButton] = []
    for row, offer in enumerate(offer for offer in match.offers if not offer.declined):
        for answer in (AgreeToOffer, DeclineOffer):
            button = answer.for_offer(match, offer.kind, words)
            button.item.row = row
            buttons.append(button)
    return buttons


BUTTONS: tuple[type[MatchButton], ...] = (Draw, TakeBack, Abort, AgreeToOffer, DeclineOffer)
