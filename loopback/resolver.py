"""The users, roles and channels that a person chooses, as the objects that an interaction carries beside their ids."""

from typing import Any

from loopback.model import Channel, User
from loopback.permissions import Permission
from loopback.wire import Wire

Json = dict[str, Any]


class Impossible(Exception):
    """A Discord client does not let a person do this."""


class Resolver:
    """The choices of one interaction in a channel. Each method takes an object, an id or a mention, and returns the id.

    The methods raise Impossible where the person's client would not offer it.
    """

    def __init__(self, wire: Wire, person: User, channel: Channel) -> None:
        self._wire = wire
        self._person = person
        self._here = channel
        self._resolved: dict[str, Json] = {}

    @property
    def fields(self) -> Json:
        """Returns the chosen objects as a field of the interaction's data; no field where there are none."""
        return {"resolved": self._resolved} if self._resolved else {}

    def add(self, kind: str, id_: str, json: Json) -> str:
        """Adds an object."""
        self._resolved.setdefault(kind, {})[id_] = json
        return id_

    def user(self, given: Any) -> str:
        """Resolves a user."""
        id_ = _id(given)
        user = self._wire.world.users.get(int(id_)) if id_ else None
        if user is None:
            raise Impossible(f"there is no member {given!r}")
        world, guild = self._wire.world, self._wire.world.guild_of(self._here)
        if self._here.in_guild and (world.is_member(user.id, guild) or guild.id == world.guild.id):
            permissions = str(int(world.permissions(user.id, self._here)))
            self.add("members", id_, self._wire.partial_member(user, guild) | {"permissions": permissions})
        return self.add("users", id_, self._wire.user(user))

    def role(self, given: Any) -> str:
        """Resolves a role; @everyone and the bot's own are roles, too."""
        guild = self._wire.world.guild_of(self._here)
        roles = {each["id"]: each for each in self._wire.guild(guild)["roles"]}
        if (id_ := _id(given)) not in roles:
            raise Impossible(f"there are no roles {given!r}, only {[each['name'] for each in roles.values()]}")
        return self.add("roles", id_, roles[id_])

    def mentionable(self, given: Any) -> str:
        """Resolves a user or a role."""
        users = self._wire.world.users
        return self.user(given) if _id(given) in map(str, users) else self.role(given)

    def channel(self, given: Any, kinds: list[int] | None = None) -> str:
        """Resolves a channel or thread that the person sees, of the given kinds only."""
        world, id_ = self._wire.world, _id(given)
        channel = world.channels.get(int(id_)) if id_ else None
        if (
            channel is None
            or not channel.in_guild
            or Permission.VIEW_CHANNEL not in world.permissions(self._person.id, channel)
            or (kinds and int(channel.kind) not in kinds)
        ):
            raise Impossible(f"there are no channels {given!r} to choose")
        return self.add("channels", id_, self._wire.partial_channel(channel, self._person.id))


def _id(given: Any) -> str:
    """Returns the id in what was given; empty if there is none."""
    text = str(getattr(given, "id", given)).strip("<@!&#>")
    return text if text.isdecimal() else ""
