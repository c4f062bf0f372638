"""Ends that a player chooses, each with its result first: resigning, STOP, landing, ending by agreement.

After a game there are another one, and two ways to look back at this one.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import discord

from bot.addresses import link
from bot.features.match.button import MatchButton, begun_game, delete_prompt, show_line
from bot.features.match.play import vote_to_end
from bot.features.players.milestones import tell_milestones
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component, Confirmation, Question, show_question
from bot.interactions.context import Context, Services
from bot.interactions.layout import picture_file, row, without
from bot.interactions.permissions import load_visible_match
from bot.services.discord_errors import describe
from opponent.review import MIN_MOVES
from play.ids import MatchId, MessageId, UserId, side_of
from play.match.events import OfferKind
from play.match.match import Match
from play.match.offers import has_offered
from play.refusal import Reason, Refused
from play.votes import has_side
from presentation.match.preview import Preview
from presentation.words.words import Words
from rules.game import Seat

log = logging.getLogger(__name__)


class ConfirmEnd(Confirmation, MatchButton, id=ids.CONFIRM_END):
    """Ends the match in the way that the player has looked at."""

    way: str

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        match = await ctx.load_match(self.match)
        try:
            await ask_first(ctx, match, self.way, notice)
        except Refused:  # this end is no longer possible, but other actions are
            await super().refresh_panel(ctx, notice)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        words, match = await ctx.words(), await ctx.load_match(self.match)
        if side_of(await ctx.account_in(match)) is not None:
            await ctx.show(await vote_to_end(ctx, match, self.way, self.version))
            return
        if self.way == "resign":
            match = await ctx.use_cases.matches.resign(self.match, ctx.user, ctx.at, ctx.key, version=self.version)
            await show_line(ctx, words("resign.done"))
            await tell_milestones(ctx, match)
            return
        if self.way == "end":
            match = await ctx.use_cases.actions.propose(
                self.match, ctx.user, OfferKind.END, ctx.at, ctx.key, version=self.version
            )
        else:
            match = await ctx.use_cases.matches.move(
                self.match, ctx.user, self.way, ctx.at, ctx.key, version=self.version
            )
        key = "end_agreed" if match.outcome and self.way == "end" else self.way
        await show_line(ctx, words(f"ending.done.{key}"), match)
        await tell_milestones(ctx, match)


class CancelEnd(MatchButton, id=ids.CANCEL_END):
    """Keeps the match going; carries the seat of the player who was asked."""

    seat: Seat

    @classmethod
    def of(cls, match: Match, seat: Seat, words: Words) -> CancelEnd:
        return cls.at(match, words("button.play_on"), seat=seat)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        match = await ctx.load_match(self.match)
        asked = match.players[self.seat] if self.seat < len(match.players) else 0
        if asked != await ctx.account_in(match):
            raise Refused(Reason.NOT_ASKED)
        words = await ctx.words()
        await show_line(ctx, words("resign.not"))


class EndButton(MatchButton):
    """A button that shows the result of an end, and asks whether the player wants it."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ask_first(ctx, await self._current_match(ctx), self.action)


class Stop(EndButton, id=ids.STOP):
    """Asks whether the player says STOP."""


class Land(EndButton, id=ids.LAND):
    """Asks whether the player lands."""


class End(EndButton, id=ids.END):
    """Asks whether the player offers an end."""


class Resign(EndButton, id=ids.RESIGN):
    """Asks whether the player resigns."""

    style = discord.ButtonStyle.danger


class LookAtEnd(MatchButton, id=ids.LOOK_AT_END):
    """Shows the player of a seat, and nobody else, the result of the call that they have typed in public."""

    call: str
    seat: Seat

    style = discord.ButtonStyle.primary

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        match = await ctx.load_match(self.match)
        if match.seat_of(await ctx.account_in(match)) != self.seat:
            raise Refused(Reason.NOT_ASKED)
        await delete_prompt(ctx)
        await ask_first(ctx, await self._current_match(ctx), self.call)


async def end_prompt(
    services: Services, match: Match, account: UserId, call: str, words: Words
) -> tuple[str, discord.ui.View]:
    """Returns the line that answers a call in a message, and its button. It tells nobody what the call would do.

    Raises Refused, as the call itself would.
    """
    seat = match.seat_of(account)
    await services.use_cases.actions.preview_end(match, account, call)
    button = LookAtEnd.at(match, words("button.look_end"), call=call, seat=seat)
    return words("move.call", call=words(f"button.{call}")), row(button)


