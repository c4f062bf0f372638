"""What members of a server may do in a channel, by what Discord says of both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord

from play.ids import UserId

Json = Mapping[str, Any]


def permissions_in(guild: Json, channel: Json, roles: set[str], member: UserId | None) -> discord.Permissions:
    """Returns what a member with these `roles` may do in a channel; without a `member`, what any one with them may.

    Source: https://discord.com/developers/docs/topics/permissions#permission-overwrites
    """
    may = discord.Permissions.none()
    for role in guild["roles"]:
        if role["id"] in roles:
            may.value |= int(role["permissions"])
    if may.administrator:
        return discord.Permissions.all()
    overwrites = {each["id"]: each for each in channel.get("permission_overwrites", ())}
    _apply(may, overwrites.get(guild["id"]))
    _apply(may, *(each for role, each in overwrites.items() if role in roles and role != guild["id"]))
    _apply(may, overwrites.get(str(member)))
    return may if may.view_channel else discord.Permissions.none()


def _apply(may: discord.Permissions, *overwrites: Json | None) -> None:
    """Applies the overwrites of one step. One role's permission beats the denial of another."""
    found = [each for each in overwrites if each is not None]
    allow, deny = 0, 0
    for each in found:
        allow |= int(each["allow"])
        deny |= int(each["deny"])
    may.handle_overwrite(allow, deny)
