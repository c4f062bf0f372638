"""Boards of one's own that others read by a link: the page, its preview, and the end of the link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from loopback import Discord
from tests.bot.room import Room
from tests.opponent.quick import Inside
from tests.web.home_visit import AtHome
from tests.web.test_own_boards import Desk
from tests.web.visit import Visit, with_client_secret

Visits = Callable[..., Visit]


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


@pytest.fixture
async def ola(room: Room, visit: Visits) -> Desk:
    """Ola's page, with a board of two branches."""
    desk = Desk((await AtHome.enter(room, room.ola, visit())).visit)
    await desk.must("new", rules="zagram", size="10x10")
    await desk.lay("A1", "B1")
    await desk.lay("C1", after=1)
    return desk


@pytest.fixture
async def reader(room: Room, visit: Visits) -> Desk:
    return Desk(visit())


async def share(desk: Desk, turn: int | None = None) -> str:
    """Makes a link; returns its path."""
    link: str = (await desk.must("share", turn=turn))["link"]
    return "/" + link.split("/", 3)[3]


def code_of(path: str) -> str:
    return path.removeprefix("/analysis/").partition("?")[0]


async def test_a_link_shows_the_board_with_its_tree(ola: Desk, reader: Desk) -> None:
    path = await share(ola)
    status, page = await reader.visit.get(path)
    assert status == 200
    assert code_of(path) in page
    await reader.must("load", board=code_of(path))
    assert [turn["text"] for turn in reader.board["turns"]] == ["A1", "B1", "C1"]


async def test_what_is_told_of_a_shared_board_names_nobody(ola: Desk, reader: Desk) -> None:
    await ola.must("erase", turn=3)
    board = (await reader.must("load", board=code_of(await share(ola))))["board"]
    assert (board["board"], board["match"], board["removed"]) == (None, None, [])


async def test_positions_of_a_shared_board_are_asked_for_by_its_link(ola: Desk, reader: Desk) -> None:
    code = code_of(await share(ola))
    assert (await reader.must("scene", board=code, turn=2))["to_act"] == 0
    assert (await reader.must("sgf", board=code))["sgf"].startswith("(")


@pytest.mark.parametrize("what", ["lay", "erase", "note", "mark", "rename", "share", "unshare", "delete", "link"])
async def test_a_reader_changes_nothing(ola: Desk, reader: Desk, what: str) -> None:
    code = code_of(await share(ola))
    more = {"turn": 1, "text": "D1", "note": "x", "marks": [], "name": "x", "seat": None}
    assert await reader.refused(what, board=code, **more)
    assert len((await ola.must("load"))["board"]["turns"]) == 3


async def test_a_link_stays_the_same_until_it_ends(ola: Desk) -> None:
    assert await share(ola) == await share(ola)


async def test_what_has_changed_since_is_read_too(ola: Desk, reader: Desk) -> None:
    code = code_of(await share(ola))
    await ola.lay("D1", after=1)
    assert len((await reader.must("load", board=code))["board"]["turns"]) == 4


async def test_a_link_that_was_ended_leads_nowhere(ola: Desk, reader: Desk) -> None:
    path = await share(ola)
    assert (await ola.must("unshare", turn=None))["link"] is None
    assert "no longer shared" in await reader.refused("load", board=code_of(path))
    assert (await reader.visit.get(path))[0] == 404
    assert (await reader.visit.get(f"/analysis/{code_of(path)}/board.png"))[0] == 404


async def test_a_new_link_is_another_one(ola: Desk) -> None:
    former = await share(ola)
    await ola.must("unshare", turn=None)
    assert await share(ola) != former


async def test_a_board_that_was_deleted_is_shared_no_longer(ola: Desk, reader: Desk) -> None:
    code = code_of(await share(ola))
    await ola.must("delete")
    assert "no longer shared" in await reader.refused("load", board=code)


async def test_undoing_leaves_the_link(ola: Desk, reader: Desk) -> None:
    former, code = ola.board, code_of(await share(ola))
    await ola.lay("D1", after=1)
    await ola.must("put", to=former, version=ola.board["version"])
    await reader.must("load", board=code)


async def test_the_preview_is_the_picture_of_the_place(ola: Desk, reader: Desk) -> None:
    path = await share(ola, turn=3)
    _, page = await reader.visit.get(path)
    assert f'/analysis/{code_of(path)}/board.png?turn=3">' in page
    headers = await reader.visit.headers(f"/analysis/{code_of(path)}/board.png?turn=3")
    assert headers["Content-Type"] == "image/png"


async def test_the_name_of_a_board_is_text_alone(ola: Desk, reader: Desk) -> None:
    await ola.must("rename", name='"><script>alert(1)</script>')
    _, page = await reader.visit.get(await share(ola))
    assert "<script>alert" not in page


async def test_search_engines_are_told_to_look_away(ola: Desk, reader: Desk) -> None:
    _, page = await reader.visit.get(await share(ola))
    assert '<meta name="robots" content="noindex">' in page


async def test_a_stranger_ends_no_link(room: Room, ola: Desk, reader: Desk, visit: Visits) -> None:
    code = code_of(await share(ola))
    maksim = Desk((await AtHome.enter(room, room.maksim, visit())).visit)
    maksim.board = ola.board
    await maksim.must("unshare", turn=None)
    await reader.must("load", board=code)
