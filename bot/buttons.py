"""Buttons that outlive the process: all they know is in their custom id, and every click is judged anew."""

from __future__ import annotations

from re import Match as Found
from typing import TYPE_CHECKING, Any, ClassVar, Self

import discord

from bot import errors
from bot.answers import acknowledge_quietly, privately
from bot.cards import card
from bot.modals import PointModal
from bot.names import escaped
from bot.request import Request
from play.challenge import ChallengeState
from play.ids import ChallengeId, ChannelId, MatchId, UserId
from play.refused import Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.words import Words
    from play.match import Match

Item = discord.ui.Button[discord.ui.View]


def row(*buttons: discord.ui.DynamicItem[Item]) -> discord.ui.View:
    """A view that is only sent: discord.py keeps nothing of it in memory, the templates answer the clicks."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    view.stop()
    return view


class MatchButton(discord.ui.DynamicItem[Item], template=r"(?!)"):
    """A button of one version of a match: `match:12:34:resign`."""

    action: ClassVar[str]
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init__(self, match: MatchId, version: int, label: str | None) -> None:
        super().__init__(
            discord.ui.Button(label=label, style=self.style, custom_id=f"match:{match}:{version}:{self.action}")
        )
        self.match = match
        self.version = version

    @classmethod
    def to(cls, match: Match, words: Words) -> Self:
        """The button of the match as it stands."""
        return cls(match.id, match.version, words(f"button.{cls.action}"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(MatchId(int(match["match"])), int(match["version"]), item.label)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        try:
            await self.pressed(interaction)
        except Exception as error:
            await errors.answer(interaction, error, self.match)

    async def pressed(self, interaction: Interaction) -> None:
        raise NotImplementedError

    async def _seen(self, interaction: Interaction) -> Match:
        """The match, if the person plays in it and the button belongs to its present. Raises Refused."""
        match = await interaction.client.tables.board(self.match)
        match.seat_of(UserId(interaction.user.id))
        if match.outcome:
            raise Refused("match_over")
        if match.version != self.version:
            raise Refused("stale")
        return match


class TypePoint(MatchButton, template=r"match:(?P<match>\d+):(?P<version>\d+):point"):
    action = "point"
    style = discord.ButtonStyle.primary

    async def pressed(self, interaction: Interaction) -> None:
        match = await self._seen(interaction)
        if match.players[match.position.to_act] != interaction.user.id:
            raise Refused("not_your_turn", user=match.players[match.position.to_act])
        await interaction.response.send_modal(PointModal(match, interaction.client.words(interaction)))


class Resign(MatchButton, template=r"match:(?P<match>\d+):(?P<version>\d+):resign"):
    action = "resign"

    async def pressed(self, interaction: Interaction) -> None:
        await ask_to_resign(interaction, await self._seen(interaction))


class ReallyResign(MatchButton, template=r"match:(?P<match>\d+):(?P<version>\d+):really"):
    action = "really"
    style = discord.ButtonStyle.danger

    async def pressed(self, interaction: Interaction) -> None:
        await acknowledge_quietly(interaction)
        request = Request.of(interaction)
        await interaction.client.tables.resign(
            self.match, request.user, request.at, request.source, version=self.version
        )
        words = interaction.client.words(interaction)
        await interaction.edit_original_response(content=words("resign.done"), view=None)


class PlayOn(MatchButton, template=r"match:(?P<match>\d+):(?P<version>\d+):play_on"):
    action = "play_on"

    async def pressed(self, interaction: Interaction) -> None:
        words = interaction.client.words(interaction)
        await interaction.response.edit_message(content=words("resign.not"), view=None)


async def ask_to_resign(interaction: Interaction, match: Match) -> None:
    """Resigning cannot be undone, so it is asked for twice. Raises Refused for a stranger."""
    words = interaction.client.words(interaction)
    seat = match.seat_of(UserId(interaction.user.id))
    others = [player for other, player in enumerate(match.players) if other != seat]
    names = await interaction.client.names.of_all(others, match.guild)
    await privately(
        interaction,
        words("resign.ask", opponent=escaped(", ".join(names))),
        view=row(ReallyResign.to(match, words), PlayOn.to(match, words)),
    )


class ChallengeButton(discord.ui.DynamicItem[Item], template=r"(?!)"):
    """A button of a challenge's card: `challenge:12:accept`."""

    action: ClassVar[str]
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init__(self, challenge: ChallengeId, label: str | None) -> None:
        super().__init__(
            discord.ui.Button(label=label, style=self.style, custom_id=f"challenge:{challenge}:{self.action}")
        )
        self.challenge = challenge

    @classmethod
    def to(cls, challenge: ChallengeId, words: Words) -> Self:
        return cls(challenge, words(f"button.{cls.action}"))

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(ChallengeId(int(match["challenge"])), item.label)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        try:
            await acknowledge_quietly(interaction)
            try:
                await self.decided(interaction, Request.of(interaction))
            finally:
                await self._redraw(interaction)
        except Exception as error:
            await errors.answer(interaction, error)

    async def decided(self, interaction: Interaction, request: Request) -> None:
        raise NotImplementedError

    async def _redraw(self, interaction: Interaction) -> None:
        """Takes the buttons off a card whose challenge is over, also one that an earlier crash left behind."""
        client = interaction.client
        async with client.store.read() as reader:
            challenge = await reader.challenge(self.challenge)
        if challenge is not None and challenge.state is not ChallengeState.OPEN:
            content = await card(challenge, client.names, client.words_here(interaction))
            await interaction.edit_original_response(content=content, view=None)


class Accept(ChallengeButton, template=r"challenge:(?P<challenge>\d+):accept"):
    action = "accept"
    style = discord.ButtonStyle.success

    async def decided(self, interaction: Interaction, request: Request) -> None:
        await interaction.client.tables.accept(self.challenge, request.user, request.at, thread=_thread(interaction))


class Decline(ChallengeButton, template=r"challenge:(?P<challenge>\d+):decline"):
    action = "decline"

    async def decided(self, interaction: Interaction, request: Request) -> None:
        await interaction.client.tables.decline(self.challenge, request.user, request.at)


def _thread(interaction: Interaction) -> ChannelId | None:
    """The id of the thread that can be opened from the card: that of its message."""
    may = interaction.app_permissions
    channel, message = interaction.channel, interaction.message
    if message is None or channel is None or channel.type not in (discord.ChannelType.text, discord.ChannelType.news):
        return None
    return ChannelId(message.id) if may.create_public_threads and may.send_messages_in_threads else None


BUTTONS: tuple[type[MatchButton | ChallengeButton], ...] = (TypePoint, Resign, ReallyResign, PlayOn, Accept, Decline)
