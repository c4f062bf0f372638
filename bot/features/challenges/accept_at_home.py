"""The button that accepts an open challenge at the home post: as that of the card does, which is elsewhere."""

from __future__ import annotations

from typing import Any

import discord

from bot.features.challenges.buttons import ChallengeButton, require_challenger
from bot.features.match.begun_game import begun_game
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.context import Context
from play.challenge.challenge import Challenge
from play.ids import ChannelId, GuildId
from play.refusal import Reason, Refused
from presentation.addresses import link


class AcceptAtHome(ChallengeButton, id=ids.ACCEPT_AT_HOME):
    """Accepts a challenge whose card is in another channel of the same server."""

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        challenge = await ctx.use_cases.challenges.load(self.challenge)
        if challenge.guild is None or challenge.guild != permissions.installed_guild(ctx):
            raise Refused(Reason.NO_CHALLENGE)
        settings = await permissions.require_player(ctx)
        channel = await _visible_channel(ctx, challenge, challenge.guild)
        await require_challenger(ctx, challenge)
        kind = discord.ChannelType(channel["type"])
        opens_thread = settings.threads and challenge.message is not None and kind in permissions.WITH_THREADS
        thread = ChannelId(challenge.message) if opens_thread and challenge.message else None
        accept = ctx.use_cases.challenges.accept
        _, match = await accept(self.challenge, ctx.user, ctx.at, changes=self.changes, thread=thread)
        if match is None:
            words = await ctx.words()
            await ctx.reply(words("home.joined", url=link(challenge.guild, challenge.channel, challenge.message)))
            return
        await ctx.show(await begun_game(ctx, match))


async def _visible_channel(ctx: Context, challenge: Challenge, guild: GuildId) -> dict[str, Any]:
    """Returns the channel of a card. Raises Refused: `no_challenge` if the user does not see it, and `discord_away`."""
    if not await ctx.services.rights.sees(guild, challenge.channel, ctx.user):
        raise Refused(Reason.NO_CHALLENGE)
    try:
        return dict(await ctx.services.channels.fetch(challenge.channel))
    except (discord.NotFound, discord.Forbidden) as error:
        raise Refused(Reason.NO_CHALLENGE) from error


BUTTONS: tuple[type[AcceptAtHome], ...] = (AcceptAtHome,)
