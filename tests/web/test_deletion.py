"""A deleted person leaves no new row: not by links, sockets and buttons from before, nor by what was in flight."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from unittest.mock import AsyncMock

import pytest
import yarl
from sqlalchemy import select
from sqlalchemy.ext.asyncio import create_async_engine

from loopback import Channel, Message
from play.ids import UserId
from play.refusal import Refused
from rules.game import RuleError
from storage import schema
from tests.bot.forging import click_on
from tests.bot.room import Room, private_message
from tests.clock import DAY, MINUTE
from tests.web.visit import Visit, link_for

Visits = Callable[..., Visit]

MESSAGES: dict[str, dict[str, Any]] = {
    "play": {"turn": "D4"},
    "act": {"action": "rematch"},
    "try": {"steps": ["D4"]},
    "ask": {"action": "resign"},
    "sheet": {},
    "scene": {"after": 0},
    "sketch": {"after": 0, "steps": []},
    "lay": {"turn": None, "after": 0, "text": "D5"},
    "note": {"turn": 1, "note": "Better"},
    "erase": {"turn": 1},
    "restore": {"turn": 1},
    "plan": {"turn": 1},
    "unplan": {},
    "publish": {"on": True},
    "weigh": {"after": 0},
    "describe": {"what": "at E5"},
    "ping": {},
}

NEW_VISIT = "web"
"""The end of the custom id of *Browser*, by which a person comes back of their own will."""


async def rows_of(url: str, user: int) -> set[str]:
    """Returns the tables that name a user in any column."""
    engine, found = create_async_engine(url), set()
    async with engine.connect() as connection:
        for table in schema.metadata.sorted_tables:
            for row in await connection.execute(select(table)):
                found |= {table.name for value in row if str(user) in str(value)}
    await engine.dispose()
    return found


def buttons(messages: list[Message]) -> list[str]:
    """Returns the custom ids on messages."""
    controls = [part["custom_id"] for message in messages for part in message.controls if "custom_id" in part]
    return [each for each in dict.fromkeys(controls) if not each.endswith(NEW_VISIT)]


async def test_links_sockets_and_buttons_from_before_write_nothing_about_a_deleted_person(
    room: Room, thread: Channel, visit: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await room.start_match(size="9x9")
    maksim, board = room.maksim, room.boards(thread)[-1]
    browser = visit()
    _, answer = await browser.enter(await link_for(room, maksim, board))
    opened = await browser.live(answer["to"])
    await opened.read()
    await opened.ask("lay", turn=None, after=0, text="E5")
    site = room.bot.website
    assert site is not None
    (watcher,) = site.hub.watchers
    kept = [await link_for(room, maksim, each) for each in (board, room.boards(other)[-1])]
    panel = (await maksim.click(board, "More").answered()).message
    link = await private_message(maksim.click(board, "Browser"))
    assert panel is not None
    before = buttons([*room.discord.messages(room.channel), *room.discord.messages(thread), panel, link])
    assert "web_session" in await rows_of(room.url, maksim.id)

    await room.services.privacy.forget(UserId(maksim.id), room.clock())
    assert await rows_of(room.url, maksim.id) == set()

    assert [(await visit().enter(link))[0] for link in kept] == [403, 403]
    assert await opened.closed() == 4401
    with monkeypatch.context() as patch:
        patch.setattr(room.services.web_sessions, "identify", AsyncMock())  # which came just before the deletion
        for name, fields in MESSAGES.items():
            with suppress(Refused, RuleError):
                await site.boards.handle(watcher, {"do": name, "id": f"{name}-12345678", "version": 0, **fields})
    for path in (answer["to"], "/words.json?for=board&match=1"):
        assert await browser.status(path) == 401
    assert (await browser.post(f"/leave?{yarl.URL(answer['to']).query_string}"))[0] == 204
    after = buttons(room.discord.messages(thread))
    assert len(before) > 8
    assert after
    for custom_id in before + after:
        await click_on(room, maksim, room.boards(thread)[-1], custom_id).answered()
    await room.pass_time(MINUTE)
    await room.pass_time(DAY)
    await room.wait_for_outbox()
    assert await rows_of(room.url, maksim.id) == set()


async def test_a_new_visit_of_a_deleted_person_is_a_new_beginning(room: Room, thread: Channel, visit: Visits) -> None:
    await room.services.privacy.forget(UserId(room.kasia.id), room.clock())
    board = await visit().open(await link_for(room, room.kasia, room.boards(thread)[-1]))
    assert board.board["version"] == 0
    assert await rows_of(room.url, room.kasia.id) == {"web_key", "web_session", "web_watch"}


@pytest.mark.sample(2)
@pytest.mark.parametrize("order", ["sign out", "deletion"])
async def test_a_link_is_void_whatever_ends_first(room: Room, thread: Channel, visit: Visits, order: str) -> None:
    user, link = UserId(room.kasia.id), await link_for(room, room.kasia, room.boards(thread)[-1])
    ends = [room.services.web_sessions.leave_all(user), room.services.privacy.forget(user, room.clock())]
    for end in ends if order == "sign out" else reversed(ends):
        await end
        assert (await visit().enter(link))[0] == 403
    newer = await link_for(room, room.kasia, room.boards(thread)[-1])
    assert (await visit().enter(newer))[0] == 200
    assert (await visit().enter(link))[0] == 403
