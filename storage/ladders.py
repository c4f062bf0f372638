"""Ladders in SQL."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import bindparam, case, delete, exists, insert, or_, select, update

from play.challenge.challenge import ChallengeState
from play.competitions.ladder import Duel, Ladder, Rung
from play.ids import ChallengeId, GuildId, MessageId, Millis, UserId
from storage import schema
from storage.conflicts import raises_on_conflict
from storage.errors import Stale
from storage.schema.base import OUTDATED
from storage.statements import Repository
from storage.terms import read_terms, terms_values

_ladder = schema.ladder.c
_rung = schema.rung.c
_duel = schema.duel.c
_challenge = schema.challenge.c
_match = schema.match.c

_FAILED = [state.value for state in ChallengeState if state not in (ChallengeState.OPEN, ChallengeState.ACCEPTED)]

_GUILD_OF = select(_duel.guild).where(_duel.challenge == bindparam("challenge"))
_CHANGED = select(_ladder.guild).where(OUTDATED).order_by(_ladder.guild).limit(bindparam("limit"))
_plays = exists().where(_duel.guild == _rung.guild, or_(_duel.challenger == _rung.user, _duel.defender == _rung.user))
_IDLE = (
    select(_rung.guild)
    .where(_rung.played < bindparam("idle_since"), ~_plays)
    .order_by(_rung.played)
    .limit(bindparam("limit"))
)
_DECIDED = (
    select(_duel.guild, _duel.challenge)
    .join_from(schema.duel, schema.challenge, _challenge.id == _duel.challenge)
    .outerjoin(schema.match, _match.id == _challenge.match)
    .where(or_(_match.ended.is_not(None), _challenge.state.in_(_FAILED)))
    .order_by(_duel.challenge)
    .limit(bindparam("limit"))
)


class LadderReader(Repository):
    """Ladders, as reads see them."""

    __slots__ = ()

    async def get(self, guild: GuildId) -> Ladder | None:
        row = await self._sql.first(select(schema.ladder).where(_ladder.guild == guild))
        if row is None:
            return None
        rungs = await self._sql.all(select(schema.rung).where(_rung.guild == guild).order_by(_rung.place))
        duels = await self._sql.all(select(schema.duel).where(_duel.guild == guild).order_by(_duel.challenge))
        return Ladder(
            guild,
            row.channel,
            read_terms(row.terms),
            tuple(Rung(each.user, each.played) for each in rungs),
            tuple(Duel(each.challenge, each.challenger, each.defender) for each in duels),
            row.version,
            row.message,
        )

    async def of_user(self, user: UserId) -> list[GuildId]:
        """Returns the servers on whose ladders this user is."""
        return [row.guild for row in await self._sql.all(select(_rung.guild).where(_rung.user == user))]

    async def of_challenge(self, challenge: ChallengeId) -> Ladder | None:
        """Returns the ladder on which a challenge is an undecided duel."""
        row = await self._sql.first(_GUILD_OF, challenge=challenge)
        return row and await self.get(row.guild)

    async def outdated(self, idle_since: Millis, limit: int) -> list[GuildId]:
        """Returns the ladders that have changed since their standing was posted, and those with a player who has no
        duel and played the last one before `idle_since`."""
        changed = await self._sql.all(_CHANGED, limit=limit)
        rows = [*changed, *await self._sql.all(_IDLE, idle_since=idle_since, limit=limit)]
        return list(dict.fromkeys(row.guild for row in rows))[:limit]

    async def decided_duels(self, limit: int) -> list[tuple[GuildId, ChallengeId]]:
        """Returns the duels whose match, or whose challenge, is over."""
        return [(row.guild, row.challenge) for row in await self._sql.all(_DECIDED, limit=limit)]


class LadderRepository(LadderReader):
    """Ladders, as a transaction writes them."""

    __slots__ = ()

    async def add(self, ladder: Ladder) -> None:
        """Stores a new ladder. Raises Stale if the server has one."""
        values = {"guild": ladder.guild, "channel": ladder.channel, "terms": terms_values(ladder.terms), "version": 0}
        with raises_on_conflict(Stale):
            await self._sql.execute(insert(schema.ladder).values(values))

    async def save(self, ladder: Ladder) -> Ladder:
        """Stores a changed ladder as its next version. Raises Stale if it has changed otherwise."""
        guild, version = ladder.guild, ladder.version + 1
        as_read = _ladder.guild == guild, _ladder.version == ladder.version
        values = {
            "version": version,
            "terms": terms_values(ladder.terms),
            "channel": ladder.channel,
            "message": case((_ladder.channel == ladder.channel, _ladder.message)),
        }
        await self._sql.change(update(schema.ladder).where(*as_read).values(values))
        rungs = [
            {"guild": guild, "place": place, "user": rung.user, "played": rung.played}
            for place, rung in enumerate(ladder.rungs)
        ]
        duels = [
            {"challenge": duel.challenge, "guild": guild, "challenger": duel.challenger, "defender": duel.defender}
            for duel in ladder.duels
        ]
        for table, rows in ((schema.rung, rungs), (schema.duel, duels)):
            await self._sql.execute(delete(table).where(table.c.guild == guild))
            if rows:
                await self._sql.execute(insert(table), rows)
        return replace(ladder, version=version)

    async def mark_posted(self, guild: GuildId, version: int, message: MessageId | None) -> None:
        """Notes which version of the ladder its standing shows, or would if its channel were not gone."""
        values = {"shown": version, "message": message}
        await self._sql.execute(update(schema.ladder).where(_ladder.guild == guild).values(values))
