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
    if member is not None and guild.get("owner_id") == str(member):
        return discord.Permissions.all()
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


def is_as_wide(wide: Json, narrow: Json, needed: discord.Permissions) -> bool:
    """Returns whether all who have the `needed` permissions in one channel of a server have them in the `wide` one.

    That is so if the overwrites of the wide one allow nobody less and deny nobody more: each step of `permissions_in`
    keeps that order.
    """
    in_wide, in_narrow = (
        {each["id"]: (int(each["allow"]) & needed.value, int(each["deny"]) & needed.value) for each in overwrites}
        for overwrites in (channel.get("permission_overwrites", ()) for channel in (wide, narrow))
    )
    for who in in_wide.keys() | in_narrow.keys():
        (allowed, denied), (least, most) = in_wide.get(who, (0, 0)), in_narrow.get(who, (0, 0))
        if least & ~allowed or denied & ~most:
            return False
    return True


def _apply(may: discord.Permissions, *overwrites: Json | None) -> None:
    """Applies the overwrites of one step. One role's permission beats the denial of another."""
    found = [each for each in overwrites if each is not None]
    allow, deny = 0, 0
    for each in found:
        allow |= int(each["allow"])
        deny |= int(each["deny"])
    may.handle_overwrite(allow, deny)
