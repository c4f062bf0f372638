"""Buttons of a match: each belongs to one version of it."""

from __future__ import annotations

from re import Match as Found
from typing import Any, ClassVar, Self

import discord

from bot.i18n.words import Words
from bot.interactions import errors
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item
from bot.interactions.context import Context
from bot.telemetry import logs
from play.ids import MatchId
from play.match.match import Match
from play.refusal import Reason, Refused
from rules.point import Seat

MATCH = r"match:(?P<match>[0-9]{1,15}):(?P<version>[0-9]{1,9})"
"""How the template of a match's button begins: 32 of the 100 characters that a custom id may have."""


class MatchButton(GatedItem, discord.ui.DynamicItem[Item], template=r"(?!)"):
    """A button of one version of a match: `match:12:34:resign`; what more it has to know stands behind that."""

    action: ClassVar[str]
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init__(self, match: MatchId, version: int, label: str | None, argument: str = "") -> None:
        custom_id = f"match:{match}:{version}:{self.action}" + (f":{argument}" if argument else "")
        super().__init__(discord.ui.Button(label=label, style=self.style, custom_id=custom_id))
        self.match = match
        self.version = version
        self.argument = argument

    @classmethod
    def to(cls, match: Match, words: Words) -> Self:
        """The button of the match as it stands."""
        return cls(match.id, match.version, words(f"button.{cls.action}"))

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        """Whether it is of use to `seat` in the match as it stands: what *More* offers."""
        return True

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        argument = match.groupdict().get("argument") or ""
        return cls(MatchId(int(match["match"])), int(match["version"]), item.label, argument)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
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

    async def renewed(self, ctx: Context, notice: str) -> None:
        """Shows the private panel on which it hangs as things stand now, below a `notice`: by default what *More*
        offers. The interaction is acknowledged, and the match goes on. Raises Refused."""
        await ctx.services.show_match_menu(ctx, self.match, notice)

    async def _show_refusal(self, ctx: Context, refused: Refused) -> None:
        """What is refused on a private panel is told on it: most often the game has gone on since it was shown."""
        if not ctx.interaction.response.is_done():
            await ctx.open_panel()
        words = await ctx.words()
        if refused.key == Reason.STALE:
            ctx.services.metrics.count_refusal(refused.key)
            notice = words("keypad.stale") + await errors.newest_board_link(
                ctx.services, words, ctx.request, self.match
            )
        else:
            notice = f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused, self.match)}"
        try:
            if (await ctx.services.matches.load(self.match)).outcome:
                raise Refused(Reason.MATCH_OVER)
            await self.renewed(ctx, notice)
        except Refused as final:
            await ctx.show([await errors.explain(ctx.services, words, ctx.request, final, self.match)])

    async def _current_match(self, ctx: Context) -> Match:
        """The match, if the person plays in it and the button belongs to its present. Raises Refused."""
        match = await ctx.services.matches.load(self.match)
        match.seat_of(ctx.user)
        if match.outcome:
            raise Refused(Reason.MATCH_OVER)
        if match.version != self.version:
            raise Refused(Reason.STALE)
        return match
