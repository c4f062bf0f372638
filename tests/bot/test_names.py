"""Names are shown as they are, whatever is in them."""

from __future__ import annotations

import pytest

from bot.names import LIFETIME, Names, escaped, plain
from play.ids import GuildId, UserId
from tests.bot.room import Room


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Kasia Wiśniewska", "Kasia Wiśniewska"),
        ("Максим", "Максим"),
        ("**bold**", r"\*\*bold\*\*"),
        ("@everyone", r"\@everyone"),
        ("<@123>", r"\<\@123\>"),
        ("[free](http://x.y)", r"\[free\]\(http\://x\.y\)"),
        ("`code` ||spoiler||", r"\`code\` \|\|spoiler\|\|"),
        ("# head", r"\# head"),
    ],
)
def test_nothing_in_a_name_is_a_mark(name: str, shown: str) -> None:
    assert escaped(name) == shown


def test_a_name_cannot_turn_or_break_the_line() -> None:
    assert plain("ab\u202ecd\nef\u2066") == "abcdef"


def test_a_name_of_nothing_is_still_something() -> None:
    assert plain("\u200f\n ") == "?"


async def test_a_name_is_asked_for_once_an_hour(room: Room) -> None:
    time = [0.0]
    names = Names(room.client, lambda: time[0])
    user, guild = UserId(room.kasia.id), GuildId(room.discord.guild.id)

    async def asked() -> int:
        before = len(room.discord.requests)
        assert await names.of(user, guild) == "Kasia Wiśniewska"
        return len(room.discord.requests) - before

    assert [await asked(), await asked()] == [1, 0]
    time[0] = LIFETIME
    assert await asked() == 1


async def test_a_person_of_a_dm_has_a_name(room: Room) -> None:
    assert await Names(room.client).of(UserId(room.kasia.id), None) == "Kasia Wiśniewska"


async def test_an_account_that_is_gone_has_a_number(room: Room) -> None:
    assert await Names(room.client).of(UserId(5), GuildId(room.discord.guild.id)) == "#5"


async def test_the_cache_is_bounded(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.names.CAPACITY", 1)
    names = Names(room.client)
    for person in (room.ola, room.kasia, room.ola):
        await names.of(UserId(person.id), None)
    before = len(room.discord.requests)
    await names.of(UserId(room.ola.id), None)
    assert len(room.discord.requests) == before
    await names.of(UserId(room.kasia.id), None)
    assert len(room.discord.requests) == before + 1
