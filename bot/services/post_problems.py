"""Discord's refusals of a server's regular posts, as problems of which its managers are told."""

from __future__ import annotations

import logging

import discord

from bot.services.discord_errors import CLOSING, ErrorCode, describe, is_about_rights, is_final
from play.posts import PostProblem

log = logging.getLogger(__name__)


def problem_of(error: discord.HTTPException) -> PostProblem | None:
    """Returns why a post was refused; None if another try soon may succeed."""
    if isinstance(error, discord.NotFound):
        problem = PostProblem.CHANNEL
    elif is_about_rights(error) or error.code in CLOSING:
        problem = PostProblem.PERMISSION
    elif error.code == ErrorCode.NO_TEXT_CHANNEL:
        problem = PostProblem.KIND
    elif is_final(error):
        problem = PostProblem.REFUSED
    else:
        return None
    log.warning("a post is refused: %s", describe(error))
    return problem
