"""News for a channel: who has won a place of the ladder, and which game was annulled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.interactions.errors import is_final
from bot.services.names import escaped
from bot.services.text_limits import fitted
from play.community.news import NewsKind
from play.ids import ChallengeId, MatchId
from play.workers.outbox_relay import Undeliverable
from play.workers.worker import RetryLater

if TYPE_CHECKING:
    from bot.client import Kropka
    from bot.i18n.words import Words
    from play.community.news import News


class Teller:
    """Implements play.workers.news_relay.NewsPublisher."""

    def __init__(self, client: Kropka) -> None:
        self._client = client

    async def publish(self, news: News) -> None:
        """See play.workers.news_relay.NewsPublisher."""
        words = await self._client.audience.server(news.guild)
        told = await (self._annulled if news.kind is NewsKind.ANNULLED else self._decided)(news, words)
        try:
            await self._client.get_partial_messageable(news.channel).send(fitted(told), nonce=f"news:{news.id}")
        except discord.Forbidden as error:
            raise RetryLater(str(error)) from error
        except discord.HTTPException as error:
            if is_final(error):
                raise Undeliverable(str(error)) from error
            raise

    async def _decided(self, news: News, words: Words) -> str:
        """The duel, and the place that it was about."""
        async with self._client.store.read() as reader:
            challenge = await reader.challenge(ChallengeId(news.about))
        assert challenge is not None, "a duel is by a challenge"
        assert challenge.opponent is not None, "a duel is by two"
        names = await self._client.names.of_all((challenge.challenger, challenge.opponent), news.guild)
        challenger, defender = map(escaped, names)
        return words(
            "ladder.climbed" if news.kind is NewsKind.CLIMBED else "ladder.held",
            challenger=challenger,
            defender=defender,
            place=news.place,
        )

    async def _annulled(self, news: News, words: Words) -> str:
        """The game, with the ratings that it had changed."""
        async with self._client.store.read() as reader:
            annulled = await reader.annulled(MatchId(news.about))
        assert annulled is not None, "there are news of it"
        moderator = f"<@{annulled.by}>" if annulled.by > 0 else await self._client.names.of(annulled.by, news.guild)
        lines = [words("annulled.told", number=annulled.match, moderator=moderator)]
        names = await self._client.names.of_all(annulled.ratings, news.guild)
        lines += [
            words(
                "annulled.rating",
                name=escaped(name),
                pool=words(f"pool.{annulled.pool}"),
                before=round(before),
                after=round(after),
            )
            for name, (before, after) in zip(names, annulled.ratings.values(), strict=True)
        ]
        return "\n".join(lines)
