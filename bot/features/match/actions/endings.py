"""Ends that somebody chooses: resigning, STOP, landing, ending by agreement. Each shows first what it comes to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, ClassVar

import discord

from bot.features.match.actions.preview import Preview
from bot.features.match.actions.prompts import Question, ask, tell
from bot.features.match.board.crops import LONGEST_ALT
from bot.features.match.board.narration import CALLS
from bot.features.match.turn.play import linked, person
from bot.interactions.buttons import MATCH, MatchButton
from bot.interactions.panels import open_panel
from bot.interactions.responses import acknowledge_quietly
from bot.request import Request
from play.ids import UserId
from play.match.endings import agreed
from play.match.events import OfferKind
from play.refusal import Reason, Refused
from play.services.match_actions import TurnPreview
from rules.dots import DotsPosition
from rules.game import AnyPosition, BadNotation, Outcome, Seat

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka
    from bot.i18n.words import Words
    from play.match.match import Match

WAYS = (*CALLS, "end", "resign")


class Sure(MatchButton, template=rf"{MATCH}:sure:(?P<argument>{'|'.join(WAYS)})"):
    """Does what was looked at."""

    action = "sure"
    style = discord.ButtonStyle.danger

    @classmethod
    def of(cls, match: Match, way: str, words: Words) -> Sure:
        return cls(match.id, match.version, words(f"button.sure.{way}"), way)

    async def renewed(self, interaction: Interaction, notice: str) -> None:
        match = await interaction.client.matches.load(self.match)
        try:
            await ask_first(interaction, match, self.argument, notice)
        except Refused:  # it is not possible any more, but other things are
            await super().renewed(interaction, notice)

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        client, request = interaction.client, Request.of(interaction)
        words = await client.audience.alone(interaction)
        at, source = request.at, request.source
        if self.argument == "resign":
            await client.matches.resign(self.match, request.user, at, source, version=self.version)
            await tell(interaction, words("resign.done"))
            return
        if self.argument == "end":
            match = await client.actions.propose(
                self.match, request.user, OfferKind.END, at, source, version=self.version
            )
        else:
            match = await client.matches.move(self.match, request.user, self.argument, at, source, version=self.version)
        key = "end_agreed" if match.outcome and self.argument == "end" else self.argument
        await tell(interaction, await linked(client, match, words(f"ending.done.{key}"), words))


class Keep(MatchButton, template=rf"{MATCH}:keep:(?P<argument>\d)"):
    """Thinks better of it; carries the seat of whoever was asked."""

    action = "keep"

    @classmethod
    def of(cls, match: Match, seat: Seat, words: Words) -> Keep:
        return cls(match.id, match.version, words("button.play_on"), str(seat))

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        match = await interaction.client.matches.load(self.match)
        asked = match.players[int(self.argument)] if int(self.argument) < len(match.players) else 0
        if asked != interaction.user.id:
            raise Refused(Reason.NOT_ASKED)
        words = await interaction.client.audience.alone(interaction)
        await tell(interaction, words("resign.not"))


class Way(MatchButton, template=r"(?!)"):
    """Shows what an end would come to."""

    way: ClassVar[str]

    async def pressed(self, interaction: Interaction) -> None:
        await open_panel(interaction)
        await ask_first(interaction, await self._seen(interaction), self.way)


class Stop(Way, template=rf"{MATCH}:stop"):
    action = way = "stop"

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act and "stop" in _calls(match.position)


class Land(Way, template=rf"{MATCH}:land"):
    action = way = "land"

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act and "land" in _calls(match.position)


class End(Way, template=rf"{MATCH}:end"):
    action = way = "end"

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        offer = match.offer(OfferKind.END)
        waits = offer is not None and (offer.declined or seat in offer.agreed)
        return agreed(match.position) is not None and match.all_have_moved and not waits


class Resign(Way, template=rf"{MATCH}:resign"):
    action = way = "resign"
    style = discord.ButtonStyle.danger


async def ask_first(interaction: Interaction, match: Match, way: str, notice: str = "") -> None:
    """Shows the person what a way to end comes to, and asks whether he wants it, below a `notice`.

    The interaction is acknowledged. Raises Refused, as the end itself would.
    """
    client, user = interaction.client, UserId(interaction.user.id)
    words, theme = await client.audience.alone(interaction), (await person(client, user)).theme
    await ask(interaction, await question(client, match, user, way, words, theme), notice)


async def question(client: Kropka, match: Match, user: UserId, way: str, words: Words, theme: str) -> Question:
    """What `user` is asked before it counts. Raises Refused, as the end itself would."""
    seat = match.seat_of(user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    if way == "resign":
        after = TurnPreview(Outcome(tuple(other for other in match.seats if other != seat), "resign"), match.score)
    else:
        after = await client.actions.preview(match.id, user, way)
    names = await client.names.of_all(match.players, match.guild)
    ahead = Preview(match, seat, way, after, names, words)
    png = await asyncio.to_thread(ahead.png, theme)
    name = f"kropka-{match.id}-{match.version}-{way}.png"
    file = discord.File(BytesIO(png), name, description=ahead.text[:LONGEST_ALT])
    return Question(ahead.text, file, (Sure.of(match, way, words), Keep.of(match, seat, words)))


def spoken(match: Match, text: str) -> str | None:
    """The call that `text` is, as a turn is written; None for any other turn, and for no turn."""
    try:
        turn = str(match.game.parse(text))
    except BadNotation:
        return None
    return turn if turn in CALLS else None


def _calls(position: AnyPosition) -> Iterable[str]:
    return map(str, position.calls()) if isinstance(position, DotsPosition) else ()


BUTTONS: tuple[type[MatchButton], ...] = (Stop, Land, End, Resign, Sure, Keep)
