"""Refusals as sentences of a surface."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bot.markup import spoken
from play.ids import GuildId, UserId
from play.refusal import Reason, Refused
from presentation.refusals import explain_refusal
from presentation.words.words import CATALOGUES

GUILD = GuildId(1)
UNTIL_SECONDS = 1_768_478_400


class Nobody:
    """Names where nobody is named."""

    own_id = None

    def has_left(self, user: UserId, guild: GuildId | None) -> bool:
        raise AssertionError(user)

    async def of(self, user: UserId, guild: GuildId | None) -> str:
        raise AssertionError(user)

    async def of_all(self, users: Iterable[UserId], guild: GuildId | None) -> tuple[str, ...]:
        raise AssertionError(users)


@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
async def test_the_end_of_a_ban_is_told_as_a_time_on_each_surface(language: str) -> None:
    words, refused = spoken().of(language), Refused(Reason.BANNED_UNTIL, until=UNTIL_SECONDS)
    assert f"<t:{UNTIL_SECONDS}:f>" in await explain_refusal(refused, words, Nobody(), GUILD)
    plain = await explain_refusal(refused, words.plain, Nobody(), GUILD)
    assert "2026" in plain
    assert "<" not in plain
