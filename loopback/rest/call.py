"""One request of the bot, parsed, as the endpoints get it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from loopback.errors import UNKNOWN_GUILD, ApiError, Malformed
from loopback.interactions import Interactions
from loopback.message_builder import Upload
from loopback.model import Channel, Guild, Message
from loopback.wire import Wire
from loopback.world import World

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Services:
    """The services of endpoints: the world, its JSON, the open interactions and the address of the gateway."""

    world: World
    wire: Wire
    interactions: Interactions
    gateway: str


@dataclass(frozen=True, slots=True)
class Call:
    """A request: the ids of its path, its query, its JSON (also from multipart) and its files."""

    services: Services
    path: Mapping[str, str]
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    uploads: tuple[Upload, ...] = ()
    bearer: int | None = None
    """The user whose access token the request has in place of the bot's own."""

    @property
    def world(self) -> World:
        """Returns the world."""
        return self.services.world

    @property
    def wire(self) -> Wire:
        """Returns the converter to JSON."""
        return self.services.wire

    def id(self, name: str) -> int:
        """Returns an id of the path, such as ``channel_id``; raises Malformed if it is no snowflake."""
        text = self.path[name]
        if not text.isdecimal():
            raise Malformed((name,), f'Value "{text}" is not snowflake.')
        return int(text)

    @property
    def guild(self) -> Guild:
        """Returns the server of the path; ApiError 10004 if the bot is on no such one."""
        world, wanted = self.world, self.id("guild_id")
        found = next((each for each in world.guilds if each.id == wanted and world.is_member(world.bot.id, each)), None)
        if found is None:
            raise ApiError(UNKNOWN_GUILD)
        return found

    @property
    def channel(self) -> Channel:
        """Returns the channel of the path; ApiError 10003 if there is none."""
        return self.world.channel(self.id("channel_id"))

    @property
    def message(self) -> Message:
        """Returns the message of the path; ApiError 10008 if there is none."""
        return self.world.message(self.channel.id, self.id("message_id"))


Endpoint = Callable[[Call], Any]
"""Answers a call with JSON, or None for 204; raises ApiError."""

Table = Mapping[str, Endpoint]
"""Endpoints by method and template, as in ``GET /channels/{channel_id}``, spelled as in the API description."""
