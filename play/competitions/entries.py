"""Who is in a tournament: signing up before it or late, being there at the beginning, and leaving."""

from collections.abc import Collection
from dataclasses import replace

from play.competitions.tournament import Attendance, Entrant, Format, Stage, Tournament
from play.ids import UserId
from play.refusal import Reason, Refused


def sign_up(tournament: Tournament, user: UserId, rating: float = 0) -> Tournament:
    """Adds `user` to the players, also in the first half of a Swiss system, and those again who were away. Raises
    Refused."""
    entry = tournament.entry_round
    if entry is None:
        tournament.require(Stage.SIGN_UP)
    if user in tournament.playing or (tournament.format is Format.EXHIBITION and user == tournament.host):
        raise Refused(Reason.TOURNAMENT_SIGNED_UP)
    late = entry if tournament.stage is Stage.RUNNING else None
    for entrant in tournament.entrants:
        if entrant.user == user:
            if entrant.attendance is not Attendance.AWAY:
                raise Refused(Reason.TOURNAMENT_LEFT)
            return _replace(tournament, replace(entrant, left_in_round=None, joined_in_round=late, attendance=None))
    if len(tournament.entrants) == tournament.max_players:
        raise Refused(Reason.TOURNAMENT_FULL, most=tournament.max_players)
    return replace(tournament, entrants=(*tournament.entrants, Entrant(user, rating, joined_in_round=late)))


def arrive(tournament: Tournament, user: UserId) -> Tournament:
    """Notes that a player says, in the last hour, that they are there. Raises Refused."""
    if not tournament.is_checking_in:
        raise Refused(Reason.TOURNAMENT_NO_CHECK_IN)
    for entrant in tournament.entrants:
        if entrant.user == user:
            return _replace(tournament, replace(entrant, attendance=Attendance.HERE))
    raise Refused(Reason.TOURNAMENT_NOT_IN)


def withdraw(tournament: Tournament, user: UserId) -> Tournament:
    """Removes `user`: before the start from the list, later from all rounds to come. Their undecided game is lost.

    Raises Refused.
    """
    left = exclude(tournament, user)
    pairings = tuple(pair.forfeit({user}) if pair.points is None else pair for pair in left.pairings)
    return replace(left, pairings=pairings)


def exclude(tournament: Tournament, user: UserId, attendance: Attendance | None = None) -> Tournament:
    """Removes `user` as `withdraw` does, but a game that they play already goes on and counts. Raises Refused."""
    if user not in tournament.playing:
        raise Refused(Reason.TOURNAMENT_NOT_IN)
    wishes = tuple(pair for pair in tournament.wishes if user not in pair)
    if tournament.stage is Stage.SIGN_UP:
        entrants = tuple(each for each in tournament.entrants if each.user != user)
        return replace(tournament, entrants=entrants, wishes=wishes)
    tournament.require(Stage.RUNNING)
    (entrant,) = (each for each in tournament.entrants if each.user == user)
    left = _replace(tournament, replace(entrant, left_in_round=tournament.round, attendance=attendance))
    pairings = tuple(
        pair.forfeit({user}) if pair.points is None and pair.match is None else pair for pair in left.pairings
    )
    return replace(left, pairings=pairings, wishes=wishes)


def pass_over(tournament: Tournament, left: Collection[UserId]) -> Tournament:
    """Removes the players who have `left` the server; they may come back while players are taken."""
    for user in tournament.playing:
        if user in left:
            tournament = exclude(tournament, user, Attendance.AWAY)
    return tournament


def leave_out_absent(tournament: Tournament) -> Tournament:
    """Returns a tournament that begins without those who have not said that they are there."""
    here = tournament.here
    return replace(
        tournament,
        entrants=tuple(
            replace(each, attendance=None)
            if each.user in here
            else replace(each, left_in_round=0, attendance=Attendance.AWAY)
            for each in tournament.entrants
        ),
    )


def _replace(tournament: Tournament, changed: Entrant) -> Tournament:
    entrants = tuple(changed if each.user == changed.user else each for each in tournament.entrants)
    return replace(tournament, entrants=entrants)
