"""Past mistakes and lessons are stored as they are, and mistakes come back on their days."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from play.community.lesson import LessonState
from play.ids import MatchId, Millis, UserId
from play.match.match import Match
from play.people.past_mistake import RETURN_DAYS, Finding, PastMistake, ReviewedGame
from play.people.vacation import Vacation
from play.refusal import Refused
from storage import Database
from storage.errors import Stale
from tests.clock import DAY, HOUR, NOON, StoppedClock
from tests.matches import ANNA, BORIS, CLARA, a_match, add_match, play_turn, resign, save_match
from use_cases.lessons import Lessons
from use_cases.past_mistakes import MAX_MISTAKES, PastMistakes, load_week
from use_cases.player_settings import change_player
from use_cases.workers.digest_relay import load_morning

FOUND = Finding(3, ("A1", "A2"), ("A1", "B1"), 2.5, 3.0)
WARSAW = ZoneInfo("Europe/Warsaw")


@pytest.fixture
def mistakes(store: Database) -> PastMistakes:
    return PastMistakes(store)


async def finished(store: Database, channel: int = 1, players: tuple[UserId, ...] = (ANNA, BORIS)) -> Match:
    """Stores a finished match of four moves."""
    match = await add_match(store, a_match(channel, players))
    for _ in range(4):
        match = await save_match(store, play_turn(match))
    return await save_match(store, resign(match, players[0]))


async def test_a_mistake_is_read_back_as_it_was_stored(store: Database) -> None:
    match = await finished(store)
    mistake = PastMistake.found(ANNA, match.id, FOUND, 5, NOON)
    async with store.write() as tx:
        await tx.past_mistakes.save(mistake)
    async with store.read() as reader:
        assert await reader.past_mistakes.get(ANNA, match.id, 3) == mistake
        assert await reader.past_mistakes.get(BORIS, match.id, 3) is None
        assert await reader.past_mistakes.due(ANNA, 5, 9) == []
        assert await reader.past_mistakes.due(ANNA, 6, 9) == [mistake]
        assert [await reader.past_mistakes.count_due(ANNA, 7, after) for after in (0, 5, 6)] == [1, 1, 0]
        assert await reader.past_mistakes.count(ANNA) == 1
        assert await reader.past_mistakes.answered_right(ANNA, NOON) == 0


async def test_a_game_is_reviewed_once_for_a_player(store: Database) -> None:
    match = await finished(store)
    game = ReviewedGame(ANNA, match.id, NOON, 3.5)
    async with store.write() as tx:
        await tx.past_mistakes.add_review(game)
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.past_mistakes.add_review(game)
    async with store.read() as reader:
        assert await reader.past_mistakes.reviewed(ANNA, NOON) == [game]
        assert await reader.past_mistakes.reviewed(ANNA, Millis(NOON + 1)) == []
        assert await reader.past_mistakes.is_reviewed(ANNA, match.id)
        assert not await reader.past_mistakes.is_reviewed(BORIS, match.id)


async def test_only_new_games_of_learners_are_to_be_reviewed(store: Database, clock: StoppedClock) -> None:
    before = await finished(store, 1)
    async with store.write() as tx:
        await tx.past_mistakes.add_learner(ANNA, Millis(before.clock.since + 1))
        await tx.past_mistakes.add_learner(ANNA, NOON)
    clock.advance(HOUR)
    games = []
    for channel in (2, 3):
        match = await add_match(store, a_match(channel, at=clock()))
        games.append(await save_match(store, resign(match)))
        clock.advance(HOUR)
    await finished(store, 4, (BORIS, CLARA))

    async def unreviewed(most: int = 5) -> set[MatchId]:
        async with store.read() as reader:
            return set(await reader.past_mistakes.unreviewed(NOON, clock(), most, 9))

    assert await unreviewed() == {games[1].id}
    async with store.write() as tx:
        await tx.past_mistakes.add_review(ReviewedGame(ANNA, games[1].id, clock(), 0.0))
    assert await unreviewed() == {games[0].id}
    assert await unreviewed(1) == set()
    clock.advance(DAY + HOUR)
    assert await unreviewed(1) == {games[0].id}


async def test_the_mistakes_that_cost_most_are_kept(store: Database) -> None:
    match = await finished(store)
    learned = replace(PastMistake.found(ANNA, match.id, FOUND._replace(number=9, lost=9.0), 1, NOON), day=None)
    found = [PastMistake.found(ANNA, match.id, FOUND._replace(number=n, lost=float(n)), 1, NOON) for n in (1, 2, 3)]
    async with store.write() as tx:
        for each in (*found, learned):
            await tx.past_mistakes.save(each)
        await tx.past_mistakes.keep_most(ANNA, 2)
    async with store.read() as reader:
        assert [each.finding.number for each in await reader.past_mistakes.due(ANNA, 9, 9)] == [2, 3]
        assert await reader.past_mistakes.get(ANNA, match.id, 9) is None


async def test_a_review_is_stored_for_learners_and_for_the_player_who_asks(
    store: Database, mistakes: PastMistakes
) -> None:
    match = await finished(store)
    found = {ANNA: [FOUND], BORIS: [FOUND._replace(number=4)]}
    await mistakes.note_review(match, found)
    await mistakes.note_review(match, found, CLARA)
    async with store.read() as reader:
        assert await reader.past_mistakes.count(ANNA) == 0
    for _ in range(2):
        await mistakes.note_review(match, found, ANNA)
    async with store.read() as reader:
        assert [await reader.past_mistakes.count(user) for user in (ANNA, BORIS, CLARA)] == [1, 0, 0]
    await mistakes.open(BORIS, NOON)
    await mistakes.note_review(match, found)
    async with store.read() as reader:
        assert await reader.past_mistakes.count(BORIS) == 1


async def test_a_move_that_no_dot_betters_counts_for_the_week_and_does_not_come_back(
    store: Database, mistakes: PastMistakes
) -> None:
    match = await finished(store)
    await mistakes.note_review(match, {ANNA: [FOUND._replace(good=())]}, ANNA)
    async with store.read() as reader:
        assert await reader.past_mistakes.count(ANNA) == 0
        assert [game.lost for game in await reader.past_mistakes.reviewed(ANNA, NOON)] == [3.0]


async def test_a_person_has_a_bounded_number_of_mistakes(store: Database, mistakes: PastMistakes) -> None:
    match = await finished(store)
    found = [FOUND._replace(number=number, lost=float(number)) for number in range(1, MAX_MISTAKES + 11)]
    await mistakes.note_review(match, {ANNA: found}, ANNA)
    async with store.read() as reader:
        assert await reader.past_mistakes.count(ANNA) == MAX_MISTAKES
        assert await reader.past_mistakes.get(ANNA, match.id, 1) is None


async def test_a_mistake_of_another_player_cannot_be_answered(store: Database, mistakes: PastMistakes) -> None:
    match = await finished(store)
    await mistakes.note_review(match, {ANNA: [FOUND]}, ANNA)
    with pytest.raises(Refused, match="no_mistake"):
        await mistakes.answer(BORIS, match.id, 3, NOON, right=True)
    with pytest.raises(Refused, match="no_mistake"):
        await mistakes.get(BORIS, match.id, 3)


async def test_a_mistake_waits_while_a_game_like_it_goes_on(store: Database, mistakes: PastMistakes) -> None:
    match = await finished(store)
    await mistakes.note_review(match, {ANNA: [FOUND]}, ANNA)
    copy = await add_match(store, a_match(5, (ANNA, CLARA)))
    later = Millis(NOON + 2 * DAY)
    due = await mistakes.open(ANNA, later)
    assert due.posed is not None  # a board with the cross alone is like any other
    for move in match.moves[:2]:
        copy = await save_match(store, play_turn(copy, move.text))
    due = await mistakes.open(ANNA, later)
    assert (due.posed, due.count) == (None, 1)
    await save_match(store, resign(copy))
    assert (await mistakes.open(ANNA, later)).posed is not None


def at(text: str) -> Millis:
    return Millis(int(datetime.fromisoformat(text).replace(tzinfo=WARSAW).timestamp() * 1000))


@pytest.mark.parametrize("first", ["2025-03-27", "2025-10-23", "2025-06-15"])
async def test_mistakes_come_back_on_their_days_through_summer_time_vacations_and_restarts(
    url: str, first: str
) -> None:
    """Plays 40 virtual days: at 7:00 and at 23:30 of each the player plays right what is due."""
    clock, start, begin = StoppedClock(), at(f"{first} 23:30"), date.fromisoformat(first)
    clock.time = start
    played = []
    async with Database.open(url, now=clock) as store:
        match = await finished(store)
        await change_player(store, ANNA, {"zone": WARSAW})
        await PastMistakes(store).note_review(match, {ANNA: [FOUND]}, ANNA)
        async with store.write() as tx:
            await tx.vacations.add(Vacation(ANNA, Millis(start + 5 * DAY), Millis(start + 9 * DAY)))
    for week in range(6):
        async with Database.open(url, now=clock) as store:
            mistakes = PastMistakes(store)
            for day in range(7 * week, 7 * week + 7):
                for hour in ("07:00", "23:30"):
                    clock.time = at(f"{begin + timedelta(day)} {hour}")
                    if clock() < start or not await mistakes.count_due(ANNA, clock()):
                        continue
                    await mistakes.answer(ANNA, match.id, FOUND.number, clock(), right=True)
                    await mistakes.answer(ANNA, match.id, FOUND.number, clock(), right=False)  # practice
                    played.append(day)
    assert played == [sum(RETURN_DAYS[: stage + 1]) for stage in range(len(RETURN_DAYS))]


async def test_a_wrong_answer_brings_a_mistake_back_on_the_next_day(store: Database, mistakes: PastMistakes) -> None:
    match = await finished(store)
    await mistakes.note_review(match, {ANNA: [FOUND]}, ANNA)
    now = Millis(NOON + DAY)
    answered = await mistakes.answer(ANNA, match.id, 3, now, right=True)
    assert answered.stage == 1
    now = Millis(now + 3 * DAY)
    assert await mistakes.count_due(ANNA, now) == 1
    wrong = await mistakes.answer(ANNA, match.id, 3, now, right=False)
    assert (wrong.stage, await mistakes.count_due(ANNA, now)) == (0, 0)
    assert await mistakes.answer(ANNA, match.id, 3, now, right=True) == wrong
    assert await mistakes.count_due(ANNA, Millis(now + DAY)) == 1


async def test_the_digest_says_how_many_are_due_and_is_sent_on_the_day_that_one_returns(
    store: Database, mistakes: PastMistakes
) -> None:
    match = await finished(store)
    await mistakes.note_review(match, {ANNA: [FOUND]}, ANNA)
    for days, due, is_sent in ((0, 0, False), (1, 1, True), (2, 1, False)):
        now = Millis(NOON + days * DAY)
        async with store.read() as reader:
            morning = await load_morning(reader, ANNA, Millis(max(NOON + HOUR, now - DAY)), now)
        assert (morning.due, bool(morning)) == (due, is_sent)


async def test_a_week_is_better_when_mistakes_have_cost_clearly_less(store: Database) -> None:
    async def week(*lost: float) -> bool:
        async with store.read() as reader:
            return (await load_week(reader, ANNA, NOON)).is_better

    async with store.write() as tx:
        for number in range(5):
            match = await tx.matches.add(a_match(50 + number))
            await tx.past_mistakes.add_review(ReviewedGame(ANNA, match.id, Millis(NOON - 20 * DAY), 10.0))
    assert not await week()
    for number in range(3):
        async with store.write() as tx:
            match = await tx.matches.add(a_match(80 + number))
            await tx.past_mistakes.add_review(ReviewedGame(ANNA, match.id, Millis(NOON - DAY), 8.0))
        assert await week() == (number == 2)
    async with store.write() as tx:
        match = await tx.matches.add(a_match(99))
        await tx.past_mistakes.add_review(ReviewedGame(ANNA, match.id, Millis(NOON - DAY), 9.0))
    assert not await week()


async def test_lessons_are_noted_once(store: Database) -> None:
    lessons = Lessons(store)
    await lessons.note_found(ANNA, "capture", NOON)
    await lessons.note_found(ANNA, "capture", Millis(NOON + DAY))
    for _ in range(5):
        await lessons.note_puzzle(ANNA, "net", None)
    assert (await lessons.progress(ANNA)).states == {"capture": LessonState(NOON, 0), "net": LessonState(None, 5)}
    assert (await lessons.progress(BORIS)).states == {}
