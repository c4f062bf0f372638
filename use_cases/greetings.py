"""The use case of greetings: a server is greeted once, soon after the bot has joined it."""

from play.community.greeting import AGAIN_MILLIS, MAX_AGE_MILLIS, Greeting
from play.ids import GuildId, Millis
from storage import Database
from use_cases.events import Events


class Greetings:
    """Notes which servers are to be greeted."""

    def __init__(self, store: Database, events: Events) -> None:
        self._store = store
        self._events = events

    async def is_due(self, guild: GuildId, joined: Millis) -> bool:
        """Returns whether a server that the bot joined then is to be greeted.

        It is not where the bot joined long ago, which the chat says of most servers at each start, nor where it has
        greeted before.
        """
        async with self._store.read() as reader:
            if await reader.clock.now() - joined > MAX_AGE_MILLIS:
                return False
            return _is_first(await reader.greetings.get(guild), joined)

    async def add(self, greeting: Greeting) -> None:
        """Stores a greeting to be posted, unless the server was greeted meanwhile."""
        async with self._store.write() as tx:
            if _is_first(await tx.greetings.get(greeting.guild), greeting.joined):
                await tx.greetings.put(greeting)
        self._events.greeting_added()


def _is_first(known: Greeting | None, joined: Millis) -> bool:
    """Returns whether the greeting that is known, if there is one, was for another stay on the server."""
    return known is None or joined - known.joined >= AGAIN_MILLIS
