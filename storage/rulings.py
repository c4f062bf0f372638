"""Proposed rulings in SQL."""

from sqlalchemy import bindparam, delete, select

from play.ids import MatchId
from play.match.adjudication import ProposedRuling, Ruling, RulingKind
from storage import schema
from storage.statements import Repository

_ruling = schema.ruling.c
_OF_MATCH = select(schema.ruling).where(_ruling.match == bindparam("match"))


class RulingReader(Repository):
    """Proposals, as reads see them."""

    __slots__ = ()

    async def of_match(self, match: MatchId) -> ProposedRuling | None:
        """Returns the newest proposal about a match."""
        row = await self._sql.first(_OF_MATCH, match=match)
        if row is None:
            return None
        return ProposedRuling(row.match, row.guild, Ruling(RulingKind(row.kind), row.seat, row.time), row.made)


class RulingRepository(RulingReader):
    """Proposals, as a transaction writes them."""

    __slots__ = ()

    async def put(self, proposed: ProposedRuling) -> None:
        """Stores a proposal, in place of an earlier one about the same match."""
        await self.remove(proposed.match)
        ruling = proposed.ruling
        values = {"kind": ruling.kind.value, "seat": ruling.seat, "time": ruling.time}
        place = {"match": proposed.match, "guild": proposed.guild, "made": proposed.made}
        await self._sql.add(schema.ruling, {**place, **values})

    async def remove(self, match: MatchId) -> None:
        """Removes the proposal about a match, if there is one."""
        await self._sql.execute(delete(schema.ruling).where(_ruling.match == match))
