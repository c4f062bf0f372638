"""The league of a server as a frozen value: its members, and how one season follows the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from play.challenge.terms import Order, Terms
from play.clock import Speed
from play.competitions.divisions import split
from play.competitions.season import Season, drop_out, make_season
from play.ids import DAY, ChannelId, GuildId, MessageId, Millis, UserId
from play.people.membership import MIN_ACCOUNT_AGE, is_young
from play.posts import KeptPost, PostKey, PostKind
from play.refusal import Reason, Refused

MIN_PLAYERS: Final = 3
"""Players of a season. With fewer, the league waits for a week at a time."""

MAX_MEMBERS: Final = 240

MOVING: Final = 2
"""Players who go up from a division, and players who go down from one."""

WEEK_MILLIS: Final = 7 * DAY
SIGN_UP_MILLIS: Final = 3 * DAY
"""From the opening of a league to its first season at least."""

_MONDAY_NOON: Final = 4 * DAY + DAY // 2
"""Noon in UTC of the first Monday of the epoch. All seasons begin and end on a Monday at noon."""


class Presence(StrEnum):
    """Whether a member plays in the next season."""

    PLAYING = "playing"
    PAUSED = "paused"  # They skip a season, and play again after it.
    AWAY = "away"  # They did not show up twice, or have left the server, and have a season to come back.


@dataclass(frozen=True, slots=True)
class Member:
    """A member. `division` is the index of the one that they play in or have earned; None for a newcomer."""

    user: UserId
    joined: Millis
    presence: Presence = Presence.PLAYING
    division: int | None = None


class NoticeKind(StrEnum):
    """What the channel is told by a message of its own."""

    BEGUN = "begun"  # A season has begun.
    ENDED = "ended"  # A season has ended.
    WAITING = "waiting"  # Players lack; the season begins a week later, or later still.
    MISSED = "missed"  # A player has lost a game by time without a move; the thread of the game is told.
    UNPLAYED = "unplayed"  # A game is drawn without being played.


@dataclass(frozen=True, slots=True)
class LeagueNotice:
    """A notice of a season, and the version of the league that brought it. `game` is the place of the game that it is
    about among those of the season."""

    kind: NoticeKind
    season: int
    version: int
    game: int | None = None


@dataclass(frozen=True, slots=True)
class League:
    """The league of a server, its members in the order in which they stand.

    `keeper` has opened it. Games are played on `terms`; `next_terms`, if any, replace them after the present season.
    `begins` is when the next season begins, and `season` the present one; `seasons` counts those that have begun.
    `pins` says whether its message is to be pinned, `pinned` which message is. `changed` is the version in which the
    message changed last. `notices` tell the channel what happened; those up to the version `announced` are posted. The
    message shows the version `shown`, and may be edited again at `edits`, or for a notice. A `closed` league is over.
    `former` is the message of one that has moved, as long as it has to be told that.
    """

    guild: GuildId
    channel: ChannelId
    keeper: UserId
    terms: Terms
    begins: Millis
    members: tuple[Member, ...] = ()
    season: Season | None = None
    seasons: int = 0
    pins: bool = False
    closed: bool = False
    former: tuple[ChannelId, MessageId] | None = None
    next_terms: Terms | None = None
    message: MessageId | None = None
    pinned: MessageId | None = None
    version: int = 0
    changed: int = 0
    notices: tuple[LeagueNotice, ...] = ()
    announced: int = 0
    shown: int = -1
    edits: Millis = Millis(0)  # noqa: RUF009 - a number

    @property
    def users(self) -> tuple[UserId, ...]:
        return tuple(member.user for member in self.members)

    @property
    def post(self) -> KeptPost:
        """Where it is kept."""
        key = PostKey(PostKind.LEAGUE, self.guild)
        return KeptPost(key, self.guild, self.channel, self.keeper, players=self.users, is_over=self.closed)

    @property
    def due(self) -> Millis | None:
        """When the next season or game begins, or the present season ends. None if the league is closed."""
        if self.closed:
            return None
        return self.begins if self.season is None else self.season.due

    @property
    def pending_notices(self) -> tuple[LeagueNotice, ...]:
        """The notices that are still to be posted, the oldest first."""
        return tuple(notice for notice in self.notices if notice.version > self.announced)

    def is_behind(self, now: Millis) -> bool:
        """Returns whether the message has to be brought up to date now."""
        return self.shown < self.changed and now >= self.edits

    def member(self, user: UserId) -> Member:
        """Returns the member. Raises Refused (`league_not_in`)."""
        found = next((each for each in self.members if each.user == user), None)
        if found is None:
            raise Refused(Reason.LEAGUE_NOT_IN)
        return found

    def renewed(self) -> League:
        """Returns the league with a next version that its message has to show."""
        return replace(self, changed=self.version + 1)

    def shown_at_once(self) -> League:
        """Returns the league with a next version that its message shows without a pause: a manager has changed it."""
        return replace(self.renewed(), edits=Millis(0))

    def with_notice(self, kind: NoticeKind, season: int = 0, game: int | None = None) -> League:
        """Returns the league with a notice of its next version; of each kind, or about each game, it has the newest
        only."""
        kept = tuple(notice for notice in self.pending_notices if (notice.kind, notice.game) != (kind, game))
        return replace(self, notices=(*kept, LeagueNotice(kind, season, self.version + 1, game))).renewed()


def first_season(opened: Millis) -> Millis:
    """Returns when the first season of a league begins: on the first Monday that leaves time to join."""
    weeks = -(-(opened + SIGN_UP_MILLIS - _MONDAY_NOON) // WEEK_MILLIS)
    return Millis(_MONDAY_NOON + weeks * WEEK_MILLIS)


def join(league: League, user: UserId, now: Millis) -> League:
    """Adds `user` at the foot, or lets a member who pauses or did not show up play again. Raises Refused."""
    _require_open(league)
    if user in league.users:
        member = league.member(user)
        if member.presence is Presence.PLAYING:
            raise Refused(Reason.LEAGUE_IN_ALREADY)
        return _with_member(league, replace(member, presence=Presence.PLAYING))
    if is_young(user, now):
        raise Refused(Reason.LEAGUE_YOUNG_ACCOUNT, count=MIN_ACCOUNT_AGE // DAY)
    if len(league.members) >= MAX_MEMBERS:
        raise Refused(Reason.LEAGUE_FULL, count=MAX_MEMBERS)
    return replace(league, members=(*league.members, Member(user, now))).renewed()


def pause(league: League, user: UserId) -> League:
    """Lets `user` skip the next season; the games of the present one go on. Raises Refused."""
    _require_open(league)
    member = league.member(user)
    if member.presence is not Presence.PLAYING:
        raise Refused(Reason.LEAGUE_PAUSED_ALREADY)
    return _with_member(league, replace(member, presence=Presence.PAUSED))


def leave(league: League, user: UserId, now: Millis) -> League:
    """Removes `user`; the computer plays those of their games that have not begun. Raises Refused."""
    _require_open(league)
    league.member(user)
    left = replace(league, members=tuple(each for each in league.members if each.user != user))
    return replace(left, season=left.season and drop_out(left.season, user, now)).renewed()


def miss(league: League, user: UserId, now: Millis) -> League:
    """Notes that `user` does not show up, or is not on the server: as `leave`, but they may come back within the next
    season."""
    members = tuple(replace(each, presence=Presence.AWAY) if each.user == user else each for each in league.members)
    season = league.season and drop_out(league.season, user, now)
    return replace(league, members=members, season=season).renewed()


def move(league: League, channel: ChannelId, keeper: UserId) -> League:
    """Moves the league to another channel; `keeper` is told of its troubles from then on. Raises Refused."""
    _require_open(league)
    if league.channel == channel:
        raise Refused(Reason.LEAGUE_HERE)
    former = league.former if league.message is None else (league.channel, league.message)
    moved = replace(league, channel=channel, keeper=keeper, message=None, pinned=None, former=former)
    return moved.shown_at_once()


def change_terms(league: League, terms: Terms) -> League:
    """Changes the terms of the seasons to come; games of the present one keep theirs, and its own terms withdraw the
    change. Raises Refused."""
    _require_open(league)
    if terms.game.seats != 2:
        raise Refused(Reason.SEATS_STAY, count=2)
    if terms.control.speed is not Speed.DAYS:
        raise Refused(Reason.LEAGUE_CLOCK)
    terms = replace(terms, order=Order.DRAWN, window=None, level=None)
    if league.season is None:
        return replace(league, terms=terms).shown_at_once()
    return replace(league, next_terms=None if terms == league.terms else terms).shown_at_once()


def close(league: League) -> League:
    """Ends the league for its server; running games go on by themselves. Raises Refused."""
    _require_open(league)
    return replace(league, closed=True, season=None, members=(), notices=()).shown_at_once()


def set_pins(league: League, *, pins: bool) -> League:
    """Changes whether the message of the league is to be pinned. Raises Refused."""
    _require_open(league)
    return replace(league, pins=pins).shown_at_once()


def begin_season(league: League, ratings: Mapping[UserId, float], now: Millis, *, computer: bool) -> League:
    """Begins the season that is due, if there are players for it; else it begins a week later.

    After a long downtime the weeks that have passed are skipped, but the season still begins on a Monday.
    """
    begins = Millis(league.begins + max(0, now - league.begins) // WEEK_MILLIS * WEEK_MILLIS)
    league = replace(league, members=_by_rating(league.members, ratings))
    playing = [member for member in league.members if member.presence is Presence.PLAYING]
    if len(playing) < MIN_PLAYERS:
        later = replace(league, begins=Millis(begins + WEEK_MILLIS))
        known = any(notice.kind is NoticeKind.WAITING for notice in league.notices)
        return later if known else later.with_notice(NoticeKind.WAITING)
    earned = [member.division for member in playing if member.division is not None]
    boundaries = [sum(division <= index for division in earned) for index in range(max(earned, default=0))]
    groups, rest = [], playing
    for size in split(len(playing), boundaries):
        groups.append([(member.user, ratings[member.user]) for member in rest[:size]])
        rest = rest[size:]
    league = replace(league, members=_placed(league.members, list(map(len, groups))))
    number = league.seasons + 1
    season = make_season(number, begins, groups, computer=computer)
    begun = replace(league, season=season, seasons=number, begins=season.ends, notices=league.pending_notices)
    return begun.with_notice(NoticeKind.BEGUN, number)


def _placed(members: tuple[Member, ...], sizes: Sequence[int]) -> tuple[Member, ...]:
    """Returns the members with the divisions of a season: those who miss it have that of the player before them, so
    that they keep their place however many divisions there are."""
    divisions = [index for index, size in enumerate(sizes) for _ in range(size)]
    placed, seen = [], 0
    for member in members:
        seen += member.presence is Presence.PLAYING
        is_new = member.division is None and member.presence is not Presence.PLAYING
        placed.append(member if is_new else replace(member, division=divisions[max(0, seen - 1)]))
    return tuple(placed)


def _by_rating(members: tuple[Member, ...], ratings: Mapping[UserId, float]) -> tuple[Member, ...]:
    """Returns the members with the newcomers behind all others, the best rated first."""
    known = [member for member in members if member.division is not None]
    newcomers = [member for member in members if member.division is None]
    newcomers.sort(key=lambda member: (-ratings.get(member.user, 0.0), member.joined))
    return (*known, *newcomers)


class Movement(NamedTuple):
    """Who goes up from a division, who stays, and who goes down, each in the order of the table; `gone` dropped out."""

    up: tuple[UserId, ...]
    stay: tuple[UserId, ...]
    down: tuple[UserId, ...]
    gone: tuple[UserId, ...]


def movements(season: Season) -> list[Movement]:
    """Returns who moves by the present tables. Those who dropped out are the first to go down."""
    last = len(season.divisions) - 1
    found = []
    for index, division in enumerate(season.divisions):
        gone = tuple(user for user in division.ranking if user in division.gone)
        there = tuple(user for user in division.ranking if user not in division.gone)
        up = there[: MOVING if index > 0 else 0]
        rest = there[len(up) :]
        falling = max(0, MOVING - len(gone)) if index < last else 0
        cut = max(0, len(rest) - falling)
        found.append(Movement(up, rest[:cut], rest[cut:], gone))
    return found


def end_season(league: League) -> League:
    """Ends the present season: orders the members anew, and lets those who paused during it play again.

    Members who missed the season keep their division, behind those who stay in it. A member who was away for all of it
    leaves the league. Changed terms are those of the league from then on.
    """
    assert league.season is not None, "a season goes on"
    season = league.season
    played = frozenset(season.users)
    by_user = {member.user: member for member in league.members}
    order: list[Member] = []

    def place(users: Iterable[UserId], division: int) -> None:
        order.extend(replace(by_user[user], division=division) for user in users if user in by_user)

    moves = movements(season)
    last = len(moves) - 1
    absent = [member for member in league.members if member.user not in played]
    for index, move in enumerate(moves):
        missing = (each.user for each in absent if each.division == index)
        place((*move.stay, *missing), index)
        if index < last:
            place(moves[index + 1].up, index)
        place((*move.down, *move.gone), min(index + 1, last))
    newcomers = [member for member in absent if member.division is None]
    members = tuple(
        kept for each in (*order, *newcomers) if (kept := _after_season(each, each.user in played)) is not None
    )
    terms = league.next_terms or league.terms
    ended = replace(league, members=members, season=None, terms=terms, next_terms=None)
    return ended.with_notice(NoticeKind.ENDED, season.number)


def _after_season(member: Member, played: bool) -> Member | None:
    """Returns the member for the next season; None for one who did not come back in the season that has ended."""
    if played or member.presence is Presence.PLAYING:
        return member
    return None if member.presence is Presence.AWAY else replace(member, presence=Presence.PLAYING)


def _with_member(league: League, changed: Member) -> League:
    members = tuple(changed if each.user == changed.user else each for each in league.members)
    return replace(league, members=members).renewed()


def _require_open(league: League) -> None:
    if league.closed:
        raise Refused(Reason.NO_LEAGUE)
