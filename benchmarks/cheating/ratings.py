"""Searches for ratings that grow without playing: one game a plan, then whole days.

A plan is a place (a challenge, a tournament with a computer's seat, a ladder), an opponent, rules with start and
handicap, moves before the end, and an end that takes no skill: to wait, to resign with the other account, to let a
round or a moderating friend decide, to withdraw, to call an end. Each is played by the real services, director and
ledger on a database of its own; time is simulated. Nobody thinks: both sides fill the board row by row, also the
computer. So an end that needs a lead on the board is left out against it.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, product
from pathlib import Path
from shutil import copyfile
from typing import Final

from benchmarks.figure import Figure
from opponent.choice import EASIEST, HARDEST
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.competitions.ladder import Ladder
from play.competitions.tournament import Format, Pairing, Stage, Tournament, TournamentId
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.match.events import OfferKind
from play.match.match import Match
from play.refusal import Refused
from rules.game import AnyGame, RuleError
from rules.registry import make_game
from storage import Database, migrate
from tests.clock import DAY, HOUR, MINUTE, NOON, StoppedClock
from tests.director import PROGRAM, direct, make_director, post_boards
from tests.league import add_rating
from tests.matches import pass_time
from tests.memory import memory_folder
from tools.program import say
from use_cases import UseCases
from use_cases.competitions.ladder_referee import LadderReferee

MAX_DAILY_GAIN = 30.0
"""Points a day. A plan that gains more without playing has to be closed, or named in `NAMED` with its reason."""

GAMES_WITH_COMPUTER, GAMES_WITH_ACCOUNT, ACCOUNTS = 12, 4, 5
"""Games of a whole day. Three of an account count in full, and a fourth shows that no further one does."""

MIN_GAIN = 0.5
"""Points of a game below which a plan is no gain but rounding."""

HOST = UserId(899)
FRIEND = UserId(901)
"""A moderator who decides as the cheat likes."""

GUILD = GuildId(7)
_EPOCH = 1_420_070_400_000


def account(number: int, age: int = 400 * DAY) -> UserId:
    """Returns an account that is `age` milliseconds old."""
    return UserId((NOON - age - _EPOCH << 22) + number)


CHEAT = account(0)


class Place(StrEnum):
    CHALLENGE = "challenge"
    LADDER = "ladder"
    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCK_OUT = "knock-out"


class Other(StrEnum):
    """The opponent: an own account, or a level of the computer."""

    NEW = "own new account"
    YOUNG = "own account made yesterday"
    SETTLED = "own settled account"
    STRONG = "friend rated 2200"
    STRONGEST = "computer 14"
    WEAKEST = "computer 1"

    @property
    def level(self) -> int | None:
        return {Other.STRONGEST: HARDEST, Other.WEAKEST: EASIEST}.get(self)


class End(StrEnum):
    RESIGN = "the other resigns"
    TIME = "the other's time runs out"
    DRAW = "draw by agreement"
    AGREED = "end by agreement"
    ROUND = "the round ends"
    AWARD = "a moderator gives the win"
    LEVEL = "a moderator gives a draw"
    WITHDRAW = "the other withdraws"
    ABORT = "the other cancels"
    LAND = "land"
    STOP = "both stop"


_BY_COMPUTER = frozenset({End.TIME, End.ROUND, End.AWARD, End.LEVEL, End.LAND, End.STOP})
"""Ends that the computer does not prevent. It takes no draw early, and neither cancels, withdraws nor resigns."""

RULES: Final = {
    "even": ("zagram", {"size": "12x12"}),
    "even, empty start": ("sport", {"size": "12x12", "start": "empty"}),
    "komi taken": ("zagram", {"size": "12x12", "komi": "5.5"}),
    "komi taken, landing": ("sport", {"size": "12x12", "komi": "5.5"}),
    "komi taken, STOP": ("classic", {"size": "12x12", "komi": "5.5"}),
    "komi taken, landing, empty start": ("sport", {"size": "12x12", "komi": "5.5", "start": "empty"}),
    "komi given": ("zagram", {"size": "12x12", "komi": "5.5"}),
    "extra dots": ("zagram", {"size": "12x12", "handicap": "4"}),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to gain rating without playing. `moves` are those of each player before the end."""

    place: Place
    other: Other
    rules: str
    end: End
    moves: int
    settled: bool

    @property
    def possible(self) -> bool:
        """Whether the place, the rules and the opponent know this end."""
        in_tournament = self.place not in (Place.CHALLENGE, Place.LADDER)
        if self.end in (End.ROUND, End.WITHDRAW) and not in_tournament:
            return False
        if (self.end is End.LAND and "landing" not in self.rules) or (
            self.end is End.STOP and "STOP" not in self.rules
        ):
            return False
        if (self.moves == 0) != (self.end is End.ABORT):
            return False
        if self.other.level is None:
            return True
        seated = self.place in (Place.CHALLENGE, Place.ROUND_ROBIN, Place.SWISS)
        return seated and self.end in _BY_COMPUTER and not (in_tournament and self.rules == "komi given")

    @property
    def repeats(self) -> bool:
        """Whether it adds nothing to another plan: it is unrated, or too short for any end but a call."""
        if self.rules == "extra dots" and self.place is not Place.CHALLENGE:
            return True
        if self.place is Place.KNOCK_OUT and self.rules != "even":
            return True
        return self.moves == 1 and self.rules != "even" and self.end not in (End.LAND, End.STOP)

    @property
    def kind(self) -> tuple[str, ...]:
        """Returns what plans have in common of which only the best is played for a whole day."""
        return (self.end.value, self.other.value, "komi" if "komi" in self.rules else "even", str(self.settled))

    @property
    def game(self) -> AnyGame:
        key, options = RULES[self.rules]
        return make_game(key, options)

    def terms(self, order: Order) -> Terms:
        return Terms(self.game, parse_control("10m"), order, rated=True, level=self.other.level)

    def __str__(self) -> str:
        rated = "1500 ± 60" if self.settled else "newcomer"
        return f"{self.end}, {self.moves} moves; {self.other}; {self.rules}; {self.place}; {rated}"


