"""One person's accounts on two platforms: joined by a code, told on both, and parted again from either side."""

from __future__ import annotations

import re

import pytest

from chat.own_accounts import ChatAccountNotices
from play.ids import UserId
from tests.chat.driving import Seen, Who
from tests.chat.world import World

CODE = re.compile(r"\w{4}-\w{4}-\w{4}")


def introduce(one: World, other: World) -> None:
    """Lets each platform know the names and tell the people of the other."""
    one.parts.services.names.elsewhere[other.parts.kind] = other.parts.services.names
    other.parts.services.names.elsewhere[one.parts.kind] = one.parts.services.names
    one.accounts.by_platform[other.parts.kind] = ChatAccountNotices(other.parts.services)
    other.accounts.by_platform[one.parts.kind] = ChatAccountNotices(one.parts.services)


async def accounts(world: World, who: Who) -> set[UserId]:
    return {*await world.parts.services.own_accounts.of_user(who.user)}


async def ask(world: World, who: Who) -> tuple[Seen, str]:
    """Returns the answer to `/link` with the code in it."""
    (shown,) = await world.say(who, "/link", direct=True)
    found = CODE.search(shown.text)
    assert found
    return shown, found[0]


async def test_a_code_of_one_platform_links_the_account_on_the_other(worlds: tuple[World, World]) -> None:
    one, other = worlds
    introduce(one, other)
    ola, ivan = await one.join("ola"), await other.join("ivan")
    await one.say(ola, "/help", direct=True)
    await other.say(ivan, "/help", direct=True)
    _, code = await ask(one, ola)
    (question,) = await other.say(ivan, f"/link {code}", direct=True)
    assert "ola" in question.text
    (answer,) = await other.press(ivan, question, "Link")
    assert "Linked" in answer.text
    assert await accounts(one, ola) == {ola.user, ivan.user}
    assert any("is now linked" in each.text for each in one.driver.seen())
    shown, _ = await ask(one, ola)
    await one.press(ola, shown, "Unlink this account")
    assert await accounts(other, ivan) == {ivan.user}
    assert any("no longer linked" in each.text for each in other.driver.seen())


@pytest.mark.parametrize("typed", ["nonsense", "ABCD-EFGH-JKMN"])
async def test_a_code_that_nobody_gave_is_refused(worlds: tuple[World, World], typed: str) -> None:
    _, other = worlds
    ivan = await other.join("ivan")
    (told,) = await other.say(ivan, f"/link {typed}", direct=True)
    assert "no such code" in told.text
