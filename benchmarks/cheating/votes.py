"""Searches for members who end a vote game of 300, or play its turns badly.

The game is played by the real services and counter; time is simulated. Honest members come by as people do, two an hour
by day and hardly any at night, out of 60 of 300 who care, and vote for one of a few good moves. A plan has three
accounts, members of old; the third may be the opponent instead. It says when the game begins, and what each account
votes in the first turn, by day, at night, and after silence.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from shutil import copyfile
from statistics import fmean
from typing import Final

from benchmarks.cheating.plans import Gains, Plan, Subject
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.match.events import OfferKind
from play.match.match import Match
from play.people.membership import Member
from play.refusal import Refused
from play.votes import Choice, NewSide, Side, missed, turn_of
from rules.registry import make_game
from storage import Database
from tests.clock import DAY, HOUR, NOON, SECOND, StoppedClock
from tests.matches import pass_time
from tests.memory import memory_folder
from use_cases import UseCases
from use_cases.votes import VoteGame
from use_cases.workers.vote_counter import VoteCounter

MIDNIGHT: Final = Millis(NOON - NOON % DAY)
GUILD: Final = GuildId(7)
OPPONENT: Final = UserId(50)

MEMBERS, REGULARS, OF_REGULARS = 300, 60, 0.9
"""Members of the server, those among them who care, and the part of the visits that is theirs."""

DAY_VISITS, NIGHT_VISITS = 2.0, 0.05
"""Honest members who come by in an hour, by day and between 23 and 7."""

GOOD_MOVES: Final = 6
"""Moves that honest members vote for, each half as often as the one before."""

REPLY_MILLIS, SIMULATED_MILLIS = Millis(2 * HOUR), Millis(30 * HOUR)
"""The time of an honest opponent for a move; and a day with a night and what comes of it."""

PASS, GOOD, BAD, RESIGN, DRAW = "no vote", "a good move", "a bad move", "resign", "a draw"
STRANGER, OWN, OFFERING = "a stranger", "own account", "own account that offers draws"
FIRST, BY_DAY, AT_NIGHT, SILENCE = "first turn", "by day", "at night", "after silence"

SLOTS: Final = {
    "opponent": (STRANGER, OWN, OFFERING),
    "begins": ("12:00", "22:00"),
    **{
        f"account {number} {moment}": (PASS, GOOD, BAD, RESIGN, DRAW)
        for number in (1, 2, 3)
        for moment in (FIRST, BY_DAY, AT_NIGHT, SILENCE)
    },
}
ENDED, TAKEN = "games ended, of 100", "turns played badly in 30 hours"


@dataclass(frozen=True, slots=True)
class Server:
    """How a server plays: the length of its votes in hours, and its quorum."""

    hours: int
    quorum: int

    def __str__(self) -> str:
        return f"votes of {self.hours} h, quorum {self.quorum}"


class Game:
    """A game in which honest members and the accounts of a plan vote."""

    def __init__(self, store: Database, clock: StoppedClock, acts: dict[str, str], seed: int) -> None:
        self.store, self.clock, self.acts = store, clock, acts
        self.use_cases = UseCases.over(store, seeds=lambda: 4)
        self.taken = 0
        self._counter = VoteCounter(store, self.use_cases.votes, self.use_cases.matches, self.use_cases.actions)
        self._random = Random(seed)  # noqa: S311 - no secret
        self._keys = map(IdempotencyKey, count(1))
        self._cast: dict[str, tuple[int, str]] = {}

    async def play(self, server: Server) -> Match:
        """Plays for `SIMULATED_MILLIS`, or to the end."""
        self.clock.time = Millis(MIDNIGHT + int(self.acts["begins"][:2]) * HOUR)
        side = NewSide(GUILD, ChannelId(3), quorum=server.quorum)
        terms = Terms(make_game("zagram", {"size": "13x13"}), parse_control("1d"), Order.FIRST)
        new = VoteGame(GUILD, ChannelId(3), side, OPPONENT, Millis(server.hours * HOUR), terms, OPPONENT)
        match = await self.use_cases.votes.begin(new, self.clock())
        visits, ends = self._visits(), self.clock() + SIMULATED_MILLIS
        visit = next(visits)
        while match.outcome is None and self.clock() < ends:
            (side_now,) = await self.use_cases.votes.sides_of(match.id)
            if match.to_act != side_now.seat:
                match = await self._reply(match)
                continue
            await self._scheme(match, side_now)
            while self.clock() >= visit:
                await self._visit(match)
                visit = next(visits)
            await self._counter.poll()
            before, match = match, await self.use_cases.matches.load(match.id)
            if len(match.moves) > len(before.moves):
                self.taken += match.moves[-1].text == _moves(before)[-1]
            else:
                await self._wait(visit)
        return match

    def _visits(self) -> Iterator[Millis]:
        """Yields when honest members come by."""
        now = float(self.clock())
        while True:
            rate = DAY_VISITS if 7 <= now // HOUR % 24 < 23 else NIGHT_VISITS
            pause = self._random.expovariate(rate)
            now += min(pause, 1) * HOUR
            if pause < 1:
                yield Millis(int(now))

    async def _visit(self, match: Match) -> None:
        """Lets an honest member vote for one of the good moves."""
        number = self._random.randrange(REGULARS if self._random.random() < OF_REGULARS else MEMBERS)
        place = min(int(self._random.expovariate(0.7)), GOOD_MOVES - 1)
        await self._vote(match, UserId(1000 + number), Choice.MOVE, _moves(match)[place])

    async def _scheme(self, match: Match, side: Side) -> None:
        """Lets the accounts of the plan vote, each once in a turn unless the moment is another one; and their opponent
        offers a draw."""
        is_day = 7 <= self.clock() // HOUR % 24 < 23
        moment = FIRST if not match.moves else SILENCE if missed(match, side.seat) else BY_DAY if is_day else AT_NIGHT
        for number in (1, 2) if self.acts["opponent"] != STRANGER else (1, 2, 3):
            account, turn = f"account {number}", (turn_of(match), moment)
            act = self.acts[f"{account} {moment}"]
            if act != PASS and self._cast.get(account) != turn:
                self._cast[account] = turn
                choice = {RESIGN: Choice.RESIGN, DRAW: Choice.DRAW}.get(act, Choice.MOVE)
                text = {GOOD: _moves(match)[0], BAD: _moves(match)[-1]}.get(act, "")
                await self._vote(match, UserId(2000 + number), choice, text)
        if self.acts["opponent"] == OFFERING and match.offer(OfferKind.DRAW) is None:
            await self.use_cases.actions.propose(match.id, OPPONENT, OfferKind.DRAW, self.clock(), next(self._keys))

    async def _vote(self, match: Match, user: UserId, choice: Choice, text: str) -> None:
        member = Member(user, GUILD, joined=Millis(MIDNIGHT - DAY))
        with suppress(Refused):  # the vote has closed
            await self.use_cases.votes.cast(match.id, member, choice, text, self.clock(), next(self._keys))

    async def _reply(self, match: Match) -> Match:
        """Lets the opponent move; one of the plan agrees to a draw, and does not wait."""
        if self.acts["opponent"] == STRANGER:
            await pass_time(self.store, self.clock, REPLY_MILLIS)
        elif (offer := match.offer(OfferKind.DRAW)) is not None and match.seat_of(OPPONENT) not in offer.agreed:
            return await self.use_cases.actions.agree(
                match.id, OPPONENT, OfferKind.DRAW, self.clock(), next(self._keys)
            )
        text = _moves(match)[len(_moves(match)) // 2]
        return await self.use_cases.matches.move(match.id, OPPONENT, text, self.clock(), next(self._keys))

    async def _wait(self, visit: Millis) -> None:
        async with self.store.read() as reader:
            due = await reader.votes.next_look()
        until = visit if due is None else min(visit, due)
        await pass_time(self.store, self.clock, max(SECOND, until - self.clock()))


def _moves(match: Match) -> list[str]:
    """Returns the notations of all moves, the best ones first."""
    return [str(move) for move in match.position.moves()]


async def play_plan(template: Path, server: Server, games: int, plan: Plan) -> Gains:
    """Returns what a plan brings on a server, on average over so many games."""
    ended, taken = [], []
    for seed in range(games):
        clock = StoppedClock()
        with tempfile.TemporaryDirectory(dir=memory_folder()) as folder:
            file = copyfile(template, Path(folder) / "kropka.db")
            async with Database.open(f"sqlite+aiosqlite:///{file}", now=clock) as store:
                game = Game(store, clock, dict(zip(SLOTS, plan, strict=True)), seed)
                match = await game.play(server)
        ended.append(100.0 * (match.outcome is not None))
        taken.append(game.taken)
    return {ENDED: fmean(ended), TAKEN: fmean(taken)}


def subjects(template: Path, games: int = 4) -> Iterator[Subject]:
    """Yields the votes that `/vote begin` proposes, the shortest ones, and the smallest quorum. Two honest members come
    by in an hour, so three accounts are the most in its vote."""
    for server, taken in ((Server(6, 3), 2.0), (Server(1, 3), 30.0), (Server(6, 1), 3.0)):
        limits = {ENDED: 0.0, TAKEN: taken}
        yield Subject(f"votes ({server})", SLOTS, partial(play_plan, template, server, games), limits)
