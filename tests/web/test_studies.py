"""Studies in browsers: strokes that all see, who is let in, and what ends when it is withdrawn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from loopback import HANG_SECONDS, Discord
from play.boards.own_board import OwnBoard
from presentation.words.words import Words
from tests.bot.room import Room
from tests.opponent.quick import Inside
from tests.web import pen
from tests.web.home_visit import AtHome
from tests.web.pen import Answer, Pen
from tests.web.visit import Visit, with_client_secret
from web.live.hub import CLOSED_TO_YOU
from web.presentation.own_boards import write_board
from web.studies import socket
from web.studies.rooms import POLL_SECONDS, POLLS_PER_CHECK
from web.studies.shelf import STROKE_BURST

Visits = Callable[..., Visit]

AT_ONCE = POLLS_PER_CHECK * POLL_SECONDS / 2
"""Seconds in which nobody looks at roles by themselves."""


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


@pytest.fixture
async def ola(room: Room, visit: Visits) -> Pen:
    """Ola's study, open in her browser."""
    browser = (await AtHome.enter(room, room.ola, visit())).visit
    return await (await pen.begin(browser)).connect()


@pytest.fixture
async def maksim(room: Room, visit: Visits, ola: Pen) -> Pen:
    """The browser of one who may draw there."""
    browser = (await AtHome.enter(room, room.maksim, visit())).visit
    return await (await pen.join(browser, ola)).connect()


async def test_a_stroke_reaches_the_other_browser(ola: Pen, maksim: Pen) -> None:
    await ola.lay("A1")
    await maksim.reach(2)
    assert [turn["text"] for turn in maksim.turns] == ["A1"]


async def test_who_draws_is_named(ola: Pen, maksim: Pen) -> None:
    await maksim.lay("A1")
    drawn = await ola.until(**{"is": "drawn"})
    names = {each["who"]: each["name"] for each in ola.people["people"]}
    assert names[drawn["who"]] == "Максим"


async def test_strokes_at_once_make_the_same_tree_in_both(ola: Pen, maksim: Pen) -> None:
    for number in range(1, 8):
        await asyncio.gather(ola.lay(f"A{number}"), maksim.lay(f"B{number}"))
    await asyncio.gather(ola.reach(15), maksim.reach(15))
    assert ola.tree == maksim.tree
    assert len(ola.turns) == 14


async def test_a_stroke_of_a_cut_connection_is_made_once(ola: Pen) -> None:
    await ola.begin("lay", text="A1", turn=None)
    await ola.cut()
    await ola.begin("lay", text="B1", turn=None)
    await ola.connect()
    await ola.settle()
    await ola.reach(3)
    assert [turn["text"] for turn in ola.turns] == ["A1", "B1"]


async def test_a_note_and_marks_reach_the_other_browser(ola: Pen, maksim: Pen) -> None:
    first = await ola.lay("A1")
    await ola.draw("note", turn=first, note="a cut")
    await ola.draw("mark", turn=first, marks=["circle B2"])
    await maksim.reach(4)
    assert (maksim.turns[0]["note"], maksim.turns[0]["marks"]) == ("a cut", ["circle B2"])


async def test_an_erased_branch_is_gone_in_the_other_browser_and_comes_back(ola: Pen, maksim: Pen) -> None:
    first = await ola.lay("A1")
    await ola.lay("B1", first)
    await ola.draw("erase", turn=first)
    await maksim.reach(4)
    assert maksim.turns == []
    await ola.draw("restore", turn=first)
    await maksim.reach(5)
    assert len(maksim.turns) == 2


async def test_another_set_up_is_asked_for_as_a_whole(ola: Pen, maksim: Pen) -> None:
    await ola.ask("set", id="key-of-a-set", rules="zagram", size="12x12", stones=[], areas=[], begins=0, version=1)
    await maksim.reach(2)
    assert maksim.board["options"]["size"] == "12x12"


