"""News are stored with their cause, and posted once, over restarts and failures."""

from __future__ import annotations

from itertools import count

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.ladder import Ladder
from play.community.news import News, NewsId, NewsKind
from play.ids import ChannelId, MatchId, SourceId, UserId
from play.services.ladder import Climbing, Referee
from play.services.matches import Tables
from play.workers.news_relay import LASTING, Crier
from play.workers.outbox_relay import Undeliverable
from play.workers.retry_queue import Unfinished
from rules.registry import configured
from storage import Database
from tests.clock import NOON, StoppedClock
from tests.matches import ANNA, BORIS, GUILD

HERE = ChannelId(9)
MODERATOR = UserId(900)
TERMS = Terms(configured("zagram", {"size": "5x5"}), parse_control("1d"))
_sources = count(1)


class Square:
    """A publisher in memory, which fails with what is in `refusing`."""

    def __init__(self) -> None:
        self.heard: list[News] = []
        self.refusing: Exception | None = None

    async def tell(self, news: News) -> None:
        if self.refusing:
            raise self.refusing
        self.heard.append(news)


@pytest.fixture
def square() -> Square:
    return Square()


@pytest.fixture
def tables(store: Database) -> Tables:
    return Tables(store, seeds=lambda: 0)


def crier(store: Database, square: Square) -> Crier:
    """A relay that has just started, without failures."""
    return Crier(store, square)


async def a_duel(store: Database, tables: Tables) -> MatchId:
    """Lets Boris challenge Anna for her place."""
    climbing = Climbing(store)
    await climbing.make(Ladder(GUILD, HERE, TERMS))
    for user in (ANNA, BORIS):
        await climbing.join(GUILD, user, NOON)
    challenge = await climbing.dare(GUILD, BORIS, ANNA, NOON)
    _, match = await tables.accept(challenge.id, ANNA, NOON)
    assert match is not None
    return match.id


async def resigned(tables: Tables, match: MatchId, user: UserId) -> None:
    await tables.resign(match, user, NOON, SourceId(next(_sources)))


@pytest.mark.parametrize(("loser", "kind"), [(ANNA, NewsKind.CLIMBED), (BORIS, NewsKind.HELD)])
async def test_a_duel_is_decided_and_told(
    store: Database, tables: Tables, square: Square, loser: UserId, kind: NewsKind
) -> None:
    await resigned(tables, await a_duel(store, tables), loser)
    for _ in range(2):
        await Referee(store).round()
        await crier(store, square).round()
    assert [(news.kind, news.channel, news.place) for news in square.heard] == [(kind, HERE, 1)]


async def test_a_duel_that_goes_on_is_no_news(store: Database, tables: Tables, square: Square) -> None:
    await a_duel(store, tables)
    await Referee(store).round()
    await crier(store, square).round()
    assert square.heard == []


async def test_an_annulment_is_stored_with_its_news(store: Database, tables: Tables, square: Square) -> None:
    match = await a_duel(store, tables)
    await resigned(tables, match, ANNA)
    woken: list[None] = []
    tables.news_listeners.append(lambda: woken.append(None))
    await tables.strike(match, MODERATOR, GUILD, NOON)
    assert woken == [None]
    await crier(store, square).round()
    assert [(news.kind, news.about) for news in square.heard] == [(NewsKind.ANNULLED, match)]


async def news(store: Database) -> None:
    async with store.write() as tx:
        await tx.news.add(News(NewsId(0), NewsKind.ANNULLED, GUILD, HERE, 1, NOON))


@pytest.mark.parametrize("fault", [ConnectionError(), Unfinished("no permission")])
async def test_what_could_not_be_told_is_told_later(store: Database, square: Square, fault: Exception) -> None:
    await news(store)
    square.refusing = fault
    await crier(store, square).round()
    square.refusing = None
    await crier(store, square).round()
    assert len(square.heard) == 1


@pytest.mark.parametrize(("fault", "later"), [(Undeliverable("gone"), 0), (Unfinished("no permission"), LASTING)])
async def test_what_can_never_be_told_is_dropped(
    store: Database, square: Square, clock: StoppedClock, fault: Exception, later: int
) -> None:
    await news(store)
    clock.move(later)
    square.refusing = fault
    await crier(store, square).round()
    square.refusing = None
    await crier(store, square).round()
    assert square.heard == []
