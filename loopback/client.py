"""Discord's client: its languages, the objects that it sends for what a person chooses, and its checks of a command.

It finds the command and resolves its options, or what a command of a context menu is used on.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from loopback.attachments import MAX_FILE_BYTES, new_attachment
from loopback.model import Channel, File, Message, User
from loopback.permissions import Permission
from loopback.wire import Wire

LOCALES = (
    "en-US",
    "en-GB",
    "ar",
    "bg",
    "cs",
    "da",
    "de",
    "el",
    "es-419",
    "es-ES",
    "fi",
    "fr",
    "he",
    "hi",
    "hr",
    "hu",
    "id",
    "it",
    "ja",
    "ko",
    "lt",
    "nl",
    "no",
    "pl",
    "pt-BR",
    "ro",
    "ru",
    "sv-SE",
    "th",
    "tr",
    "uk",
    "vi",
    "zh-CN",
    "zh-TW",
)


Json = dict[str, Any]

CHAT_INPUT, USER_MENU, MESSAGE_MENU, PRIMARY_ENTRY_POINT = 1, 2, 3, 4
APP_HANDLER, DISCORD_LAUNCH_ACTIVITY = 1, 2
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(1, 12)
KIND_NAMES = {STRING: "text", INTEGER: "a whole number", BOOLEAN: "yes or no", USER: "a member", NUMBER: "a number"}


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
        if self._here.in_guild and world.is_member(user.id, guild):
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


def visible_commands(wire: Wire, user: User, channel: Channel) -> list[Json]:
    """Returns the slash commands that a person can use in a channel, by Discord's contexts and default permissions."""
    return _available(wire, user, channel, CHAT_INPUT, PRIMARY_ENTRY_POINT)


def menu_commands(wire: Wire, user: User, channel: Channel) -> list[Json]:
    """Returns the commands of the context menus that a person can use in a channel, on people and on messages."""
    return _available(wire, user, channel, USER_MENU, MESSAGE_MENU)


def _available(wire: Wire, user: User, channel: Channel, *types: int) -> list[Json]:
    typed = (command for command in wire.world.commands if command["type"] in types)
    return [command for command in typed if _is_available(wire, command, user, channel)]


def _is_available(wire: Wire, command: Json, user: User, channel: Channel) -> bool:
    context = 0 if channel.in_guild else 1 if channel.is_dm else 2
    if not channel.in_guild and ("guild_id" in command or not command["dm_permission"]):
        return False
    if command["contexts"] is not None and context not in command["contexts"]:
        return False
    if wire.world.is_user_install(channel):
        return user.id in wire.world.installers and 1 in command["integration_types"]
    needed = command["default_member_permissions"]
    if channel.is_dm:
        return True
    has = wire.world.permissions(user.id, channel)
    if needed is None:
        return Permission.USE_APPLICATION_COMMANDS in has
    return Permission.ADMINISTRATOR in has or (needed != "0" and int(has) & int(needed) == int(needed))


def launches_activity(wire: Wire, user: User, channel: Channel, name: str) -> bool:
    """Returns whether a command opens the Activity without asking the application."""
    return any(
        command["name"] == name and command.get("handler") == DISCORD_LAUNCH_ACTIVITY
        for command in visible_commands(wire, user, channel)
    )


def command_data(
    wire: Wire, user: User, channel: Channel, path: Sequence[str], given: Mapping[str, Any], focused: str | None = None
) -> Json:
    """Returns the data of a command; with ``focused``, the option being typed, of an autocomplete interaction.

    Raises:
        Impossible: an unknown command or option, a required option left out, a value of the wrong type or bounds.
    """
    offered = [command for command in visible_commands(wire, user, channel) if command["name"] == path[0]]
    if not offered:
        known = sorted(command["name"] for command in visible_commands(wire, user, channel))
        raise Impossible(f"there is no command /{path[0]} here, only {known}")
    command = next((each for each in offered if "guild_id" in each), offered[0])
    node, groups = command, []
    for name in path[1:]:
        node = next((each for each in node.get("options", ()) if each["name"] == name and each["type"] <= GROUP), {})
        if not node:
            raise Impossible(f"/{' '.join(path)} does not exist")
        groups.append(node)
    options = node.get("options", [])
    if any(option["type"] <= GROUP for option in options):
        raise Impossible(f"/{' '.join(path)} needs one of {[option['name'] for option in options]} behind it")
    if unknown := given.keys() - {option["name"] for option in options}:
        raise Impossible(
            f"/{' '.join(path)} has no option {sorted(unknown)}, only {[each['name'] for each in options]}"
        )
    resolver = Resolver(wire, user, channel)
    chosen = _options(wire, options, given, focused, resolver)
    for group in reversed(groups):
        chosen = [{"type": group["type"], "name": group["name"], "options": chosen}]
    data: Json = {
        "id": command["id"],
        "name": command["name"],
        "type": command["type"],
        "options": chosen,
    } | resolver.fields
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    return data


