"""A contest of two servers as a frozen value: the invitation, signing up, boards, results, and its end."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Final, NewType

from play.challenge.terms import Terms
from play.clock.schedule import Span
from play.ids import DAY, MINUTE, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from play.match.points import LOST, WON
from play.people.membership import Member, check_member
from play.posts import KeptPost, PostKey, PostKind
from play.refusal import Reason, Refused

ContestId = NewType("ContestId", int)

PlayerNumber = NewType("PlayerNumber", int)
"""The number of a player in a contest, from 0: it stays when their data is deleted."""

MIN_BOARDS, MAX_BOARDS = 3, 20
"""Boards of a contest. Fewer are no match of servers, and each one is a thread on both."""

MAX_SIGNED_UP: Final = 60
"""Players of one server, substitutes included."""

CODE_MILLIS: Final = Millis(7 * DAY)
"""How long an invite code can be used."""

MIN_SIGN_UP_DAYS, MAX_SIGN_UP_DAYS = 1, 30
"""Days until the sign-up closes."""

MAX_MOVE_DAYS: Final = 7
"""Days a move, at most."""

DEFAULT_QUORUM: Final = 3
"""Votes that a turn needs; with fewer its vote goes on for one further period."""

MIN_WEEKS, MAX_WEEKS, DEFAULT_WEEKS = 1, 12, 4
"""Weeks in which the games of pairs are played, from the first call on."""

NO_SHOW_MILLIS: Final = Millis(2 * DAY)
"""A player who has not made the first move after so long is replaced, while the game is not under way."""

SHOW_MILLIS: Final = MINUTE
"""Between two edits of a message that shows a contest, unless it has come to another stage."""

CANCEL_MILLIS: Final = Millis(2 * DAY)
"""How long one server's proposal to cancel waits for the other."""

MAX_OPEN_CONTESTS: Final = 3
"""Contests of one server at once, those included to which it has only invited."""


Blocked = Mapping[UserId, frozenset[UserId]]
"""Whom each player must not meet; both have each other in it."""

NO_BLOCKS: Final[Blocked] = {}


class Side(IntEnum):
    """One of the two servers: the one that has invited, or the one that has accepted."""

    HOME = 0
    GUEST = 1

    @property
    def other(self) -> Side:
        return Side(1 - self)


class Kind(StrEnum):
    BOARDS = "boards"  # Pairs of players, each with a game of their own.
    VOTE = "vote"  # One game, in which both servers vote on their moves.


class Stage(StrEnum):
    INVITED = "invited"
    SIGN_UP = "sign-up"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"


OPEN: Final = (Stage.INVITED, Stage.SIGN_UP, Stage.RUNNING)


class Cause(StrEnum):
    """Why a contest was cancelled."""

    EXPIRED = "expired"  # Nobody has used the code in time.
    DECLINED = "declined"  # The other server has declined.
    WITHDRAWN = "withdrawn"  # One of the servers has withdrawn before it began.
    TOO_FEW = "too-few"  # Fewer boards could be paired than a contest needs.
    AGREED = "agreed"  # Both servers have agreed to cancel it.
    CHANNEL = "channel"  # A server has lost its channel before it began, or both have.


@dataclass(frozen=True, slots=True)
class Team:
    """One of the two servers, and where it reads of the contest.

    `manager` is the one who has challenged or accepted. `message` shows the contest. `gone` says that the channel was
    gone for too long, or the bot removed. `told` is the last notice that was posted. The message shows the version
    `shown`, and may be edited again at `edits`.
    """

    guild: GuildId
    channel: ChannelId
    manager: UserId
    message: MessageId | None = None
    gone: bool = False
    told: str = ""
    shown: int = 0
    edits: Millis = Millis(0)  # noqa: RUF009 - a number


