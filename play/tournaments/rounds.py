"""The rounds of a tournament: how the first one is paired, how games decide it, and when the next one begins."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from play.ids import MatchId, Millis, UserId
from play.refusal import Reason, Refused
from play.tournaments import pairing
from play.tournaments.pairing import NoPairing, Pair, Record
from play.tournaments.tournament import FEWEST, FORFEITED, LOST, WON, Bout, Entrant, Format, Stage, Tournament

REPLAYS = 2
"""How often a drawn game of a knock-out is played again, with the first move changed; then the better seed goes on."""


def begun(tournament: Tournament, ratings: Mapping[UserId, float], seed: int, now: Millis) -> Tournament:
    """With the first round paired: seeded by rating, equals by lot. Raises Refused."""
    tournament.require(Stage.SIGN_UP)
    if len(tournament.entrants) < FEWEST:
        raise Refused(Reason.TOURNAMENT_TOO_FEW, least=FEWEST)
    entrants = [Entrant(user, ratings[user]) for user in tournament.users]
    random.Random(seed).shuffle(entrants)  # noqa: S311 - a lot among equals
    entrants.sort(key=lambda entrant: -entrant.rating)
    seeded = replace(tournament, stage=Stage.RUNNING, entrants=tuple(entrants))
    return _paired(seeded, now)


def opened(tournament: Tournament, bout: Bout, match: MatchId) -> Tournament:
    """With the match in which `bout` is played."""
    return _with(tournament, bout, replace(bout, match=match))


def scored(tournament: Tournament, bout: Bout, points: tuple[float, float]) -> Tournament:
    """With the result of a game: it decides its bout, but a draw of a knock-out is played again first."""
    if tournament.format is Format.KNOCK_OUT and points[0] == points[1]:
        if bout.replays < REPLAYS and bout.second is not None and points != FORFEITED:
            again = Bout(bout.round, bout.second, bout.first, replays=bout.replays + 1)
            return _with(tournament, bout, again)
        points = WON if _seed(tournament, bout.first) < _seed(tournament, bout.second) else LOST
    return _with(tournament, bout, replace(bout, points=points))


def advanced(tournament: Tournament, now: Millis) -> Tournament:
    """In the next round, or ended, if all pairs of the present one are decided; the same tournament if not."""
    if tournament.stage is not Stage.RUNNING or any(bout.points is None for bout in tournament.present):
        return tournament
    return _paired(tournament, now)


def _paired(tournament: Tournament, now: Millis) -> Tournament:
    pairs = _pairs(tournament)
    if not pairs:
        return replace(tournament, stage=Stage.ENDED, until=None)
    gone = set(tournament.users) - set(tournament.playing)
    bouts = [Bout(tournament.round + 1, *pair).without(gone) for pair in pairs]
    until = None if tournament.pace is None else Millis(now + tournament.pace)
    return advanced(replace(tournament, bouts=(*tournament.bouts, *bouts), until=until), now)


def _pairs(tournament: Tournament) -> list[Pair]:
    """The next round; empty when there is none."""
    match tournament.format:
        case Format.ROUND_ROBIN:
            rounds = pairing.round_robin(tournament.users)
            over = len(tournament.playing) < 2 or tournament.round == len(rounds)
            return [] if over else rounds[tournament.round]
        case Format.KNOCK_OUT:
            if not tournament.bouts:
                return pairing.bracket(tournament.users)
            return [] if len(tournament.present) == 1 else pairing.advanced([*map(_winner, tournament.present)])
        case Format.SWISS:
            if tournament.round == tournament.rounds or len(tournament.playing) < 2:
                return []
            try:
                return pairing.swiss(_records(tournament))
            except NoPairing:
                return []


def _records(tournament: Tournament) -> list[Record]:
    bouts = tournament.bouts
    return [
        Record(
            user=row.user,
            points=row.points,
            firsts=sum(bout.first == row.user for bout in bouts if bout.second is not None),
            met=frozenset(other for bout in bouts if (other := bout.opponent(row.user)) is not None),
            had_free_round=any(bout.first == row.user and bout.second is None for bout in bouts),
        )
        for row in tournament.table
        if row.user in tournament.playing
    ]


def _winner(bout: Bout) -> UserId:
    """Who goes on; of two who have both gone the first keeps the place in the bracket, and loses in the next round."""
    assert bout.points is not None, "the round is over"
    return bout.second if bout.second is not None and bout.points[1] > bout.points[0] else bout.first


def _seed(tournament: Tournament, user: UserId | None) -> int:
    return len(tournament.users) if user is None else tournament.users.index(user)


def _with(tournament: Tournament, bout: Bout, changed: Bout) -> Tournament:
    return replace(tournament, bouts=tuple(changed if each == bout else each for each in tournament.bouts))
