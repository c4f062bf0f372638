"""`/profile`, `/versus`, `/history`, `/replay` and `/export`: what somebody has played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.features.players import histories, profiles
from bot.features.records import exports
from bot.interactions.responses import acknowledge
from bot.request import Request
from play.ids import UserId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.client import Interaction
    from bot.i18n.words import Words


def commands(words: Words) -> tuple[app_commands.Command[Any, Any, None] | app_commands.Group, ...]:
    """The commands, described in `words`."""

    @app_commands.command(name="profile", description=words("command.profile"))
    @app_commands.describe(player=words("command.profile.player"))
    async def profile(interaction: Interaction, player: discord.User | None = None) -> None:
        await acknowledge(interaction)
        await profiles.shown(interaction, _one(interaction, player))

    @app_commands.command(name="history", description=words("command.history"))
    @app_commands.describe(player=words("command.profile.player"))
    async def history(interaction: Interaction, player: discord.User | None = None) -> None:
        await acknowledge(interaction)
        await histories.shown(interaction, _one(interaction, player))

    @app_commands.command(name="versus", description=words("command.versus"))
    @app_commands.describe(opponent=words("command.versus.opponent"), player=words("command.profile.player"))
    async def versus(interaction: Interaction, opponent: discord.User, player: discord.User | None = None) -> None:
        await acknowledge(interaction)
        one, other = _one(interaction, player), _one(interaction, opponent)
        if one == other:
            raise Refused(Reason.VERSUS_ONESELF)
        await histories.shown(interaction, one, other)

    @app_commands.command(name="replay", description=words("command.replay"))
    @app_commands.describe(game=words("command.replay.game"))
    @app_commands.autocomplete(game=exports.suggested)
    async def replay(interaction: Interaction, game: int | None = None) -> None:
        await acknowledge(interaction)
        await exports.filmed(interaction, game)

    export = app_commands.Group(name="export", description=words("command.export"))

    @export.command(name="game", description=words("command.export.game"))
    @app_commands.describe(game=words("command.replay.game"))
    @app_commands.autocomplete(game=exports.suggested)
    async def game(interaction: Interaction, game: int | None = None) -> None:
        await acknowledge(interaction)
        await exports.recorded(interaction, game)

    @export.command(name="all", description=words("command.export.all"))
    async def all_(interaction: Interaction) -> None:
        await acknowledge(interaction)
        await exports.all_recorded(interaction)

    return profile, history, versus, replay, export


def _one(interaction: Interaction, player: discord.User | None) -> UserId:
    """Whom a command is about: whoever asks, unless he names somebody."""
    if player is None:
        return UserId(interaction.user.id)
    interaction.client.names.remember(player, Request.of(interaction).guild)
    return UserId(player.id)
