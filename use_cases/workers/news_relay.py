"""The relays of news, greetings and cards of challenges: each is posted or shown once, also after a restart."""

import logging
from dataclasses import replace
from typing import Protocol

from play.challenge.challenge import Challenge
from play.community.greeting import Greeting
from play.community.news import News, NewsId
from play.community.year import told_year
from play.ids import DAY, ChallengeId, GuildId, Millis
from storage import Database
from use_cases.events import Events
from use_cases.worker import RetryLater, Timing, Undeliverable, Worker

log = logging.getLogger(__name__)

MAX_AGE_MILLIS = Millis(7 * DAY)
"""The age at which undelivered news are dropped."""


YEAR_POLL_SECONDS = 3600.0
"""Between two looks whether it is time to tell of the year: nobody waits for it."""


class Greeter(Protocol):
    """Posts greetings; bot/ implements it."""

    async def greet(self, greeting: Greeting) -> None:
        """Posts a greeting; posting twice makes one message. Raises Undeliverable."""


class GreetingRelay(Worker[GuildId]):
    """Posts greetings in their order. One that cannot be posted is never tried again: silence is polite, too."""

    def __init__(self, store: Database, greeter: Greeter, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._greeter = greeter

    async def pending(self, limit: int) -> list[GuildId]:
        async with self._store.read() as reader:
            return await reader.greetings.pending(limit)

    async def process(self, key: GuildId) -> None:
        async with self._store.read() as reader:
            greeting, now = await reader.greetings.get(key), await reader.clock.now()
        if greeting is None or greeting.posted:
            return  # another process was faster
        if greeting.is_too_old(now):
            log.info("server %d is not greeted: that took too long", key)
        else:
            try:
                await self._greeter.greet(greeting)
            except Undeliverable as reason:
                log.info("server %d is not greeted: %s", key, reason)
        async with self._store.write() as tx:
            await tx.greetings.put(replace(greeting, posted=True))


class Cards(Protocol):
    """The messages that show challenges; bot/ implements it."""

    async def redraw(self, challenge: Challenge) -> None:
        """Edits the card, and notes that it shows this version, or that no try ever will. Raises RetryLater."""


class CardRefresher(Worker[ChallengeId]):
    """Redraws outdated cards."""

    def __init__(self, store: Database, cards: Cards, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._cards = cards

    async def pending(self, limit: int) -> list[ChallengeId]:
        async with self._store.read() as reader:
            return [challenge.id for challenge in await reader.challenges.cards_to_update(limit)]

    async def process(self, key: ChallengeId) -> None:
        async with self._store.read() as reader:
            challenge = await reader.challenges.get(key)
        if challenge is not None:  # else its user was forgotten meanwhile
            await self._cards.redraw(challenge)


class YearTeller(Worker[int]):
    """Has servers told of their year in dots once, in the last days of December."""

    def __init__(self, store: Database, events: Events, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._events = events

    async def pending(self, limit: int) -> list[int]:
        async with self._store.read() as reader:
            year = told_year(await reader.clock.now())
            return [] if year is None or await reader.news.is_year_told(year.number) else [year.number]

    async def process(self, key: int) -> None:
        async with self._store.write() as tx:
            is_new = await tx.news.add_year(key, await tx.clock.now())
        if is_new:
            self._events.news_added()


class NewsPublisher(Protocol):
    """Posts news; bot/ implements it."""

    async def publish(self, news: News) -> None:
        """Posts news to their channel; posting twice makes one message. Raises Undeliverable, or RetryLater where the
        bot may not write at present."""


class NewsRelay(Worker[NewsId]):
    """Posts news, as far as possible in their order."""

    def __init__(self, store: Database, publisher: NewsPublisher, timing: Timing = Timing()) -> None:  # noqa: B008 - frozen
        super().__init__(timing)
        self._store = store
        self._publisher = publisher

    async def pending(self, limit: int) -> list[NewsId]:
        async with self._store.read() as reader:
            return await reader.news.pending(limit)

    async def process(self, key: NewsId) -> None:
        async with self._store.read() as reader:
            news, now = await reader.news.get(key), await reader.clock.now()
        if news is None:
            return  # another process was faster
        lost = False
        try:
            await self._publisher.publish(news)
        except Undeliverable as reason:
            log.warning("news %d are dropped: %s", key, reason)
            lost = True
        except RetryLater as reason:
            lost = True
            if news.entry is not None:
                await self._note_log(news, lost=True)
            if now - news.made < MAX_AGE_MILLIS:
                raise
            log.warning("news %d are too old: %s", key, reason)
        async with self._store.write() as tx:
            await tx.news.remove(key)
            if news.entry is not None:
                await tx.servers.mark_log(news.guild, lost=lost)

    async def _note_log(self, news: News, *, lost: bool) -> None:
        """Notes that the log of a server waits: its panel says so."""
        async with self._store.write() as tx:
            await tx.servers.mark_log(news.guild, lost=lost)
