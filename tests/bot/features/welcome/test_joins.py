"""The channel of the greeting follows from what GUILD_CREATE says of roles and channels."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.welcome import choose_channel, read_join
from play.ids import UserId

EVERYBODY, OWN_ROLE, MANAGED, ME = "1", "2", "3", UserId(9)
BASIC = discord.Permissions(view_channel=True, send_messages=True, embed_links=True, attach_files=True).value
VIEW = discord.Permissions(view_channel=True).value
ATTACH = discord.Permissions(attach_files=True).value


def guild(*channels: dict[str, Any], everybody: int = BASIC, own: int = 0, **fields: Any) -> dict[str, Any]:
    return {
        "id": EVERYBODY,
        "joined_at": "2025-06-15T15:06:40.000000+00:00",
        "roles": [
            {"id": EVERYBODY, "permissions": str(everybody)},
            {"id": OWN_ROLE, "permissions": str(own)},
            {"id": MANAGED, "permissions": "0", "tags": {"bot_id": str(ME)}},
        ],
        "members": [{"user": {"id": str(ME)}, "roles": [OWN_ROLE]}],
        "channels": list(channels),
        **fields,
    }


def channel(number: int, position: int = 0, kind: int = 0, parent: int | None = None, **denied: int) -> dict[str, Any]:
    """Returns a channel; `denied` and `allowed` are permissions by `role` (or user) and kind: `deny_1`, `allow_9`."""
    decisions: dict[str, dict[str, Any]] = {}
    for name, permissions in denied.items():
        what, _, who = name.partition("_")
        decisions.setdefault(who, {"id": who, "allow": "0", "deny": "0"})[what] = str(permissions)
    overwrites = list(decisions.values())
    place = {"type": kind, "position": position, "parent_id": parent and str(parent)}
    return {"id": str(number), "permission_overwrites": overwrites, **place}


def chosen(*channels: dict[str, Any], **fields: Any) -> int | None:
    return choose_channel(guild(*channels, **fields), ME)


def test_the_system_channel_comes_first() -> None:
    assert chosen(channel(11), channel(12, position=1), system_channel_id="12") == 12


def test_else_the_first_text_channel_as_a_client_lists_them() -> None:
    inside = channel(11, position=0, parent=20)
    assert chosen(inside, channel(13, position=2), channel(12, position=1), channel(20, kind=4)) == 12
    assert chosen(inside, channel(10, kind=2), channel(20, kind=4)) == 11


def test_an_announcement_channel_is_a_text_channel() -> None:
    assert chosen(channel(11, kind=5)) == 11
    assert chosen(channel(11), channel(12, position=1, kind=5), system_channel_id="12") == 12


def test_a_channel_for_few_is_no_place_to_greet_all() -> None:
    assert chosen(channel(11, deny_1=VIEW, allow_2=VIEW), channel(12, position=1)) == 12


def test_the_rules_are_no_place_to_greet_either() -> None:
    assert chosen(channel(11), channel(12, position=1), rules_channel_id="11") == 12


@pytest.mark.parametrize(
    "denied", [{"deny_1": ATTACH}, {"deny_2": ATTACH}, {"deny_3": ATTACH}, {"deny_9": ATTACH}], ids=str
)
def test_where_the_bot_may_not_attach_a_picture_it_is_silent(denied: dict[str, int]) -> None:
    assert chosen(channel(11, **denied)) is None
    assert chosen(channel(11, **denied), system_channel_id="11") is None


def test_an_overwrite_of_the_bot_beats_that_of_its_roles_and_a_role_that_of_everybody() -> None:
    assert chosen(channel(11, deny_1=ATTACH, allow_2=ATTACH)) == 11
    assert chosen(channel(11, deny_2=ATTACH, allow_3=ATTACH)) == 11
    assert chosen(channel(11, deny_2=ATTACH, allow_9=ATTACH)) == 11
    assert chosen(channel(11, allow_2=ATTACH, deny_9=ATTACH)) is None


def test_the_roles_of_the_bot_count_in_the_whole_server() -> None:
    assert chosen(channel(11), everybody=VIEW) is None
    assert chosen(channel(11), everybody=VIEW, own=BASIC) == 11


def test_an_administrator_may_write_everywhere() -> None:
    admin = discord.Permissions(administrator=True).value
    assert chosen(channel(11, deny_1=BASIC & ~VIEW), everybody=VIEW, own=admin) == 11


def test_a_server_without_channels_is_not_greeted() -> None:
    assert chosen() is None


def test_an_outage_is_no_join() -> None:
    assert read_join({"id": "1", "unavailable": True}) is None
    assert read_join(guild()) == (1, 1_750_000_000_000)
