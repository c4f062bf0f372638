"""Searches for accounts that lose a contest of pairs for the server whose 300 members they are among.

The rules of `play/competitions` decide who may sign up, who plays whom, and who is replaced. Honest pairs share their
point by strength, as Elo expects. A plan has three accounts that want the other server to win: how each came to be
there, the rating that it shows, when it signs up, and what it does then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from benchmarks.cheating.plans import Gains, Plan, Subject
from play.competitions.contest import Board, Contest, Side, accept, leave, replace_or_forfeit, sign_up
from play.competitions.contest_pairing import begin_when_due
from play.ids import Millis, UserId
from play.people.membership import Member
from play.refusal import Refused
from tests.clock import DAY, HOUR, NOON
from tests.play.competitions.contests import BEGINS, GUEST, GUEST_TEAM, HOME, invitation
from tests.votes import account_made

BOARDS: Final = 12
SPREAD: Final = 250.0
"""The standard deviation of strengths around 1500."""

DOUBT: Final = 120.0
"""Points by which a settled rating counts less in the line-up: two deviations."""

NOBODY: Final = "takes no part"
PLAYS, ABSENT, LEAVES, OFF_LIST, LOSES = (
    "plays",
    "never comes",
    "leaves once paired",
    "leaves before the pairs",
    "loses on purpose",
)


class Account(NamedTuple):
    """An account of a plan: its age and since when it is a member when the contest is made, the rating by which it
    is placed, whether it signs up before all others, and what it does then. Where it plays, it plays as the average."""

    age: Millis
    member_for: Millis
    seed: float
    is_first: bool
    act: str

    @property
    def joined(self) -> Millis:
        return Millis(NOON - self.member_for)


_ORIGINS: Final = {
    "member of old": (Millis(400 * DAY), DAY),
    "joins for it": (Millis(400 * DAY), Millis(-HOUR)),
    "made for it": (Millis(2 * DAY), DAY),
}
_SEEDS = {"unrated": 800.0, "rated as the average": 1500.0 - DOUBT, "rated best": 2500.0}
ACTS: Final = {
    f"{origin}, {seed}, signs up {when}, {act}": Account(*_ORIGINS[origin], _SEEDS[seed], when == "first", act)
    for origin, seed, when, act in product(
        _ORIGINS, _SEEDS, ("first", "last"), (PLAYS, ABSENT, LEAVES, OFF_LIST, LOSES)
    )
}
TAKEN = "boards taken, of 12"
SLOTS: Final = {f"account {number}": (NOBODY, *ACTS) for number in (1, 2, 3)}


def play_contest(accounts: Sequence[Account], members: int, seed: int) -> float:
    """Returns the points that the server can expect for which accounts sign up, besides so many honest members."""
    random = Random(seed)  # noqa: S311 - no secret
    strengths = {UserId(1000 * side + n): random.gauss(1500, SPREAD) for side in Side for n in range(1, members + 1)}
    honest = [(user, Side(user // 1000), Millis(NOON - DAY)) for user in strengths]
    own = {UserId(account_made(NOON - each.age, number)): each for number, each in enumerate(accounts)}
    first, last = (
        [(user, Side.GUEST, each.joined) for user, each in own.items() if each.is_first is so] for so in (True, False)
    )
    contest = accept(invitation(size=BOARDS), GUEST_TEAM, NOON)
    for user, side, joined in (*first, *honest, *last):
        with suppress(Refused):
            contest = sign_up(contest, Member(user, (HOME, GUEST)[side], joined=joined), side, NOON)
    acts = {user: each.act for user, each in own.items()}
    contest = _leave(contest, acts, OFF_LIST)
    seeds = {user: strength - DOUBT for user, strength in strengths.items()}
    seeds |= {user: each.seed for user, each in own.items()}
    contest = begin_when_due(contest, seeds, {}, (), seed % 2, BEGINS)
    contest = _leave(contest, acts, LEAVES)
    for number in range(1, len(contest.boards) + 1):
        contest = _seat_substitutes(contest, number, acts)
    return sum(_expected(contest, board, strengths, acts) for board in contest.boards)


def _leave(contest: Contest, acts: dict[UserId, str], act: str) -> Contest:
    for user in acts:
        if acts[user] == act and contest.number_of(user) is not None:
            contest = leave(contest, user)
    return contest


def _seat_substitutes(contest: Contest, number: int, acts: dict[UserId, str]) -> Contest:
    """Seats substitutes on a board until a player comes."""
    while True:
        board = contest.boards[number - 1]
        if board.points is not None or acts.get(contest.users_of(board)[Side.GUEST]) not in (ABSENT, LEAVES):
            return contest
        contest = replace_or_forfeit(contest, board, [Side.GUEST])


def _expected(contest: Contest, board: Board, strengths: dict[UserId, float], acts: dict[UserId, str]) -> float:
    """Returns what the guests can expect of a board."""
    if board.points is not None:
        return board.points[Side.GUEST]
    home, guest = contest.users_of(board)
    if acts.get(guest) == LOSES:
        return 0.0
    return 1 / (1 + 10 ** ((strengths.get(home, 1500) - strengths.get(guest, 1500)) / 400))


async def play_plan(members: int, contests: int, plan: Plan) -> Gains:
    """Returns how many boards a plan takes from a server with so many honest players, on average over contests."""
    accounts = [ACTS[act] for act in plan if act != NOBODY]
    return {TAKEN: fmean(play_contest([], members, n) - play_contest(accounts, members, n) for n in range(contests))}


def subjects(contests: int = 8) -> Iterator[Subject]:
    """Yields contests with substitutes, and with none but the accounts of the plan."""
    for members in (20, BOARDS):
        name = f"contests ({BOARDS} boards, {members} honest players)"
        yield Subject(name, SLOTS, partial(play_plan, members, contests), {TAKEN: 1.0})
