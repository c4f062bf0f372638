"""The use cases of predictions: look at a game, predict it, and see the table of a season."""

from typing import Final, NamedTuple

from play.challenge.pool import pool_of
from play.community.prediction import (
    PICKS,
    Foreteller,
    Outlook,
    Prediction,
    moves_made,
    obvious_pick,
    window_at,
    windows,
)
from play.ids import GuildId, MatchId, Millis, UserId, side_of
from play.match.match import Match
from play.ratings.glicko import INITIAL_RATING
from play.ratings.leaderboard import Season
from play.ratings.settlement import counted_level, level_rating
from play.refusal import Reason, Refused
from storage import Database
from storage.unit_of_work import Reader
from use_cases.barriers import check_not_banned
from use_cases.match_writer import load_match, retry_on_conflict

MAX_OPEN: Final = 10
"""Games in the list of a server, the newest."""

MAX_TABLE: Final = 20
"""Lines of a season's table."""


class Table(NamedTuple):
    """A season's table, with the line of the user who asks, if they have one."""

    season: Season
    lines: list[Foreteller]
    own: Foreteller | None


class Predictions:
    """What members do. All methods raise Refused.

    Who `manages` a server doesn't predict the games that it plays itself: they could end them.
    """

    def __init__(self, store: Database) -> None:
        self._store = store

    async def list_open(self, guild: GuildId, user: UserId, *, manages: bool) -> list[Match]:
        """Returns the games of a server that go on and that a user may predict, in or between their windows."""
        async with self._store.read() as reader:
            numbers = await reader.predictions.open_games(guild, MAX_OPEN)
            found = await reader.matches.of_ids(numbers)
            free = [n for n in numbers if await _own_part(reader, found[n], user, manages=manages) is None]
        return [found[number].look_from(away=found[number].guild != guild) for number in free]

    async def look(self, match: MatchId, user: UserId, guild: GuildId, *, manages: bool) -> Outlook:
        """Returns a game for a member of its server, who plays no part in it. Others' picks stay hidden until their
        window is closed."""
        async with self._store.read() as reader:
            stored = (await load_match(reader, match)).for_reader(user, guild)
            await _check_may_predict(reader, stored, user, guild, manages=manages)
            return await _look(reader, stored, user, guild)

    async def predict(
        self, match: MatchId, version: int, user: UserId, guild: GuildId, pick: int, *, manages: bool
    ) -> Outlook:
        """Stores what a member predicts of a game that they saw at this version, in the place of what they predicted in
        the same window before.

        What was seen before a window closed does not count for the next one (`stale`).
        """
        if pick not in PICKS:
            raise Refused(Reason.OLD_BUTTON)

        async def attempt() -> Outlook:
            async with self._store.write() as tx:
                stored = (await load_match(tx, match)).for_reader(user, guild)
                await _check_may_predict(tx, stored, user, guild, manages=manages)
                if stored.outcome:
                    raise Refused(Reason.MATCH_OVER)
                window = window_at(stored)
                if window != window_at(stored, version):
                    raise Refused(Reason.STALE)
                if window is None:
                    raise Refused(Reason.PREDICT_CLOSED)
                obvious = obvious_pick(stored, await _ratings(tx, stored))
                await tx.predictions.hold(stored.id, stored.version)
                at = await tx.clock.now()
                await tx.predictions.save(Prediction(stored.id, window.number, user, guild, pick, obvious, at))
                return await _look(tx, stored, user, guild)

        return await retry_on_conflict(attempt)

    async def table(self, guild: GuildId, user: UserId, season: Season | None = None) -> Table:
        """Returns the table of a season on a server, by default of the present one."""
        async with self._store.read() as reader:
            chosen = season or Season.at(await reader.clock.now())
            lines = await reader.predictions.table(guild, chosen, MAX_TABLE)
            return Table(chosen, lines, await reader.predictions.line(guild, chosen, user))


async def _look(reader: Reader, match: Match, user: UserId, guild: GuildId) -> Outlook:
    made = moves_made(match)
    closed = [each.number for each in windows(match) if each.closes <= made or match.outcome]
    return Outlook(
        match,
        window_at(match),
        obvious_pick(match, await _ratings(reader, match)),
        {each.window: each for each in await reader.predictions.of_user(match.id, user)},
        await reader.predictions.tallies(match.id, guild, closed),
    )


async def _check_may_predict(reader: Reader, match: Match, user: UserId, guild: GuildId, *, manages: bool) -> None:
    """Raises Refused unless a member of a server may predict a match, which is looked at from there: `no_match`,
    `predict_not_this`, `predict_own`, `predict_voted`, `predict_managed`, `banned`, `banned_until`."""
    if match.guild != guild:
        raise Refused(Reason.NO_MATCH)
    if not match.predictable:
        raise Refused(Reason.PREDICT_NOT_THIS)
    if (part := await _own_part(reader, match, user, manages=manages)) is not None:
        raise Refused(part)
    await check_not_banned(reader, guild, user, await reader.clock.now())


async def _own_part(reader: Reader, match: Match, user: UserId, *, manages: bool) -> Reason | None:
    """Returns why a match, as their server sees it, is a user's own, so that they do not predict it (`predict_own`,
    `predict_voted`, `predict_managed`); None if it is not."""
    if user in match.players:
        return Reason.PREDICT_OWN
    if manages and any(side_of(match.players[host]) is not None for host in match.hosts):
        return Reason.PREDICT_MANAGED
    sides = await reader.votes.of_match(match.id)
    has_voted = bool(sides) and await reader.votes.newest_of(user, sides) is not None
    return Reason.PREDICT_VOTED if has_voted else None


async def _ratings(reader: Reader, match: Match) -> tuple[float, float] | None:
    """Returns the ratings of both players at such games; None where such games have none. A side has a newcomer's, and
    the computer that of its level, also in games without ratings."""
    challenge = await reader.challenges.of_match(match.id)
    if challenge is not None and challenge.terms.level is not None:  # the opponent of a side: no final has the computer
        strength = level_rating(counted_level(match.game, challenge.terms.level)).value
        first, second = (strength if side_of(user) is None else INITIAL_RATING for user in match.players)
        return first, second
    try:
        pool = pool_of(match.game, match.clock.control)
    except Refused:
        return None
    found = await reader.ratings.get(pool, match.players)
    first, second = (found[user].value for user in match.players)
    return first, second


def season_of_end(match: Match) -> Season:
    """Returns the season in which a finished match ended."""
    return Season.at(Millis(match.clock.since))
