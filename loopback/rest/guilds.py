"""Login, users, the guild with its channels and members, and the commands."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from loopback.errors import (
    ENTRY_POINT_MISSING,
    INVALID_ROLE,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    UNKNOWN_COMMAND,
    UNKNOWN_MEMBER,
    UNKNOWN_ROLE,
    UNKNOWN_USER,
    ApiError,
    InvalidForm,
    Malformed,
)
from loopback.model import User
from loopback.permissions import Permission
from loopback.rest.call import Call, Table

Json = dict[str, Any]

PRIMARY_ENTRY_POINT = 4  # the type of the command that opens the Activity
PARTS = {"options", "choices"}  # of a command or an option
TRANSLATIONS = {"name_localizations", "description_localizations"}


def _user(call: Call) -> User:
    try:
        return call.world.users[call.id("user_id")]
    except KeyError:
        raise ApiError(UNKNOWN_USER) from None


def _guild(call: Call) -> Json:
    return call.wire.guild(call.guild)


def _member(call: Call) -> Json:
    return call.wire.member(_member_user(call), call.guild)


def _member_user(call: Call) -> User:
    user, guild = call.id("user_id"), call.guild
    if user not in call.world.users or not call.world.is_member(user, guild):
        raise ApiError(UNKNOWN_MEMBER)
    return call.world.users[user]


def _role(call: Call) -> int:
    """Returns the role of the path; ApiError if the bot may not give and take it."""
    guild, world, role = call.guild, call.world, call.id("role_id")
    if role == guild.id:
        raise ApiError(INVALID_ROLE)
    if role != guild.bot_role_id and role not in world.roles:
        raise ApiError(UNKNOWN_ROLE)
    if Permission.MANAGE_ROLES not in world.bot_may or role not in world.roles or world.roles[role].above:
        raise ApiError(MISSING_PERMISSIONS)
    return role


def _give_role(call: Call) -> None:
    user, role = _member_user(call), _role(call)
    if role not in user.roles:
        call.world.update(replace(user, roles=(*user.roles, role)))


def _take_role(call: Call) -> None:
    user, role = _member_user(call), _role(call)
    if role in user.roles:
        call.world.update(replace(user, roles=tuple(each for each in user.roles if each != role)))


def _member_counts(call: Call) -> Json:
    """Returns how many members hold each role; @everyone is none of them."""
    held = Counter(role for user in call.world.users.values() for role in user.roles)
    return {role["id"]: held[int(role["id"])] for role in _guild(call)["roles"] if role["id"] != str(call.guild.id)}


def _members(call: Call) -> None:
    _guild(call)
    raise ApiError(MISSING_ACCESS)  # a list needs the privileged Guild Members intent, which the stand-in denies


def _channels(call: Call) -> list[Json]:
    return [call.wire.channel(each) for each in call.world.channels_in(call.guild) if not each.is_thread]


def _active_threads(call: Call) -> Json:
    bot, there = call.world.bot.id, call.world.channels_in(call.guild)
    threads = [each for each in there if each.is_thread and not each.archived and call.world.sees(bot, each)]
    joined = [each for each in threads if call.world.bot.id in each.members]
    return {
        "threads": [call.wire.channel(each) for each in threads],
        "members": [call.wire.thread_member(each, call.world.bot.id) for each in joined],
        "has_more": False,
    }


def _gateway_for_bots(call: Call) -> Json:
    limit = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": call.services.gateway, "shards": 1, "session_start_limit": limit}


def _own_guilds(call: Call) -> list[Json]:
    after, limit = int(call.query.get("after", 0)), int(call.query.get("limit", 200))
    found = sorted((each for each in call.world.guilds if each.id > after), key=lambda each: each.id)
    return [_own_guild(call.wire.guild(each)) for each in found[:limit]]


def _leave(call: Call) -> None:
    if call.guild in call.world.others.values():
        members = tuple(each for each in call.guild.members if each != call.world.bot.id)
        call.world.change_server(replace(call.guild, members=members))
    else:
        call.world.remove_bot()


def _own_guild(guild: Json) -> Json:
    kept = {key: guild[key] for key in ("id", "name", "icon", "banner", "features")}
    permissions = next(role["permissions"] for role in guild["roles"] if role["managed"])
    return kept | {"owner": False, "permissions": permissions}


def _scope(call: Call) -> str | None:
    """Returns the guild of guild commands, None for global ones."""
    if call.id("application_id") != call.world.application_id:
        raise ApiError(UNKNOWN_COMMAND)
    return _guild(call)["id"] if "guild_id" in call.path else None


def _in_scope(call: Call) -> Iterator[Json]:
    scope = _scope(call)
    return (command for command in call.world.commands if command.get("guild_id") == scope)


def _commands(call: Call) -> list[Json]:
    """Returns the commands, with their translations only for who asks for these."""
    listed = list(_in_scope(call))
    return listed if call.query.get("with_localizations") == "true" else [_untranslated(each) for each in listed]


def _untranslated(part: Json) -> Json:
    """Returns a command, an option or a choice without translations."""
    return {
        key: [_untranslated(each) for each in value] if key in PARTS and value else value
        for key, value in part.items()
        if key not in TRANSLATIONS
    }


def _command(call: Call) -> Json:
    for command in _in_scope(call):
        if command["id"] == str(call.id("command_id")):
            return command
    raise ApiError(UNKNOWN_COMMAND)


def _replace_commands(call: Call, commands: list[Json]) -> None:
    """Replaces the commands of the path's scope."""
    scope = _scope(call)
    call.world.sync([each for each in call.world.commands if each.get("guild_id") != scope] + commands)


