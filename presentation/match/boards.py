"""Versions of matches with all that is said of them."""

from collections.abc import Awaitable, Callable

from play.ids import MatchId, UserId
from play.match.events import EventKind
from play.match.match import Match
from play.people.settings import ServerSettings
from presentation.match.match_view import MatchView
from presentation.people import Names
from presentation.words.words import Words
from use_cases.matches import MatchFactReader

FindPage = Callable[[MatchId, Match, ServerSettings | None], Awaitable[str | None]]
"""Returns the address of the page of a finished match; None if it has none."""


class MatchViews:
    """Puts together what the words of a board need; `find_page` is None where there is no web board."""

    def __init__(
        self, facts: MatchFactReader, names: Names, has_computer: Callable[[], bool], find_page: FindPage | None = None
    ) -> None:
        self.facts = facts
        self._names = names
        self._has_computer = has_computer
        self._find_page = find_page

    async def read(
        self, match: Match, words: Words, *, reader: UserId | None = None, before: Match | None = None
    ) -> MatchView:
        """Returns a version in `words`, with the look that its only `reader` or else the match's server has chosen. It
        tells the version `before` as well, if there is one."""
        names = await self._names.of_all(match.players, match.guild)
        moderator = await name_moderator(match, self._names)
        facts = await self.facts.read(match, reader=reader, before=before)
        page = await self._find_page(match.id, match, facts.server) if self._find_page and match.outcome else None
        earlier = None if before is None else (before, await self.facts.score_gains(before))
        gains = await self.facts.score_gains(match)
        return MatchView(
            *(match, gains, names, words, facts.now, facts.theme, facts.rated, facts.changes, reader),
            computer=self._names.own_id,
            has_computer=self._has_computer(),
            before=earlier,
            has_site=self._find_page is not None,
            page=page,
            moderator=moderator,
            vote=facts.vote,
            voted=facts.voted,
            voted_before=facts.voted_before,
        )


async def name_moderator(match: Match, names: Names) -> str:
    """Returns the name of the moderator of whom the last event tells; empty if it tells of none, or to two servers."""
    event = match.events[-1] if match.events else None
    if event is None or event.by is None or event.kind is not EventKind.EXTEND or match.away is not None:
        return ""
    return await names.of(event.by, match.guild)
