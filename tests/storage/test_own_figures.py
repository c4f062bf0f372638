"""The figures of a player about their own games are what a second, naive program counts from the rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import count
from random import Random
from statistics import median
from typing import Any

import pytest
from sqlalchemy import Table, select

from play.challenge.pool import Pool
from play.community.exercise import Kind
from play.community.own_figures import MIN_OPENING_GAMES, Losses, Results, Strength
from play.ids import IdempotencyKey, MatchId, Millis, UserId
from play.match import moves, offers
from play.match.events import OfferKind
from play.match.match import Match
from play.people.career import Annulment
from play.people.past_mistake import ReviewedGame
from play.ratings.settlement import RatedGame, rate
from play.records.sgf import read
from rules.game import Outcome, Point, point_name
from rules.registry import make_game
from storage import Database, schema
from tests.clock import DAY, NOON
from tests.facts import recorded_games
from tests.matches import ANNA, BORIS, CLARA, a_match, add_match, resign, save_match
from use_cases.own_figures import Told, load_figures

DOTS = Pool.parse("dots-days")
SIZES = ("5x5", "6x6", "7x5")
CONTROLS = ("3m+2s", "1d", "none", "10m/30s", "20s")
SECOND = 1000

_keys = count(10**12)


def _key() -> IdempotencyKey:
    return IdempotencyKey(next(_keys))


async def play(store: Database, match: Match, chance: Random, first: Iterable[str] = (), length: int = 12) -> Match:
    """Plays the `first` moves of a match and random ones, with offers and moves that are taken back between them."""
    match, planned = await add_match(store, match), [*first]
    for number in range(length):
        if match.outcome or match.to_act is None:
            break
        mover, at = match.players[match.to_act], Millis(match.clock.since + chance.choice((0, 1, 4, 19, 59)) * SECOND)
        if match.clock.deadline is not None:
            at = min(at, Millis(match.clock.deadline - 1))
        if not planned and number > 4 and chance.random() < 0.1 and match.offer(OfferKind.TAKEBACK) is None:
            other = next(each for each in match.players if each != mover)
            match = await save_match(store, offers.offer(match, other, OfferKind.TAKEBACK, at, _key()))
            match = await save_match(store, offers.agree(match, mover, OfferKind.TAKEBACK, at, _key()))
            continue
        text = planned.pop(0) if planned else str(chance.choice([*match.position.moves()]))
        match = await save_match(store, moves.move(match, mover, text, at, _key()))
    return match if match.outcome else await save_match(store, resign(match, chance.choice(match.players)))


async def add_history(store: Database, seed: int) -> None:
    """Stores finished games of Anna: random and recorded ones, some rated, some reviewed, one annulled."""
    chance = Random(seed)
    started = NOON
    for channel in range(1, 25):
        players = (ANNA, chance.choice((BORIS, CLARA)))
        size = chance.choice(SIZES)
        game = make_game(chance.choice(("zagram", "classic")), {"size": size, "start": "empty"})
        again = [point_name(each) for each in _same_opening(size, chance)] if chance.random() < 0.5 else []
        started = Millis(started + chance.randrange(20) * DAY)
        new = a_match(channel, players[:: chance.choice((1, -1))], chance.choice(CONTROLS), started, game=game)
        match = await play(store, new, chance, again, chance.randrange(1, 14))
        await _settle(store, match, chance)
    for channel, path in enumerate(recorded_games()[:3], start=100):
        record = read(path.read_bytes())
        game = make_game("zagram", {"size": f"{record.width}x{record.height}", "start": "empty"})
        dots = [point_name(each.point) for each in record.moves[:8]]
        await play(store, a_match(channel, control="3m+2s", at=started, game=game), chance, dots, 8)


def _same_opening(size: str, chance: Random) -> list[Point]:
    """Returns four dots that games share, turned by a symmetry."""
    width, height = map(int, size.split("x"))
    across, up = chance.random() < 0.5, chance.random() < 0.5
    dots = [(width // 2, height // 2), (width // 2 - 1, height // 2), (1, 1), (0, 3)]
    return [Point(width - 1 - x if across else x, height - 1 - y if up else y) for x, y in dots]


async def _settle(store: Database, match: Match, chance: Random) -> None:
    """Rates a match, reviews it, or annuls it, by chance."""
    async with store.write() as tx:
        assert match.outcome is not None
        if chance.random() < 0.5:
            winner = Outcome(match.outcome.winners or match.seats, "score")
            game = RatedGame(match.id, DOTS, match.players, winner, match.score, (), match.clock.since)
            ratings = await tx.ratings.get(DOTS, match.players)
            await tx.ratings.add_changes(rate(game, ratings))
        if chance.random() < 0.6:
            causes = {str(kind): float(chance.randrange(1, 9)) for kind in chance.sample([*Kind, ""], 2)}
            told = causes if chance.random() < 0.8 else None
            await tx.past_mistakes.add_review(ReviewedGame(ANNA, match.id, NOON, sum(causes.values()), told))
        if chance.random() < 0.1:
            await tx.careers.annul(Annulment(match.id, BORIS, NOON), match.players)


def all_rows(table: Table) -> Any:
    """Returns what reads a whole table by its index, as reads have to."""
    return select(table).where(next(iter(table.primary_key)) > -(2**63))


class Naive:
    """The second program: it reads whole tables, and goes through them once for each question."""

    def __init__(self, tables: Mapping[str, list[Any]], user: UserId) -> None:
        self.tables, self.user = tables, user
        own = [row for row in tables["seat"] if row.user == user and row.ended is not None]
        own.sort(key=lambda row: (row.ended, row.match), reverse=True)
        self.seat = {row.match: row.seat for row in own}
        self.match = {row.match: next(each for each in tables["match"] if each.id == row.match) for row in own}

    @classmethod
    async def read(cls, store: Database, user: UserId) -> Naive:
        async with store.read() as reader:
            asked = schema.match, schema.seat, schema.event, schema.change, schema.reviewed, schema.annulment
            return cls({each.name: await reader.sql.all(all_rows(each)) for each in asked}, user)

    def letter(self, match: MatchId) -> str | None:
        winners = self.match[match].winners
        if not winners or any(row.match == match for row in self.tables["annulment"]):
            return None
        return "lost" if self.seat[match] not in winners else "won" if len(winners) == 1 else "drawn"

    def strength(self, match: MatchId) -> str:
        values = {row.user: row.before_value for row in self.tables["change"] if row.match == match}
        if len(values) < 2:
            return "unrated"
        own = values.pop(self.user)
        (other,) = values.values()
        return "even" if -100 <= other - own <= 100 else "stronger" if other > own else "weaker"

    def events(self, match: MatchId) -> list[Any]:
        return sorted((row for row in self.tables["event"] if row.match == match), key=lambda row: row.seq)

    def opening(self, match: MatchId) -> list[tuple[int, int, int]] | None:
        first = self.events(match)[:4]
        if len(first) < 4 or any(row.kind != "move" for row in first):
            return None
        letters = "abcdefghijklmnopqrstuvwxyz"
        return [(letters.index(row.text[0].lower()), int(row.text[1:]) - 1, row.seat) for row in first]

    def is_alike(self, one: MatchId, other: MatchId) -> bool:
        """Returns whether some of all ways to turn a board makes two openings the same."""
        sizes = [tuple(map(int, self.match[each].options["size"].split("x"))) for each in (one, other)]
        first, second = self.opening(one), self.opening(other)
        if sizes[0] != sizes[1] or first is None or second is None:
            return False
        width, height = sizes[0]
        turned = [
            {(width - 1 - x if mirrored else x, height - 1 - y if tipped else y, seat) for x, y, seat in first}
            for mirrored in (False, True)
            for tipped in (False, True)
        ]
        if width == height:
            turned += [{(y, x, seat) for x, y, seat in each} for each in turned]
        return {*second} in turned

    def thoughts(self, match: MatchId) -> list[int]:
        found, before = [], None
        for row in self.events(match):
            if row.kind == "move" and row.seat == self.seat[match] and (before is None or before.kind == "move"):
                found.append(row.at - (before.at if before else self.match[match].started))
            before = row
        return found


def tallied(results: Results) -> tuple[Counter[str], set[MatchId]]:
    tally = results.tally
    return Counter(won=tally.won, drawn=tally.drawn, lost=tally.lost), {*results.games}


def grouped(naive: Naive, name: Any) -> dict[str, tuple[Counter[str], set[MatchId]]]:
    found: dict[str, tuple[Counter[str], set[MatchId]]] = defaultdict(lambda: (Counter(won=0, drawn=0, lost=0), set()))
    for match in naive.match:
        if (letter := naive.letter(match)) is not None:
            found[name(match)][0][letter] += 1
            found[name(match)][1].add(match)
    return dict(found)


def costs(losses: Losses) -> tuple[float, int, set[MatchId]]:
    return losses.lost, losses.moves, {*losses.games}


@pytest.fixture
async def counted(store: Database, request: pytest.FixtureRequest) -> tuple[Told, Naive]:
    await add_history(store, request.param)
    return await load_figures(store, ANNA), await Naive.read(store, ANNA)


SEEDS = pytest.mark.parametrize("counted", range(3), indirect=True)


@SEEDS
async def test_results_are_what_the_naive_program_counts(counted: tuple[Told, Naive]) -> None:
    figures, naive = counted[0].figures, counted[1]
    assert {k: tallied(v) for k, v in figures.rules.items()} == grouped(naive, lambda m: naive.match[m].game)
    assert {k: tallied(v) for k, v in figures.sizes.items()} == grouped(naive, lambda m: naive.match[m].options["size"])
    assert {str(k): tallied(v) for k, v in figures.strengths.items()} == grouped(naive, naive.strength)


@SEEDS
async def test_openings_are_those_that_some_symmetry_makes_alike(counted: tuple[Told, Naive]) -> None:
    figures, naive = counted[0].figures, counted[1]
    decided = [match for match in naive.match if naive.letter(match)]
    groups = {frozenset(other for other in decided if naive.is_alike(match, other)) for match in decided}
    expected = {each for each in groups if len(each) >= MIN_OPENING_GAMES}
    assert {frozenset(each.games) for each in figures.openings.values()} == expected
    for results in figures.openings.values():
        letters = [naive.letter(each) for each in results.games]
        assert {key: letters.count(key) for key in ("won", "drawn", "lost")} == tallied(results)[0]


@SEEDS
async def test_what_mistakes_cost_is_what_the_naive_program_adds_up(counted: tuple[Told, Naive]) -> None:
    figures, naive = counted[0].figures, counted[1]
    months: dict[str, list[Any]] = defaultdict(lambda: [0.0, 0, set()])
    causes: dict[str, list[Any]] = defaultdict(lambda: [0.0, 0, set()])
    for row in naive.tables["reviewed"]:
        own = [e for e in naive.events(row.match) if e.kind == "move" and e.seat == naive.seat[row.match]]
        month = datetime.fromtimestamp(naive.match[row.match].ended / 1000, UTC).isoformat()[:7]
        for group, lost in [(months[month], row.lost), *((causes[k], v) for k, v in (row.causes or {}).items())]:
            group[0] += lost
            group[1] += len(own)
            group[2].add(row.match)
    latest = sorted(months, reverse=True)[:8]
    assert {k: [*costs(v)] for k, v in figures.months.items()} == {each: months[each] for each in latest}
    assert {k or "": [*costs(v)] for k, v in figures.causes.items()} == dict(causes)


@SEEDS
async def test_times_of_moves_are_what_the_naive_program_measures(counted: tuple[Told, Naive]) -> None:
    figures, naive = counted[0].figures, counted[1]
    live = {"3m+2s", "10m/30s", "20s"}
    for speed, times in figures.times.items():
        games = [m for m in naive.match if (naive.match[m].control in live) == (speed == "live") and naive.thoughts(m)]
        spans = [span for match in games for span in naive.thoughts(match)]
        assert (times.usual, times.moves, {*times.games}) == (int(median(spans)), len(spans), {*games})


@SEEDS
async def test_runs_of_wins_are_what_the_naive_program_counts(counted: tuple[Told, Naive]) -> None:
    figures, naive = counted[0].figures, counted[1]
    letters = [letter for letter in map(naive.letter, naive.match) if letter]
    runs = [0]
    for letter in letters:
        runs = [*runs, 0] if letter != "won" else [*runs[:-1], runs[-1] + 1]
    assert (figures.games, figures.streak, figures.longest) == (len(letters), runs[0], max(runs))


async def timed(store: Database, seconds: Iterable[int], control: str = "60s+2s") -> Told:
    """Plays a game of Anna in which each of both takes so many seconds for their moves; Boris resigns it."""
    match = await add_match(store, a_match(1, control=control))
    for text, span in zip(("A1", "B1", "A2", "B2", "A4", "B5"), seconds, strict=False):
        assert match.to_act is not None
        at = Millis(match.clock.since + span * SECOND)
        match = await save_match(store, moves.move(match, match.players[match.to_act], text, at, _key()))
    await save_match(store, resign(match, BORIS))
    return await load_figures(store, ANNA)


async def test_a_move_with_less_than_a_tenth_of_the_time_is_made_in_trouble(store: Database) -> None:
    (times,) = (await timed(store, (50, 1, 7, 1, 3, 1))).figures.times.values()
    assert (times.trouble, times.moves) == (2, 3)  # with 12 s and 7 s left: 10 + 2 - 7, then 5 + 2 - 3
    assert times.pressed.tally.won == 1


async def test_nobody_is_in_trouble_over_days(store: Database) -> None:
    (times,) = (await timed(store, (50, 1, 7, 1, 3, 1), "1d")).figures.times.values()
    assert times.trouble == 0


async def test_a_player_without_games_has_no_figures(store: Database) -> None:
    told = await load_figures(store, ANNA)
    assert (told.figures.games, told.figures.longest, told.puzzles, told.days) == (0, 0, {}, 0)


@pytest.mark.parametrize(
    ("own", "other", "strength"),
    [(1500, 1600, Strength.EVEN), (1500, 1601, Strength.STRONGER), (1500, 1399, Strength.WEAKER)],
)
def test_an_opponent_is_as_strong_within_a_hundred_points(own: float, other: float, strength: Strength) -> None:
    assert Strength.of(own, other) is strength
    assert Strength.of(None, other) is Strength.UNRATED
