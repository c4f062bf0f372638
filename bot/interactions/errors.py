"""Errors in words: a refusal says what to do instead, an unforeseen error has an id that is in the log.

What was typed into a form is in the message that refuses it, written down in blocks of code, and is read from there.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import discord

from bot.addresses import link
from bot.interactions.context import Context, Services
from bot.interactions.layout import Part
from bot.request import Request
from bot.services.discord_errors import FAILURES, ErrorCode, describe, is_about_rights, is_final
from play.ids import MatchId
from play.refusal import Reason, Refused
from presentation.refusals import explain_refusal
from rules.game import AnyGame, RuleError
from storage.errors import OutOfRange, Unavailable

if TYPE_CHECKING:
    from presentation.words.words import Words

log = logging.getLogger(__name__)

_BLOCK: Final = re.compile(r"^```([a-z]+)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
_FENCE, _BROKEN_FENCE = "```", "`\u200b`\u200b`"
"""What ends a block of code, and how it is written inside of one: it looks the same."""

TOO_MANY, SERVER_ERROR = 429, 500
"""HTTP statuses on which discord.py tries again before it raises."""


def sent_fields(data: Any) -> list[Any]:
    """Returns the fields of a submitted form, as Discord sends them."""
    return [label["component"] for label in (data or {}).get("components", ()) if "component" in label]


def texts_in(data: Any) -> dict[str, str]:
    """Returns the texts of a submitted form, by their fields; none of another interaction."""
    texts = [sent for sent in sent_fields(data) if sent.get("type") == discord.ComponentType.text_input.value]
    return {str(sent["custom_id"]): str(sent["value"]) for sent in texts}


def written_down(typed: Mapping[str, str]) -> str:
    """Returns what was typed into fields, by their names, as `typed_before` reads it again."""
    lines = (f"```{name}\n{text.replace(_FENCE, _BROKEN_FENCE)}\n```" for name, text in typed.items() if text.strip())
    return "\n".join(lines)


def typed_before(message: discord.Message | None) -> Iterator[tuple[str, str]]:
    """Yields the fields of a form that the message refused, with what was typed into them."""
    if message is None:
        return
    shown = (part.content for part in message.components if isinstance(part, discord.TextDisplay))
    for text in (message.content, *shown):
        for name, typed in _BLOCK.findall(text):
            yield name, typed.replace(_BROKEN_FENCE, _FENCE)


async def explain(
    services: Services,
    words: Words,
    request: Request,
    error: BaseException,
    match: MatchId | None = None,
    *,
    game: AnyGame | None = None,
) -> str:
    """Returns the sentence for the player. `match` is the game of the button or form, if there is one; examples of
    moves are those of `game`."""
    if isinstance(error, RuleError):
        error = Refused.by_rules(error)
    if isinstance(error, OutOfRange):
        error = Refused(Reason.NO_SUCH_NUMBER)
    if isinstance(error, Refused):
        if error.key == Reason.NO_MATCH_HERE and await _waits_for_thread(services, request):
            error = Refused(Reason.THREAD_WAITS)
        services.metrics.count_refusal(error.key)
        sentence = await explain_refusal(error, words, services.names, request.guild, game)
        if error.key != Reason.STALE or match is None:
            return sentence
        with suppress(Refused, Unavailable):
            sentence = f"{await newest_story(services, words, request, match)} {sentence}"
        return sentence + await newest_board_link(services, words, request, match)
    if isinstance(error, Unavailable):
        services.metrics.count_refusal("unavailable")
        log.warning("the database does not answer: %s", error)
        return words("error.unavailable")
    if isinstance(error, discord.HTTPException):
        log.warning("Discord refuses an answer: %s", describe(error))
        if is_about_rights(error):
            end = await services.time_outs.end(request.guild)
            return words("refused.bot_timed_out", until=words.moment(end)) if end else words("error.forbidden")
        return words("error.refused" if is_final(error) else "error.discord")
    if isinstance(error, FAILURES):
        log.warning("Discord is not reached: %r", error)
        return words("error.discord")
    incident = secrets.token_hex(3)
    log.error("incident %s", incident, exc_info=error)
    return words("error.unknown", incident=incident)


async def reply_error(
    ctx: Context, error: BaseException, match: MatchId | None = None, more: Sequence[Part] = ()
) -> None:
    """Tells the player alone why it did not work, and shows `more` below that."""
    if isinstance(error, discord.NotFound) and error.code == ErrorCode.UNKNOWN_INTERACTION:
        log.warning("interaction %d was acknowledged too late", ctx.interaction.id)
        return
    try:
        words = await ctx.words()
        sentence = await explain(ctx.services, words, ctx.request, error, match)
        await (ctx.reply_parts([f"⚠️ {sentence}", *more]) if more else ctx.reply(sentence))
    except discord.HTTPException as refused:
        log.warning("interaction %d could not be answered: %s", ctx.interaction.id, describe(refused))
    except FAILURES as lost:
        log.warning("interaction %d could not be answered: %r", ctx.interaction.id, lost)


async def newest_board_link(services: Services, words: Words, request: Request, match: MatchId | None) -> str:
    """Returns a link to the newest board of a player's game; empty if it was not posted."""
    with suppress(Unavailable):
        for entry in await services.use_cases.matches.list_open(request.user):
            if entry.id == match and entry.board is not None:
                return " " + words("board.newest", url=link(entry.guild, entry.channel, entry.board))
    return ""


async def newest_story(services: Services, words: Words, request: Request, match: MatchId) -> str:
    """Returns what has changed a player's game last. Raises Refused."""
    now = (await services.use_cases.matches.load(match)).for_reader(request.user, request.guild)
    return await services.boards.renderer.tell(now, words, reader=request.user)


async def _waits_for_thread(services: Services, request: Request) -> bool:
    """Returns whether a game of the player has begun in the channel whose thread isn't open yet."""
    with suppress(Unavailable):
        entries = await services.use_cases.matches.list_open(request.user)
        return any(entry.parent == request.channel and entry.board is None for entry in entries)
    return False
