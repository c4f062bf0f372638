"""What went wrong, in words: refusals say what to do instead, anything unforeseen gets an id that is in the log."""

from __future__ import annotations

import logging
import secrets
from typing import TYPE_CHECKING

import discord

from bot.answers import privately
from bot.names import escaped
from bot.request import Request, link
from play.ids import MatchId, UserId
from play.refused import Refused
from rules.game import RuleError

if TYPE_CHECKING:
    from bot.client import Interaction, Kropka
    from bot.words import Words

log = logging.getLogger(__name__)

UNKNOWN_INTERACTION = 10062


async def explained(
    client: Kropka, words: Words, request: Request, error: BaseException, match: MatchId | None = None
) -> str:
    """The sentence for whoever asked. `match` is the one that a button or a form belongs to."""
    if isinstance(error, RuleError):
        error = Refused.by_rules(error)
    if isinstance(error, Refused):
        details = dict(error.details)
        if "user" in details:
            details["user"] = escaped(await client.names.of(UserId(int(details["user"])), request.guild))
        sentence = words(f"refused.{error.key}", **details)
        return sentence + await _newest(client, words, request, match) if error.key == "stale" else sentence
    if isinstance(error, discord.Forbidden):
        log.warning("Discord forbids it: %s", error)
        return words("error.forbidden")
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
        sentence = await explained(client, client.words(interaction), Request.of(interaction), error, match)
        await privately(interaction, sentence)
    except discord.HTTPException:
        log.warning("interaction %d could not be answered", interaction.id, exc_info=True)


async def _newest(client: Kropka, words: Words, request: Request, match: MatchId | None) -> str:
    """Where the newest board of a person's match is, if it was posted."""
    for entry in await client.tables.games(request.user):
        if entry.id == match and entry.board is not None:
            return " " + words("board.newest", url=link(entry.guild, entry.channel, entry.board))
    return ""
