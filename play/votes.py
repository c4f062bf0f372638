"""Votes: games in which the members of a server, or of a role of it, decide each turn together.

A side is a server or a role that has a seat, with members who may vote. Each has one vote about each turn; when
voting closes, the tally decides.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from math import ceil, inf
from statistics import mean
from typing import NamedTuple
from zoneinfo import ZoneInfo

from play.clock import PerMove, parse_duration
from play.clock.schedule import ClockSchedule, Night
from play.ids import (
    DAY,
    HOUR,
    MINUTE,
    ChannelId,
    GuildId,
    IdempotencyKey,
    MatchId,
    Millis,
    RoleId,
    SideId,
    UserId,
    side_account,
    side_of,
)
from play.match.endings import LAND, STOP
from play.match.events import Event, EventKind, OfferKind
from play.match.length import estimate
from play.match.match import Match
from play.match.moves import FLAG_GRACE
from play.people.membership import Member
from play.refusal import Reason, Refused
from rules.game import AnyGame, RuleError, Seat

MIN_PERIOD, MAX_PERIOD = HOUR, Millis(3 * DAY)
"""The length of a vote: time to meet on the shortest evening, and not so long that a game of 60 turns takes a year."""

MAX_QUORUM = 100
"""The most votes that a turn may need."""

USUAL_NIGHT = Night(23 * 60, 7 * 60)
"""The hours of a server in which none of its votes closes, without another wish. Where members sleep is not known, so
they are those of most."""

NO_TURN = -1
"""No version: a turn that no vote is about."""

ENDING_MOVES = frozenset({STOP, LAND})
"""Moves that end the game, or the side's own part in it."""

COUNTING_MILLIS = MINUTE
"""A vote ends so long before the flag falls: time to count it, and to do so again after a failure."""

ARRIVAL_MILLIS = FLAG_GRACE
"""The time between the end of a vote and its count, as for moves: a vote cast in time may still arrive."""


def schedule_at(zone: str | None, night: Night | None = USUAL_NIGHT) -> ClockSchedule:
    """Returns when no vote of a server in this time zone closes: never without a zone or a night."""
    return ClockSchedule(ZoneInfo(zone), night) if zone and night else ClockSchedule()


def everyone(guild: GuildId) -> RoleId:
    """Returns the role that all members of a server have."""
    return RoleId(guild)


@dataclass(frozen=True, slots=True)
class NewSide:
    """A side as a game is to begin with it: all members of `guild` vote, or (`role`) those who hold that role.

    `channel` is where they do so. A turn needs `quorum` votes, or its vote goes on for one further period. No vote
    closes in the night of the `schedule`.
    """

    guild: GuildId
    channel: ChannelId
    role: RoleId | None = None
    quorum: int = 1
    schedule: ClockSchedule = ClockSchedule()  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a match. A vote about a turn lasts for `period`.

    `made` is when the game began. `closed` is the newest turn whose votes have been counted, and `prolonged` the newest
    turn whose vote went on, for it lacked votes. Turns are named by versions (`play.votes.turn_of`).
    """

    id: SideId
    match: MatchId
    seat: Seat
    guild: GuildId
    channel: ChannelId
    role: RoleId | None
    period: Millis
    quorum: int
    made: Millis
    closed: int = NO_TURN
    prolonged: int = NO_TURN

    @property
    def account(self) -> UserId:
        """The account that has the seat."""
        return side_account(self.id)

    @property
    def lacks_role(self) -> bool:
        """Whether the role that voted was deleted: all members do since, whose role has the server's id."""
        return self.role == everyone(self.guild)

    def is_prolonged(self, turn: int) -> bool:
        """Returns whether the vote about a turn went on, for it lacked votes."""
        return self.prolonged == turn

    def quorum_of(self, turn: int) -> int:
        """Returns how many votes a turn needs; any will do once its vote went on."""
        return 1 if self.is_prolonged(turn) else self.quorum


def has_side(match: Match) -> bool:
    """Returns whether a side plays in a match."""
    return any(side_of(player) is not None for player in match.players)


