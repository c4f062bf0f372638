"""Contests for tests: of two servers, signed up and begun."""

from __future__ import annotations

from collections.abc import Collection

from play.challenge.terms import Terms
from play.clock import parse_control
from play.codes import digest_of
from play.competitions.contest import (
    CODE_MILLIS,
    NO_BLOCKS,
    Blocked,
    Contest,
    ContestId,
    Kind,
    Side,
    Team,
    accept,
    sign_up,
)
from play.competitions.contest_pairing import begin_when_due
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.people.membership import Member
from play.ratings.glicko import INITIAL_RATING
from rules.game import AnyGame
from tests.clock import DAY, NOON
from tests.matches import GAME

HOME, GUEST = GuildId(7), GuildId(8)
LETTERS = "0123456789AB"
SIGN_UP = Millis(3 * DAY)
TIME = Millis(28 * DAY)
BEGINS = Millis(NOON + SIGN_UP)


def invitation(
    kind: Kind = Kind.BOARDS,
    letters: str = LETTERS,
    key: int | None = None,
    size: int = 20,
    game: AnyGame = GAME,
) -> Contest:
    """Returns a contest to which server 7 invites."""
    return Contest(
        ContestId(0),
        kind,
        Terms(game, parse_control("3d"), rated=True),
        Team(HOME, ChannelId(71), UserId(1)),
        NOON,
        digest_of(letters),
        Millis(NOON + CODE_MILLIS),
        size,
        sign_up=SIGN_UP,
        time=TIME,
        key=None if key is None else IdempotencyKey(key),
    )


GUEST_TEAM = Team(GUEST, ChannelId(81), UserId(2))


def members(side: Side, count: int) -> list[UserId]:
    """Returns so many members of a server: 701, 702 and so on, or 801."""
    return [UserId((7 + side) * 100 + number) for number in range(1, count + 1)]


def member_of(user: UserId, guild: GuildId | None) -> Member:
    """Returns a user who was a member of a server before there was a contest."""
    return Member(user, guild, joined=Millis(NOON - DAY))


def signed_up(home: int = 4, guest: int = 4, size: int = 20) -> Contest:
    """Returns an accepted contest with so many players of each server."""
    contest = accept(invitation(size=size), GUEST_TEAM, NOON)
    for side, number in ((Side.HOME, home), (Side.GUEST, guest)):
        for user in members(side, number):
            contest = sign_up(contest, member_of(user, contest.team(side).guild), side, NOON)
    return contest


def begin(contest: Contest, blocked: Blocked = NO_BLOCKS, absent: Collection[UserId] = (), lot: int = 0) -> Contest:
    """Returns the contest when its sign-up is over; of two players of a side the lower number is the better one."""
    ratings = {each.user: INITIAL_RATING - each.user % 100 for each in contest.players}
    return begin_when_due(contest, ratings, blocked, absent, lot, BEGINS)