async def test_a_cursor_reaches_the_others_alone(ola: Pen, maksim: Pen) -> None:
    await maksim.say(do="cursor", turn=None, point="C3")
    cursor = await ola.until(**{"is": "cursor"})
    assert (cursor["who"], cursor["point"]) == (maksim.people["you"], "C3")
    await maksim.lay("A1")
    assert not [message for message in maksim.heard if message["is"] == "cursor"]


@pytest.mark.parametrize("point", ["ż", "@@", "ZZ99", "A0", "K11", "proto"])
async def test_nobody_points_where_there_is_no_crossing(ola: Pen, maksim: Pen, point: str) -> None:
    await maksim.say(do="cursor", turn=None, point=point)
    await maksim.lay("A1")
    await ola.reach(2)
    assert not [message for message in ola.heard if message["is"] == "cursor" and message["point"]]


async def test_a_stroke_that_is_sent_again_names_no_turn_that_another_lays_later(ola: Pen, maksim: Pen) -> None:
    first = {"do": "lay", "id": "key-of-a-stroke", "turn": None, "text": "A1", "seat": None}
    await ola.say(**first)
    await maksim.reach(2)
    await maksim.draw("erase", turn=1)
    await ola.say(**first)
    await maksim.lay("B1")
    await ola.reach(4)
    answers = [message for message in ola.heard if message.get("id") == first["id"]]
    assert [answer["is"] for answer in answers] == ["done", "refused"]


async def test_one_who_reads_draws_nothing(room: Room, visit: Visits, ola: Pen) -> None:
    browser = (await AtHome.enter(room, room.maksim, visit())).visit
    reader = await (await pen.join(browser, ola, "reader")).connect()
    answer = await reader.draw("lay", text="A1", turn=None)
    assert answer["is"] == "refused"
    assert "read" in answer["line"]


async def test_an_illegal_stroke_is_refused_and_others_go_on(ola: Pen) -> None:
    await ola.lay("A1")
    assert (await ola.draw("lay", text="A1", turn=1))["is"] == "refused"
    assert await ola.lay("B1", 1) == 2


async def test_the_board_closes_at_once_for_those_whom_a_withdrawn_link_let_in(ola: Pen, maksim: Pen) -> None:
    await pen.ask(ola.visit, "unshare", study=ola.study)
    assert await maksim.closed() == CLOSED_TO_YOU
    status, _ = await pen.ask(maksim.visit, "open", study=ola.study)
    assert status >= 400


async def test_who_comes_in_is_told_to_those_who_are_there(room: Room, visit: Visits, ola: Pen) -> None:
    await pen.join((await AtHome.enter(room, room.maksim, visit())).visit, ola)
    async with asyncio.timeout(AT_ONCE):
        await ola.until(**{"is": "study"})  # that of the link
        await ola.until(**{"is": "study"})


async def test_a_new_chapter_is_told_to_those_who_are_there(ola: Pen, maksim: Pen) -> None:
    await ola.ask("chapter", board=None, rules="zagram", size="10x10")
    async with asyncio.timeout(AT_ONCE):
        await maksim.until(**{"is": "study"})


async def test_a_link_that_nobody_has_made_lets_nobody_in(ola: Pen, maksim: Pen) -> None:
    status, _ = await pen.ask(maksim.visit, "join", study=ola.study, link="żółw")
    assert 400 <= status < 500


async def test_a_name_is_one_line_of_what_can_be_seen(ola: Pen) -> None:
    _, answer = await pen.ask(ola.visit, "rename", study=ola.study, name="\u200f Cuts\u00a0\tand\u00ad nets\n")
    assert answer["study"]["name"] == "Cuts and nets"


