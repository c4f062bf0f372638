"""Draws, take-backs and pauses: offered in private, told and answered in the match's channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.features.match.actions.endings import ask_first
from bot.features.match.actions.prompts import tell
from bot.features.match.turn.play import linked
from bot.interactions.buttons import MATCH, MatchButton
from bot.interactions.panels import open_panel
from bot.interactions.responses import acknowledge_quietly
from bot.request import Request
from play.match.events import EventKind, OfferKind
from play.match.offers import PAUSE

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words
    from play.ids import Millis
    from play.match.match import Match
    from play.services.match_writer import MatchRef
    from rules.game import Seat

KINDS = "|".join(OfferKind)


async def propose(
    interaction: Interaction, table: MatchRef, kind: OfferKind, *, pause: Millis = PAUSE, version: int | None = None
) -> None:
    """Offers something for the person, and tells him. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    actions, user, at, source = client.actions, request.user, request.at, request.source
    if kind is OfferKind.TAKEBACK:
        match = await actions.take_back(table, user, at, source, version=version)
    else:
        match = await actions.propose(table, user, kind, at, source, pause=pause, version=version)
    words = await client.audience.alone(interaction)
    done = next(event for event in match.events if event.source == source)
    if done.kind is EventKind.TAKEBACK:
        line = words("offer.taken_back")
    else:
        line = words("offer.agreed" if done.kind is EventKind.AGREE else f"offer.made.{kind}")
    await tell(interaction, await linked(client, match, line, words))


class Draw(MatchButton, template=rf"{MATCH}:draw"):
    action = "draw"

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        offer = match.offer(OfferKind.DRAW)
        return offer is None or (offer.declined and offer.seat != seat)

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        await propose(interaction, self.match, OfferKind.DRAW, version=self.version)


class TakeBack(MatchButton, template=rf"{MATCH}:takeback"):
    action = "takeback"

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        return match.offer(OfferKind.TAKEBACK) is None and any(move.seat == seat for move in match.moves)

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        await propose(interaction, self.match, OfferKind.TAKEBACK, version=self.version)


async def resume(interaction: Interaction, table: MatchRef, version: int | None = None) -> None:
    """Ends the pause, and tells the person. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    match = await client.actions.resume(table, request.user, request.at, request.source, version=version)
    words = await client.audience.alone(interaction)
    await tell(interaction, await linked(client, match, words("offer.resumed"), words))


class Abort(MatchButton, template=rf"{MATCH}:abort"):
    action = "abort"

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        return not match.all_have_moved

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        await abort(interaction, self.match, self.version)


async def abort(interaction: Interaction, table: MatchRef, version: int | None = None) -> None:
    """Calls the match off, and tells the person. The interaction is acknowledged. Raises Refused."""
    client, request = interaction.client, Request.of(interaction)
    match = await client.actions.abort(table, request.user, request.at, request.source, version=version)
    words = await client.audience.alone(interaction)
    await tell(interaction, await linked(client, match, words("offer.aborted"), words))


class Agree(MatchButton, template=rf"{MATCH}:agree:(?P<argument>{KINDS})"):
    """Agrees to an offer; hangs on the board for everybody to see, and works for those who have to answer."""

    action = "agree"
    style = discord.ButtonStyle.success

    @classmethod
    def of(cls, match: Match, kind: OfferKind, words: Words) -> Agree:
        return cls(match.id, match.version, words(f"button.agree.{kind}"), kind.value)

    async def pressed(self, interaction: Interaction) -> None:
        kind, request = OfferKind(self.argument), Request.of(interaction)
        if kind is OfferKind.END:
            await open_panel(interaction)
            await ask_first(interaction, await self._seen(interaction), "end")
            return
        await acknowledge_quietly(interaction)
        await interaction.client.actions.agree(
            self.match, request.user, kind, request.at, request.source, version=self.version
        )


class Decline(MatchButton, template=rf"{MATCH}:disagree:(?P<argument>{KINDS})"):
    """Declines an offer, as `Agree` agrees to it."""

    action = "disagree"

    @classmethod
    def of(cls, match: Match, kind: OfferKind, words: Words) -> Decline:
        return cls(match.id, match.version, words(f"button.disagree.{kind}"), kind.value)

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        request, kind = Request.of(interaction), OfferKind(self.argument)
        await interaction.client.actions.disagree(
            self.match, request.user, kind, request.at, request.source, version=self.version
        )


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
