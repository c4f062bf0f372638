"""Draws, take-backs and pauses: players offer them in private, and answer them in the match's channel."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.features.match.actions.endings import CancelEnd, ask_first
from bot.features.match.button import MatchButton, show_line, with_board_link
from bot.features.match.play import ask_for_draw
from bot.features.players.milestones import tell_milestones
from bot.interactions import custom_ids as ids
from bot.interactions.components import Confirmation, Question, show_question
from bot.interactions.context import Context
from bot.interactions.layout import MAX_LABEL
from bot.markup import escape
from play.ids import Millis, UserId, side_of
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from play.match.moves import cancelling_seat
from play.match.offers import has_offered
from play.refusal import Reason, Refused
from presentation.text import cut_names
from presentation.words.words import Words
from rules.game import Seat
from use_cases.match_writer import MatchRef


class Draw(MatchButton, id=ids.DRAW):
    """Offers a draw."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await propose(ctx, self.match, OfferKind(self.action), version=self.version)


class TakeBack(Draw, id=ids.TAKEBACK):
    """Takes the last move back, or asks for it."""


class Abort(MatchButton, id=ids.ABORT):
    """Asks whether a match that has hardly begun is to be cancelled."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ask_to_cancel(ctx, (await self._current_match(ctx)).id)


class ConfirmAbort(Confirmation, MatchButton, id=ids.CONFIRM_ABORT):
    """Cancels the match."""

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        try:
            await ask_to_cancel(ctx, self.match, notice)
        except Refused:  # it is too late for that, but other actions are possible
            await super().refresh_panel(ctx, notice)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        match = await ctx.use_cases.actions.abort(self.match, ctx.user, ctx.at, ctx.key, version=self.version)
        words = await ctx.words()
        await show_line(ctx, words("offer.aborted"), match)


class OfferAnswer(MatchButton):
    """A button on the board that answers an offer. On a board that everyone sees, it names the players who may."""

    offer: str

    @classmethod
    def for_offer(cls, match: Match, kind: OfferKind, words: Words, names: str) -> OfferAnswer:
        label = words(f"button.{cls.action}.{kind}")
        if names:
            room = MAX_LABEL - len(words("offer.label", label=label, names=""))
            label = words("offer.label", label=label, names=cut_names(names, room))
        return cls.at(match, label, offer=kind)


class AgreeToOffer(OfferAnswer, id=ids.AGREE):
    """Agrees to an offer; to the offered end only after a look at it."""

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        kind = OfferKind(self.offer)
        if kind is OfferKind.END:
            await ctx.open_panel()
            await ask_first(ctx, await self._current_match(ctx), "end")
            return
        await ctx.defer_update()
        match = await ctx.use_cases.actions.agree(self.match, ctx.user, kind, ctx.at, ctx.key, version=self.version)
        await tell_milestones(ctx, match)


class DeclineOffer(OfferAnswer, id=ids.DECLINE_OFFER):
    """Declines an offer; its own player takes it back by the same button, on a private panel."""

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        return any(has_offered(match, seat, kind) for kind in OfferKind)

    @classmethod
    def offered(cls, match: Match, seat: Seat, words: Words) -> list[MatchButton]:
        return [cls.to_take_back(match, kind, words) for kind in OfferKind if has_offered(match, seat, kind)]

    @classmethod
    def to_take_back(cls, match: Match, kind: OfferKind, words: Words) -> DeclineOffer:
        """Returns the button for the player who has made an offer."""
        return cls.at(match, words(f"button.unoffer.{kind}"), offer=kind)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        kind = OfferKind(self.offer)
        match = await ctx.use_cases.actions.disagree(self.match, ctx.user, kind, ctx.at, ctx.key, version=self.version)
        if ctx.is_panel:
            words = await ctx.words()
            await show_line(ctx, words("offer.unmade"), match)


async def propose(
    ctx: Context, ref: MatchRef, kind: OfferKind, *, pause: Millis | None = None, version: int | None = None
) -> None:
    """Makes an offer for the player, and tells them how to take it back. The interaction is acknowledged.

    Raises Refused.
    """
    words, match = await ctx.words(), await ctx.load_match(ref)
    if kind is OfferKind.DRAW and side_of(await ctx.account_in(match)) is not None:
        await ask_for_draw(ctx, match)
        return
    try:
        if kind is OfferKind.TAKEBACK:
            match = await ctx.use_cases.actions.take_back(ref, ctx.user, ctx.at, ctx.key, version=version)
        else:
            offer = ctx.use_cases.actions.propose
            match = await offer(ref, ctx.user, kind, ctx.at, ctx.key, pause=pause, version=version)
    except Refused as refused:
        if refused.key is not Reason.OFFERED_ALREADY:
            raise
        match = await ctx.load_match(ref)
        await _show_offer(ctx, match, kind, words("refused.offered_already"))
        return
    done = next(event for event in match.events if event.key == ctx.key)
    if done.kind is EventKind.TAKEBACK:
        await show_line(ctx, words("offer.taken_back"), match)
    elif done.kind is EventKind.AGREE:
        await show_line(ctx, words("offer.agreed"), match)
        await tell_milestones(ctx, match)
    else:
        match = match.for_reader(ctx.user, ctx.guild)
        line = await with_board_link(ctx.services, match, words(f"offer.made.{kind}"), words)
        await _show_offer(ctx, match, kind, line)


async def _show_offer(ctx: Context, match: Match, kind: OfferKind, line: str) -> None:
    """Shows the player an offer of theirs that waits for an answer, and the way to take it back."""
    back = DeclineOffer.to_take_back(match, kind, await ctx.words())
    await show_question(ctx, Question(line, None, (back,)))


async def resume(ctx: Context, ref: MatchRef, version: int | None = None) -> None:
    """Ends the pause, and tells the player. The interaction is acknowledged. Raises Refused."""
    match = await ctx.use_cases.actions.resume(ref, ctx.user, ctx.at, ctx.key, version=version)
    words = await ctx.words()
    await show_line(ctx, words("offer.resumed"), match)


async def ask_to_cancel(ctx: Context, ref: MatchRef, notice: str = "") -> None:
    """Asks the player whether the match is to be cancelled, below a `notice`.

    The interaction is acknowledged. Raises Refused, as cancelling itself would.
    """
    words = await ctx.words()
    match = await ctx.load_match(ref)
    seat = cancelling_seat(match, ctx.user)
    names = await ctx.services.names.of_all(
        (match.players[other] for other in match.seats if other != seat), match.guild
    )
    question = words("abort.ask", opponent=escape(", ".join(names)))
    answers = ConfirmAbort.at(match, words("button.sure.abort")), CancelEnd.of(match, seat, words)
    await show_question(ctx, Question(question, None, answers), notice)


def answer_buttons(
    match: Match, names: Sequence[str], words: Words, *, reader: UserId | None = None, computer: UserId | None = None
) -> list[MatchButton]:
    """Returns the buttons that answer the open offers, a row for each offer, or for two where all four kinds are open:
    the turn needs two of the five rows.

    A board that everyone sees has those for all players except the `computer`, which needs none, with their `names`.
    That of one `reader` has theirs.
    """
    buttons: list[MatchButton] = []
    for offer in match.offers:
        asked = [seat for seat in match.seats if seat not in offer.agreed and match.players[seat] != computer]
        asked = [seat for seat in asked if side_of(match.players[seat]) is None]  # its members vote for a draw
        if reader is not None:
            asked = [seat for seat in asked if match.players[seat] == reader]
        if offer.declined or not asked:
            continue
        named = "" if reader is not None else ", ".join(names[seat] for seat in asked)
        buttons += [answer.for_offer(match, offer.kind, words, named) for answer in (AgreeToOffer, DeclineOffer)]
    in_row = 2 if len(buttons) < 2 * len(OfferKind) else 4
    for number, button in enumerate(buttons):
        button.item.row = number // in_row
    return buttons


BUTTONS: tuple[type[MatchButton], ...] = (Draw, TakeBack, Abort, ConfirmAbort, AgreeToOffer, DeclineOffer)