@dataclass(frozen=True, slots=True)
class Player:
    """A member who has signed up for a side. `left` says that they play no further game of the contest; one whom a
    manager has removed before it began has left as well."""

    user: UserId
    side: Side
    rating: float = 0.0
    left: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A pair, with its present game, and the points and dots of both sides once it is decided.

    `players` are the numbers of the home player and of the guest; a vote game has none. `came` are the sides whose
    player is a substitute who has come for this game. `first` is the side that moves
    first. `calls` are the messages on both servers that call the players, from which the threads open. `waits_since`
    is when the turn began in which the game waits for a first move; None if it waits for none, or for no longer than
    the clock says. `tries` counts the games before, which were not under way when a player was replaced. `unplayed` is
    a board that was decided without a game under way.
    """

    number: int
    players: tuple[PlayerNumber, PlayerNumber] | None
    first: Side
    match: MatchId | None = None
    calls: tuple[MessageId | None, MessageId | None] = (None, None)
    waits_since: Millis | None = None
    points: tuple[float, float] | None = None
    dots: tuple[float, float] = (0.0, 0.0)
    tries: int = 0
    unplayed: bool = False
    came: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """Boards and dots of both sides, and how many boards are decided."""

    boards: tuple[float, float] = (0.0, 0.0)
    dots: tuple[float, float] = (0.0, 0.0)
    decided: int = 0

    @property
    def winner(self) -> Side | None:
        """The side with more boards or, of equally many, with more dots."""
        for home, guest in (self.boards, self.dots):
            if home != guest:
                return Side.HOME if home > guest else Side.GUEST
        return None


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest of two servers.

    `size` is how many boards it has at most. `period` is the time of one vote, and `quorum` how many each needs. The
    `sign_up` is open for so long once the contest is accepted, and `closes` then. Pairs have the `time` to play from
    then on, and what is not over when it `ends` is judged. The players of an `arranged` side have the order in which
    its manager wants them.
    `code` is the digest of the invite code, and `expires` when that can be used no longer. `proposed_by` is the side
    that wants to cancel, `proposed` when it said so. `key` is the interaction that made it.
    """

    id: ContestId
    kind: Kind
    terms: Terms
    home: Team
    made: Millis
    code: str
    expires: Millis
    size: int = MAX_BOARDS
    period: Millis | None = None
    quorum: int = DEFAULT_QUORUM
    sign_up: Millis | None = None
    closes: Millis | None = None
    time: Millis | None = None
    ends: Millis | None = None
    guest: Team | None = None
    stage: Stage = Stage.INVITED
    cause: Cause | None = None
    players: tuple[Player, ...] = ()
    arranged: frozenset[Side] = frozenset()
    boards: tuple[Board, ...] = ()
    proposed_by: Side | None = None
    proposed: Millis | None = None
    ended: Millis | None = None
    version: int = 0
    key: IdempotencyKey | None = None

    @property
    def is_open(self) -> bool:
        return self.stage in OPEN

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that there are: before it is accepted, one."""
        return (Side.HOME,) if self.guest is None else (Side.HOME, Side.GUEST)

    def team(self, side: Side) -> Team:
        team = self.home if side is Side.HOME else self.guest
        assert team is not None, "it is accepted"
        return team

    def with_team(self, side: Side, team: Team) -> Contest:
        return replace(self, home=team) if side is Side.HOME else replace(self, guest=team)

    def post(self, side: Side) -> KeptPost:
        """Returns where a side reads of it."""
        key, team = PostKey(PostKind.CONTEST, self.id, side), self.team(side)
        players = tuple(player.user for _, player in self.of_side(side) if not player.left)
        return KeptPost(key, team.guild, team.channel, team.manager, players=players, is_over=not self.is_open)

    def side_of(self, guild: GuildId | None) -> Side | None:
        """Returns the side of a server; None if it takes no part."""
        return next((side for side in self.sides if self.team(side).guild == guild), None)

    def require_side(self, guild: GuildId | None) -> Side:
        """Returns the side of a server. Raises Refused (`team_elsewhere`) if it takes no part."""
        side = self.side_of(guild)
        if side is None:
            raise Refused(Reason.TEAM_ELSEWHERE)
        return side

    def require(self, *stages: Stage) -> None:
        """Raises Refused in any other stage: `team_is_` and the present one, or `team_over`."""
        if self.stage not in stages:
            raise Refused(Reason(f"team_is_{self.stage.name.lower()}") if self.is_open else Reason.TEAM_OVER)

    @property
    def is_full(self) -> bool:
        """Whether both sides have a player for each board."""
        return all(sum(not each.left for _, each in self.of_side(side)) >= self.size for side in self.sides)

    @property
    def score(self) -> Score:
        decided = [board for board in self.boards if board.points is not None]
        points = [board.points for board in decided if board.points is not None]
        return Score(
            (sum(home for home, _ in points), sum(guest for _, guest in points)),
            (sum(board.dots[0] for board in decided), sum(board.dots[1] for board in decided)),
            len(decided),
        )

    @property
    def due(self) -> Millis | None:
        """When time alone brings the next change. None if it brings none."""
        if self.stage is Stage.INVITED:
            return self.expires
        if self.stage is Stage.SIGN_UP:
            return self.closes
        if self.stage is not Stage.RUNNING:
            return None
        moments = [
            Millis(board.waits_since + NO_SHOW_MILLIS)
            for board in self.boards
            if board.points is None and board.waits_since is not None
        ]
        if self.ends is not None:
            moments.append(self.ends)
        if self.proposed is not None:
            moments.append(Millis(self.proposed + CANCEL_MILLIS))
        return min(moments, default=None)

    def prolonged(self, downtime: Span) -> Contest:
        """Returns the contest with later ends of what players have not done yet: a downtime, in which they could not,
        counts for nothing."""
        if self.stage not in (Stage.SIGN_UP, Stage.RUNNING) or self.due is None or self.due <= downtime.start:
            return self

        def later(moment: Millis | None) -> Millis | None:
            return None if moment is None else Millis(moment + downtime.millis)

        boards = (
            replace(each, waits_since=later(each.waits_since)) if each.points is None else each for each in self.boards
        )
        ends = later(self.ends)
        return replace(self, closes=later(self.closes), ends=ends, proposed=later(self.proposed), boards=tuple(boards))

    def of_side(self, side: Side) -> list[tuple[PlayerNumber, Player]]:
        """Returns the players of a side with their numbers, in the order in which they signed up."""
        return [(PlayerNumber(n), each) for n, each in enumerate(self.players) if each.side is side]

    def number_of(self, user: UserId) -> PlayerNumber | None:
        """Returns the number of a player who has not left."""
        found = (PlayerNumber(n) for n, each in enumerate(self.players) if each.user == user and not each.left)
        return next(found, None)

    def users_of(self, board: Board) -> tuple[UserId, UserId]:
        """Returns the home player and the guest of a board."""
        assert board.players is not None, "it is no vote game"
        home, guest = board.players
        return self.players[home].user, self.players[guest].user

    def substitutes(self, side: Side) -> list[PlayerNumber]:
        """Returns the players of a side without a board, in the order in which they are called."""
        seated = {board.players[side] for board in self.boards if board.players}
        waiting = [(number, each) for number, each in self.of_side(side) if number not in seated and not each.left]
        if side not in self.arranged:
            waiting.sort(key=lambda each: (-each[1].rating, each[0]))
        return [number for number, _ in waiting]


def notice_for(contest: Contest, side: Side) -> str:
    """Returns the notice that a side should have been told by now; empty if there is none.

    It is the last part of the key of its sentence, and of a proposal its time as well.
    """
    if contest.stage is Stage.ENDED:
        return "ended"
    if contest.stage is Stage.CANCELLED:
        is_known = contest.guest is None and contest.cause is Cause.WITHDRAWN
        return "" if is_known else f"cancelled.{contest.cause}"
    if contest.proposed_by is side.other:
        return f"proposed:{contest.proposed}"
    return ""


# The invitation


def accept(contest: Contest, guest: Team, now: Millis) -> Contest:
    """Accepts for the server of `guest`: the sign-up opens, or the vote game begins. Raises Refused."""
    check_invited(contest, guest.guild, now)
    if contest.kind is Kind.VOTE:
        vote = Board(1, None, Side.GUEST)
        return replace(contest, guest=guest, stage=Stage.RUNNING, boards=(vote,))
    assert contest.sign_up is not None, "pairs of players sign up"
    return replace(contest, guest=guest, stage=Stage.SIGN_UP, closes=Millis(now + contest.sign_up))


def decline(contest: Contest, guild: GuildId, now: Millis) -> Contest:
    """Declines for the server `guild`, whose manager has the code. Raises Refused."""
    check_invited(contest, guild, now)
    return cancel(contest, Cause.DECLINED)


def check_invited(contest: Contest, guild: GuildId, now: Millis) -> None:
    """Raises Refused (`no_team_code`, `team_own_code`) if the code cannot be used by the server `guild` any more."""
    if contest.stage is not Stage.INVITED or now >= contest.expires:
        raise Refused(Reason.NO_TEAM_CODE)
    if contest.home.guild == guild:
        raise Refused(Reason.TEAM_OWN_CODE)


# Signing up


def sign_up(contest: Contest, member: Member, side: Side, now: Millis) -> Contest:
    """Adds a member to the players of a side: one who was there before the contest was made. Raises Refused."""
    contest.require(Stage.SIGN_UP)
    user = member.user
    if contest.closes is not None and now >= contest.closes:
        raise Refused(Reason.TEAM_IS_RUNNING)
    number = contest.number_of(user)
    if number is not None:
        same = contest.players[number].side is side
        raise Refused(Reason.TEAM_SIGNED_UP if same else Reason.TEAM_OTHER_SIDE)
    if any(each.user == user and each.side is side for each in contest.players):
        raise Refused(Reason.TEAM_REMOVED)
    check_member(member, contest.made)
    if len(contest.of_side(side)) >= MAX_SIGNED_UP:
        raise Refused(Reason.TEAM_FULL, most=MAX_SIGNED_UP)
    return replace(contest, players=(*contest.players, Player(user, side)))


def begin_early(contest: Contest, now: Millis) -> Contest:
    """Closes the sign-up of a contest that is full. Raises Refused."""
    contest.require(Stage.SIGN_UP)
    if not contest.is_full:
        raise Refused(Reason.TEAM_NOT_FULL, count=contest.size)
    return replace(contest, closes=now)


def remove(contest: Contest, user: UserId, side: Side) -> Contest:
    """Takes a player off the list of a side for its manager: they can't sign up again. Raises Refused."""
    contest.require(Stage.SIGN_UP)
    number = contest.number_of(user)
    if number is None or contest.players[number].side is not side:
        raise Refused(Reason.TEAM_NOT_LISTED, user=user)
    return _take_out(contest, number)


