"""Finished games of learners are reviewed by themselves, behind all who ask for help."""

from __future__ import annotations

import pytest

from bot.features.coach.computer import REST_SECONDS, Helper, LeisureHelper
from play.ids import UserId
from rules.registry import make_game
from tests.bot.features.coach.missed_capture import MissedCaptureEngine, finish_match
from tests.bot.room import Room
from tests.opponent.quick import Inside
from use_cases.worker import RetryLater


class Asked(Inside):
    """An engine to which users talk until it has been looked at so many times."""

    def __init__(self, looks: int = 0) -> None:
        super().__init__()
        self.looks = looks

    @property
    def is_helping(self) -> bool:
        self.looks -= 1
        return self.looks >= 0


@pytest.fixture
def engine() -> MissedCaptureEngine:
    return MissedCaptureEngine()


async def rested(_: float) -> bool:
    return True


async def test_the_games_of_a_learner_are_reviewed_once_and_those_of_others_are_not(room: Room) -> None:
    ola, maksim = UserId(room.ola.id), UserId(room.maksim.id)
    mistakes, reviews = room.use_cases.past_mistakes, room.bot.workers.reviews
    await mistakes.open(ola, room.clock())
    await finish_match(room)
    (key,) = await reviews.pending(9)
    match = await room.use_cases.matches.load(key)
    await room.bot.publishers.coach.review_at_leisure(match, rested)
    assert await reviews.pending(9) == []
    assert [(await mistakes.open(user, room.clock())).returning for user in (ola, maksim)] == [1, 0]


async def test_a_game_too_short_for_a_review_counts_as_reviewed(room: Room) -> None:
    await room.use_cases.past_mistakes.open(UserId(room.ola.id), room.clock())
    thread = await room.start_match(size="7x7")
    await room.play(thread, "E5", "E4")
    await room.ola.command(thread, "resign").answered()
    reviews = room.bot.workers.reviews
    if keys := await reviews.pending(9):
        await room.bot.publishers.coach.review_at_leisure(await room.use_cases.matches.load(keys[0]), rested)
    assert await reviews.pending(9) == []


async def test_a_search_at_leisure_waits_until_no_user_is_helped() -> None:
    rests: list[float] = []

    async def rest(seconds: float) -> bool:
        rests.append(seconds)
        return True

    helper = LeisureHelper(Helper(Asked(looks=2), 1), rest)
    position = make_game("zagram", {"size": "5x5"}).start(0)
    await helper.help(position, None, 0)
    assert rests == [REST_SECONDS] * 3


async def test_a_review_at_leisure_is_given_up_when_the_bot_stops() -> None:
    async def rest(_: float) -> bool:
        return False

    helper = LeisureHelper(Helper(Asked(), 1), rest)
    with pytest.raises(RetryLater):
        await helper.help(make_game("zagram", {"size": "5x5"}).start(0), None, 0)
