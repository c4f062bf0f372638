"""The button that accepts an open challenge at the home post: as that of the card does, which is elsewhere."""

from __future__ import annotations

import discord

from bot.features.challenges.buttons import ChallengeButton
from bot.features.challenges.joining import accept_elsewhere
from bot.features.match.begun_game import begun_game
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.context import Context
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
        server, user = await permissions.require_player(ctx), ctx.user
        match = await accept_elsewhere(ctx.services, server, challenge, user, ctx.at, self.changes)
        if match is None:
            words = await ctx.words()
            await ctx.reply(words("home.joined", url=link(challenge.guild, challenge.channel, challenge.message)))
            return
        await ctx.show(await begun_game(ctx, match))


BUTTONS: tuple[type[AcceptAtHome], ...] = (AcceptAtHome,)