def leave(contest: Contest, user: UserId) -> Contest:
    """Takes `user` off the list or, once the games have begun, off all games that are not under way: a substitute
    plays them. Raises Refused."""
    contest.require(Stage.SIGN_UP, Stage.RUNNING)
    number = contest.number_of(user)
    if number is None:
        raise Refused(Reason.TEAM_NOT_IN)
    if contest.stage is Stage.SIGN_UP:
        return replace(contest, players=(*contest.players[:number], *contest.players[number + 1 :]))
    return _take_out(contest, number)


def _take_out(contest: Contest, number: PlayerNumber) -> Contest:
    players = list(contest.players)
    players[number] = replace(players[number], left=True)
    return replace(contest, players=tuple(players))


# Boards


def replace_or_forfeit(
    contest: Contest, board: Board, absent: Collection[Side], blocked: Blocked = NO_BLOCKS
) -> Contest:
    """Seats substitutes for the `absent` players of a board whose game was not under way, for another game.

    A side without a substitute who may meet the other player loses the board. If both lack one, nobody gets its point.
    """
    assert board.players is not None, "it is no vote game"
    seats, lost = list(board.players), set()
    for side in absent:
        contest = _take_out(contest, board.players[side])
        opponent = contest.players[seats[side.other]].user
        waiting = [
            number
            for number in contest.substitutes(side)
            if contest.players[number].user not in blocked.get(opponent, ()) and number not in seats
        ]
        if waiting and not contest.team(side).gone:
            seats[side] = waiting[0]
        else:
            lost.add(side)
    if lost:
        points = (float(Side.HOME not in lost), float(Side.GUEST not in lost))
        return with_board(contest, replace(board, points=points, unplayed=True))
    home, guest = seats
    again = Board(board.number, (home, guest), board.first, tries=board.tries + 1, came=tuple(absent))
    return with_board(contest, again)


