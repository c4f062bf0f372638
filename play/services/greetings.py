"""The use case of greetings: a server is greeted once, soon after the bot has joined it."""

from __future__ import annotations

from play.community.greeting import AGAIN_MILLIS, Greeting
from play.services.events import Events
from play.store import Store


class Greetings:
    """Notes which servers are to be greeted."""

    def __init__(self, store: Store, events: Events) -> None:
        self._store = store
        self._events = events

    async def note_join(self, greeting: Greeting) -> bool:
        """Stores a greeting to be posted; returns whether that was necessary.

        It is not where the bot joined long ago, which Discord says of every server at each start, nor where it has
        greeted before.
        """
        async with self._store.write() as tx:
            known = await tx.greetings.get(greeting.guild)
            if greeting.is_too_old(await tx.clock.now()):
                return False
            if known is not None and greeting.joined - known.joined < AGAIN_MILLIS:
                return False
            await tx.greetings.put(greeting)
        self._events.greeting_added()
        return True
