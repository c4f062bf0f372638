"""`/ladder`: the ladder of a server."""

from __future__ import annotations

import discord

from bot.features.competitions.ladder.buttons import ask_to_leave, challenge_for_place, join_ladder
from bot.features.competitions.ladder.standing import standing_buttons, standing_text
from bot.features.terms.offered_rules import server_terms
from bot.interactions import permissions
from bot.interactions.commands import Group, declare
from bot.interactions.context import Context
from bot.interactions.page_links import page_links
from play.competitions.ladder import Ladder
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.addresses import link


async def create(ctx: Context) -> None:
    server = await permissions.require_playable_channel(ctx, alone=False)
    permissions.require_threads(ctx)
    if not ctx.interaction.permissions.manage_messages:
        raise Refused(Reason.NOT_A_LADDER_MAKER)
    ladder = Ladder(permissions.require_guild(ctx), ctx.channel, server_terms(server))
    await ctx.use_cases.ladders.make(ladder, ctx.user)
    await _show_ladder(ctx)


async def show(ctx: Context) -> None:
    await _show_ladder(ctx)


async def join(ctx: Context) -> None:
    await join_ladder(ctx)


async def leave(ctx: Context) -> None:
    await ask_to_leave(ctx)


async def challenge(ctx: Context, opponent: discord.User) -> None:
    await permissions.require_player(ctx)
    ctx.services.names.remember(opponent, ctx.guild)
    await ctx.reply(await challenge_for_place(ctx, UserId(opponent.id)))


async def _show_ladder(ctx: Context) -> None:
    """Shows the ladder of the server, and where it is posted. The interaction is acknowledged. Raises Refused."""
    words = await ctx.words()
    ladder = await ctx.use_cases.ladders.load(permissions.require_guild(ctx))
    text = await standing_text(ladder, ctx.services.names, words)
    if ladder.message is not None:
        text += f"\n{words('ladder.link', url=link(ladder.guild, ladder.channel, ladder.message))}"
    links = await page_links(ctx, words, lambda paths: paths.ladder(ladder.guild))
    await ctx.reply(text, view=standing_buttons(words, links, manages=ctx.interaction.permissions.manage_messages))


COMMANDS = (Group("ladder", declare(create, show, join, leave, challenge), on_servers=True),)