def enter_result(contest: Contest, board: Board, points: tuple[float, float], dots: tuple[float, float]) -> Contest:
    """Enters the result of a game that was under way."""
    return with_board(contest, replace(board, points=points, dots=dots))


def with_board(contest: Contest, board: Board) -> Contest:
    """Returns the contest with a board in the place of that of the same number."""
    return replace(contest, boards=tuple(board if each.number == board.number else each for each in contest.boards))


def finish_when_decided(contest: Contest, now: Millis) -> Contest:
    """Ends a contest whose boards are all decided; returns any other unchanged."""
    if contest.stage is not Stage.RUNNING or any(board.points is None for board in contest.boards):
        return contest
    return replace(contest, stage=Stage.ENDED, ended=now, proposed_by=None, proposed=None)


# The end


def withdraw(contest: Contest, side: Side, now: Millis) -> Contest:
    """Cancels for one side before the games have begun. Later both have to agree: the first asks, the other one
    confirms. Raises Refused."""
    if not contest.is_open:
        raise Refused(Reason.TEAM_OVER)
    if contest.stage is not Stage.RUNNING:
        return cancel(contest, Cause.WITHDRAWN)
    contest = drop_old_proposal(contest, now)
    if contest.proposed_by is side:
        raise Refused(Reason.TEAM_PROPOSED)
    if contest.proposed_by is side.other:
        return cancel(contest, Cause.AGREED)
    return replace(contest, proposed_by=side, proposed=now)