async def test_a_visitor_reads_a_public_study_and_changes_nothing(visit: Visits, ola: Pen) -> None:
    await ola.lay("A1")
    stranger = visit()
    assert (await pen.ask(stranger, "open", study=ola.study))[0] >= 400
    await pen.ask(ola.visit, "publish", study=ola.study, public=True, listed=False)
    place = {"study": ola.study, "chapter": ola.chapter}
    _, loaded = await pen.ask(stranger, "load", **place)
    assert len(loaded["board"]["turns"]) == 1
    _, scene = await pen.ask(stranger, "scene", turn=1, **place)
    assert scene["picture"]["stones"]
    status, _ = await pen.ask(stranger, "lay", id="key-of-a-visitor", text="B1", turn=1, seat=None, **place)
    assert status == 401


async def test_nobody_else_is_named_to_a_visitor(room: Room, visit: Visits, ola: Pen, maksim: Pen) -> None:
    await pen.ask(ola.visit, "publish", study=ola.study, public=True, listed=True)
    _, opened = await pen.ask(visit(), "open", study=ola.study)
    assert (opened["study"]["members"], opened["study"]["link"]) == ([], None)


@pytest.mark.parametrize(("listed", "robots"), [(False, "noindex"), (True, "all")])
async def test_search_engines_are_told_by_choice(visit: Visits, ola: Pen, listed: bool, robots: str) -> None:
    await pen.ask(ola.visit, "publish", study=ola.study, public=True, listed=listed)
    assert (await visit().headers(f"/study/{ola.study}"))["X-Robots-Tag"] == robots


async def test_a_study_comes_with_its_name(visit: Visits, ola: Pen) -> None:
    await pen.ask(ola.visit, "publish", study=ola.study, public=True, listed=False)
    _, text = await visit().get(f"/study/{ola.study}")
    assert "<h1>Cuts</h1>" in text


async def test_the_page_of_a_private_study_tells_nothing_of_it(visit: Visits, ola: Pen) -> None:
    status, text = await visit().get(f"/study/{ola.study}")
    assert status == 200
    assert "Cuts" not in text


async def test_a_flood_of_strokes_is_refused(ola: Pen) -> None:
    for number in range(STROKE_BURST + 5):
        await ola.begin("note", turn=None, note=f"note {number}")
    await ola.settle()
    assert "refused" in {answer["is"] for answer in ola.answers.values()}


@pytest.mark.parametrize(
    "path", ["/study/a%00b", "/study/{study}%00/1/live", "/study/{study}/x/live", "/figures/of/a%00b"]
)
async def test_an_address_of_another_form_is_none(ola: Pen, path: str) -> None:
    assert await ola.visit.status(path.format(study=ola.study)) == 404


async def test_a_socket_without_a_session_is_turned_away(visit: Visits, ola: Pen) -> None:
    stranger = await visit().socket(f"/study/{ola.study}/{ola.chapter}/live")
    assert await stranger.closed() == 4401


async def test_a_stroke_that_is_made_while_a_board_is_written_is_not_left_out(
    ola: Pen, maksim: Pen, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes, may_end, threads = threading.Event(), threading.Event(), set[int]()

    def write(board: OwnBoard, words: Words) -> Answer:
        threads.add(threading.get_ident())
        writes.set()
        may_end.wait(HANG_SECONDS)
        return write_board(board, words)

    monkeypatch.setattr(socket, "write_board", write)
    await maksim.cut()
    connecting = asyncio.create_task(maksim.connect())
    await asyncio.to_thread(writes.wait, HANG_SECONDS)
    await ola.lay("A1")
    may_end.set()
    await connecting
    await maksim.reach(2)
    assert maksim.tree == ola.tree
    assert threading.get_ident() not in threads  # a full field takes 100 ms and more


async def test_a_chapter_is_added_and_taken_away(ola: Pen, maksim: Pen) -> None:
    added = await maksim.ask("chapter", board=None, rules="zagram", size="15x15")
    assert len(added["study"]["chapters"]) == 2
    left = await pen.ask(ola.visit, "unchapter", study=ola.study, chapter=added["chapter"])
    assert len(left[1]["study"]["chapters"]) == 1
