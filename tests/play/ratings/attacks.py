"""Attacks on a rating, each played against the real ledger. `python -m tests.play.ratings.attacks` prints all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from typing import Any

from opponent.choice import EASIEST, HARDEST
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.pool import Pool
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, MatchId, Millis, UserId
from play.match import adjudication, offers
from play.match import moves as turns
from play.match.events import Event, EventKind, OfferKind
from play.match.match import Match
from play.ratings.glicko import Rating
from play.ratings.settlement import RatingChange
from play.refusal import Refused
from rules.game import Seat
from rules.registry import make_game
from tools.program import say
from use_cases.limits import check_decision_limit
from use_cases.ratings import rate_match, void_match

DAY = 86_400_000
AFTER_A_DAY = DAY + 3_600_000
"""The time after which the games of a day, which take less than an hour, have left the window that counts pairs."""

NOW = Millis(1_800_000_000_000)
HOME, AWAY = GuildId(7), GuildId(8)
DAYS, WINS = 30, 1000
FULL, SHORT = 10, 1
"""Moves of each player."""

GAME, TABLE = make_game("zagram", {"size": "10x10"}), make_game("three", {"size": "13"})


def born(age: int, number: int) -> UserId:
    """Returns an account that was made `age` milliseconds before NOW."""
    return UserId((NOW - age - 1_420_070_400_000 << 22) + number)


ME, COMPUTER = born(400 * DAY, 0), born(400 * DAY, 1)
NEW, SETTLED, STRONG = Rating(), Rating(1500, 60, at=NOW), Rating(2200, 60, at=NOW)


class Book:
    """A `storage.ratings.RatingRepository` in memory, which also counts what moderators decided."""

    def __init__(self, own: Rating) -> None:
        self.own, self.people = own, {ME: own}
        self.changes: list[RatingChange] = []
        self._of: dict[UserId, list[tuple[RatingChange, list[UserId]]]] = {}
        self.favors = 0

    @property
    def gain(self) -> float:
        return self.people[ME].value - self.own.value

    async def get(self, pool: Pool, users: Collection[UserId]) -> dict[UserId, Rating]:
        return {user: self.people.get(user, Rating()) for user in users}

    async def count_meetings(self, pool: Pool, one: UserId, other: UserId, since: Millis) -> int:
        return len(self._games(one, since) & self._games(other, since))

    async def count_meetings_with_new(self, pool: Pool, user: UserId, young: Sequence[range], since: Millis) -> int:
        new = [each for each in self._since(since) if each.user != user and any(each.user in ids for ids in young)]
        return len(self._games(user, since) & {change.match for change in new})

    async def moved_by(self, pool: Pool, user: UserId, others: Sequence[range], since: Millis) -> float:
        moved = 0.0
        for change, opponents in reversed(self._of.get(user, [])):
            if change.at <= since:
                break
            if change.moved is not None and any(other in ids for ids in others for other in opponents):
                moved += change.moves
        return moved

    async def add_changes(self, changes: Sequence[RatingChange]) -> None:
        self.changes += changes
        for change in changes:
            opponents = [each.user for each in changes if each.user != change.user]
            self._of.setdefault(change.user, []).append((change, opponents))
        self.people |= {change.user: change.after for change in changes}

    async def changes_of(self, match: MatchId) -> tuple[RatingChange, ...]:
        return tuple(change for change in self.changes if change.match == match)

    async def remove_changes(self, match: MatchId) -> None:
        self.changes = [change for change in self.changes if change.match != match]
        for user, games in self._of.items():
            self._of[user] = [(change, opponents) for change, opponents in games if change.match != match]

    async def changes_since(self, pool: Pool, at: Millis, match: MatchId) -> list[RatingChange]:
        return [change for change in self.changes if (change.at, change.match) > (at, match)]

    async def rewrite_changes(self, changes: Sequence[RatingChange]) -> None:
        new = {(change.match, change.user): change for change in changes}
        self.changes = [new.get((change.match, change.user), change) for change in self.changes]

    async def save_current(self, pool: Pool, ratings: dict[UserId, Rating]) -> None:
        self.people |= ratings

    async def count_favorable_decisions(self, user: UserId, since: Millis, *, by_rounds: bool = False) -> int:
        return self.favors if user == ME else 0

    def _games(self, user: UserId, since: Millis) -> set[MatchId]:
        return {change.match for change in self._since(since) if change.user == user}

    def _since(self, since: Millis) -> Iterable[RatingChange]:
        for change in reversed(self.changes):
            if change.at <= since:
                return
            yield change


@cache
def a_game(moves: int, end: str, seats: int = 2, komi: str = "0", loser: int = 1, rules: str = "zagram") -> Match:
    """Returns a game of so many moves each that is won by `end` (`resign`, `time`, `adjudge`, `land`, `stop`), or drawn
    by it (`draw`, `level`)."""
    players = tuple(map(UserId, range(seats)))
    match = Match.begin(
        MatchId(0),
        guild=HOME,
        channel=ChannelId(1),
        parent=None,
        game=TABLE if seats > 2 else GAME if komi == "0" else make_game(rules, {"size": "15x15", "komi": komi}),
        seed=4,
        players=players,
        control=parse_control("1h"),
        at=NOW,
    )
    while any(sum(move.seat == seat for move in match.moves) < moves for seat in match.seats) or match.to_act == 0:
        assert match.to_act is not None
        source = IdempotencyKey(match.version + 1)
        match = turns.move(match, players[match.to_act], str(next(iter(match.position.moves()))), NOW, source)
    source = IdempotencyKey(match.version + 1)
    if end == "draw":
        match = offers.offer(match, players[0], OfferKind.DRAW, NOW, source)
        return offers.agree(match, players[1], OfferKind.DRAW, NOW, IdempotencyKey(source + 1))
    if end in ("land", "stop"):
        dot = str(next(iter(match.position.moves())))
        for seat, text in ((1, dot), (0, end)) if end == "land" else ((1, dot), (0, end), (1, end)):
            match = turns.move(match, players[seat], text, NOW, IdempotencyKey(match.version + 1))
        return match
    if end in ("adjudge", "level"):
        return adjudication.close(match, UserId(-1), players[0] if end == "adjudge" else None, NOW, source)
    seat, text = Seat(loser), ""
    return match.after(Event(EventKind(end), seat, text, NOW, source))


_numbers = count(1)


async def play(
    book: Book,
    *opponents: UserId,
    at: int = 0,
    moves: int = FULL,
    end: str = "resign",
    lost: bool = False,
    level: int | None = None,
    guild: GuildId = HOME,
    komi: str = "0",
    gives: bool = False,
    rules: str = "zagram",
) -> MatchId:
    """Plays a rated game that ends `at` milliseconds after NOW, on the server `guild` though it began at HOME.

    The player takes the `komi`, or `gives` it.
    """
    loser, number = 0 if gives else 1, MatchId(next(_numbers))
    played = a_game(moves, end, 1 + len(opponents), komi, loser, rules)
    players = (*opponents, ME) if lost or gives else (ME, *opponents)
    last = replace(played.events[-1], at=Millis(NOW + at))
    match = replace(played, id=number, guild=guild, players=players, events=(*played.events[:-1], last))
    terms = Terms(played.game, parse_control("1h"), rated=True, level=level)
    state = ChallengeState.ACCEPTED
    challenge = Challenge(ChallengeId(1), HOME, ChannelId(1), ME, opponents[0], terms, NOW, state, opponents)
    await rate_match(book, book, match, challenge)  # type: ignore[arg-type]
    return number


def once(own: Rating = NEW, **details: Any) -> Callable[[], Awaitable[float]]:
    """Returns an attack: one game of a new player against a strong opponent."""

    async def attack() -> float:
        book = Book(own)
        book.people[COMPUTER] = STRONG
        await play(book, COMPUTER, **details)
        return book.gain

    return attack


def daily(
    accounts: int,
    games: int,
    *,
    age: int = 400 * DAY,
    each_day_new: bool = False,
    rated: Rating | None = None,
    **details: Any,
) -> Any:
    """Returns an attack: for 30 days the player beats each of their own other accounts every day."""

    async def attack() -> float:
        book = Book(SETTLED)
        if rated is not None:
            book.people |= {born(age, 100 + number): rated for number in range(accounts)}
        for day in range(DAYS):
            for number in range(accounts):
                born_at = age - day * AFTER_A_DAY if each_day_new else age
                account = born(born_at, 100 + number + each_day_new * day * accounts)
                for game in range(games):
                    await play(book, account, at=day * AFTER_A_DAY + (number * games + game) * 1000, **details)
        return book.gain

    return attack


async def a_table() -> float:
    book = Book(SETTLED)
    for day in range(DAYS):
        for game in range(20):
            await play(book, born(400 * DAY, 101), born(400 * DAY, 102), at=day * AFTER_A_DAY + game * 1000)
    return book.gain


def with_a_moderator(decide: Callable[[Book, UserId, int], Awaitable[None]]) -> Callable[[], Awaitable[float]]:
    """Returns an attack: four games a day for 30 days against as many strangers of the same strength.

    The player beats half of them. A friend who moderates decides the other half of the games.
    """

    async def attack() -> float:
        book, strangers = Book(SETTLED), count(1000)
        for game in range(DAYS * 4):
            stranger, at = born(400 * DAY, next(strangers)), game * DAY // 4
            book.people[stranger] = replace(SETTLED, at=Millis(NOW + at))
            if game % 2:
                await play(book, stranger, at=at)
            else:
                await decide(book, stranger, at)
        return book.gain

    return attack


async def _is_favored(book: Book, at: int) -> bool:
    try:
        await check_decision_limit(book, [ME], Millis(NOW + at))  # type: ignore[arg-type]
    except Refused:
        return False
    book.favors += 1
    return True


async def annul_afterwards(book: Book, stranger: UserId, at: int) -> None:
    match = await play(book, stranger, at=at, lost=True)
    if await _is_favored(book, at):
        await void_match(book, match)  # type: ignore[arg-type]


async def annul_before_the_end(book: Book, stranger: UserId, at: int) -> None:
    if not await _is_favored(book, at):
        await play(book, stranger, at=at, lost=True)


async def adjudge(book: Book, stranger: UserId, at: int) -> None:
    favored = await _is_favored(book, at)
    await play(book, stranger, at=at, end="adjudge" if favored else "resign", lost=not favored)


def waiting(own: Rating, games: int, **details: Any) -> Callable[[], Awaitable[float]]:
    """Returns an attack: so many games, each of ten minutes, against the computer's strongest level."""

    async def attack() -> float:
        book = Book(own)
        for game in range(games):
            await play(book, COMPUTER, at=game * 600_000, level=HARDEST, **details)
        return book.gain

    return attack


