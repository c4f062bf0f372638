"""The use cases of a moderator: to judge a match that goes on, to give time in it, and to strike one that is over.

A match has one court for its whole life: the moderators of the server where it began, wherever it is played on. A match
that began in direct messages has none.
"""

from __future__ import annotations

from collections.abc import Collection

from play.community.news import News, NewsId, NewsKind
from play.ids import GuildId, MatchId, Millis, SourceId, UserId
from play.match import adjudication
from play.match.match import Match
from play.people.career import Annulled
from play.refusal import Refused
from play.services.fairness import check_decision_limit
from play.services.match_writer import Deciding, Table, match_at, undisturbed
from play.services.ratings import void_match
from play.store import Reader


class Moderating(Deciding):
    """What a moderator of the server `guild` does; that they are one was checked. All raise Refused: of a match that
    began elsewhere `not_of_this_server`, and `too_many_decisions` where a rated match would be one too many that is
    decided in favor of the same player."""

    async def annul(
        self, table: Table, moderator: UserId, guild: GuildId | None, at: Millis, source: SourceId
    ) -> Match:
        """A moderator ends the match undecided, which may save any of its players."""

        async def check(reader: Reader, match: Match) -> None:
            await _require_court(reader, match, guild)
            await _check_decisions(reader, match, match.players, at)

        return await self._decide(
            table, source, None, lambda match: adjudication.annul(match, moderator, at, source), check
        )

    async def strike(
        self, table: Table, moderator: UserId, guild: GuildId | None, at: Millis
    ) -> tuple[Match, Annulled, int]:
        """A moderator of the server takes a finished match out of ratings and histories, as if nothing had come of it;
        says in how many later matches ratings came out differently.

        Raises Refused (`match_goes_on`, `own_match`, `annulled_already`, too).
        """

        async def attempt() -> tuple[Match, Annulled, int]:
            async with self._store.write() as tx:
                match = await match_at(tx, table)
                home = await _require_court(tx, match, guild)
                if not match.outcome:
                    raise Refused("match_goes_on")
                if moderator in match.players:
                    raise Refused("own_match")
                if await tx.careers.annulment_of(match.id):
                    raise Refused("annulled_already")
                changes = await tx.ratings.changes_of(match.id)
                ratings = {change.user: (change.before.value, change.after.value) for change in changes}
                await check_decision_limit(tx.careers, (user for user, (old, new) in ratings.items() if old > new), at)
                annulled = Annulled(match.id, moderator, at, changes[0].pool if changes else None, ratings)
                await tx.careers.annul(annulled, match.players)
                await tx.news.add(News(NewsId(0), NewsKind.ANNULLED, home, match.channel, match.id, at))
                return match, annulled, await void_match(tx.ratings, match.id)

        struck = await undisturbed(attempt)
        for listener in self.news_listeners:
            listener()
        return struck

    async def adjudge(
        self,
        table: Table,
        moderator: UserId,
        guild: GuildId | None,
        winner: UserId | None,
        at: Millis,
        source: SourceId,
    ) -> Match:
        """A moderator ends the match with a winner, or (None) as a draw."""

        async def check(reader: Reader, match: Match) -> None:
            home = await _require_court(reader, match, guild)
            favored = (winner,) if winner is not None else match.players
            if match.guild != home:  # then it is not rated, which saves the loser
                favored = match.players
            await _check_decisions(reader, match, favored, at)

        return await self._decide(
            table, source, None, lambda match: adjudication.adjudge(match, moderator, winner, at, source), check
        )

    async def close(self, match: MatchId, user: UserId, winner: UserId | None, at: Millis, source: SourceId) -> Match:
        """The program itself, as `user`, ends a match whose time in a tournament is over."""
        return await self._decide(match, source, None, lambda m: adjudication.adjudge(m, user, winner, at, source))

    async def extend(
        self,
        table: Table,
        moderator: UserId,
        guild: GuildId | None,
        player: UserId,
        time: Millis,
        at: Millis,
        source: SourceId,
    ) -> Match:
        """A moderator gives a player `time`."""

        async def check(reader: Reader, match: Match) -> None:
            await _require_court(reader, match, guild)

        return await self._decide(
            table, source, None, lambda match: adjudication.extend(match, moderator, player, time, at, source), check
        )


async def _require_court(reader: Reader, match: Match, guild: GuildId | None) -> GuildId:
    """Returns the server where the match began. Raises Refused (`not_of_this_server`) unless that is `guild`."""
    challenge = await reader.challenges.of_match(match.id)
    home = match.guild if challenge is None else challenge.guild
    if home is None or guild != home:
        raise Refused("not_of_this_server")
    return home


async def _check_decisions(reader: Reader, match: Match, favored: Collection[UserId], now: Millis) -> None:
    challenge = await reader.challenges.of_match(match.id)
    if challenge is not None and challenge.terms.pool is not None:
        await check_decision_limit(reader.careers, favored, now)
