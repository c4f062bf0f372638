"""Buttons of a match: each belongs to one version of it."""

from __future__ import annotations

from typing import Any, Self

import discord

from bot.interactions import errors
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.telemetry import logs
from play.ids import MatchId
from play.match.choices import Action, available_actions
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.words.words import Words
from rules.point import Seat


class MatchButton(Component):
    """A button of one version of a match: `match:12:34:resign`."""

    match: MatchId
    version: int

    @classmethod
    def at(cls, match: Match, label: str, style: discord.ButtonStyle | None = None, **values: object) -> Self:
        """Returns the button of this version of the match, with further values in its id."""
        return cls.make(label, style, match=match.id, version=match.version, **values)

    @classmethod
    def to(cls, match: Match, words: Words) -> Self:
        """Returns the button of this version of the match, with the label of its action."""
        return cls.at(match, words(f"button.{cls.action}"))

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        """Returns whether *More* offers the button to `seat` at this version."""
        return cls.action not in set(Action) or cls.action in available_actions(match, seat)

    async def callback(self, interaction: discord.Interaction[Any], /) -> None:
        ctx = Context.of(interaction)
        logs.bind_match(self.match)
        try:
            try:
                await self.pressed(ctx)
            except Refused as refused:
                if interaction.message is None or not interaction.message.flags.ephemeral:
                    raise
                await self._show_refusal(ctx, refused)
        except Exception as error:
            await errors.reply_error(ctx, error, self.match)

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        """Shows the private panel of the button at the newest version, below a `notice`: by default what *More* offers.

        The interaction is acknowledged, and the match goes on. Raises Refused.
        """
        await ctx.services.show_match_menu(ctx, self.match, notice)

    async def _show_refusal(self, ctx: Context, refused: Refused) -> None:
        """Shows a refusal on the private panel, which is brought up to date: most often the game has gone on since."""
        if not ctx.interaction.response.is_done():
            await ctx.open_panel()
        words = await ctx.words()
        notice = await self._refusal_notice(ctx, words, refused)
        try:
            if (await ctx.services.matches.load(self.match)).outcome:
                raise Refused(Reason.MATCH_OVER)
            await self.refresh_panel(ctx, notice)
        except Refused as final:
            await ctx.show([await errors.explain(ctx.services, words, ctx.request, final, self.match)])

    async def _refusal_notice(self, ctx: Context, words: Words, refused: Refused) -> str:
        if refused.key != Reason.STALE:
            return f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused, self.match)}"
        ctx.services.metrics.count_refusal(refused.key)
        return words("keypad.stale") + await errors.newest_board_link(ctx.services, words, ctx.request, self.match)

    async def _current_match(self, ctx: Context) -> Match:
        """Returns the match. Raises Refused if it is over, the user plays no part in it, or the button is outdated."""
        match = await ctx.services.matches.load(self.match)
        match.seat_of(ctx.user)
        if match.outcome:
            raise Refused(Reason.MATCH_OVER)
        if match.version != self.version:
            raise Refused(Reason.STALE)
        return match