def is_practice(match: Match, computer: UserId | None, *, rated: bool) -> bool:
    """Returns whether a match is practice: an unrated one of one player against the `computer`."""
    return not (rated or has_side(match)) and match.game.seats == 2 and computer in match.players


def read_period(typed: str) -> Millis:
    """Returns the length of a vote that was typed, in whole minutes. Raises Refused (`bad_duration`, `bad_period`)."""
    period = parse_duration(typed)
    control_of(period)
    if period % MINUTE:
        raise Refused(Reason.BAD_PERIOD)
    return period


def control_of(period: Millis) -> PerMove:
    """Returns the clock of a vote game: a turn has the time of two votes, for the first may lack votes.

    Raises Refused (`bad_period`).
    """
    if not MIN_PERIOD <= period <= MAX_PERIOD:
        raise Refused(Reason.BAD_PERIOD)
    return PerMove(Millis(2 * period))


def check_new(side: NewSide) -> None:
    """Raises Refused (`bad_quorum`) if no game may begin with a side."""
    if not 1 <= side.quorum <= MAX_QUORUM:
        raise Refused(Reason.BAD_QUORUM, most=MAX_QUORUM)


def choose_side(sides: tuple[Side, ...], voter: Member) -> Side:
    """Returns the side that a user belongs to, now.

    Of two sides on one server a role is more than the whole server. Raises Refused: `not_a_voter`, `in_both_sides`.
    """
    roles: set[RoleId | None] = {None, *voter.roles}
    if voter.guild is not None:
        roles.add(everyone(voter.guild))
    own = [side for side in sides if side.guild == voter.guild and side.role in roles]
    own = [side for side in own if side.role in voter.roles] or own
    if not own:
        raise Refused(Reason.NOT_A_VOTER)
    if len(own) > 1:
        raise Refused(Reason.IN_BOTH_SIDES)
    return own[0]


