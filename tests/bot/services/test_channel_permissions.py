"""Channels by their overwrites: if one is as wide as another, nobody reads the other alone."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.services.guild_directory import is_as_wide, permissions_in
from bot.services.members import READ
from play.ids import UserId
from tests.examples import examples

EVERYONE, ROLES, MEMBER = "1", ("2", "3"), UserId(9)
VIEW = discord.Permissions(view_channel=True).value

bits = st.sampled_from((0, VIEW, READ.value & ~VIEW, READ.value))
overwrite = st.fixed_dictionaries({"id": st.sampled_from((EVERYONE, *ROLES, "9")), "allow": bits, "deny": bits})
channels = st.lists(overwrite, max_size=4, unique_by=lambda each: each["id"]).map(
    lambda overwrites: {"permission_overwrites": overwrites}
)


@examples(400)
@given(one=channels, other=channels, base=st.tuples(bits, bits, bits), roles=st.sets(st.sampled_from(ROLES)))
def test_who_reads_a_channel_reads_one_that_is_as_wide(one: Any, other: Any, base: Any, roles: set[str]) -> None:
    guild = {
        "id": EVERYONE,
        "roles": [{"id": role, "permissions": str(may)} for role, may in zip((EVERYONE, *ROLES), base, strict=True)],
    }
    held = {EVERYONE, *roles}
    if is_as_wide(other, one, READ) and permissions_in(guild, one, held, MEMBER) >= READ:
        assert permissions_in(guild, other, held, MEMBER) >= READ


def rule(who: str, allow: int = 0, deny: int = 0) -> dict[str, Any]:
    return {"id": who, "allow": str(allow), "deny": str(deny)}


@pytest.mark.parametrize(
    ("wide", "narrow", "is_wide"),
    [
        ([], [], True),
        ([rule("2", VIEW)], [], True),
        ([], [rule("2", VIEW)], False),
        ([rule(EVERYONE, 0, VIEW)], [], False),
        ([], [rule(EVERYONE, 0, VIEW)], True),
        ([rule(EVERYONE, 0, VIEW), rule("2", VIEW)], [rule(EVERYONE, 0, VIEW), rule("2", VIEW)], True),
        ([rule(EVERYONE, 0, VIEW), rule("2", VIEW)], [rule(EVERYONE, 0, VIEW), rule("3", VIEW)], False),
        ([rule("2", 0, discord.Permissions(send_messages=True).value)], [], True),
    ],
)
def test_a_channel_is_as_wide_if_it_allows_no_less_and_denies_no_more(wide: Any, narrow: Any, is_wide: bool) -> None:
    assert is_as_wide({"permission_overwrites": wide}, {"permission_overwrites": narrow}, READ) is is_wide
