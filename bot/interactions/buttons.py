"""Buttons that outlive the process: all they know is in their custom id, and every click is judged anew."""

from __future__ import annotations

from re import Match as Found
from typing import TYPE_CHECKING, Any, ClassVar, Self

import discord

from bot.features.match.turn.point_form import PointModal
from bot.interactions import errors
from bot.interactions.admission import Gated
from bot.interactions.panels import open_panel, show
from bot.request import Request
from bot.telemetry import logs
from play.ids import MatchId, UserId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words
    from play.match.match import Match
    from rules.game import Seat

Item = discord.ui.Button[discord.ui.View]


def row(*buttons: discord.ui.DynamicItem[Item]) -> discord.ui.View:
    """A view that is only sent: discord.py keeps nothing of it in memory, the templates answer the clicks."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    view.stop()
    return view


MATCH = r"match:(?P<match>[0-9]{1,15}):(?P<version>[0-9]{1,9})"
"""How the template of a match's button begins: 32 of the 100 characters that a custom id may have."""

LONGEST_LABEL = 80


class MatchButton(Gated, discord.ui.DynamicItem[Item], template=r"(?!)"):
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
        logs.about(self.match)
        try:
            try:
                await self.pressed(interaction)
            except Refused as refused:
                if interaction.message is None or not interaction.message.flags.ephemeral:
                    raise
                await self._mended(interaction, refused)
        except Exception as error:
            await errors.answer(interaction, error, self.match)

    async def renewed(self, interaction: Interaction, notice: str) -> None:
        """Shows the private panel on which it hangs as things stand now, below a `notice`: by default what *More*
        offers. The interaction is acknowledged, and the match goes on. Raises Refused."""
        await interaction.client.overview(interaction, self.match, notice)

    async def _mended(self, interaction: Interaction, refused: Refused) -> None:
        """What is refused on a private panel is told on it: most often the game has gone on since it was shown."""
        client, request = interaction.client, Request.of(interaction)
        if not interaction.response.is_done():
            await open_panel(interaction)
        words = await client.audience.alone(interaction)
        if refused.key == Reason.STALE:
            client.meters.refused(refused.key)
            notice = words("keypad.stale") + await errors.newest(client, words, request, self.match)
        else:
            notice = f"⚠️ {await errors.explained(client, words, request, refused, self.match)}"
        try:
            if (await client.matches.load(self.match)).outcome:
                raise Refused(Reason.MATCH_OVER)
            await self.renewed(interaction, notice)
        except Refused as final:
            await show(interaction, [await errors.explained(client, words, request, final, self.match)])

    async def _seen(self, interaction: Interaction) -> Match:
        """The match, if the person plays in it and the button belongs to its present. Raises Refused."""
        match = await interaction.client.matches.load(self.match)
        match.seat_of(UserId(interaction.user.id))
        if match.outcome:
            raise Refused(Reason.MATCH_OVER)
        if match.version != self.version:
            raise Refused(Reason.STALE)
        return match


class TypePoint(MatchButton, template=rf"{MATCH}:point"):
    action = "point"

    @classmethod
    def fits(cls, match: Match, seat: Seat) -> bool:
        return seat == match.to_act

    async def pressed(self, interaction: Interaction) -> None:
        match = await self._seen(interaction)
        if match.players[match.position.to_act] != interaction.user.id:
            raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
        await interaction.response.send_modal(PointModal(match, await interaction.client.audience.alone(interaction)))


BUTTONS: tuple[type[MatchButton], ...] = (TypePoint,)
