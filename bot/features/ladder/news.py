"""News for a channel: who has won a place of the ladder, and which game was annulled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.interactions.errors import is_final
from bot.services.locales import Locales
from bot.services.names import Names, escape
from bot.services.text_limits import fit
from play.community.news import NewsKind
from play.ids import ChallengeId, MatchId
from play.store import Store
from play.workers.outbox_relay import Undeliverable
from play.workers.worker import RetryLater

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.community.news import News


class ChannelNews:
    """Implements play.workers.news_relay.NewsPublisher."""

    def __init__(self, client: discord.Client, store: Store, locales: Locales, names: Names) -> None:
        self._client = client
        self._store = store
        self._locales = locales
        self._names = names

    async def publish(self, news: News) -> None:
        """See play.workers.news_relay.NewsPublisher."""
        words = await self._locales.for_guild(news.guild)
        told = await (self._annulled if news.kind is NewsKind.ANNULLED else self._decided)(news, words)
        try:
            await self._client.get_partial_messageable(news.channel).send(fit(told), nonce=f"news:{news.id}")
        except discord.Forbidden as error:
            raise RetryLater(str(error)) from error
        except discord.HTTPException as error:
            if is_final(error):
                raise Undeliverable(str(error)) from error
            raise

    async def _decided(self, news: News, words: Words) -> str:
        """The duel, and the place that it was about."""
        async with self._store.read() as reader:
            challenge = await reader.challenges.get(ChallengeId(news.about))
        assert challenge is not None, "a duel is by a challenge"
        assert challenge.opponent is not None, "a duel is by two"
        names = await self._names.of_all((challenge.challenger, challenge.opponent), news.guild)
        challenger, defender = map(escape, names)
        return words(
            "ladder.climbed" if news.kind is NewsKind.CLIMBED else "ladder.held",
            challenger=challenger,
            defender=defender,
            place=news.place,
        )

    async def _annulled(self, news: News, words: Words) -> str:
        """The game, with the ratings that it had changed."""
        async with self._store.read() as reader:
            annulled = await reader.careers.annulment_of(MatchId(news.about))
        assert annulled is not None, "there are news of it"
        moderator = f"<@{annulled.by}>" if annulled.by > 0 else await self._names.of(annulled.by, news.guild)
        lines = [words("annulled.told", number=annulled.match, moderator=moderator)]
        names = await self._names.of_all(annulled.ratings, news.guild)
        lines += [
            words(
                "annulled.rating",
                name=escape(name),
                pool=words(f"pool.{annulled.pool}"),
                before=round(before),
                after=round(after),
            )
            for name, (before, after) in zip(names, annulled.ratings.values(), strict=True)
        ]
        return "\n".join(lines)