def drop_old_proposal(contest: Contest, now: Millis) -> Contest:
    """Forgets a proposal to cancel that the other side has not confirmed in time."""
    if contest.proposed is None or now < contest.proposed + CANCEL_MILLIS:
        return contest
    return replace(contest, proposed_by=None, proposed=None)


def cancel(contest: Contest, cause: Cause) -> Contest:
    """Cancels an open contest; running games go on by themselves."""
    return replace(contest, stage=Stage.CANCELLED, cause=cause, proposed_by=None, proposed=None)


def move(contest: Contest, side: Side, channel: ChannelId) -> Contest:
    """Lets a side read of the contest in another channel, in which its players are called. Raises Refused
    (`team_over`)."""
    if not contest.is_open or contest.team(side).gone:
        raise Refused(Reason.TEAM_OVER)

    def uncalled(board: Board) -> Board:
        calls = (None, board.calls[1]) if side is Side.HOME else (board.calls[0], None)
        return board if board.match is not None else replace(board, calls=calls)

    moved = contest.with_team(side, replace(contest.team(side), channel=channel, message=None))
    return replace(moved, boards=tuple(map(uncalled, contest.boards)))


def lose_channel(contest: Contest, side: Side) -> Contest:
    """Notes that a side has no channel any more. Before the games have begun, or if both sides have none, that cancels
    the contest. Later the side loses the boards whose games have not begun."""
    contest = contest.with_team(side, replace(contest.team(side), gone=True))
    if not contest.is_open:
        return contest
    if contest.stage is not Stage.RUNNING or all(contest.team(each).gone for each in contest.sides):
        return cancel(contest, Cause.CHANNEL)
    lost = LOST if side is Side.HOME else WON
    boards = [
        replace(each, points=lost, unplayed=True) if each.points is None and each.match is None else each
        for each in contest.boards
    ]
    return replace(contest, boards=tuple(boards))
