"""Whom a version of a match calls."""

from play.clock import Speed
from play.ids import MINUTE, is_person
from play.match.events import EventKind
from play.match.match import Match
from presentation.match.match_view import MatchView
from presentation.match.narration import awaited_seats, news_seats
from rules.game import Seat
from storage import Database

BURST_MILLIS = MINUTE
"""Milliseconds after their last move in a live match, or one against the computer, for which players need no ping."""


async def pinged_seats(store: Database, view: MatchView, *, last: bool) -> list[Seat]:
    """Returns the seats that a version pings, unless their players want no ping. Each server pings its own.

    `last` says that it is the newest version: what an earlier one asks for was done since.
    """
    match = view.match
    seats = (*awaited_seats(match), *news_seats(match)) if last else ()
    answered = bool(match.events) and match.events[-1].kind is EventKind.DECLINE  # the player who asked waits
    hosts = [seat for seat in seats if seat in match.hosts and is_person(match.players[seat])]
    people = [seat for seat in hosts if match.players[seat] != view.computer]
    concerned = [seat for seat in people if answered or not _is_at_board(view, seat)]
    if not concerned:
        return []
    async with store.read() as reader:
        silent = set(await reader.matches.quiet_seats(match.id))
        for seat in concerned:
            person = await reader.people.get(match.players[seat])
            if person.digest is not None and _is_in_digest(match, seat):
                silent.add(seat)
    return [seat for seat in concerned if seat not in silent]


def _is_in_digest(match: Match, seat: Seat) -> bool:
    """Returns whether the newest version asks a seat for a turn or ends the game, and there is time for that until the
    next digest."""
    event = match.events[-1] if match.events else None
    is_turn = event is None or event.changes_position or event.kind is EventKind.RESUME
    is_listed = match.outcome is not None or (is_turn and seat == match.to_act)
    return is_listed and match.clock.control.speed is Speed.DAYS


def _is_at_board(view: MatchView, seat: Seat) -> bool:
    """Returns whether a player acted just now in a live match or before a move of the computer: they need no ping."""
    match = view.match
    last = next((event.at for event in reversed(match.events) if event.seat == seat), None)
    at_once = match.players[match.events[-1].seat] == view.computer if match.events else False
    quick = at_once or match.clock.control.speed is Speed.LIVE
    return quick and last is not None and view.now - last < BURST_MILLIS
