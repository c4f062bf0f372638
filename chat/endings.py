"""Ends that a player chooses, each with its result first: resigning, STOP, landing, an agreed end, a cancelled game."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from chat.actions import Action
from chat.messages import Message, Picture
from chat.port import Press
from chat.request import Request, button
from play.ids import MatchId
from play.match import choices
from play.match.choices import available_actions
from play.match.events import OfferKind
from play.match.match import Match
from play.match.moves import cancelling_seat
from play.match.offers import has_offered
from play.refusal import Reason, Refused
from presentation.match.preview import Preview

ENDS = (*choices.ENDINGS, choices.Action.ABORT)


async def ask_to_end(request: Request, match: Match, way: str) -> None:
    """Shows the result of a way to end, and asks whether the player wants it. Where others read the question, it tells
    nothing. Raises Refused, as the end itself would."""
    if way == choices.Action.ABORT:
        await _ask_to_cancel(request, match)
        return
    words, seat = await request.words(), match.seat_of(request.user)
    after = await request.use_cases.actions.preview_end(match, request.user, way)
    at = match.id, match.version
    if request.is_public and way in (choices.Action.STOP, choices.Action.LAND):
        line = words("move.call", call=words(f"button.{way}"))
        await request.answer(line, [[button(words.plain("button.look_end"), "end", *at, text=way)]])
        return
    names = await request.services.names.of_all(match.players, match.guild)
    theme = (await request.settings()).theme
    preview = Preview(match, seat, way, after, names, words, theme)
    png = await asyncio.to_thread(preview.png)
    alt = replace(preview, words=words.plain).text
    offered = any(has_offered(match, other, OfferKind.END) for other in match.seats if other != seat)
    key = "end_agreed" if way == choices.Action.END and offered else way
    sure = button(words.plain(f"button.sure.{key}"), "sure", *at, text=way)
    stay = button(words.plain("button.play_on"), "stay", match.id, seat)
    await request.answer(preview.text, [[sure, stay]], picture=Picture(png, alt))


async def _ask_to_cancel(request: Request, match: Match) -> None:
    words, seat = await request.words(), cancelling_seat(match, request.user)
    others = [match.players[other] for other in match.seats if other != seat]
    opponent = words.literal(", ".join(await request.services.names.of_all(others, match.guild)))
    sure = button(words.plain("button.sure.abort"), "sure", match.id, match.version, text=choices.Action.ABORT)
    stay = button(words.plain("button.play_on"), "stay", match.id, seat)
    await request.answer(words("abort.ask", opponent=opponent), [[sure, stay]])


async def end_now(request: Request, action: Action) -> None:
    """Ends the match in the way that the player was asked about. Raises Refused."""
    number, version, way = MatchId(action.number(0)), action.number(1), action.text
    if way not in ENDS:
        raise Refused(Reason.OLD_BUTTON)
    actions, matches = request.use_cases.actions, request.use_cases.matches
    user, at, key = request.user, request.at, request.key
    match way:
        case choices.Action.RESIGN:
            await matches.resign(number, user, at, key, version=version)
            told = "resign.done"
        case choices.Action.ABORT:
            await actions.abort(number, user, at, key, version=version)
            told = "offer.aborted"
        case choices.Action.END:
            ended = await actions.propose(number, user, OfferKind.END, at, key, version=version)
            told = f"ending.done.{'end_agreed' if ended.outcome else way}"
        case _:
            await matches.move(number, user, way, at, key, version=version)
            told = f"ending.done.{way}"
    await close_question(request, told)


async def stay(request: Request, action: Action) -> None:
    """Keeps the match going. Raises Refused (`not_asked`) for others than the player who was asked."""
    match = await request.load_match(MatchId(action.number(0)))
    if match.seat_of(request.user) != action.number(1):
        raise Refused(Reason.NOT_ASKED)
    await close_question(request, "resign.not")


async def close_question(request: Request, key: str, **details: str) -> None:
    """Puts what became of a question in its place."""
    words, asked = await request.words(), request.asked
    if isinstance(asked, Press):
        await request.services.platform.edit(asked.place.channel, asked.message, Message(words(key, **details)))
    else:
        await request.answer(words(key, **details))


async def stop(request: Request, match: Match) -> None:
    """Asks about the end that the player can choose now: STOP in games that have it, landing, or an agreed end."""
    seat = match.seat_of(request.user)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    free = available_actions(match, seat)
    ways = (way for way in choices.ENDINGS if way in free and way is not choices.Action.RESIGN)
    await ask_to_end(request, match, next(ways, choices.Action.STOP))
