"""`/ladder`: the ladder of a server."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.features.challenges.default_terms import FIRST_TERMS
from bot.features.challenges.terms_text import describe_terms
from bot.features.ladder.terms import ChangeTerms, require_guild
from bot.i18n.words import Words
from bot.interactions import permissions
from bot.interactions.buttons import row
from bot.interactions.commands import takes_context
from bot.interactions.context import Context
from bot.request import link
from bot.services.names import escape
from play.community.ladder import MAX_IDLE_MILLIS, MAX_STEP, Ladder
from play.ids import UserId
from play.refusal import Reason, Refused

MAX_PLACES = 30
"""Places that are shown."""

DAY_MILLIS = 86_400_000


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
        if not ctx.interaction.permissions.manage_messages:
            raise Refused(Reason.NOT_A_HOST)
        await ctx.services.ladders.make(Ladder(require_guild(ctx), ctx.channel, server.terms or FIRST_TERMS))
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
        await permissions.require_player(ctx)
        await ctx.services.ladders.join(require_guild(ctx), ctx.user, ctx.at)
        await _show_ladder(ctx)

    @group.command(name="leave", description=words("command.ladder.leave"))
    @takes_context
    async def leave(ctx: Context) -> None:
        await ctx.defer_private()
        await ctx.services.ladders.leave(require_guild(ctx), ctx.user)
        own = await ctx.words()
        await ctx.reply(own("ladder.left"))

    @group.command(name="challenge", description=words("command.ladder.challenge"))
    @app_commands.describe(opponent=words("command.ladder.challenge.opponent"))
    @takes_context
    async def challenge(ctx: Context, opponent: discord.User) -> None:
        await ctx.defer_private()
        await permissions.require_player(ctx)
        ctx.services.names.remember(opponent, ctx.guild)
        await _challenge_for_place(ctx, UserId(opponent.id))

    return (group,)


async def _show_ladder(ctx: Context) -> None:
    """Shows the ladder of the server. The interaction is acknowledged. Raises Refused."""
    words = await ctx.words()
    ladder = await ctx.services.ladders.load(require_guild(ctx))
    names = await ctx.services.names.of_all(ladder.users[:MAX_PLACES], ladder.guild)
    lines = [words("ladder.title")]
    lines += (f"- {line}" for key, line in describe_terms(ladder.terms, "", words).items() if key != "order")
    for place, (user, name) in enumerate(zip(ladder.users, names, strict=False), start=1):
        busy = ladder.duel_of(user)
        lines.append(words("ladder.duel" if busy else "ladder.line", place=place, name=escape(name)))
    lines.append(words("ladder.rules", reach=MAX_STEP, days=MAX_IDLE_MILLIS // DAY_MILLIS))
    change = [ChangeTerms.to(words)] if ctx.interaction.permissions.manage_messages else []
    await ctx.reply("\n".join(lines), view=row(*change))


async def _challenge_for_place(ctx: Context, opponent: UserId) -> None:
    """Challenges the player of a higher place. The interaction is acknowledged. Raises Refused."""
    here = await ctx.services.ladders.load(require_guild(ctx))
    ctx.services.gate.count_card(here.channel)
    challenge = await ctx.services.ladders.challenge(here.guild, ctx.user, opponent, ctx.at, ctx.key)
    message = await ctx.services.cards.post(challenge)
    words = await ctx.words()
    await ctx.reply(words("ladder.dared", url=link(challenge.guild, challenge.channel, message)))
