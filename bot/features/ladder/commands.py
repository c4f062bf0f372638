"""`/ladder`: the ladder of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.features.challenges.default_terms import FIRST
from bot.features.ladder import ladder as ladders
from bot.interactions import permissions
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from play.community.ladder import Ladder
from play.ids import UserId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
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
    @takes_context
    async def create(ctx: Context) -> None:
        await ctx.defer_private()
        server = await permissions.require_playable_channel(ctx, alone=False)
        if not ctx.interaction.permissions.manage_messages:
            raise Refused(Reason.NOT_A_HOST)
        terms = server.terms or FIRST
        ladder = Ladder(ladders.require_guild(ctx), ctx.channel, terms)
        await ctx.services.ladders.make(ladder)
        await ladders.show_ladder(ctx)

    @group.command(name="show", description=words("command.ladder.show"))
    @takes_context
    async def show(ctx: Context) -> None:
        await ctx.defer_private()
        await ladders.show_ladder(ctx)

    @group.command(name="join", description=words("command.ladder.join"))
    @takes_context
    async def join(ctx: Context) -> None:
        await ctx.defer_private()
        await permissions.require_player(ctx)
        await ctx.services.ladders.join(ladders.require_guild(ctx), ctx.user, ctx.at)
        await ladders.show_ladder(ctx)

    @group.command(name="leave", description=words("command.ladder.leave"))
    @takes_context
    async def leave(ctx: Context) -> None:
        await ctx.defer_private()
        user = ctx.user
        await ctx.services.ladders.leave(ladders.require_guild(ctx), user)
        own = await ctx.words()
        await ctx.reply(own("ladder.left"))

    @group.command(name="challenge", description=words("command.ladder.challenge"))
    @app_commands.describe(opponent=words("command.ladder.challenge.opponent"))
    @takes_context
    async def challenge(ctx: Context, opponent: discord.User) -> None:
        await ctx.defer_private()
        await permissions.require_player(ctx)
        ctx.services.names.remember(opponent, ctx.guild)
        await ladders.challenge_for_place(ctx, UserId(opponent.id))

    return (group,)
