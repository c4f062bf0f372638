"""Sides: a server, or a role of it, that has a seat of a match; and who may vote for it."""

from __future__ import annotations

from dataclasses import dataclass

from play.clock import PerMove
from play.ids import DAY, HOUR, ChannelId, GuildId, MatchId, Millis, RoleId, SideId, UserId, side_account, side_of
from play.match.match import Match
from play.refusal import Reason, Refused
from rules.game import Seat

MIN_PERIOD, MAX_PERIOD = HOUR, Millis(3 * DAY)
"""The length of a vote: time to meet on the shortest evening, and not so long that a game of 60 turns takes a year."""

MAX_QUORUM = 100
"""The most votes that a turn may need."""

MIN_ACCOUNT_AGE = Millis(7 * DAY)
"""Discord accounts cost nothing, so those that were made within the week before a game do not vote in it."""

NO_TURN = -1
"""No version: a turn that no vote is about."""


@dataclass(frozen=True, slots=True)
class NewSide:
    """A side as a game is to begin with it: all members of `guild` vote, or (`role`) those who hold that role.

    `channel` is where they do so. A turn needs `quorum` votes, or its vote goes on for one further period.
    """

    guild: GuildId
    channel: ChannelId
    role: RoleId | None = None
    quorum: int = 1


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a match. A vote about a turn lasts for `period`.

    `made` is when the game began. `closed` is the newest turn whose votes have been counted, and `prolonged` the newest
    turn whose vote went on, for it lacked votes. Turns are named by versions (`play.votes.turn.turn_of`).
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


@dataclass(frozen=True, slots=True)
class Voter:
    """A user as Discord describes them: a member of `guild` with these `roles` since `joined`; outside of a server, or
    where Discord does not tell, without them."""

    user: UserId
    guild: GuildId | None
    roles: frozenset[RoleId] = frozenset()
    joined: Millis | None = None


def has_side(match: Match) -> bool:
    """Returns whether a side plays in a match."""
    return any(side_of(player) is not None for player in match.players)


def is_practice(match: Match, computer: UserId | None, *, rated: bool) -> bool:
    """Returns whether a match is practice: an unrated one of one player against the `computer`."""
    return not (rated or has_side(match)) and match.game.seats == 2 and computer in match.players


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


def choose_side(sides: tuple[Side, ...], voter: Voter) -> Side:
    """Returns the side that a user belongs to, now.

    Of two sides on one server a role is more than the whole server. Raises Refused: `not_a_voter`, `in_both_sides`.
    """
    own = [side for side in sides if side.guild == voter.guild and (side.role is None or side.role in voter.roles)]
    own = [side for side in own if side.role is not None] or own
    if not own:
        raise Refused(Reason.NOT_A_VOTER)
    if len(own) > 1:
        raise Refused(Reason.IN_BOTH_SIDES)
    return own[0]


def check_voter(side: Side, voter: Voter, created: Millis) -> None:
    """Raises Refused if a member of a side, whose account was `created` then, came too late to vote: `joined_too_late`,
    `account_too_new`.

    Members and accounts have to be there before the game, so that neither is brought in to decide it.
    """
    if voter.joined is None or voter.joined >= side.made:
        raise Refused(Reason.JOINED_TOO_LATE)
    if created > side.made - MIN_ACCOUNT_AGE:
        raise Refused(Reason.ACCOUNT_TOO_NEW, count=MIN_ACCOUNT_AGE // DAY)
