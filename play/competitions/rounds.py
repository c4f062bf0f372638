"""Rounds of a tournament: pairing them, entering results, and going on to the next one."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from play.clock import Speed
from play.competitions import pairing
from play.competitions.entries import leave_out_absent
from play.competitions.hosting import cancel
from play.competitions.pairing import NoPairing, Pair, SwissPlayer
from play.competitions.tournament import (
    MAX_REPLAYS,
    MIN_PLAYERS,
    POSTPONEMENT_MILLIS,
    Entrant,
    Format,
    NoticeKind,
    Pairing,
    Stage,
    Tournament,
)
from play.ids import MatchId, Millis, UserId
from play.match.points import FORFEITED, LOST, WON
from play.refusal import Reason, Refused

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
    entrants = [replace(each, rating=ratings[each.user]) for each in tournament.entrants]
    random.Random(seed).shuffle(entrants)  # noqa: S311 - a lot among equals
    entrants.sort(key=lambda entrant: (entrant.left_in_round == 0, -entrant.rating))
    if tournament.format is Format.EXHIBITION:
        entrants.insert(0, Entrant(tournament.host, ratings[tournament.host]))
    rounds = tournament.planned_rounds
    seeded = replace(tournament, stage=Stage.RUNNING, entrants=tuple(entrants), rounds=rounds)
    return _pair_round(seeded, now, avoided)


def start_when_due(
    tournament: Tournament, ratings: Mapping[UserId, float], seed: int, now: Millis, avoided: Avoided = NOBODY
) -> Tournament:
    """Starts a tournament whose time to begin has come. If players lack it is postponed, the second time cancelled.

    Returns it unchanged if it does not begin now.
    """
    if tournament.stage is not Stage.SIGN_UP or not will_pair(tournament, now):
        return tournament
    there = leave_out_absent(tournament)
    if not there.lacks_players:
        return start(there, ratings, seed, now, avoided)
    if tournament.postponed:
        return replace(cancel(tournament), too_few=True).with_notice(NoticeKind.TOO_FEW)
    later = replace(tournament, begins=Millis(now + POSTPONEMENT_MILLIS), postponed=True, reminded=False)
    return later.with_notice(NoticeKind.POSTPONED)


def remind(tournament: Tournament, now: Millis) -> Tournament:
    """Notes that the players are reminded of the beginning, or of the end of the round, if that is due."""
    if tournament.reminded or tournament.due is None or now < tournament.due:
        return tournament
    kind = NoticeKind.SOON if tournament.stage is Stage.SIGN_UP else NoticeKind.LATE
    silent = kind is NoticeKind.SOON and not tournament.entrants
    reminded = replace(tournament, reminded=True)
    if kind is NoticeKind.SOON:
        reminded = replace(reminded, entrants=tuple(replace(each, attendance=None) for each in reminded.entrants))
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
    before = pair
    if tournament.format.eliminates and points[0] == points[1]:
        if pair.replays < MAX_REPLAYS and pair.second is not None and points != FORFEITED:
            again = Pairing(pair.round, pair.second, pair.first, replays=pair.replays + 1)
            return replace(_replace(tournament, pair, again.forfeit(tournament.gone)), round_ends=None)
        points = WON if _seed(tournament, pair.first) < _seed(tournament, pair.second) else LOST
        pair = replace(pair, replays=MAX_REPLAYS + 1)
    return _replace(tournament, before, replace(pair, points=points, unplayed=unplayed))


def will_pair(tournament: Tournament, now: Millis) -> bool:
    """Returns whether a round is due to be paired, the first one included."""
    if tournament.stage is Stage.SIGN_UP:
        return tournament.begins is not None and now >= tournament.begins
    is_decided = all(pair.points is not None for pair in tournament.current_pairings)
    return tournament.stage is Stage.RUNNING and is_decided


def advance(tournament: Tournament, now: Millis, avoided: Avoided = NOBODY) -> Tournament:
    """Starts the next round, or ends the tournament, if the present round is decided. Else returns it unchanged."""
    if tournament.stage is not Stage.RUNNING or not will_pair(tournament, now):
        return tournament
    return _pair_round(tournament, now, avoided)


def begin_round_time(tournament: Tournament, now: Millis) -> Tournament:
    """Lets the time of the round run, now that everybody can see its games; replays have half of it. Returns it
    unchanged if it does."""
    if not tournament.awaits_boards or tournament.pace is None:
        return tournament
    is_replay = any(pair.replays and pair.points is None for pair in tournament.current_pairings)
    time = tournament.pace // 2 if is_replay else tournament.pace
    return replace(tournament, round_ends=Millis(now + time), reminded=False)


def _pair_round(tournament: Tournament, now: Millis, avoided: Avoided) -> Tournament:
    pairs = _pairs(tournament, avoided)
    if not pairs:
        return replace(tournament, stage=Stage.ENDED, round_ends=None, ended=now).with_notice(NoticeKind.ENDED)
    free = None if tournament.computer else WON
    pairings = [
        Pairing(tournament.round + 1, first, second, points=free if second is None else None).forfeit(tournament.gone)
        for first, second in pairs
    ]
    all_pairs = (*tournament.pairings, *pairings)
    paired = replace(tournament, pairings=all_pairs, round_ends=None, reminded=False, wishes=())
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
                return pairing.with_wishes(pairing.bracket(tournament.users), tournament.wishes)
            return (
                []
                if len(tournament.current_pairings) == 1
                else pairing.next_knock_out_round([*map(winner_of, tournament.current_pairings)])
            )
        case Format.DOUBLE_ELIMINATION:
            if not tournament.pairings:
                return pairing.with_wishes(pairing.bracket(tournament.users), tournament.wishes)
            return _second_chances(tournament)
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


def wish(tournament: Tournament, first: UserId, second: UserId) -> Tournament:
    """Has two players meet in the next round, as far as the others can be paired then; a second time takes it back.
    Raises Refused."""
    if not tournament.is_open:
        raise Refused(Reason.TOURNAMENT_OVER)
    if not {first, second} <= {*tournament.playing}:
        raise Refused(Reason.TOURNAMENT_NOT_PLAYING)
    is_fixed = tournament.format in (Format.ROUND_ROBIN, Format.EXHIBITION)
    if is_fixed or (tournament.format.eliminates and tournament.pairings) or tournament.round == tournament.rounds > 0:
        raise Refused(Reason.PAIRING_FIXED)
    if first == second or any(pair.opponent(first) == second for pair in tournament.pairings):
        raise Refused(Reason.PAIRING_MET)
    others = tuple(each for each in tournament.wishes if not {first, second} & {*each})
    is_known = {first, second} in [{*each} for each in tournament.wishes]
    return replace(tournament, wishes=others if is_known else (*others, (first, second)))


def _records(tournament: Tournament, avoided: Avoided) -> list[SwissPlayer]:
    pairings = tournament.pairings
    wished = {user: other for pair in tournament.wishes for user, other in (pair, pair[::-1])}
    return [
        SwissPlayer(
            user=row.user,
            points=row.points,
            firsts=sum(pair.first == row.user for pair in pairings if pair.second is not None),
            met=frozenset(other for pair in pairings if (other := pair.opponent(row.user)) is not None),
            had_free_round=any(pair.first == row.user and pair.second is None for pair in pairings),
            avoids=avoided.get(row.user, frozenset()),
            wished=wished.get(row.user),
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
