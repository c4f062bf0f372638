"""`/ladder`: the ladder of a server."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.features.competitions.ladder.buttons import ask_to_leave, challenge_for_place, join_ladder
from bot.features.competitions.ladder.standing import standing_buttons, standing_text
from bot.features.terms.default_terms import server_terms
from bot.interactions import permissions
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.interactions.page_links import page_links
from play.competitions.ladder import Ladder
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.addresses import link
from presentation.words.words import Words


def commands(words: Words) -> tuple[app_commands.Group, ...]:
    """Returns the commands, described in `words`."""
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
        permissions.require_threads(ctx)
        if not ctx.interaction.permissions.manage_messages:
            raise Refused(Reason.NOT_A_LADDER_MAKER)
        await ctx.use_cases.ladders.make(
            Ladder(permissions.require_guild(ctx), ctx.channel, server_terms(server)), ctx.user
        )
        await _show_ladder(ctx)

    @group.command(name="show", description=words("command.ladder.show"))
    @takes_context
    async def show(ctx: Context) -> None:
        await ctx.defer_private()
        await _show_ladder(ctx)

    @group.command(name="join", description=words("command.ladder.join"))
    @takes_context
    async def join(ctx: Context) -> None:
        await ctx.defer_private()
        await join_ladder(ctx)

    @group.command(name="leave", description=words("command.ladder.leave"))
    @takes_context
    async def leave(ctx: Context) -> None:
        await ctx.defer_private()
        await ask_to_leave(ctx)

    @group.command(name="challenge", description=words("command.ladder.challenge"))
    @app_commands.describe(opponent=words("command.ladder.challenge.opponent"))
    @takes_context
    async def challenge(ctx: Context, opponent: discord.User) -> None:
        await ctx.defer_private()
        await permissions.require_player(ctx)
        ctx.services.names.remember(opponent, ctx.guild)
        await ctx.reply(await challenge_for_place(ctx, UserId(opponent.id)))

    return (group,)


async def _show_ladder(ctx: Context) -> None:
    """Shows the ladder of the server, and where it is posted. The interaction is acknowledged. Raises Refused."""
    words = await ctx.words()
    ladder = await ctx.use_cases.ladders.load(permissions.require_guild(ctx))
    text = await standing_text(ladder, ctx.services.names, words)
    if ladder.message is not None:
        text += f"\n{words('ladder.link', url=link(ladder.guild, ladder.channel, ladder.message))}"
    links = await page_links(ctx, words, lambda paths: paths.ladder(ladder.guild))
    await ctx.reply(text, view=standing_buttons(words, links, manages=ctx.interaction.permissions.manage_messages))
