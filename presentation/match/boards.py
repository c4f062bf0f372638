"""Versions of matches with all that is said of them, read from the store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from cachetools import LRUCache

from play.ids import MatchId, Millis, UserId, side_of
from play.match.events import EventKind
from play.match.match import Match
from play.people.settings import ServerSettings
from play.services.matches import is_rated
from play.store import Reader, Store
from play.votes.turn import closing, turn_of
from play.votes.vote import Choice
from presentation.match.match_view import MatchView
from presentation.match.narration import ClosedVote, OpenVote
from presentation.people import Names
from presentation.words.words import Words

SCORE_CACHE_SIZE = 10_000
"""Versions of matches."""

FindPage = Callable[[MatchId, Match, ServerSettings | None], Awaitable[str | None]]
"""Returns the address of the page of a finished match; None if it has none."""


class MatchViews:
    """Reads what the words of a board need; `find_page` is None where there is no web board."""

    def __init__(
        self, store: Store, names: Names, has_computer: Callable[[], bool], find_page: FindPage | None = None
    ) -> None:
        self._store = store
        self._names = names
        self._has_computer = has_computer
        self._find_page = find_page
        self._scores: LRUCache[tuple[MatchId, int], tuple[float, ...]] = LRUCache(SCORE_CACHE_SIZE)
        self._rated: LRUCache[MatchId, bool] = LRUCache(SCORE_CACHE_SIZE)

    async def read(
        self, match: Match, words: Words, *, reader: UserId | None = None, before: Match | None = None
    ) -> MatchView:
        """Returns a version in `words`, with the look that its only `reader` or else the match's server has chosen. It
        tells the version `before` as well, if there is one."""
        names = await self._names.of_all(match.players, match.guild)
        moderator = await self.name_moderator(match)
        async with self._store.read() as stored:
            now, rated = await stored.clock.now(), await self._is_rated(stored, match.id)
            changes = await stored.ratings.changes_of(match.id) if match.outcome and rated else None
            vote, voted = await read_votes(stored, match, now)
            _, voted_before = (None, None) if before is None else await read_votes(stored, before, now)
            server = await stored.servers.get(match.guild) if match.guild else None
            theme = await _theme_of(stored, server, reader)
        page = await self._find_page(match.id, match, server) if self._find_page and match.outcome else None
        earlier = None if before is None else (before, await self.score_gains(before))
        gains = await self.score_gains(match)
        return MatchView(
            *(match, gains, names, words, now, theme, rated, changes, reader),
            computer=self._names.own_id,
            has_computer=self._has_computer(),
            before=earlier,
            has_site=self._find_page is not None,
            page=page,
            moderator=moderator,
            vote=vote,
            voted=voted,
            voted_before=voted_before,
        )

    async def name_moderator(self, match: Match) -> str:
        """Returns the name of the moderator of whom the last event tells; empty if it tells of none, or to two
        servers."""
        event = match.events[-1] if match.events else None
        if event is None or event.by is None or event.kind is not EventKind.EXTEND or match.away is not None:
            return ""
        return await self._names.of(event.by, match.guild)

    async def score_gains(self, match: Match) -> tuple[float, ...]:
        """Returns what the last move did to the scores; zeros if the last event was no move."""
        self._scores[match.id, match.version] = match.position.score
        if not match.events or match.events[-1] is not match.last_move:
            return (0.0,) * match.game.seats
        before = self._scores.get((match.id, match.version - 1)) or await self._score_before(match)
        return tuple(now - then for now, then in zip(match.position.score, before, strict=True))

    async def _is_rated(self, stored: Reader, match: MatchId) -> bool:
        """Returns whether a match is rated, which never changes."""
        if match not in self._rated:
            self._rated[match] = await is_rated(stored, match)
        return self._rated[match]

    async def _score_before(self, match: Match) -> tuple[float, ...]:
        """Returns the score before the last move, which takes 10 ms to replay in a long match."""
        async with self._store.read() as reader:
            before = await reader.matches.get(match.id, match.version - 1)
        assert before is not None, "a stored match has its whole history"
        self._scores[before.id, before.version] = before.position.score
        return before.position.score


async def read_votes(stored: Reader, match: Match, now: Millis) -> tuple[OpenVote | None, ClosedVote | None]:
    """Returns the vote about the present turn, and the one by which the last turn was played, as far as they are those
    of sides. Of other matches nothing is read."""
    if all(side_of(player) is None for player in match.players):
        return None, None
    sides = {side.seat: side for side in await stored.votes.of_match(match.id)}
    vote = voted = None
    if match.to_act is not None and (side := sides.get(match.to_act)):
        total = None
        if side.seat not in match.guests:
            total = sum(count.votes for count in await stored.votes.counts(side, turn_of(match), now))
        vote = OpenVote(closing(match, side), total)
    last = match.events[-1] if match.events else None
    if (
        last is not None
        and last is match.last_move
        and last.seat not in match.guests
        and (side := sides.get(last.seat))
    ):
        counts = await stored.votes.counts(side, side.closed, now)
        agreed = sum(count.votes for count in counts if count.choice is Choice.MOVE and count.text == last.text)
        voted = ClosedVote(agreed, sum(count.votes for count in counts)) if agreed else None
    return vote, voted


async def _theme_of(stored: Reader, server: ServerSettings | None, reader: UserId | None) -> str:
    """Returns the look of a match's boards for a reader alone, or for everybody in its channel."""
    if reader is not None:
        return (await stored.people.get(reader)).theme
    return server.theme if server else ""