def plans() -> Iterator[Plan]:
    """Yields every plan that is possible and no repetition."""
    for parts in product(Place, Other, RULES, End, (0, 1, 10), (False, True)):
        if (plan := Plan(*parts)).possible and not plan.repeats:
            yield plan


NAMED: Final[tuple[tuple[Callable[[Plan], bool], str], ...]] = (
    (lambda plan: plan.other is Other.STRONG, "a friend's points, who loses them: no account is made with them"),
    (lambda plan: plan.other.level is None and not plan.settled, "a newcomer's first results, honest or not"),
    (lambda plan: plan.other.level is None, "own accounts sink: twenty bring 27 points a day over a month"),
)
"""Plans that may gain more, with the reason why no rule closes them. None is against the computer."""


def reason_for(plan: Plan) -> str | None:
    """Returns why a plan may gain more than `MAX_DAILY_GAIN`, if it is named."""
    return next((reason for fits, reason in NAMED if fits(plan)), None)


class Lab:
    """A server on which one plan is played by the real services."""

    def __init__(self, store: Database, clock: StoppedClock, plan: Plan) -> None:
        self.store, self.clock, self.plan = store, clock, plan
        self.use_cases = UseCases.over(store, seeds=lambda: 4)
        self.director = make_director(self.use_cases)
        self._keys, self._numbers = count(1), count(1)
        self._on_ladder: set[UserId] = set()

    async def prepare(self, others: int) -> list[UserId]:
        """Stores the ratings from which the plan starts; returns the opponents."""
        other = self.plan.other
        age = DAY if other is Other.YOUNG else 400 * DAY
        found = [PROGRAM] if other.level is not None else [account(10 + number, age) for number in range(others)]
        pool = self.plan.terms(Order.FIRST).pool
        if pool is not None:
            if self.plan.settled:
                await add_rating(self.store, pool, CHEAT, 1500)
            value = {Other.SETTLED: 1500.0, Other.STRONG: 2200.0}.get(other)
            for user in found if value is not None else ():
                await add_rating(self.store, pool, user, value or 0)
        return found

    async def gain(self) -> float:
        """Returns the points that the cheat has gained."""
        pool = self.plan.terms(Order.FIRST).pool
        if pool is None:
            return 0.0
        async with self.store.read() as reader:
            return (await reader.ratings.get(pool, [CHEAT]))[CHEAT].value - 1500

    async def play(self, other: UserId) -> None:
        """Plays the plan once: a game, or a tournament of three own accounts and the computer's seat."""
        match self.plan.place:
            case Place.CHALLENGE:
                await self._play_challenge(other)
            case Place.LADDER:
                await self._play_for_place(other)
            case _:
                await self._play_tournament(other)

    async def _play_challenge(self, other: UserId) -> None:
        order = Order.LAST if self.plan.rules == "komi given" else Order.FIRST
        offered = await self.use_cases.challenges.challenge(
            CHEAT, other, GUILD, ChannelId(next(self._numbers)), self.plan.terms(order), self.clock()
        )
        _, match = await self.use_cases.challenges.accept(offered.id, other, self.clock())
        assert match is not None
        await self._end(match, other)

    async def _play_for_place(self, other: UserId) -> None:
        ladders = self.use_cases.ladders
        if not self._on_ladder:
            await ladders.make(Ladder(GUILD, ChannelId(5000), self.plan.terms(Order.FIRST)), UserId(1))
        for user in (other, CHEAT):
            if user not in self._on_ladder:
                await ladders.join(GUILD, user, self.clock())
                self._on_ladder.add(user)
        ladder = await ladders.load(GUILD)
        upper, lower = sorted((CHEAT, other), key=ladder.place)
        offered = await ladders.challenge(GUILD, lower, upper, self.clock())
        _, match = await self.use_cases.challenges.accept(
            offered.id, upper, self.clock(), thread=ChannelId(next(self._numbers))
        )
        assert match is not None
        await self._end(match, other)
        await LadderReferee(self.store, self.use_cases.events).process((GUILD, ChallengeId(offered.id)))

    async def _play_tournament(self, other: UserId) -> None:
        tournaments, plan = self.use_cases.tournaments, self.plan
        helpers = [account(900), account(901)] if other == PROGRAM else [other, account(900)]
        made = await tournaments.make(
            Tournament(
                TournamentId(0),
                GUILD,
                ChannelId(next(self._numbers)),
                HOST,
                "Cup",
                Format(plan.place.value),
                plan.terms(Order.FIRST),
                self.clock(),
                rounds=3,
                pace=Millis(10 * MINUTE),
                computer=plan.other.level,
            )
        )
        for user in (CHEAT, *helpers):
            await tournaments.sign_up(made.id, user)
        await tournaments.begin(made.id, self.clock())
        cup = await direct(self.director, self.use_cases, made.id)
        while cup.stage is Stage.RUNNING:
            for pair in cup.current_pairings:
                await self._play_pair(cup, pair, other)
            if any(pair.points is None for pair in (await tournaments.load(cup.id)).current_pairings):
                await pass_time(self.store, self.clock, 11 * MINUTE)
            cup = await direct(self.director, self.use_cases, cup.id)

    async def _play_pair(self, cup: Tournament, pair: Pairing, other: UserId) -> None:
        """Plays a pair of the cheat and the opponent by the plan. In a knock-out the third account gives its game up,
        so that the two meet; any other game is ended by its round."""
        if pair.match is None or pair.points is not None:
            return
        match = await self.use_cases.matches.load(pair.match)
        if set(match.players) == {CHEAT, other}:
            await self._end(match, other, cup)
        elif self.plan.place is Place.KNOCK_OUT:
            (third,) = set(match.players) - {CHEAT, other}
            await self.use_cases.matches.resign(match.id, third, self.clock(), self._key())

    async def _end(self, match: Match, other: UserId, cup: Tournament | None = None) -> None:
        """Plays the moves of the plan, and ends the game as it says."""
        for _ in range(2 * self.plan.moves):
            match = await self._move(match)
        use_cases, now = self.use_cases, self.clock()
        match self.plan.end:
            case End.RESIGN:
                await use_cases.matches.resign(match.id, other, now, self._key())
            case End.DRAW | End.AGREED:
                kind = OfferKind.DRAW if self.plan.end is End.DRAW else OfferKind.END
                await use_cases.actions.propose(match.id, CHEAT, kind, now, self._key())
                await use_cases.actions.agree(match.id, other, kind, now, self._key())
            case End.AWARD | End.LEVEL:
                winner = CHEAT if self.plan.end is End.AWARD else None
                await use_cases.moderation.adjudge(match.id, FRIEND, GUILD, winner, now, self._key())
            case End.ABORT:
                await use_cases.actions.abort(match.id, other, now, self._key())
            case End.WITHDRAW if cup is not None:
                await use_cases.tournaments.withdraw(cup.id, other, now)
            case End.TIME:
                if match.to_act == match.seat_of(CHEAT):
                    await self._move(match)
                await post_boards(use_cases)
                await pass_time(self.store, self.clock, 11 * MINUTE)
                await use_cases.clocks.flag_overdue()
            case End.LAND | End.STOP:
                await self._call(match)
            case _:
                pass  # the round ends by itself

    async def _call(self, match: Match) -> None:
        text = "land" if self.plan.end is End.LAND else "stop"
        for _ in range(1 if self.plan.end is End.LAND else 2):
            match = await self._move(match, text)

    async def _move(self, match: Match, text: str = "") -> Match:
        assert match.to_act is not None
        text = text or str(next(iter(match.position.moves())))
        player = match.players[match.to_act]
        return await self.use_cases.matches.move(match.id, player, text, self.clock(), self._key())

    def _key(self) -> IdempotencyKey:
        return IdempotencyKey(next(self._keys))


