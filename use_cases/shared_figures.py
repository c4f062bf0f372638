"""The use cases of figures that a player shares by part, with a link."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NamedTuple

from play.community.shared_figures import FigurePart, SharedFigures
from play.community.year import OwnYear
from play.ids import UserId
from play.refusal import Reason, Refused
from storage import Database
from use_cases.match_writer import retry_on_conflict, undone_by
from use_cases.own_figures import Told, load_figures
from use_cases.unlisted import make_address
from use_cases.years import load_latest_year


class Shown(NamedTuple):
    """What a link shows: whose figures, which parts of them, and their year in dots if that is one."""

    user: UserId
    told: Told
    parts: frozenset[FigurePart]
    year: OwnYear | None


class FigureSharing:
    """What players do with the link to their figures, and what others see by it."""

    def __init__(
        self,
        store: Database,
        make_link: Callable[[], str] = make_address,
        count: Callable[[Database, UserId], Awaitable[Told]] = load_figures,
    ) -> None:
        self._store = store
        self._make_link = make_link
        self._count = count

    async def of_user(self, user: UserId) -> SharedFigures | None:
        """Returns what a user shares, if anything."""
        async with self._store.read() as reader:
            return await reader.shared_figures.of_user(user)

    async def share(self, user: UserId, parts: frozenset[FigurePart]) -> SharedFigures:
        """Has the user's link show exactly these parts; makes one where there is none. Raises Refused
        (`bad_message`) without a part."""

        async def attempt() -> SharedFigures:
            async with self._store.write() as tx:
                found = await tx.shared_figures.of_user(user)
                if found is None:
                    shared = SharedFigures(user, self._make_link(), parts)
                    await tx.shared_figures.add(shared)
                else:
                    shared = replace(found, parts=parts)
                    await tx.shared_figures.save(shared)
            return shared

        return await retry_on_conflict(attempt)

    @undone_by("share")
    async def end_sharing(self, user: UserId) -> None:
        """Ends the user's link: it shows nothing any more, and the next one is another."""
        async with self._store.write() as tx:
            await tx.shared_figures.end(user)

    async def open(self, link: str) -> SharedFigures:
        """Returns what a link shows at this moment. Raises Refused (`no_page`)."""
        async with self._store.read() as reader:
            found = await reader.shared_figures.get(link)
        if found is None:
            raise Refused(Reason.NO_PAGE)
        return found

    async def load(self, link: str) -> Shown:
        """Returns the figures behind a link. A part that is taken back while they are counted is not shown. Raises
        Refused (`no_page`)."""
        shared = await self.open(link)
        told = await self._count(self._store, shared.user)
        year = await load_latest_year(self._store, shared.user) if FigurePart.YEAR in shared.parts else None
        shared = await self.open(link)
        return Shown(shared.user, told, shared.parts, year if FigurePart.YEAR in shared.parts else None)

    async def load_year(self, link: str) -> tuple[UserId, OwnYear]:
        """Returns the year behind a link, and whose it is. Raises Refused (`no_page`), also if it is not shared."""
        shared = await self._open_year(link)
        year = await load_latest_year(self._store, shared.user)
        await self._open_year(link)
        return shared.user, year

    async def _open_year(self, link: str) -> SharedFigures:
        shared = await self.open(link)
        if FigurePart.YEAR not in shared.parts:
            raise Refused(Reason.NO_PAGE)
        return shared
