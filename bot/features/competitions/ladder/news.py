"""News for a channel: a decided duel for a place of the ladder, an annulled game, the best prediction of a game, what
another server proposes about one, or an entry of the log."""

from __future__ import annotations

import discord

from bot.interactions import custom_ids as ids
from bot.interactions.buttons import button, row
from bot.services.discord_errors import delivery_problem
from bot.services.guild_directory import GuildDirectory
from bot.services.locales import Locales
from bot.services.names import Names
from bot.services.text_limits import fit
from play.community.news import News, NewsKind
from play.ids import ChallengeId, MatchId, Millis
from play.match.ruling import RULING_MILLIS
from presentation.server_log import describe_entry
from presentation.text import escape
from presentation.words.words import Words
from storage import Database
from use_cases.worker import Undeliverable


class ChannelNews:
    """Implements use_cases.workers.news_relay.NewsPublisher."""

    def __init__(self, directory: GuildDirectory, store: Database, locales: Locales, names: Names) -> None:
        self._directory = directory
        self._store = store
        self._locales = locales
        self._names = names

    async def publish(self, news: News) -> None:
        """See use_cases.workers.news_relay.NewsPublisher."""
        words = await self._locales.for_guild(news.guild)
        text = await self._text(news, words)
        try:
            channel = await self._directory.messageable(news.guild, news.channel)
            quiet = discord.AllowedMentions.none()
            if news.kind is NewsKind.RULING:
                agree = row(button(ids.RULING(match=news.about), words("button.ruling")))
                await channel.send(fit(text), nonce=f"news:{news.id}", allowed_mentions=quiet, view=agree)
            else:
                await channel.send(fit(text), nonce=f"news:{news.id}", allowed_mentions=quiet)
        except discord.HTTPException as error:
            raise delivery_problem(error) from error

    async def _text(self, news: News, words: Words) -> str:
        if news.kind is NewsKind.FORETOLD:
            return await self._foretold_text(news, words)
        if news.kind is NewsKind.RULING:
            return await self._ruling_text(news, words)
        if news.kind is NewsKind.LOGGED:
            return await describe_entry(news, words, self._names)
        return await (self._annulment_text if news.kind is NewsKind.ANNULLED else self._duel_text)(news, words)

    async def _duel_text(self, news: News, words: Words) -> str:
        """Returns how a duel was decided, and for which place."""
        async with self._store.read() as reader:
            challenge = await reader.challenges.get(ChallengeId(news.about))
        assert challenge is not None, "every duel has a challenge"
        assert challenge.opponent is not None, "a duel has two players"
        names = await self._names.of_all((challenge.challenger, challenge.opponent), news.guild)
        challenger, defender = map(escape, names)
        values: dict[str, str | int] = {"challenger": challenger, "defender": defender, "place": news.place}
        if news.ending is not None:
            return words(f"ladder.news.{news.ending}", **values)
        # stored by a version that did not say why
        return words("ladder.climbed" if news.kind is NewsKind.CLIMBED else "ladder.held", **values)

    async def _foretold_text(self, news: News, words: Words) -> str:
        """Returns who foretold a game best. Raises Undeliverable if they have deleted their data since."""
        async with self._store.read() as reader:
            best = await reader.predictions.best(MatchId(news.about), news.guild)
        if best is None:
            raise Undeliverable("the predictions were deleted")
        user, points = best
        return words("predict.told", name=escape(await self._names.of(user, news.guild)), count=points)

    async def _ruling_text(self, news: News, words: Words) -> str:
        """Returns what the other server proposes. Raises Undeliverable if it does so no longer."""
        async with self._store.read() as reader:
            match, now = await reader.matches.get(MatchId(news.about)), await reader.clock.now()
            found = await reader.rulings.of_match(MatchId(news.about))
        if match is None or match.outcome or found is None or found.guild == news.guild or not found.holds(now):
            raise Undeliverable("nothing is proposed any more")
        ruling, names = found.ruling, [escape(each) for each in await self._names.of_all(match.players, news.guild)]
        return words(
            f"ruling.{ruling.kind}",
            number=match.id,
            players=" – ".join(names),
            name="" if ruling.seat is None else f"**{names[ruling.seat]}**",
            time="" if ruling.time is None else words.duration(ruling.time),
            until=words.moment(Millis(found.made + RULING_MILLIS)),
        )

    async def _annulment_text(self, news: News, words: Words) -> str:
        """Returns which game was annulled, with the ratings that it had changed."""
        async with self._store.read() as reader:
            annulled = await reader.careers.annulment_of(MatchId(news.about))
        assert annulled is not None, "the news are about an annulled game"
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