@asynccontextmanager
async def open_lab(template: Path, plan: Plan) -> AsyncIterator[Lab]:
    """Opens a lab on a copy of an empty database."""
    clock = StoppedClock()
    with tempfile.TemporaryDirectory(dir=memory_folder()) as folder:
        file = copyfile(template, Path(folder) / "kropka.db")
        async with Database.open(f"sqlite+aiosqlite:///{file}", now=clock) as store:
            yield Lab(store, clock, plan)


async def play_plan(template: Path, plan: Plan, games: int = 1, accounts: int = 1) -> float:
    """Returns the points that a plan gains in a day of so many games, or tournaments, against each of the accounts."""
    async with open_lab(template, plan) as lab:
        others = await lab.prepare(accounts)
        try:
            for _ in range(games):
                for other in others:
                    await lab.play(other)
                    if lab.clock() > NOON + DAY - HOUR:
                        return await lab.gain()
        except (Refused, RuleError) as error:  # a limit ends the day
            refusals[f"{plan.end}: {error.args[0]}"] += 1
        return await lab.gain()


refusals = Counter[str]()
"""How often the services refused a plan, by its end and the reason."""


async def make_template(folder: Path) -> Path:
    """Returns an empty database."""
    file = folder / "template.db"
    await migrate(f"sqlite+aiosqlite:///{file}")
    return file


