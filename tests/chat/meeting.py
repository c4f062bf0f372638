"""Two groups on one database, on two platforms, whose people may meet as strangers."""

from __future__ import annotations

from chat.parts import ChatParts
from chat.routing import RoutedCalls, RoutedPublisher
from play.ids import Platform
from tests.chat.driving import Seen, Who
from tests.chat.world import EAGER, World
from use_cases.workers.call_settler import CallSettler
from use_cases.workers.matchmaker import Matchmaker
from use_cases.workers.outbox_relay import OutboxRelay


class Meeting:
    """Both groups with the workers that bring strangers together."""

    def __init__(self, one: World, other: World) -> None:
        self.worlds = one, other
        self.parts: dict[Platform, ChatParts] = {each.parts.kind: each.parts for each in self.worlds}
        one.parts.services.names.elsewhere[other.parts.kind] = other.parts.services.names
        other.parts.services.names.elsewhere[one.parts.kind] = one.parts.services.names
        calls = RoutedCalls({kind: each.calls for kind, each in self.parts.items()})
        boards = RoutedPublisher({kind: each.publisher for kind, each in self.parts.items()})
        first = one.use_cases
        self.matchmaker = Matchmaker(one.store, first.seeks, first.events, first.capacity, calls, lambda: 4, EAGER)
        self.settler = CallSettler(one.store, calls, EAGER)
        one.relay = other.relay = OutboxRelay(one.store, boards, EAGER)

    async def settle(self) -> None:
        """Has those who look paired and called, their games begun, calls settled and boards posted."""
        for _ in range(2):
            for pair in await self.matchmaker.pending(50):
                await self.matchmaker.process(pair)
        for call in await self.settler.pending(50):
            await self.settler.process(call)
        await self.worlds[0].settle()

    async def look(self, world: World, who: Who, label: str, *, direct: bool = False) -> Seen:
        """Lets a person open the panel and begin a search by its button; returns the panel."""
        (panel,) = await world.say(who, "/play", direct=direct)
        shown = await world.press(who, panel, label)
        return next(each for each in shown if each.key == panel.key)
