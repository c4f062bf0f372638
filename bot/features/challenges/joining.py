"""Accepting a challenge away from its card: at the home post, or in a browser."""

from __future__ import annotations

import logging
from typing import Any

import discord

from bot.interactions.context import Services
from bot.services.discord_errors import ErrorCode, describe, is_final
from bot.services.guild_directory import WITH_THREADS
from play.challenge.challenge import Challenge, ChallengeState
from play.ids import ChannelId, GuildId, Millis, UserId
from play.match.match import Match
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused

log = logging.getLogger(__name__)


async def accept_elsewhere(
    services: Services, server: ServerSettings, challenge: Challenge, user: UserId, at: Millis, changes: int
) -> Match | None:
    """Accepts a challenge of a server whose card a user sees there; they may play on the server. Returns the match if
    it has begun. Raises Refused."""
    channel = await _visible_channel(services, challenge, server.id, user)
    await require_challenger(services, server.id, challenge, user)
    kind = discord.ChannelType(channel["type"])
    opens_thread = server.threads and challenge.message is not None and kind in WITH_THREADS
    thread = ChannelId(challenge.message) if opens_thread and challenge.message else None
    accept = services.use_cases.challenges.accept
    _, match = await accept(challenge.id, user, at, changes=changes, thread=thread)
    return match


async def require_challenger(services: Services, guild: GuildId | None, challenge: Challenge, user: UserId) -> None:
    """Raises Refused (`challenger_left`), and withdraws the challenge, if the challenger has left the server."""
    if guild is None or challenge.state is not ChallengeState.OPEN or challenge.challenger == user:
        return
    try:
        await services.directory.require_member(guild, challenge.challenger)
    except discord.NotFound as error:
        if error.code != ErrorCode.UNKNOWN_MEMBER:
            return
        await services.use_cases.challenges.withdraw(challenge.id)
        raise Refused(Reason.CHALLENGER_LEFT, user=challenge.challenger) from error
    except (discord.HTTPException, Refused) as error:  # who has left shows on the board, too
        log.info("challenge %d is accepted, whether or not its challenger has left: %s", challenge.id, error)


async def _visible_channel(services: Services, challenge: Challenge, guild: GuildId, user: UserId) -> dict[str, Any]:
    """Returns the channel of a card. Raises Refused: `no_challenge` if the user or the bot does not see it, and
    `discord_away`."""
    if not await services.rights.sees(guild, challenge.channel, user):
        raise Refused(Reason.NO_CHALLENGE)
    try:
        return dict(await services.channels.fetch(challenge.channel))
    except discord.HTTPException as error:
        log.info("challenge %d is not accepted: its channel is not shown: %s", challenge.id, describe(error))
        raise Refused(Reason.NO_CHALLENGE if is_final(error) else Reason.DISCORD_AWAY) from error