async def play_day(template: Path, plan: Plan) -> float:
    """Returns the points that a plan gains in a whole day."""
    if plan.other.level is not None:
        return await play_plan(template, plan, GAMES_WITH_COMPUTER)
    return await play_plan(template, plan, GAMES_WITH_ACCOUNT, 1 if plan.other is Other.STRONG else ACCOUNTS)


async def search(template: Path, tried: Iterable[Plan]) -> list[tuple[float, Plan]]:
    """Plays each plan once; returns the best of each kind that gains anything, the largest gain first."""
    best: dict[tuple[str, ...], tuple[float, Plan]] = {}
    for plan in tried:
        gain = await play_plan(template, plan)
        if gain > best.get(plan.kind, (MIN_GAIN, plan))[0]:
            best[plan.kind] = gain, plan
    return sorted(best.values(), key=lambda found: -found[0])


async def measure(template: Path) -> list[Figure]:
    """Plays all plans, prints the best of each kind, and returns what these gain in a day."""
    figures, tried = [], list(plans())
    say(f"{len(tried)} plans; the best of each kind:\n")
    say("| plan | a game | a day | why it is not closed |\n|---|---:|---:|---|")
    for gain, plan in await search(template, tried):
        day = await play_day(template, plan)
        reason = reason_for(plan)
        say(f"| {plan} | {gain:+.0f} | {day:+.0f} | {reason or ''} |")
        if reason is None:
            figures.append(Figure(f"a day of: {plan}", day, "points", MAX_DAILY_GAIN))
    say(f"\nrefused: {dict(refusals)}")
    against = sum(plan.other.level is not None for plan in tried)
    figures.append(Figure("plans against the computer that were tried", against, "", 1, least=True))
    return figures
