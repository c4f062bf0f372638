"""News are stored with their cause, and posted once, over restarts and failures."""

from __future__ import annotations

from itertools import count

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.news import News, NewsId, NewsKind
from play.competitions.ladder import DuelEnd, Ladder
from play.ids import ChannelId, IdempotencyKey, MatchId, UserId
from rules.registry import make_game
from storage import Database
from tests.clock import NOON, StoppedClock
from tests.matches import ANNA, BORIS, GUILD
from use_cases import UseCases
from use_cases.competitions.ladder_referee import LadderReferee
from use_cases.events import Events
from use_cases.worker import RetryLater, Undeliverable
from use_cases.workers.news_relay import MAX_AGE_MILLIS, NewsRelay

HERE = ChannelId(9)
MODERATOR = UserId(900)
TERMS = Terms(make_game("zagram", {"size": "5x5"}), parse_control("1d"))
_sources = count(1)


class Square:
    """A publisher in memory, which fails with what is in `refusing`."""

    def __init__(self) -> None:
        self.heard: list[News] = []
        self.refusing: Exception | None = None

    async def publish(self, news: News) -> None:
        if self.refusing:
            raise self.refusing
        self.heard.append(news)


@pytest.fixture
def square() -> Square:
    return Square()


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 0)


def crier(store: Database, square: Square) -> NewsRelay:
    """A relay that has just started, without failures."""
    return NewsRelay(store, square)


async def a_duel(store: Database, use_cases: UseCases) -> MatchId:
    """Lets Boris challenge Anna for her place."""
    climbing = use_cases.ladders
    await climbing.make(Ladder(GUILD, HERE, TERMS), UserId(1))
    for user in (ANNA, BORIS):
        await climbing.join(GUILD, user, NOON)
    challenge = await climbing.challenge(GUILD, BORIS, ANNA, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, ANNA, NOON)
    assert match is not None
    return match.id


async def resigned(use_cases: UseCases, match: MatchId, user: UserId) -> None:
    await use_cases.matches.resign(match, user, NOON, IdempotencyKey(next(_sources)))


@pytest.mark.parametrize(
    ("loser", "kind", "ending"),
    [(ANNA, NewsKind.CLIMBED, DuelEnd.WON), (BORIS, NewsKind.HELD, DuelEnd.LOST)],
)
async def test_a_duel_is_decided_and_told(
    store: Database, use_cases: UseCases, square: Square, loser: UserId, kind: NewsKind, ending: DuelEnd
) -> None:
    await resigned(use_cases, await a_duel(store, use_cases), loser)
    for _ in range(2):
        await LadderReferee(store, Events()).poll()
        await crier(store, square).poll()
    assert [(news.kind, news.channel, news.place, news.ending) for news in square.heard] == [(kind, HERE, 1, ending)]


async def test_a_duel_that_goes_on_is_no_news(store: Database, use_cases: UseCases, square: Square) -> None:
    await a_duel(store, use_cases)
    await LadderReferee(store, Events()).poll()
    await crier(store, square).poll()
    assert square.heard == []


async def test_an_annulment_is_stored_with_its_news(store: Database, use_cases: UseCases, square: Square) -> None:
    match = await a_duel(store, use_cases)
    await resigned(use_cases, match, ANNA)
    woken: list[None] = []
    use_cases.events.news_added.subscribe(lambda: woken.append(None))
    await use_cases.moderation.void(match, MODERATOR, GUILD, NOON)
    assert woken == [None]
    await crier(store, square).poll()
    assert [(news.kind, news.about) for news in square.heard] == [(NewsKind.ANNULLED, match)]


async def news(store: Database) -> None:
    async with store.write() as tx:
        await tx.news.add(News(NewsId(0), NewsKind.ANNULLED, GUILD, HERE, 1, NOON))


@pytest.mark.parametrize("fault", [ConnectionError(), RetryLater("no permission")])
async def test_what_could_not_be_told_is_told_later(store: Database, square: Square, fault: Exception) -> None:
    await news(store)
    square.refusing = fault
    await crier(store, square).poll()
    square.refusing = None
    await crier(store, square).poll()
    assert len(square.heard) == 1


@pytest.mark.parametrize(
    ("fault", "later"), [(Undeliverable("gone"), 0), (RetryLater("no permission"), MAX_AGE_MILLIS)]
)
async def test_what_can_never_be_told_is_dropped(
    store: Database, square: Square, clock: StoppedClock, fault: Exception, later: int
) -> None:
    await news(store)
    clock.advance(later)
    square.refusing = fault
    await crier(store, square).poll()
    square.refusing = None
    await crier(store, square).poll()
    assert square.heard == []