async def waits_with_strangers() -> float:
    """Draws two games a day with strangers rated 2200, since their rounds in a tournament of ten minutes end."""
    book = Book(SETTLED)
    for game in range(2 * DAYS):
        at = game * DAY // 2
        stranger = born(400 * DAY, 1000 + game)
        book.people[stranger] = replace(STRONG, at=Millis(NOW + at))
        book.favors += 1
        await play(book, stranger, at=at, end="level")
    return book.gain


def beating(level: int) -> Callable[[], Awaitable[float]]:
    async def attack() -> float:
        book = Book(NEW)
        for game in range(WINS):
            await play(book, COMPUTER, at=game * 3_600_000, level=level)
        return book.gain

    return attack


async def call_off() -> float:
    match = Match.begin(
        MatchId(1),
        guild=HOME,
        channel=ChannelId(1),
        parent=None,
        game=GAME,
        seed=4,
        players=(ME, COMPUTER),
        control=parse_control("1h"),
        at=NOW,
    )
    match = turns.abort(match, ME, NOW, IdempotencyKey(1))
    book, terms = Book(NEW), Terms(GAME, parse_control("1h"), rated=True)
    await rate_match(book, book, match, Challenge(ChallengeId(1), HOME, ChannelId(1), ME, COMPUTER, terms, NOW))  # type: ignore[arg-type]
    return book.gain