class Choice(StrEnum):
    """How a user votes. STOP is a `MOVE`, by its notation. `DRAW` agrees to a draw, or offers one with the turn."""

    MOVE = "move"
    RESIGN = "resign"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote of `user`, cast or last changed `at` then. `version` names the turn, and `text` is the notation of a move.

    Votes about past turns stay when their `user` is deleted, without them. `key` names the click.
    """

    side: SideId
    version: int
    user: UserId | None
    choice: Choice
    text: str
    at: Millis
    key: IdempotencyKey | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """How many `votes` a choice has in a turn, and its place in the order in which the choices were first voted for:
    when, and the number of the vote."""

    choice: Choice
    text: str
    votes: int
    first: tuple[Millis, int]

    @property
    def may_end(self) -> bool:
        """Whether the choice may end the game."""
        return self.choice is not Choice.MOVE or self.text in ENDING_MOVES


@dataclass(frozen=True, slots=True)
class Poll:
    """The counts of one turn, and how many votes there have to be in all for one that may end the game; none are enough
    (`inf`) while nobody knows how many come."""

    counts: Sequence[Count]
    enough_to_end: float

    @property
    def total(self) -> int:
        """All votes."""
        return total_votes(self.counts)


@dataclass(frozen=True, slots=True)
class Tally:
    """The votes about one turn, those with the most first."""

    side: Side
    version: int
    total: int
    counts: tuple[Count, ...]

    @property
    def likely(self) -> tuple[Count, ...]:
        """The moves on the board that have votes."""
        return tuple(each for each in self.counts if each.choice is Choice.MOVE and each.text not in ENDING_MOVES)

    def percent(self, votes: int) -> int:
        """Returns what part of all votes so many are, in whole percent: equal votes are equal parts, so those of all
        choices need not make 100."""
        return round(100 * votes / self.total)


@dataclass(frozen=True, slots=True)
class Ballot:
    """A vote that is stored, in place of the vote `before` about the same turn.

    It may be changed until it `closes` (`play.votes.closing`), and longer if there are too few votes then.
    """

    side: Side
    vote: Vote
    before: Vote | None
    closes: Millis


def total_votes(counts: Iterable[Count]) -> int:
    """Returns how many votes choices have together."""
    return sum(count.votes for count in counts)


def enough_to_end(quorum: int, turnouts: Sequence[int]) -> float:
    """Returns how many votes a turn needs to end a game: the quorum, and half of the largest of the last `turnouts`;
    without any of them no number is enough.

    What cannot be undone never needs less than a move: else a few members end the game of all in a quiet hour. Nor do
    quiet hours make it less: a night has as many turns as a day.
    """
    return max(quorum, ceil(max(turnouts) / 2)) if turnouts else inf


def rank(counts: Sequence[Count]) -> list[Count]:
    """Returns choices in the order in which they are tried: the most votes first, then the one voted for earlier."""
    return sorted(counts, key=lambda count: (-count.votes, count.first))


def tally(side: Side, version: int, counts: Sequence[Count]) -> Tally:
    """Returns the votes about a turn."""
    return Tally(side, version, total_votes(counts), tuple(rank(counts)))


class OpenVote(NamedTuple):
    """The vote about the present turn of a side: when it closes, how many votes it needs, and how many there are; None
    where they are cast on another server, which keeps them to itself. `lacks_role` is that of the side."""

    closes: Millis
    quorum: int
    votes: int | None
    lacks_role: bool = False


class ClosedVote(NamedTuple):
    """The vote about the last turn of a side: how many `votes` of how many were for what was played."""

    votes: int
    total: int


LAST_TURNS, LAST_MILLIS = 3, DAY
"""The last turns of a side, at least so many and all of a day: their voters are waited for, and their turnout says how
many votes may end a game. So nobody is forgotten in a night of short votes."""

MAX_MISSED = 2
"""Votes about one turn that may bring nothing. Each is followed by a longer one, the last one by the flag."""

LONGER, MAX_LONGER_MILLIS = 4, Millis(3 * DAY)
"""A vote after one that brought nothing is open for so many periods, and at most so long: a night, or a weekend."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a side does: it plays `text`, resigns or, if it `DRAW`s, agrees to a draw or offers one without a move.

    `offers_draw` says that a draw is offered after the move.
    """

    choice: Choice
    text: str = ""
    offers_draw: bool = False


def turn_of(match: Match) -> int:
    """Returns the version with which the present turn began. Offers and gifts of time begin no other turn."""
    return next((n for n in range(match.version, 0, -1) if match.events[n - 1].changes_position), 0)


def turn_of_move(match: Match, number: int) -> int:
    """Returns the version with which the turn began that a move, from 1, has ended."""
    made = match.events.index(match.moves[number - 1])
    return next((n for n in range(made, 0, -1) if match.events[n - 1].changes_position), 0)


def decided_move(match: Match, seat: Seat | None = None) -> int:
    """Returns the number, from 1, of the newest move that a side at home in this place has played, or that of a seat; 0
    without one."""
    sides = {host for host in match.hosts if side_of(match.players[host]) is not None and seat in (None, host)}
    return next((n for n in range(len(match.moves), 0, -1) if match.moves[n - 1].seat in sides), 0)


def began(match: Match, side: Side, turn: int) -> Millis:
    """Returns when a turn began."""
    return match.events[turn - 1].at if turn else side.made


def is_new(match: Match, side: Side, turn: int) -> bool:
    """Returns whether a turn began so early in the game that nobody knows how many will come."""
    return began(match, side, turn) < side.made + LAST_MILLIS


def last_turns(match: Match, side: Side, before: int) -> list[int]:
    """Returns the last turns that a side has decided before another one, the newest first."""
    since = began(match, side, before) - LAST_MILLIS
    numbers = (number for number in range(len(match.moves), 0, -1) if match.moves[number - 1].seat == side.seat)
    turns = ((turn_of_move(match, number), match.moves[number - 1].at) for number in numbers)
    earlier = enumerate((turn, at) for turn, at in turns if turn < before)
    return [turn for _, (turn, _) in takewhile(lambda each: each[0] < LAST_TURNS or each[1][1] >= since, earlier)]


def at_vote(match: Match, turn: int) -> Match:
    """Returns the match as it was when a turn was voted about, to be looked at and never stored."""
    made = sum(event.is_move for event in match.events[:turn])
    return match if made == len(match.moves) else match.before_move(made + 1)


def estimate_votes(game: AnyGame, periods: Iterable[Millis], made: int = 0) -> Millis:
    """Returns about how long a game takes, from so many moves on, whose turns take so long in turn: votes that are open
    to their end, as `ClockSchedule.average` says, and no time where the computer moves."""
    return estimate(game, Millis(round(mean(periods))), made=made)


def time_ahead(match: Match, side: Side, computer: UserId | None) -> Millis:
    """Returns about how long a match of a side goes on if each vote is open to its end."""
    turns = zip(match.players, match.clock.schedules, strict=True)
    periods = [Millis(0) if user == computer else schedule.average(side.period) for user, schedule in turns]
    return estimate_votes(match.game, periods, len(match.moves))


def closing(match: Match, side: Side) -> Millis:
    """Returns when the present vote of `side`, whose turn it is, closes: for the first time, or for good."""
    return _when_left(match, _left_after_vote(match, side))


def missed(match: Match, seat: Seat) -> int:
    """Returns how many votes about the present turn of a side have brought nothing."""
    return len(_misses(match, seat))


def last_missed(match: Match, seat: Seat) -> Millis | None:
    """Returns when the last vote about the present turn of a side brought nothing; None if none has."""
    return max((each.at for each in _misses(match, seat)), default=None)


def _misses(match: Match, seat: Seat) -> list[Event]:
    since = match.events[turn_of(match) :]
    return [each for each in since if each.kind is EventKind.EXTEND and each.seat == seat and each.is_automatic]


def prolong(match: Match, side: Side, at: Millis, key: IdempotencyKey) -> Match:
    """Gives a side whose vote has brought nothing time for a longer one.

    Silence is no wish to lose: members sleep, or have not seen the board. Raises Refused (`vote_closed`) after
    `MAX_MISSED`.
    """
    if match.to_act != side.seat or missed(match, side.seat) == MAX_MISSED:
        raise Refused(Reason.VOTE_CLOSED)
    longer = min(LONGER * side.period, MAX_LONGER_MILLIS)
    return match.after(Event(EventKind.EXTEND, side.seat, str(longer), at, key))


def last_closing(match: Match) -> Millis:
    """Returns when a vote closes, however few votes there are."""
    return _when_left(match, COUNTING_MILLIS)


def time_to_vote(match: Match, side: Side, now: Millis) -> Millis:
    """Returns how long the present vote of a side is open yet, or for how long its next one will be."""
    left = match.clock.left(side.seat, now)
    assert left is not None, "a vote game has a clock"
    return Millis(max(0, left - _left_after_vote(match, side)))


def _left_after_vote(match: Match, side: Side) -> Millis:
    """Returns what the clock of a side has left when its present vote closes, or its next one."""
    return COUNTING_MILLIS if side.is_prolonged(turn_of(match)) else side.period


def _when_left(match: Match, time: Millis) -> Millis:
    moment = match.clock.when_left(time)
    assert moment is not None, "the clock of a vote game runs"
    return moment


def decide(match: Match, seat: Seat, poll: Poll) -> Verdict | None:
    """Returns what most votes are for, among what is legal now; None if that is nothing.

    Resigning, a draw and moves that end the game need two thirds of all votes, and enough votes; else the next choice
    follows.
    """
    is_enough = poll.total >= poll.enough_to_end
    wanted = [
        each for each in rank(poll.counts) if not each.may_end or (is_enough and 3 * each.votes >= 2 * poll.total)
    ]
    agreed = {each.choice for each in wanted}
    offer = match.offer(OfferKind.DRAW)
    if Choice.RESIGN in agreed:
        return Verdict(Choice.RESIGN)
    is_drawn = Choice.DRAW in agreed
    if is_drawn and offer is not None and not offer.declined and seat not in offer.agreed:
        return Verdict(Choice.DRAW)
    for each in wanted:
        if each.choice is Choice.MOVE and _is_legal(match, each.text):
            return Verdict(Choice.MOVE, each.text, offers_draw=is_drawn)
    return Verdict(Choice.DRAW) if is_drawn and offer is None else None


def _is_legal(match: Match, text: str) -> bool:
    try:
        match.position.play(match.game.parse(text))
    except RuleError:
        return False
    return True
