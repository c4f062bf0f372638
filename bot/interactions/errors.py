"""What went wrong, in words: refusals say what to do instead, anything unforeseen gets an id that is in the log."""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

import discord

from bot.interactions.responses import privately
from bot.request import Request, link
from bot.services.names import escaped, shortened
from play.ids import MatchId, UserId
from play.refusal import Reason, Refused
from play.store.store import OutOfRange, Unavailable
from rules.game import RuleError

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka
    from bot.i18n.words import Words

log = logging.getLogger(__name__)

UNKNOWN_INTERACTION, THREAD_LOCKED = 10062, 50083
TOO_MANY, SERVER_ERROR = 429, 500
"""HTTP statuses: discord.py tries again by itself, and raises when that was in vain."""


MARKED = ("roles", "channels", "permissions")
"""Details that we have put together ourselves, of mentions; any other text may be what a person typed."""


def is_final(error: discord.HTTPException) -> bool:
    """Whether another try would end the same way."""
    return isinstance(error, discord.Forbidden | discord.NotFound) or error.code == THREAD_LOCKED


async def explained(
    client: Kropka, words: Words, request: Request, error: BaseException, match: MatchId | None = None
) -> str:
    """The sentence for whoever asked. `match` is the one that a button or a form belongs to."""
    if isinstance(error, RuleError):
        error = Refused.by_rules(error)
    if isinstance(error, OutOfRange):
        error = Refused(Reason.NO_SUCH_NUMBER)
    if isinstance(error, Refused):
        client.meters.refused(error.key)
        details = dict(error.details)
        for name, value in details.items():
            if isinstance(value, str) and name not in MARKED:
                details[name] = shortened(value)
        if "user" in details:
            details["user"] = escaped(await client.names.of(UserId(int(details["user"])), request.guild))
        sentence = words(f"refused.{error.key}", **details)
        return sentence + await newest(client, words, request, match) if error.key == Reason.STALE else sentence
    if isinstance(error, Unavailable):
        client.meters.refused("unavailable")
        log.warning("the database does not answer: %s", error)
        return words("error.unavailable")
    if isinstance(error, discord.Forbidden):
        log.warning("Discord forbids it: %s", error)
        return words("error.forbidden")
    if isinstance(error, discord.HTTPException) and (error.status == TOO_MANY or error.status >= SERVER_ERROR):
        log.warning("Discord has trouble: %s", error)
        return words("error.discord")
    incident = secrets.token_hex(3)
    log.error("incident %s", incident, exc_info=error)
    return words("error.unknown", incident=incident)


async def answer(interaction: Interaction, error: BaseException, match: MatchId | None = None) -> None:
    """Tells the person privately why it did not work."""
    if isinstance(error, discord.NotFound) and error.code == UNKNOWN_INTERACTION:
        log.warning("interaction %d was acknowledged too late", interaction.id)
        return
    client = interaction.client
    try:
        words = await client.audience.alone(interaction)
        await privately(interaction, await explained(client, words, Request.of(interaction), error, match))
    except discord.HTTPException:
        log.warning("interaction %d could not be answered", interaction.id, exc_info=True)


async def newest(client: Kropka, words: Words, request: Request, match: MatchId | None) -> str:
    """Where the newest board of a person's match is, if it was posted."""
    with suppress(Unavailable):
        for entry in await client.matches.list_open(request.user):
            if entry.id == match and entry.board is not None:
                return " " + words("board.newest", url=link(entry.guild, entry.channel, entry.board))
    return ""
