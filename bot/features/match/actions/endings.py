"""Ends that a player chooses: resigning, STOP, landing, ending by agreement. Each shows its result first."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import ClassVar

import discord

from bot.features.match.actions.prompts import Question, delete_prompt, show_line, show_question
from bot.features.match.button import MATCH, MatchButton
from bot.interactions.buttons import row
from bot.interactions.context import Context, Services
from bot.interactions.pictures import picture_file
from play.ids import UserId
from play.match.endings import STOP, STOP_WAITING
from play.match.events import OfferKind
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.match.narration import CALLS
from presentation.match.preview import Preview
from presentation.words.words import Words
from rules.game import BadNotation
from rules.point import Seat

WAYS = (*CALLS, "end", "resign")


class ConfirmEnd(MatchButton, template=rf"{MATCH}:sure:(?P<argument>{'|'.join(WAYS)})"):
    """Ends the match in the way that the player has looked at."""

    action = "sure"
    style = discord.ButtonStyle.danger

    @classmethod
    def of(cls, match: Match, way: str, words: Words) -> ConfirmEnd:
        return cls(match.id, match.version, words(f"button.sure.{way}"), way)

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        match = await ctx.services.matches.load(self.match)
        try:
            await ask_first(ctx, match, self.argument, notice)
        except Refused:  # this end is no longer possible, but other actions are
            await super().refresh_panel(ctx, notice)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        words = await ctx.words()
        if self.argument == "resign":
            await ctx.services.matches.resign(self.match, ctx.user, ctx.at, ctx.key, version=self.version)
            await show_line(ctx, words("resign.done"))
            return
        if self.argument == "end":
            match = await ctx.services.actions.propose(
                self.match, ctx.user, OfferKind.END, ctx.at, ctx.key, version=self.version
            )
        else:
            match = await ctx.services.matches.move(
                self.match, ctx.user, self.argument, ctx.at, ctx.key, version=self.version
            )
        key = "end_agreed" if match.outcome and self.argument == "end" else self.argument
        await show_line(ctx, words(f"ending.done.{key}"), match)


class CancelEnd(MatchButton, template=rf"{MATCH}:keep:(?P<argument>\d)"):
    """Keeps the match going; carries the seat of the player who was asked."""

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
    """A button that shows the result of an end, and asks whether the player wants it."""

    way: ClassVar[str]

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ask_first(ctx, await self._current_match(ctx), self.way)


class Stop(EndButton, template=rf"{MATCH}:stop"):
    action = way = "stop"


class Land(EndButton, template=rf"{MATCH}:land"):
    action = way = "land"


class End(EndButton, template=rf"{MATCH}:end"):
    action = way = "end"


class Resign(EndButton, template=rf"{MATCH}:resign"):
    action = way = "resign"
    style = discord.ButtonStyle.danger


class LookAtEnd(MatchButton, template=rf"{MATCH}:look:(?P<argument>(?:{'|'.join(CALLS)}):\d)"):
    """Shows the player of a seat, and nobody else, the result of the call that they have typed in public."""

    action = "look"
    style = discord.ButtonStyle.primary

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        call, _, seat = self.argument.partition(":")
        if (await ctx.services.matches.load(self.match)).seat_of(ctx.user) != int(seat):
            raise Refused(Reason.NOT_ASKED)
        await delete_prompt(ctx)
        await ask_first(ctx, await self._current_match(ctx), call)


async def end_prompt(
    services: Services, match: Match, user: UserId, call: str, words: Words
) -> tuple[str, discord.ui.View]:
    """Returns the line that answers a call in a message, and its button. It tells nobody what the call would do.

    Raises Refused, as the call itself would.
    """
    seat = match.seat_of(user)
    await services.actions.preview_end(match, user, call)
    button = LookAtEnd(match.id, match.version, words("button.look_end"), f"{call}:{seat}")
    return words("move.call", call=words(f"button.{call}")), row(button)


async def ask_first(ctx: Context, match: Match, way: str, notice: str = "") -> None:
    """Shows the player the result of a way to end, and asks whether they want it, below a `notice`.

    The interaction is acknowledged. Raises Refused, as the end itself would.
    """
    words, theme = await ctx.words(), (await ctx.settings()).theme
    await show_question(ctx, await end_question(ctx.services, match, ctx.user, way, words, theme), notice)


async def end_question(services: Services, match: Match, user: UserId, way: str, words: Words, theme: str) -> Question:
    """Returns the question for `user` before an end counts. Raises Refused, as the end itself would."""
    seat = match.seat_of(user)
    after = await services.actions.preview_end(match, user, way)
    names = await services.names.of_all(match.players, match.guild)
    preview = Preview(match, seat, way, after, names, words, theme)
    png = await asyncio.to_thread(preview.png)
    alt = replace(preview, words=words.plain).text
    picture = picture_file(png, f"kropka-{match.id}-{match.version}-{way}", alt)
    return Question(preview.text, picture, (ConfirmEnd.of(match, way, words), CancelEnd.of(match, seat, words)))


def parse_call(match: Match, text: str) -> str | None:
    """Returns the call that `text` is, as a turn is written; None for any other text."""
    try:
        turn = str(match.game.parse(text))
    except BadNotation:
        return None
    if turn == STOP_WAITING:
        return STOP
    return turn if turn in CALLS else None


BUTTONS: tuple[type[MatchButton], ...] = (Stop, Land, End, Resign, LookAtEnd, ConfirmEnd, CancelEnd)
