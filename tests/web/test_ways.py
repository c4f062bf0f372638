"""The ways from a list or a notice in Discord to the very game, where there is a web board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.interactions.layout import MAX_COMPONENTS
from bot.services.messages import MAX_PANEL_TEXT
from loopback import Message, components
from play.ids import MatchId, UserId
from tests.bot.features.challenges.test_cards import rename
from tests.bot.features.match.delivery.test_digests import digests, pass_to_morning, switch_on
from tests.bot.room import Room, private_message
from tests.clock import DAY, HOUR
from tests.matches import a_match, add_match
from tests.web.visit import Visit, link_for


def addresses(message: Message) -> list[str]:
    """Returns where the link buttons of a message lead."""
    return [str(part["url"]) for part in components.walk(message.components) if "url" in part and "label" in part]


async def test_each_game_of_the_list_opens_on_the_web_without_further_steps(
    room: Room, visit: Callable[[], Visit]
) -> None:
    threads = [await room.start_match(size="9x9", start="empty", clock="3d") for _ in range(3)]
    listed = await private_message(room.ola.command(room.general, "games"))
    assert [f"/{thread.id}/" in listed.text for thread in threads] == [True] * 3
    *boards, _ = addresses(listed)  # the last one leads home
    assert [(await visit().open(address)).board["view"]["match"] for address in boards] == [1, 2, 3]


async def test_a_digest_leads_a_browser_that_is_signed_in_to_each_game(room: Room, visit: Callable[[], Visit]) -> None:
    await switch_on(room, room.ola)
    threads = [await room.start_match(size="9x9", start="empty", clock="5d") for _ in range(3)]
    await pass_to_morning(room)
    (digest,) = digests(room, room.ola)
    assert [f"/{thread.id}/" in digest.text for thread in threads] == [True] * 3
    assert addresses(digest) == [f"{room.discord.address}board/{number}" for number in (1, 2, 3)]
    status, page = await visit().get("/board/2")
    assert status == 401
    assert "This is the board of a game of Dots on Discord." in page
    assert "press “Browser” under the game to play or watch" in page
    assert 'href="/front"' in page
    browser = visit()
    await browser.open(await link_for(room, room.ola, room.boards(threads[0])[-1]))
    assert [(await browser.get(f"/board/{number}"))[0] for number in (1, 2, 3)] == [200] * 3


async def test_a_reminder_leads_to_the_board_on_the_web(room: Room) -> None:
    await room.start_match(size="9x9", start="empty", clock="5d")
    await room.pass_time(4 * DAY + HOUR)
    await room.use_cases.clocks.remind()
    await room.wait_for_outbox()
    (thread,) = room.discord.threads
    assert f"[In the browser]({room.discord.address}board/1)" in room.discord.messages(thread)[-1].content


async def test_lists_of_long_names_fit(room: Room) -> None:
    rename(room, room.maksim, "_" * 32)
    await switch_on(room, room.ola)
    for number in range(20):
        users = (UserId(room.ola.id), UserId(room.maksim.id))
        match = a_match(900_000_000_000_000_000 + number, users, "9d", room.clock())
        await add_match(room.services.store, replace(match, id=MatchId(match.id), parent=None))
    listed = await private_message(room.ola.command(room.general, "games"))
    await pass_to_morning(room)
    (digest,) = digests(room, room.ola)
    for message in (listed, digest):
        assert len(message.text) <= MAX_PANEL_TEXT
        assert len([*components.walk(message.components)]) <= MAX_COMPONENTS
        assert "and " in message.text.splitlines()[-1] + message.text
    assert "and 8 more." in listed.text
    assert "and 10 more." in digest.text
    assert "/settings me" in digest.text
