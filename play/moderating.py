"""The use cases of a moderator: to judge a match that goes on, to give time in it, and to strike one that is over."""

from __future__ import annotations

from play import adjudication
from play.career import Annulled
from play.deciding import Deciding, Table, match_at, undisturbed
from play.ids import GuildId, Millis, SourceId, UserId
from play.match import Match
from play.news import News, NewsId, NewsKind
from play.ratings.ledger import strike
from play.refused import Refused


class Moderating(Deciding):
    """What a moderator does; that he is one was checked. All raise Refused."""

    async def annul(self, table: Table, moderator: UserId, at: Millis, source: SourceId) -> Match:
        """A moderator ends the match undecided."""
        return await self._decide(table, source, None, lambda match: adjudication.annul(match, moderator, at, source))

    async def strike(self, table: Table, moderator: UserId, guild: GuildId, at: Millis) -> tuple[Match, Annulled, int]:
        """A moderator of the server takes a finished match out of ratings and histories, as if nothing had come of it;
        says in how many later matches ratings came out differently.

        Raises Refused (`match_goes_on`, `own_match`, `annulled_already`, `not_of_this_server`).
        """

        async def attempt() -> tuple[Match, Annulled, int]:
            async with self._store.write() as transaction:
                match = await match_at(transaction, table)
                if match.guild != guild:
                    raise Refused("not_of_this_server")
                if not match.outcome:
                    raise Refused("match_goes_on")
                if moderator in match.players:
                    raise Refused("own_match")
                if await transaction.annulled(match.id):
                    raise Refused("annulled_already")
                changes = await transaction.changes_of(match.id)
                ratings = {change.user: (change.before.value, change.after.value) for change in changes}
                annulled = Annulled(match.id, moderator, at, changes[0].pool if changes else None, ratings)
                await transaction.annul(annulled, match.players)
                await transaction.add_news(News(NewsId(0), NewsKind.ANNULLED, guild, match.channel, match.id, at))
                return match, annulled, await strike(transaction, match.id)

        struck = await undisturbed(attempt)
        for listener in self.news_listeners:
            listener()
        return struck

    async def adjudge(
        self, table: Table, moderator: UserId, winner: UserId | None, at: Millis, source: SourceId
    ) -> Match:
        """A moderator ends the match with a winner, or (None) as a draw."""
        return await self._decide(
            table, source, None, lambda match: adjudication.adjudge(match, moderator, winner, at, source)
        )

    async def extend(
        self, table: Table, moderator: UserId, player: UserId, time: Millis, at: Millis, source: SourceId
    ) -> Match:
        """A moderator gives a player `time`."""
        return await self._decide(
            table, source, None, lambda match: adjudication.extend(match, moderator, player, time, at, source)
        )
