"""Ladders in SQL."""

from dataclasses import replace

from sqlalchemy import bindparam, or_, select

from play.challenge.challenge import ChallengeState
from play.competitions.ladder import Duel, Ladder, Rung
from play.ids import ChallengeId, GuildId
from play.posts import PostKind
from storage import schema
from storage.competition_rows import Found, Rows, add_rows, game, match, post_values
from storage.competitions import CompetitionReader, CompetitionRepository, select_to_update
from storage.statements import Values
from storage.terms import read_terms, terms_values

_challenge = schema.challenge.c
_absence = schema.absence.c

_FAILED = [state.value for state in ChallengeState if state not in (ChallengeState.OPEN, ChallengeState.ACCEPTED)]

_OF_CHALLENGE = select(game.number).where(game.challenge == bindparam("challenge"))
_DECIDED = (
    select(game.number, game.challenge)
    .join_from(schema.game, schema.challenge, _challenge.id == game.challenge)
    .outerjoin(schema.match, match.id == _challenge.match)
    .where(game.challenge.is_not(None), or_(match.ended.is_not(None), _challenge.state.in_(_FAILED)))
    .order_by(game.challenge)
    .limit(bindparam("limit"))
)


class LadderReader(CompetitionReader[GuildId, Ladder]):
    """Ladders, as reads see them. Their games are the duels that are not decided."""

    __slots__ = ()

    kind = PostKind.LADDER.value
    selects_to_update = select_to_update()

    def read(self, found: Found) -> Ladder:
        row = found.row
        rungs = tuple(Rung(each.user, each.since) for each in found.entrants)
        duels = (Duel(each.challenge, rungs[each.first].user, rungs[each.second].user) for each in found.games)
        terms = read_terms(row.head["terms"])
        return Ladder(row.guild, row.channel, terms, rungs, tuple(duels), row.version, row.message)

    async def get(self, number: GuildId) -> Ladder | None:
        ladder = await super().get(number)
        if ladder is None:
            return None
        left = {row.user for row in await self._sql.all(select(_absence.user).where(_absence.guild == number))}
        return replace(ladder, away=left.intersection(ladder.users))

    async def of_challenge(self, challenge: ChallengeId) -> Ladder | None:
        """Returns the ladder on which a challenge is an undecided duel."""
        row = await self._sql.first(_OF_CHALLENGE, challenge=challenge)
        return row and await self.get(row.number)

    async def decided_duels(self, limit: int) -> list[tuple[GuildId, ChallengeId]]:
        """Returns the duels whose match, or whose challenge, is over."""
        return [(row.number, row.challenge) for row in await self._sql.all(_DECIDED, limit=limit)]


class LadderRepository(LadderReader, CompetitionRepository[GuildId, Ladder]):
    """Ladders, as a transaction writes them."""

    __slots__ = ()

    def write(self, value: Ladder) -> Rows:
        head = {"terms": terms_values(value.terms)}
        places = {user: place for place, user in enumerate(value.users)}
        rungs: list[Values] = [{"user": rung.user, "since": rung.played} for rung in value.rungs]
        duels: list[Values] = [
            {"challenge": duel.challenge, "first": places[duel.challenger], "second": places[duel.defender]}
            for duel in value.duels
        ]
        row = {"version": value.version, "head": head, "open": True, "due": value.due}
        return Rows(row, [post_values(value.guild, value.channel, None, value.version)], rungs, duels)

    def number_of(self, value: Ladder) -> int:
        return value.guild

    async def add(self, value: Ladder) -> Ladder:
        """Stores a new ladder. Raises Stale if the server has one."""
        added = replace(value, version=0)
        await add_rows(self._sql, self.kind, added.guild, self.write(added))
        return added
