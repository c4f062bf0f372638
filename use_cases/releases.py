"""The use case of releases: each server is told once what is new in one."""

from storage import Database
from use_cases.events import Events


class Releases:
    """Tells servers of releases."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

    async def tell(self, release: str) -> None:
        """Has the servers that are there told of a release, unless that was done when it ran first."""
        async with self._store.write() as tx:
            is_new = await tx.news.add_release(release, await tx.clock.now())
        if is_new:
            self._events.news_added()
