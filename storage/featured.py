"""Games between strangers that everybody may watch, in SQL."""

from sqlalchemy import bindparam, exists, select

from play.ids import MatchId
from storage import schema
from storage.statements import Repository

_match = schema.match.c
_seat = schema.seat.c
_person = schema.person.c

_allows = exists().where(_person.user == _seat.user, _person.watchable)
_all_allow = ~exists().where(_seat.match == _match.id, ~_allows)
_OPEN = (
    select(_match.id)
    .where(_match.ended.is_(None), _match.strangers, _all_allow)
    .order_by(_match.turned.desc(), _match.id)
    .limit(bindparam("limit"))
)
_SHOWN = select(_match.id).where(_match.id == bindparam("match"), _match.strangers, _all_allow)


class FeaturedReader(Repository):
    """Games between strangers whose players all let everybody watch."""

    __slots__ = ()

    async def going_on(self, limit: int) -> list[MatchId]:
        """Returns those that go on, the latest move first."""
        return [row.id for row in await self._sql.all(_OPEN, limit=limit)]

    async def shows(self, match: MatchId) -> bool:
        """Returns whether everybody may watch a game, also after its end."""
        return await self._sql.first(_SHOWN, match=match) is not None