def menu_data(wire: Wire, user: User, channel: Channel, name: str, target: User | Message) -> Json:
    """Returns the data of a command of a context menu that is used on a person or a message.

    Raises:
        Impossible: there is no such command here for what it is used on.
    """
    kind = USER_MENU if isinstance(target, User) else MESSAGE_MENU
    offered = [each for each in menu_commands(wire, user, channel) if each["type"] == kind]
    command = next((each for each in offered if each["name"] == name), None)
    if command is None:
        raise Impossible(f"there is no {name!r} here, only {[each['name'] for each in offered]}")
    resolver = Resolver(wire, user, channel)
    if isinstance(target, User):
        id_ = resolver.user(target)
    else:
        id_ = resolver.add("messages", str(target.id), wire.message(target, to_bot=False))
    return {"id": command["id"], "name": name, "type": kind, "target_id": id_} | resolver.fields


def _options(
    wire: Wire, options: Sequence[Json], given: Mapping[str, Any], focused: str | None, resolver: Resolver
) -> list[Json]:
    chosen = []
    for option in options:
        name = option["name"]
        if name == focused:
            if not option.get("autocomplete"):
                raise Impossible(f"option {name} has no autocomplete")
            value = str(given.get(name, ""))
            chosen.append({"type": option["type"], "name": name, "value": value, "focused": True})
        elif given.get(name) is None:
            if option.get("required") and focused is None:
                raise Impossible(f"option {name} is required")
        else:
            try:
                value = _value(wire, option, given[name], resolver)
            except Impossible:
                if focused is None:
                    raise
                continue  # while the person types one option, the client leaves out invalid ones
            chosen.append({"type": option["type"], "name": name, "value": value})
    if focused is not None and not any(each.get("focused") for each in chosen):
        raise Impossible(f"there is no option {focused}")
    return chosen


def _value(wire: Wire, option: Json, given: Any, resolver: Resolver) -> Any:
    kind = option["type"]
    if kind == ATTACHMENT:
        return _upload(wire, option["name"], given, resolver)
    if kind == CHANNEL:
        return resolver.channel(given, option.get("channel_types"))
    if resolve := {USER: resolver.user, ROLE: resolver.role, MENTIONABLE: resolver.mentionable}.get(kind):
        return resolve(given)
    reader = READERS.get(kind)
    if reader is None:
        raise Impossible(f"option {option['name']} is of type {kind}, which the stand-in does not know")
    try:
        value = reader(given)
    except (ValueError, KeyError):
        raise Impossible(f"option {option['name']} takes {KIND_NAMES[kind]}, not {given!r}") from None
    choices = option.get("choices") or []
    if choices and value not in [choice["value"] for choice in choices]:
        raise Impossible(
            f"option {option['name']} takes one of {[choice['value'] for choice in choices]}, not {value!r}"
        )
    size = len(value) if isinstance(value, str) else value
    low, high = ("min_length", "max_length") if kind == STRING else ("min_value", "max_value")
    if not option.get(low, size) <= size <= option.get(high, size):
        raise Impossible(f"option {option['name']} is out of its bounds: {value!r}")
    return value


def _upload(wire: Wire, name: str, given: Any, resolver: Resolver) -> str:
    """Stores a file for the bot to fetch; returns its id."""
    if not isinstance(given, File):
        raise Impossible(f"option {name} takes a file, not {given!r}")
    if len(given.data) > MAX_FILE_BYTES:
        raise Impossible(f"{given.name} is larger than {MAX_FILE_BYTES} bytes")
    kept = wire.world.upload(new_attachment(wire.world.ids.next(), given.name, given.data))
    folder = f"ephemeral-attachments/{wire.world.application_id}"
    return resolver.add("attachments", str(kept.id), wire.file(kept, folder, ephemeral=True))


def _boolean(given: Any) -> bool:
    return given if isinstance(given, bool) else {"true": True, "false": False}[str(given).lower()]


READERS: Mapping[int, Callable[[Any], Any]] = {STRING: str, INTEGER: int, BOOLEAN: _boolean, NUMBER: float}
