"""Rounds of a tournament: pairing them, entering results, and going on to the next one."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from play.clock import Speed
from play.competitions import pairing
from play.competitions.pairing import NoPairing, Pair, SwissPlayer
from play.competitions.tournament import (
    MIN_PLAYERS,
    POSTPONEMENT_MILLIS,
    Entrant,
    Format,
    NoticeKind,
    Pairing,
    Stage,
    Tournament,
    cancel,
)
from play.ids import MatchId, Millis, UserId
from play.match.points import FORFEITED, LOST, WON
from play.refusal import Reason, Refused

MAX_REPLAYS = 2
"""How often a drawn game of a knock-out is repeated, with sides changed. After that the better seed goes on."""

LIVES = 2
"""Defeats with which a player of a double elimination is out."""

Avoided = Mapping[UserId, frozenset[UserId]]
"""Whom each player should not meet in a Swiss round, as far as that is possible; both have each other in it."""

NOBODY: Avoided = {}


def start(
    tournament: Tournament, ratings: Mapping[UserId, float], seed: int, now: Millis, avoided: Avoided = NOBODY
) -> Tournament:
    """Starts the tournament and pairs its first round, seeded by rating and among equals by lot. Raises Refused."""
    tournament.require(Stage.SIGN_UP)
    if tournament.lacks_players:
        raise Refused(Reason.TOURNAMENT_TOO_FEW, least=MIN_PLAYERS)
    entrants = [Entrant(user, ratings[user]) for user in tournament.users]
    random.Random(seed).shuffle(entrants)  # noqa: S311 - a lot among equals
    entrants.sort(key=lambda entrant: -entrant.rating)
    if tournament.format is Format.EXHIBITION:
        entrants.insert(0, Entrant(tournament.host, ratings[tournament.host]))
    seeded = replace(tournament, stage=Stage.RUNNING, entrants=tuple(entrants))
    return _pair_round(seeded, now, avoided)


def start_when_due(
    tournament: Tournament, ratings: Mapping[UserId, float], seed: int, now: Millis, avoided: Avoided = NOBODY
) -> Tournament:
    """Starts a tournament whose time to begin has come. If players lack it is postponed, the second time cancelled.

    Returns it unchanged if it does not begin now.
    """
    if tournament.stage is not Stage.SIGN_UP or tournament.begins is None or now < tournament.begins:
        return tournament
    if not tournament.lacks_players:
        return start(tournament, ratings, seed, now, avoided)
    if tournament.postponed:
        return cancel(tournament).with_notice(NoticeKind.TOO_FEW)
    later = replace(tournament, begins=Millis(now + POSTPONEMENT_MILLIS), postponed=True, reminded=False)
    return later.with_notice(NoticeKind.POSTPONED)


def remind(tournament: Tournament, now: Millis) -> Tournament:
    """Notes that the players are reminded of the beginning, or of the end of the round, if that is due."""
    if tournament.reminded or tournament.due is None or now < tournament.due:
        return tournament
    kind = NoticeKind.SOON if tournament.stage is Stage.SIGN_UP else NoticeKind.LATE
    silent = kind is NoticeKind.SOON and not tournament.entrants
    reminded = replace(tournament, reminded=True)
    return reminded if silent else reminded.with_notice(kind)


def set_match(tournament: Tournament, pair: Pairing, match: MatchId) -> Tournament:
    """Notes the match in which `pair` is played."""
    return _replace(tournament, pair, replace(pair, match=match))


def is_deciding(tournament: Tournament, pair: Pairing) -> bool:
    """Returns whether the game of a pair of the present round decides the tournament: the final of a knock-out, also
    one with a second chance, and in the last round of the others the games of those who led before it."""
    if pair.second is None:
        return False
    match tournament.format:
        case Format.KNOCK_OUT:
            return len(tournament.current_pairings) == 1
        case Format.DOUBLE_ELIMINATION:
            return is_final(tournament, pair.round)
        case Format.ROUND_ROBIN:
            last = len(pairing.round_robin(tournament.users))
        case Format.SWISS:
            last = tournament.rounds
        case Format.EXHIBITION:
            return False
    earlier = tuple(each for each in tournament.pairings if each.round < pair.round)
    leaders = replace(tournament, pairings=earlier).winners
    return pair.round == last and (pair.first in leaders or pair.second in leaders)


def enter_result(
    tournament: Tournament, pair: Pairing, points: tuple[float, float], *, unplayed: bool = False
) -> Tournament:
    """Enters the result of a game, or of one that was cancelled (`unplayed`). It decides the pair, but a draw in a
    knock-out is repeated first."""
    if tournament.format.eliminates and points[0] == points[1]:
        if pair.replays < MAX_REPLAYS and pair.second is not None and points != FORFEITED:
            again = Pairing(pair.round, pair.second, pair.first, replays=pair.replays + 1)
            return replace(_replace(tournament, pair, again.forfeit(tournament.gone)), round_ends=None)
        points = WON if _seed(tournament, pair.first) < _seed(tournament, pair.second) else LOST
    return _replace(tournament, pair, replace(pair, points=points, unplayed=unplayed))


def advance(tournament: Tournament, now: Millis, avoided: Avoided = NOBODY) -> Tournament:
    """Starts the next round, or ends the tournament, if the present round is decided. Else returns it unchanged."""
    if tournament.stage is not Stage.RUNNING or any(pair.points is None for pair in tournament.current_pairings):
        return tournament
    return _pair_round(tournament, now, avoided)


def begin_round_time(tournament: Tournament, now: Millis) -> Tournament:
    """Lets the time of the round run, now that everybody can see its games. Returns it unchanged if it does."""
    if not tournament.awaits_boards or tournament.pace is None:
        return tournament
    return replace(tournament, round_ends=Millis(now + tournament.pace), reminded=False)


def _pair_round(tournament: Tournament, now: Millis, avoided: Avoided) -> Tournament:
    pairs = _pairs(tournament, avoided)
    if not pairs:
        return replace(tournament, stage=Stage.ENDED, round_ends=None).with_notice(NoticeKind.ENDED)
    free = None if tournament.computer else WON
    pairings = [
        Pairing(tournament.round + 1, first, second, points=free if second is None else None).forfeit(tournament.gone)
        for first, second in pairs
    ]
    paired = replace(tournament, pairings=(*tournament.pairings, *pairings), round_ends=None, reminded=False)
    return advance(paired.with_notice(NoticeKind.ROUND), now, avoided)


def _pairs(tournament: Tournament, avoided: Avoided) -> list[Pair]:
    """Returns the pairs of the next round. Empty if there is none."""
    match tournament.format:
        case Format.ROUND_ROBIN:
            rounds = pairing.round_robin(tournament.users)
            over = len(tournament.playing) < 2 or tournament.round == len(rounds)
            return [] if over else rounds[tournament.round]
        case Format.KNOCK_OUT:
            if not tournament.pairings:
                return pairing.bracket(tournament.users)
            return (
                []
                if len(tournament.current_pairings) == 1
                else pairing.next_knock_out_round([*map(winner_of, tournament.current_pairings)])
            )
        case Format.DOUBLE_ELIMINATION:
            return _second_chances(tournament) if tournament.pairings else pairing.bracket(tournament.users)
        case Format.SWISS:
            if tournament.round == tournament.rounds or len(tournament.playing) < 2:
                return []
            try:
                return pairing.swiss(_records(tournament, avoided))
            except NoPairing:
                return []
        case Format.EXHIBITION:
            return [] if tournament.pairings else pairing.exhibition(tournament.users)


def _second_chances(tournament: Tournament) -> list[Pair]:
    """Returns the pairs of a later round of a double elimination."""
    lost = defeats_before(tournament, tournament.round + 1)
    alive = [user for user in tournament.playing if lost[user] < LIVES]
    if len(alive) < 2:
        return []
    order = [user for pair in pairing.bracket(tournament.users) for user in pair if user in alive and not lost[user]]
    beaten = [user for user in alive if lost[user]]
    if len(beaten) % 2:
        rests = Counter(pair.first for pair in tournament.pairings if pair.second is None)
        rested_least = min(beaten, key=rests.__getitem__)
        beaten.sort(key=lambda user: user != rested_least)
    met = {user: {pair.opponent(user) for pair in tournament.pairings} for user in beaten}
    return pairing.double_elimination(order, beaten, met)


def defeats_before(tournament: Tournament, number: int) -> Counter[UserId]:
    """Returns how many pairs each player had lost before a round."""
    earlier = [pair for pair in tournament.pairings if pair.round < number and pair.points is not None]
    return Counter(
        user
        for pair in earlier
        for user, points in zip((pair.first, pair.second), pair.points or (), strict=True)
        if user is not None and points == LOST[0]
    )


def is_final(tournament: Tournament, number: int) -> bool:
    """Returns whether a round of a double elimination has the last two players, who may need a second game."""
    players = [user for pair in tournament.pairings if pair.round == number for user in (pair.first, pair.second)]
    return len(players) == 2 and None not in players


def host_time(tournament: Tournament) -> Millis:
    """Returns how much longer than the clock says the host of an exhibition may think on each board: on a live clock
    they have the time of a game for each board, since all may wait for them at once."""
    control = tournament.terms.control
    if tournament.format is not Format.EXHIBITION or control.speed is not Speed.LIVE:
        return Millis(0)
    return Millis(control.start * (len(tournament.current_pairings) - 1))


def _records(tournament: Tournament, avoided: Avoided) -> list[SwissPlayer]:
    pairings = tournament.pairings
    return [
        SwissPlayer(
            user=row.user,
            points=row.points,
            firsts=sum(pair.first == row.user for pair in pairings if pair.second is not None),
            met=frozenset(other for pair in pairings if (other := pair.opponent(row.user)) is not None),
            had_free_round=any(pair.first == row.user and pair.second is None for pair in pairings),
            avoids=avoided.get(row.user, frozenset()),
        )
        for row in tournament.table
        if row.user in tournament.playing
    ]


def winner_of(pair: Pairing) -> UserId:
    """Returns the player who goes on.

    If both have withdrawn, the first keeps the place in the bracket and loses in the next round.
    """
    assert pair.points is not None, "the round is over"
    return pair.second if pair.second is not None and pair.points[1] > pair.points[0] else pair.first


def _seed(tournament: Tournament, user: UserId | None) -> int:
    return len(tournament.users) if user is None else tournament.users.index(user)


def _replace(tournament: Tournament, pair: Pairing, changed: Pairing) -> Tournament:
    return replace(tournament, pairings=tuple(changed if each == pair else each for each in tournament.pairings))
