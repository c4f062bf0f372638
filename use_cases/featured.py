"""The use case of watching the best game between strangers."""

from play.challenge.pool import pool_of
from play.community.featured import FeaturedGame, best_game
from play.community.operator import RestrictionKind
from play.ids import MatchId
from play.match.match import Match
from play.ratings.glicko import INITIAL_RATING
from play.refusal import Refused
from storage import Database
from storage.unit_of_work import Reader

MAX_GAMES = 12
"""Games among which the best is chosen, those with the latest moves: each is a match to read."""


class Featured:
    """Finds the game that everybody may watch. Games whose players have not all allowed it are never among them."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def follow(self, shown: MatchId | None = None) -> FeaturedGame | None:
        """Returns the game that a reader has `shown` before, also after its end, or without one the best that goes on;
        None if there is none, or the operator has closed games between strangers."""
        async with self._store.read() as reader:
            now = await reader.clock.now()
            if await reader.operator.restriction(RestrictionKind.STRANGERS, 0, now):
                return None
            if shown is not None and await reader.featured.shows(shown):
                match = await reader.matches.get(shown)
                return None if match is None else await _rated(reader, match)
            found = await reader.matches.of_ids(await reader.featured.going_on(MAX_GAMES))
            return best_game([await _rated(reader, each) for each in found.values()])


async def _rated(reader: Reader, match: Match) -> FeaturedGame:
    try:
        pool = pool_of(match.game, match.clock.control)
    except Refused:  # with these options nobody has a rating
        return FeaturedGame(match, (INITIAL_RATING,) * len(match.players))
    ratings = await reader.ratings.get(pool, match.players)
    return FeaturedGame(match, tuple(ratings[each].value for each in match.players))
