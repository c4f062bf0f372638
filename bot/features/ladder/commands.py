"""`/ladder`: the ladder of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.features.challenges.default_terms import FIRST
from bot.features.ladder import ladder as ladders
from bot.interactions import permissions
from bot.interactions.responses import acknowledge, privately
from bot.request import Request
from play.community.ladder import Ladder
from play.ids import UserId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """The commands, described in `words`."""
    group = app_commands.Group(
        name="ladder",
        description=words("command.ladder"),
        allowed_contexts=permissions.ON_SERVERS,
        allowed_installs=permissions.BY_SERVERS,
    )

    @group.command(name="create", description=words("command.ladder.create"))
    async def create(interaction: Interaction) -> None:
        await acknowledge(interaction)
        server = await permissions.place(interaction, alone=False)
        if not interaction.permissions.manage_messages:
            raise Refused(Reason.NOT_A_HOST)
        request, terms = Request.of(interaction), server.terms or FIRST
        ladder = Ladder(ladders.guild(interaction), request.channel, terms)
        await interaction.client.ladders.make(ladder)
        await ladders.shown(interaction)

    @group.command(name="show", description=words("command.ladder.show"))
    async def show(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await ladders.shown(interaction)

    @group.command(name="join", description=words("command.ladder.join"))
    async def join(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await permissions.player(interaction)
        request = Request.of(interaction)
        await interaction.client.ladders.join(ladders.guild(interaction), request.user, request.at)
        await ladders.shown(interaction)

    @group.command(name="leave", description=words("command.ladder.leave"))
    async def leave(interaction: Interaction) -> None:
        await acknowledge(interaction)
        user = Request.of(interaction).user
        await interaction.client.ladders.leave(ladders.guild(interaction), user)
        own = await interaction.client.audience.alone(interaction)
        await privately(interaction, own("ladder.left"))

    @group.command(name="challenge", description=words("command.ladder.challenge"))
    @app_commands.describe(opponent=words("command.ladder.challenge.opponent"))
    async def challenge(interaction: Interaction, opponent: discord.User) -> None:
        await acknowledge(interaction)
        await permissions.player(interaction)
        interaction.client.names.remember(opponent, Request.of(interaction).guild)
        await ladders.dared(interaction, UserId(opponent.id))

    return (group,)
