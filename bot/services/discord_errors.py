"""Discord's error codes, and which errors are final."""

from __future__ import annotations

from enum import IntEnum

import discord


class ErrorCode(IntEnum):
    """The codes of errors that the bot treats differently from others.

    Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
    """

    UNKNOWN_GUILD = 10004
    UNKNOWN_MEMBER = 10007
    UNKNOWN_MESSAGE = 10008
    UNKNOWN_ROLE = 10011
    UNKNOWN_USER = 10013
    UNKNOWN_WEBHOOK = 10015
    UNKNOWN_INTERACTION = 10062
    TOO_MANY_OLD_EDITS = 30046  # of a message that is older than an hour
    ALREADY_ACKNOWLEDGED = 40060
    TOO_MANY_FOLLOW_UPS = 40094
    MISSING_ACCESS = 50001
    DM_REFUSED = 50007
    NO_TEXT_CHANNEL = 50008
    INVALID_WEBHOOK_TOKEN = 50027
    INVALID_FORM = 50035
    THREAD_LOCKED = 50083
    ENTRY_POINT_MISSING = 50240
    THREAD_EXISTS = 160004


def is_final(error: discord.HTTPException) -> bool:
    """Returns whether another try would fail the same way."""
    return isinstance(error, discord.Forbidden | discord.NotFound) or error.code == ErrorCode.THREAD_LOCKED