def _overwrite_commands(call: Call) -> list[Json]:
    names = [(command.get("type") or 1, command["name"]) for command in call.body]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise Malformed((index, "name"), f"two commands have the name {name[1]}")
    old = {(command["type"], command["name"]): command for command in _in_scope(call)}
    if call.world.has_activity and _scope(call) is None and PRIMARY_ENTRY_POINT not in [kind for kind, _ in names]:
        raise ApiError(ENTRY_POINT_MISSING)
    new = [_command_object(call, body, old.get(name)) for name, body in zip(names, call.body, strict=True)]
    _replace_commands(call, new)
    return new


def _create_command(call: Call) -> Json:
    commands = {(each["type"], each["name"]): each for each in _in_scope(call)}
    old = commands.pop((call.body.get("type") or 1, call.body["name"]), None)
    new = _command_object(call, call.body, old)
    _replace_commands(call, [*commands.values(), new])
    return new


def _delete_command(call: Call) -> None:
    gone = _command(call)
    _replace_commands(call, [each for each in _in_scope(call) if each is not gone])


def _command_object(call: Call, body: Json, old: Json | None) -> Json:
    """Returns a command as Discord keeps it; it keeps the id of the old one."""
    permissions = body.get("default_member_permissions")
    scope = _scope(call)
    return {
        "id": old["id"] if old else str(call.world.ids.next()),
        "application_id": str(call.world.application_id),
        "version": str(call.world.ids.next()),
        "type": body.get("type") or 1,
        "name": body["name"],
        "description": body.get("description") or "",
        "name_localizations": body.get("name_localizations"),
        "description_localizations": body.get("description_localizations"),
        "options": [
            {key: value for key, value in each.items() if value is not None} for each in body.get("options") or []
        ],
        "default_member_permissions": None if permissions is None else str(permissions),
        "contexts": body.get("contexts"),
        "integration_types": body.get("integration_types") or [0],
        "nsfw": bool(body.get("nsfw")),
        **({"handler": body.get("handler") or 1} if body.get("type") == PRIMARY_ENTRY_POINT else {}),
        **({"guild_id": scope} if scope else {"dm_permission": body.get("dm_permission") is not False}),
    }


def _describe(call: Call) -> Json:
    """Changes the application; Discord returns the text in the default language, and permissions as text.

    It is documented as plain text, and in the OpenAPI description as one text for each language.
    """
    changes = dict(call.body)
    if "description" in changes:
        changes["description"] = _description(changes["description"], call.world.description_form)
    if changes.get("install_params"):
        changes["install_params"] = _install_params(changes["install_params"])
    for kind, config in (changes.get("integration_types_config") or {}).items():
        params = (config or {}).get("oauth2_install_params")
        changes["integration_types_config"][kind] = {"oauth2_install_params": _install_params(params)} if params else {}
    call.world.described |= {key: value for key, value in changes.items() if value is not None}
    return call.wire.application()


def _description(given: str | Json | None, form: str) -> str:
    """Returns the description. The documentation has a string, the API description an object with translations."""
    if given is None:
        return ""
    if form not in ("either", "string" if isinstance(given, str) else "object"):
        raise InvalidForm(("description",), "BASE_TYPE_BAD_" + form.upper(), f"Must be {form}.")
    return given if isinstance(given, str) else str(given["default"])


def _install_params(params: Json) -> Json:
    return {"scopes": params.get("scopes") or [], "permissions": str(params.get("permissions") or 0)}


ENDPOINTS: Table = {
    "GET /users/@me": lambda call: call.wire.myself(call.bearer),
    "GET /users/@me/guilds": _own_guilds,
    "DELETE /users/@me/guilds/{guild_id}": _leave,
    "GET /users/{user_id}": lambda call: call.wire.user(_user(call)),
    "GET /oauth2/applications/@me": lambda call: call.wire.application(),
    "GET /applications/@me": lambda call: call.wire.application(),
    "PATCH /applications/@me": _describe,
    "GET /gateway": lambda call: {"url": call.services.gateway},
    "GET /gateway/bot": _gateway_for_bots,
    "GET /guilds/{guild_id}": _guild,
    "GET /guilds/{guild_id}/channels": _channels,
    "GET /guilds/{guild_id}/roles": lambda call: _guild(call)["roles"],
    "GET /guilds/{guild_id}/roles/member-counts": _member_counts,
    "GET /guilds/{guild_id}/members": _members,
    "GET /guilds/{guild_id}/members/{user_id}": _member,
    "PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}": _give_role,
    "DELETE /guilds/{guild_id}/members/{user_id}/roles/{role_id}": _take_role,
    "GET /guilds/{guild_id}/threads/active": _active_threads,
    **{
        f"{method} /applications/{{application_id}}{path}": endpoint
        for prefix in ("/commands", "/guilds/{guild_id}/commands")
        for method, path, endpoint in (
            ("GET", prefix, _commands),
            ("PUT", prefix, _overwrite_commands),
            ("POST", prefix, _create_command),
            ("GET", prefix + "/{command_id}", _command),
            ("DELETE", prefix + "/{command_id}", _delete_command),
        )
    },
}
