"""Which game a line or a command is about: that of the board it replies to, or the only one here."""

from __future__ import annotations

from collections.abc import Sequence

from chat.port import Typed
from chat.request import Request
from play.ids import ChannelId, platform_of
from play.match.listed import OpenMatch
from play.match.match import Match
from play.people.career import FinishedMatch
from play.refusal import Reason, Refused
from storage.unit_of_work import Reader

MAX_LOOKED_THROUGH = 50
"""Finished games of a player among which one of this place is looked for."""


async def open_games(request: Request) -> list[OpenMatch]:
    """Returns the open games of a person that are played here, or on the whole platform for one who writes directly;
    their turn first."""
    entries = await request.use_cases.matches.list_open(request.user)
    if request.asked.place.is_direct:
        kind = request.services.platform.kind
        return [entry for entry in entries if platform_of(entry.channel) is kind]
    async with request.services.store.read() as reader:
        return [entry for entry in entries if await is_shown_in(reader, entry, request.channel)]


async def is_shown_in(reader: Reader, game: OpenMatch | FinishedMatch, channel: ChannelId) -> bool:
    """Returns whether the boards of a game are in a place: its own, or one that was opened there."""
    if channel in (game.channel, game.parent):
        return True
    return await reader.matches.parent_of_thread(game.channel) == channel


async def meant_game(request: Request, games: Sequence[OpenMatch]) -> OpenMatch | None:
    """Returns the game that a person means: that of the board that they reply to, the only one, or the only one in
    which it is their turn; None where they have none. Raises Refused (`several_games`)."""
    replied = request.asked.reply_to if isinstance(request.asked, Typed) else None
    for entry in games:
        if replied is not None and entry.board == replied:
            return entry
    own = [entry for entry in games if entry.waits_for(request.user)]
    candidates = own if len(games) > 1 and own else games
    if len(candidates) > 1:
        raise Refused(Reason.SEVERAL_GAMES)
    return candidates[0] if candidates else None


async def require_game(request: Request) -> Match:
    """Returns the open game that a command is about. Raises Refused (`no_match_here`, `several_games`)."""
    entry = await meant_game(request, await open_games(request))
    if entry is None:
        raise Refused(Reason.NO_MATCH_HERE)
    return await request.load_match(entry.place)


async def require_any_game(request: Request) -> Match:
    """Returns the open game that a command is about, or else the newest one of the person that has ended here.

    Raises Refused (`no_match_here`, `several_games`).
    """
    entry = await meant_game(request, await open_games(request))
    return await request.load_match(entry.place) if entry else await require_finished_game(request)


async def require_finished_game(request: Request) -> Match:
    """Returns the newest game of the person that has ended here. Raises Refused (`no_match_here`)."""
    direct = request.asked.place.is_direct
    async with request.services.store.read() as reader:
        for game in await reader.careers.finished(request.user, 0, MAX_LOOKED_THROUGH):
            if direct or await is_shown_in(reader, game, request.channel):
                return await request.load_match(game.id)
    raise Refused(Reason.NO_MATCH_HERE)
