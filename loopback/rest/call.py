"""One request of the bot, read and checked for form, as the endpoints get it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from loopback.errors import Malformed
from loopback.interactions import Interactions
from loopback.message_builder import Upload
from loopback.wire import Wire
from loopback.world import World

if TYPE_CHECKING:
    from loopback.model import Channel, Message

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Services:
    """What endpoints work on: the world, its JSON, the open interactions and the address of the gateway."""

    world: World
    wire: Wire
    interactions: Interactions
    gateway: str


@dataclass(frozen=True, slots=True)
class Call:
    """A request: the ids of its path, its query, its JSON (also out of multipart) and its files."""

    services: Services
    path: Mapping[str, str]
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    uploads: tuple[Upload, ...] = ()

    @property
    def world(self) -> World:
        """The world."""
        return self.services.world

    @property
    def wire(self) -> Wire:
        """The writer of JSON."""
        return self.services.wire

    def id(self, name: str) -> int:
        """An id of the path, such as ``channel_id``; Malformed if it is no snowflake."""
        text = self.path[name]
        if not text.isdecimal():
            raise Malformed((name,), f'Value "{text}" is not snowflake.')
        return int(text)

    @property
    def channel(self) -> "Channel":
        """The channel that the path names; ApiError 10003."""
        return self.world.channel(self.id("channel_id"))

    @property
    def message(self) -> "Message":
        """The message that the path names; ApiError 10008."""
        return self.world.message(self.channel.id, self.id("message_id"))


Endpoint = Callable[[Call], Any]
"""Answers a call with JSON, or None for 204; raises ApiError."""

Table = Mapping[str, Endpoint]
"""Endpoints by method and template, as in ``GET /channels/{channel_id}``, spelt as in the API description."""
