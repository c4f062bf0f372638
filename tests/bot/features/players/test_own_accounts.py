"""`/link` on Discord: a code for another platform, the question by a code of another one, and the way back."""

from __future__ import annotations

import re

import pytest

from play.ids import IdentityKind, Platform, UserId
from tests.bot.panels import confirm
from tests.bot.room import Room, private_message, private_words
from tests.league import POOL, add_rating


@pytest.fixture
async def ola_there(room: Room) -> UserId:
    """Ola's account on Matrix."""
    return UserId(await room.services.use_cases.identities.take(Platform.MATRIX, IdentityKind.USER, "@ola:example.org"))


@pytest.fixture
async def linked(room: Room, ola_there: UserId) -> UserId:
    """The same, linked from there."""
    code = await room.services.own_accounts.ask(UserId(room.ola.id))
    await room.services.own_accounts.join(ola_there, code)
    return ola_there


def code_in(text: str) -> str:
    found = re.search(r"\*\*(\w{4}-\w{4}-\w{4})\*\*", text)
    assert found is not None, text
    return found[1]


async def test_a_code_of_the_command_links_an_account_of_another_platform(room: Room, ola_there: UserId) -> None:
    code = code_in(await private_words(room.ola.command(room.channel, "link")))
    await room.services.own_accounts.join(ola_there, code)
    assert await room.services.own_accounts.of_user(ola_there) == (room.ola.id, ola_there)


async def test_the_one_who_has_asked_is_told_in_a_direct_message(room: Room, linked: UserId) -> None:
    direct = room.discord.world.dm(room.ola.id)
    assert direct is not None
    (told,) = [each.text for each in room.discord.world.history(direct.id, room.ola.id)]
    assert "on Matrix is now linked with your account here" in told


async def test_a_code_of_another_platform_asks_first(room: Room, ola_there: UserId) -> None:
    code = await room.services.own_accounts.ask(ola_there)
    asked = room.ola.command(room.channel, "link", code=code)
    assert "on Matrix your account, too?" in (await private_message(asked)).text
    assert await room.services.own_accounts.of_user(ola_there) == (ola_there,)


async def test_the_answer_links_the_accounts(room: Room, ola_there: UserId) -> None:
    code = await room.services.own_accounts.ask(ola_there)
    said = await confirm(room.ola, room.ola.command(room.channel, "link", code=code), "Link")
    assert said.startswith("Linked: ")
    assert await room.services.own_accounts.of_user(ola_there) == (room.ola.id, ola_there)


@pytest.mark.parametrize("code", ["hello", "0000-0000-0000"])
async def test_what_is_no_code_is_refused(room: Room, code: str) -> None:
    assert "There's no such code" in await private_words(room.ola.command(room.channel, "link", code=code))


async def test_a_linked_account_is_listed_and_can_be_unlinked(room: Room, linked: UserId) -> None:
    panel = await private_message(room.ola.command(room.channel, "link"))
    assert "- Matrix: " in panel.text
    parted = await room.ola.click(panel, "Unlink this account").followed()
    assert "no longer linked" in parted.text
    assert await room.services.own_accounts.of_user(linked) == (linked,)


async def test_only_the_person_sees_both_accounts_in_the_profile(room: Room, linked: UserId) -> None:
    await add_rating(room.services.store, POOL, linked, 1777)
    assert "Your account on Matrix" in (own := await private_words(room.ola.command(room.channel, "profile")))
    assert "1777" in own
    seen = await private_words(room.maksim.command(room.channel, "profile", player=room.ola))
    assert "Matrix" not in seen