async def with_extra_dots() -> float:
    terms = Terms(GAME.with_options({"handicap": "4"}), parse_control("1h"), rated=True)
    book, match = Book(NEW), a_game(FULL, "resign")
    offered = Challenge(ChallengeId(1), HOME, ChannelId(1), ME, COMPUTER, terms, NOW)
    await rate_match(book, book, match, offered)  # type: ignore[arg-type]
    return book.gain


async def take_back() -> float:
    over = a_game(FULL, "resign")
    try:
        offers.take_back(over, over.players[1], NOW, IdempotencyKey(1), practice=False)
    except Refused:
        return 0.0
    return float("inf")


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack, the points that it brought `before` the limits and brings `now`, and the most that it may bring."""

    what: str
    before: int
    now: int
    bound: str
    play: Callable[[], Awaitable[float]]


_SHORT = "nobody gains from a game given up or drawn before 10 moves each"
_CAP = "a game moves a rating by 200 points at most"
_COURT = "only the server where a game began decides it; judged while played elsewhere, it is not rated"
_FAVORS = "moderators decide 5 games in 90 days in favour of one player"
_WEAK = "a win over a level more than 400 points below one's rating brings nothing"
_DECIDED = "nobody gains from a decided game against the computer"
_KOMI = "a game that komi alone lets its receiver end early changes no rating"
_ONE = "one opponent moves a rating by half of its deviation at most in 60 days"
_PAIR = "two people's 4th game within a day and those after it count half of the one before"

ATTACKS = (
    Attack(
        "draws at once with the computer's strongest level",
        348,
        0,
        f"the computer takes no draw early or in the lead; {_SHORT}",
        once(moves=SHORT, end="draw", level=HARDEST),
    ),
    Attack("draws after one move with a friend rated 2200", 311, 0, _SHORT, once(moves=SHORT, end="draw")),
    Attack("lets a friend rated 2200 resign after one move", 634, 0, _SHORT, once(moves=SHORT)),
    Attack("lets a friend rated 2200 run out of time after one move", 634, 0, _SHORT, once(moves=SHORT, end="time")),
    Attack("beats a friend rated 2200 in a whole game, as a newcomer", 634, 175, _ONE, once()),
    Attack(
        "keeps the computer's strongest level busy until its time is over",
        696,
        0,
        "nobody gains where the computer runs out of time",
        once(end="time", level=HARDEST),
    ),
    Attack(
        "is given a win over a player rated 2200 by a moderator",
        634,
        50,
        f"it counts a quarter; {_CAP}",
        once(end="adjudge"),
    ),
    Attack(
        "takes the game to an own server by `/continue` and is given it there",
        634,
        0,
        _COURT,
        once(end="adjudge", guild=AWAY),
    ),
    Attack("calls a game off before both have moved", 0, 0, "not rated; 4 a day, then no rated games", call_off),
    Attack("takes the last move of a lost game back", 0, 0, "what is over stays; the computer grants none", take_back),
    Attack("beats one own account 20 times a day for 30 days", 95, 30, _ONE, daily(1, 20)),
    Attack("the same in games of one move", 95, 0, _SHORT, daily(1, 20, moves=SHORT)),
    Attack("beats five own accounts 20 times a day each for 30 days", 271, 136, _ONE, daily(5, 20)),
    Attack(
        "gives 5.5 points to an own settled account and beats it 20 times a day for 30 days",
        420,
        30,
        f"a handicap helps its giver only up to the gap between the two; {_ONE}",
        daily(1, 20, rated=SETTLED, komi="5.5", gives=True),
    ),
    Attack(
        "takes 5.5 points from an own settled account and beats it 20 times a day for 30 days",
        241,
        10,
        "for its receiver a handicap counts in full, and 2.4 times beyond the gap",
        daily(1, 20, rated=SETTLED, komi="5.5"),
    ),
    Attack(
        "as a newcomer takes 5.5 points from a friend rated 2200 and wins",
        634,
        0,
        "with a handicap a game counts only between settled ratings",
        once(komi="5.5"),
    ),
    Attack(
        "beats 20 fresh accounts three times each, every day for 30 days",
        613,
        30,
        f"an account younger than two weeks counts a quarter, and all of them are one opponent; {_ONE}",
        daily(20, 3, age=DAY, each_day_new=True),
    ),
    Attack(
        "beats two own accounts at a table 20 times a day for 30 days", 113, 69, f"at a table, too: {_PAIR}", a_table
    ),
    Attack(
        "has each lost game annulled afterwards, 60 in 30 days", 253, 9, _FAVORS, with_a_moderator(annul_afterwards)
    ),
    Attack(
        "has each losing game ended undecided, 60 in 30 days", 253, 9, _FAVORS, with_a_moderator(annul_before_the_end)
    ),
    Attack(
        "is given each losing game, 60 in 30 days",
        354,
        11,
        f"{_FAVORS}; each counts a quarter",
        with_a_moderator(adjudge),
    ),
    Attack(
        "as a newcomer draws 10 games with the computer's strongest level, as rounds of an own tournament end",
        500,
        0,
        _DECIDED,
        waiting(NEW, 10, end="level"),
    ),
    Attack(
        "leads by 5.5 points of komi as 100 such rounds end",
        512,
        0,
        _DECIDED,
        waiting(SETTLED, 100, end="adjudge", komi="5.5"),
    ),
    Attack(
        "takes 5.5 points from the computer's strongest level and lands after 10 moves, 100 times",
        1537,
        0,
        _KOMI,
        waiting(SETTLED, 100, end="land", komi="5.5", rules="sport"),
    ),
    Attack(
        "the same with STOP",
        1537,
        0,
        _KOMI,
        waiting(SETTLED, 100, end="stop", komi="5.5", rules="classic"),
    ),
    Attack(
        "draws with 60 strangers rated 2200 in 30 days, as rounds of ten minutes end",
        154,
        12,
        "five games that are decided in 90 days bring points; each counts a quarter",
        waits_with_strangers,
    ),
    Attack(
        "lets a friend rated 2200 withdraw from a tournament after one move",
        634,
        0,
        f"it is a resignation: {_SHORT}",
        once(moves=SHORT),
    ),
    Attack(
        "beats an own account that withdraws from 20 tournaments a day for 30 days",
        95,
        30,
        f"it is a resignation: {_ONE}",
        daily(1, 20),
    ),
    Attack(
        "beats five own settled accounts 20 times a day each for 30 days",
        539,
        135,
        _ONE,
        daily(5, 20, rated=SETTLED),
    ),
    Attack("is given four extra dots", 0, 0, "extra dots are not rated", with_extra_dots),
    Attack(
        "beats the computer's weakest level 1,000 times",
        442,
        0,
        _WEAK,
        beating(EASIEST),
    ),
    Attack(
        "knows a trick against the strongest level, rated 3400, and wins 1,000 times",
        2741,
        2303,
        f"{_WEAK}: the last one that counts is at 3800",
        beating(HARDEST),
    ),
)


async def main() -> None:
    for attack in ATTACKS:
        say(f"{attack.before:+5d} before, {await attack.play():+5.0f} now: {attack.what} ({attack.bound})")


if __name__ == "__main__":
    asyncio.run(main())
