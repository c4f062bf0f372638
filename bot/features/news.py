"""The news of a server's channels: duels of the ladder, rulings, the log, what is new, and the year in dots."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.features.players.years import DrawnYear, year_button
from bot.interactions import custom_ids as ids
from bot.interactions.components import Audience
from bot.interactions.layout import button, row
from bot.markup import escape
from bot.services.discord_errors import delivery_problem
from bot.services.guild_directory import GuildDirectory
from bot.services.locales import Locales
from bot.services.messages import fit
from bot.services.names import Names
from play.community.news import TOLD_RELEASE, News, NewsKind
from play.ids import ChallengeId, GuildId, MatchId, Millis, UserId
from play.match.adjudication import RULING_MILLIS
from play.refusal import Refused
from presentation.server_log import describe_entry
from presentation.words.words import Words
from storage import Database
from use_cases.annulment import load_traces
from use_cases.worker import RetryLater, Undeliverable

DrawYear = Callable[[GuildId, int, UserId, Audience], Awaitable[DrawnYear]]
"""Draws a year of a server for readers. Raises Refused."""


class ChannelNews:
    """Implements use_cases.workers.news_relay.NewsPublisher."""

    def __init__(
        self,
        directory: GuildDirectory,
        store: Database,
        locales: Locales,
        names: Names,
        guides: str | None,
        changes: str | None,
        draw_year: DrawYear,
    ) -> None:
        """`guides` and `changes` are the addresses of the guides and of what is new, if there are any."""
        self._draw_year = draw_year
        self._directory = directory
        self._more = {"guides": guides, "changes": changes}
        self._store = store
        self._locales = locales
        self._names = names

    async def publish(self, news: News) -> None:
        """See use_cases.workers.news_relay.NewsPublisher."""
        words = await self._locales.for_guild(news.guild)
        text, extras = await self._message(news, words)
        try:
            channel = await self._directory.messageable(news.guild, news.channel)
            quiet = discord.AllowedMentions.none()
            await channel.send(fit(text), nonce=f"news:{news.id}", allowed_mentions=quiet, **extras)
        except discord.HTTPException as error:
            raise delivery_problem(error) from error

    async def _message(self, news: News, words: Words) -> tuple[str, dict[str, Any]]:
        """Returns a text, and the button or the picture beside it."""
        if news.kind is NewsKind.YEAR:
            return await self._year_message(news, words)
        text, is_ruling = await self._text(news, words), news.kind is NewsKind.RULING
        return text, {"view": row(button(ids.RULING(match=news.about), words("button.ruling")))} if is_ruling else {}

    async def _year_message(self, news: News, words: Words) -> tuple[str, dict[str, Any]]:
        """Returns the card of a server's year. Raises Undeliverable if nobody has played there."""
        async with self._store.read() as reader:
            server = await reader.servers.get(news.guild)
        readers = Audience(words, server.theme, members=True)
        try:
            drawn = await self._draw_year(news.guild, news.about, self._names.own_id or UserId(0), readers)
        except Refused as refused:
            raise RetryLater(refused.key) from refused
        if drawn.picture is None or not server.news:
            raise Undeliverable("nobody has played there this year, or nobody wants to be told")
        text = f"{words('year.posted', year=news.about)}\n-# {words('year.off')}"
        return text, {"file": drawn.picture, "view": row(year_button(words))}

    async def _text(self, news: News, words: Words) -> str:
        if news.kind is NewsKind.FORETOLD:
            return await self._foretold_text(news, words)
        if news.kind is NewsKind.RULING:
            return await self._ruling_text(news, words)
        if news.kind is NewsKind.LOGGED:
            return await describe_entry(news, words, self._names)
        if news.kind is NewsKind.RELEASE:
            return self._release_text(words)
        return await (self._annulment_text if news.kind is NewsKind.ANNULLED else self._duel_text)(news, words)

    def _release_text(self, words: Words) -> str:
        """Returns what is new, and where there is more about it."""
        more = [f"[{words(f'release.link.{name}')}](<{address}>)" for name, address in self._more.items() if address]
        told = words("release.news", version=TOLD_RELEASE)
        return "\n".join([told, *([" · ".join(more)] if more else []), f"-# {words('release.off')}"])

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
            match = await reader.matches.get(MatchId(news.about))
            traces = [] if match is None else await load_traces(reader, match)
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
        return "\n".join((*lines, *(words(f"annulled.trace.{trace}") for trace in traces)))