async def ask_first(ctx: Context, match: Match, way: str, notice: str = "") -> None:
    """Shows the player the result of a way to end, and asks whether they want it, below a `notice`.

    The interaction is acknowledged. Raises Refused, as the end itself would.
    """
    words, theme = await ctx.words(), (await ctx.settings()).theme
    await show_question(
        ctx, await end_question(ctx.services, match, await ctx.account_in(match), way, words, theme), notice
    )


async def end_question(
    services: Services, match: Match, account: UserId, way: str, words: Words, theme: str
) -> Question:
    """Returns the question before an end counts that the user of an `account` has chosen. Raises Refused, as the end
    itself would."""
    seat = match.seat_of(account)
    after = await services.use_cases.actions.preview_end(match, account, way)
    names = await services.names.of_all(match.players, match.guild)
    preview = Preview(match, seat, way, after, names, words, theme)
    png = await asyncio.to_thread(preview.png)
    alt = replace(preview, words=words.plain).text
    picture = picture_file(png, f"kropka-{match.id}-{match.version}-{way}", alt)
    offered = any(has_offered(match, other, OfferKind.END) for other in match.seats if other != seat)
    key = "end_agreed" if way == "end" and offered else way
    sure, text = words(f"button.sure.{key}"), preview.text
    if side_of(account) is not None:
        sure, text = words("vote.label", turn=words(f"button.{way}")), f"{text}\n{words('vote.two_thirds')}"
    return Question(text, picture, (ConfirmEnd.at(match, sure, way=way), CancelEnd.of(match, seat, words)))


class LookBack(MatchButton):
    """A button that shows a finished game to the player who pressed it, if they may see that game."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        match = await load_visible_match(ctx, self.match)
        await self.show(ctx, match)
        await tell_milestones(ctx, match)

    async def show(self, ctx: Context, match: Match) -> None:
        """Shows it in private. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError


def after_game_buttons(match: Match, words: Words, *, has_computer: bool) -> list[MatchButton]:
    """Returns what a finished game offers, as many as a phone shows beside each other: a review needs the computer, and
    a replay moves. The film and the record are in the replay's panel."""
    offered = [
        (ids.VOTE_AGAIN if has_side(match) else ids.REMATCH, match.away is None),
        (ids.SAY, match.strangers),
        (ids.REVIEW, has_computer and len(match.moves) >= MIN_MOVES),
        (ids.REPLAY, bool(match.moves)),
    ]
    return [MatchButton.kinds[form].to(match, words) for form, fits in offered if fits]


class Rematch(MatchButton, id=ids.REMATCH):
    """A button on the last board until its first click; the others stay. After a declined rematch, `/rematch` offers
    another one."""

    style = discord.ButtonStyle.primary

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await offer_rematch(ctx, self.match)
        board = ctx.interaction.message
        assert board is not None, "a button hangs on a message"
        try:
            await ctx.services.channels.edit(ctx.channel, MessageId(board.id), view=without(board, self.custom_id))
        except discord.HTTPException as error:  # another click offers nothing
            log.info("the button of a rematch stays: %s", describe(error))


async def offer_rematch(ctx: Context, match: MatchId) -> None:
    """Offers the rematch, and tells the player. The interaction is acknowledged. Raises Refused."""
    played = await ctx.load_match(match)
    if played.channel != ctx.channel:  # as on a board that was sent to a player who has left the server
        await ctx.services.rights.check_posting(played, ctx.user)
    ctx.services.gate.count_card(ctx.channel)
    challenge = await ctx.use_cases.challenges.rematch(match, ctx.user, ctx.at, ctx.key)
    message = await ctx.services.cards.post(challenge)
    begun = (await ctx.use_cases.challenges.load(challenge.id)).match
    if begun is not None:  # the computer has accepted
        await ctx.show_below(await begun_game(ctx, await ctx.load_match(begun)))
        return
    words = await ctx.words()
    await show_line(ctx, words("rematch.offered", url=link(challenge.guild, challenge.channel, message)))


BUTTONS: tuple[type[Component], ...] = (Stop, Land, End, Resign, LookAtEnd, ConfirmEnd, CancelEnd, Rematch)
