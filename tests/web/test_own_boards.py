"""Boards of one's own: what a page asks for, of a player and of a visitor, and what is refused."""

from __future__ import annotations

import asyncio
import base64
import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

from loopback import Discord
from opponent.choice import Choice
from opponent.pool import EngineFailed
from play.boards.own_board import MAX_BOARDS, MAX_TURNS
from play.ids import IdempotencyKey, MatchId, OwnBoardId, UserId
from play.match.match import Match
from play.records.record import MAX_RECORD_BYTES
from rules.game import Point, point_name
from tests.bot.room import Room
from tests.opponent.quick import Inside
from tests.web.finished import switch_pages
from tests.web.home_visit import AtHome
from tests.web.visit import Visit, with_client_secret
from web.own import computer
from web.own.boards import NEARLY_FULL

Visits = Callable[..., Visit]
Answer = dict[str, Any]

RECORD = "(;GM[40]SZ[10];B[ee]C[a cut](;W[ef];B[fe])(;W[aa]))"


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    return {**with_client_secret(discord), "thinkers": Inside}


class Desk:
    """The page of a board, of a player or a visitor."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.board: Answer = {}

    async def ask(self, what: str, **fields: Any) -> tuple[int, Answer]:
        named = {"board": self.board.get("board") or self.board} if self.board else {}
        return await self.visit.post("/analysis/do", {"do": what, **named, **fields})

    async def must(self, what: str, **fields: Any) -> Answer:
        status, answer = await self.ask(what, **fields)
        assert status == 200, answer
        if isinstance(answer.get("board"), dict):
            self.board = answer["board"]
        return answer

    async def refused(self, what: str, **fields: Any) -> str:
        status, answer = await self.ask(what, **fields)
        assert 400 <= status < 500, answer
        return str(answer["line"])

    async def lay(self, *texts: str, after: int | None = None) -> int:
        for text in texts:
            after = (await self.must("lay", text=text, turn=after))["turn"]
        assert after is not None
        return after


@pytest.fixture
async def visitor(room: Room, visit: Visits) -> Desk:
    return Desk(visit())


@pytest.fixture
async def ola(room: Room, visit: Visits) -> Desk:
    return Desk((await AtHome.enter(room, room.ola, visit())).visit)


@pytest.fixture(params=["a player", "a visitor"])
async def desk(request: pytest.FixtureRequest, ola: Desk, visitor: Desk) -> Desk:
    return ola if request.param == "a player" else visitor


async def stored(room: Room, desk: Desk) -> int:
    board = await room.use_cases.own_boards.load(OwnBoardId(desk.board["board"]), UserId(room.ola.id))
    return len(board.turns)


async def test_the_page_is_there_for_players_and_visitors_with_its_heading(desk: Desk) -> None:
    status, text = await desk.visit.get("/analysis")
    assert status == 200
    assert re.search(r"<main [^>]*data-told[^>]*><h1>Board of my own</h1></main>", text)


async def test_turns_are_laid_in_branches(desk: Desk) -> None:
    await desk.must("new", rules="zagram", size="10x10")
    first = await desk.lay("A1")
    await desk.lay("B1", after=first)
    await desk.lay("C1", after=first)
    assert [(turn["parent"], turn["text"]) for turn in desk.board["turns"]] == [(None, "A1"), (1, "B1"), (1, "C1")]


async def test_a_position_is_shown_as_the_rules_have_it(desk: Desk) -> None:
    await desk.must("new", rules="zagram", size="10x10")
    stones = [[1, "D4"], *([0, name] for name in ("D5", "C4", "E4", "D3"))]
    await desk.must("set", rules="zagram", size="10x10", stones=stones, areas=[], begins=1, version=1)
    scene = await desk.must("scene", turn=None)
    assert "1" in scene["line"]
    assert scene["to_act"] == 1
    assert [stone for stone in scene["picture"]["stones"] if stone.get("captured")]


async def test_a_position_is_made_the_start(desk: Desk) -> None:
    await desk.must("new", rules="zagram", size="10x10")
    last = await desk.lay("A1", "B1", "C1")
    await desk.must("start", turn=last, version=desk.board["version"])
    assert desk.board["turns"] == []
    assert [0, "A1"] in desk.board["set"]["stones"]
    assert desk.board["set"]["begins"] == 1


async def test_a_record_comes_with_its_branches_and_goes_out_again(desk: Desk) -> None:
    await desk.must("import", text=RECORD, name="", rules=None)
    assert len(desk.board["turns"]) == 4
    record = (await desk.must("sgf"))["sgf"]
    before = desk.board["turns"]
    await desk.must("import", file=base64.b64encode(record.encode()).decode(), name="again.sgf", rules=None)
    assert desk.board["turns"] == before


async def test_a_record_says_where_it_is_wrong(desk: Desk) -> None:
    assert "B[ee]" in await desk.refused("import", text="(;GM[40]SZ[10];B[ee];W[ef];B[ee])", name="", rules=None)
    assert "line 2" in await desk.refused("import", text="(;GM[40]SZ[10]\n;B[ee](", name="", rules=None)


async def test_marks_and_notes_are_at_turns_and_at_the_start(desk: Desk) -> None:
    await desk.must("new", rules="zagram", size="10x10")
    turn = await desk.lay("A1")
    await desk.must("mark", turn=turn, marks=["label B2 x"])
    await desk.must("note", turn=None, note="why\nnot")
    assert desk.board["turns"][0]["marks"] == ["label B2 x"]
    assert desk.board["note"] == "why\nnot"


async def test_a_picture_of_a_position_is_a_png(desk: Desk) -> None:
    await desk.must("new", rules="zagram", size="10x10")
    answer = await desk.must("picture", turn=None)
    assert base64.b64decode(answer["png"]).startswith(b"\x89PNG")


async def test_what_was_done_in_another_window_is_not_undone(room: Room, ola: Desk) -> None:
    await ola.must("new", rules="zagram", size="10x10")
    former = ola.board
    other = Desk(ola.visit)
    other.board = former
    await ola.lay("A1")
    await other.lay("B1")
    assert "another window" in await ola.refused("put", to=former, version=ola.board["version"])
    assert await stored(room, ola) == 2


async def test_undo_puts_the_board_back(room: Room, ola: Desk) -> None:
    await ola.must("new", rules="zagram", size="10x10")
    former = ola.board
    await ola.lay("A1")
    await ola.must("put", to=former, version=ola.board["version"])
    assert await stored(room, ola) == 0


async def test_a_visitor_keeps_a_board_once_signed_in(room: Room, visitor: Desk, ola: Desk) -> None:
    await visitor.must("new", rules="zagram", size="10x10")
    await visitor.lay("A1")
    ola.board = visitor.board
    await ola.must("keep")
    assert await stored(room, ola) == 1


async def test_boards_are_listed_renamed_and_deleted(ola: Desk) -> None:
    await ola.must("new", rules="zagram", size="10x10")
    await ola.must("rename", name="My cut")
    assert [each["name"] for each in (await ola.must("list"))["boards"]] == ["My cut"]
    assert (await ola.must("delete"))["boards"] == []
    assert "no longer there" in await ola.refused("load")


async def test_the_board_that_was_changed_last_is_gone_on_with(room: Room, ola: Desk) -> None:
    first = (await ola.must("last"))["board"]["board"]
    await ola.must("new", rules="zagram", size="10x10")
    ola.board = {"board": first}
    room.clock.advance(1)
    await ola.lay("A1")
    assert (await ola.must("last"))["board"]["board"] == first


async def test_the_computer_looks_at_any_position(ola: Desk) -> None:
    await ola.must("import", text=RECORD, name="", rules=None)
    assert "%" in (await ola.must("weigh", turn=2))["line"]


async def reviewed(desk: Desk, turn: int) -> Answer:
    """Asks for a review until it is done, as the page does."""
    while (answer := await desk.must("review", turn=turn)).get("is") == "reviewing":
        pass
    return answer


async def test_the_computer_finds_turning_points_of_a_record(ola: Desk) -> None:
    moves = "".join(f";{'BW'[k % 2]}[{'abcdefghij'[k]}a]" for k in range(8))
    await ola.must("import", text=f"(;GM[40]SZ[10]{moves})", name="", rules=None)
    assert "line" in await reviewed(ola, 8)


async def test_a_review_goes_on_while_its_page_asks_again(ola: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    moves, gate = "".join(f";{'BW'[k % 2]}[{'abcdefghij'[k]}b]" for k in range(8)), asyncio.Event()
    await ola.must("import", text=f"(;GM[40]SZ[10]{moves})", name="", rules=None)
    choose, asked = Inside.choose, list[int]()

    async def hesitate(self: Inside, *of: Any, **how: Any) -> Choice:
        asked.append(1)
        await gate.wait()
        return await choose(self, *of, **how)

    monkeypatch.setattr(Inside, "choose", hesitate)
    with monkeypatch.context() as impatient:
        impatient.setattr(computer, "REVIEW_SECONDS", 0)
        assert await ola.must("review", turn=8) == {"is": "reviewing"}
        assert await ola.must("review", turn=8) == {"is": "reviewing"}
    assert len(asked) == 1
    gate.set()
    assert "line" in await reviewed(ola, 8)


async def test_a_review_that_failed_begins_anew(ola: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = "".join(f";{'BW'[k % 2]}[{'abcdefghij'[k]}c]" for k in range(8))
    await ola.must("import", text=f"(;GM[40]SZ[10]{moves})", name="", rules=None)

    async def fail(self: Inside, *of: Any, **how: Any) -> Choice:
        raise EngineFailed

    with monkeypatch.context() as failing:
        failing.setattr(Inside, "choose", fail)
        await ola.refused("review", turn=8)
    assert "line" in await reviewed(ola, 8)


async def test_the_computer_does_not_help_in_a_rated_game(room: Room, ola: Desk) -> None:
    await room.start_match(size="10x10", start="empty", rated=True)
    await ola.must("new", rules="zagram", size="10x10")
    await ola.must("set", rules="zagram", size="10x10", stones=[], areas=[], begins=0, version=1)
    assert await ola.refused("weigh", turn=None)


async def end_game(room: Room) -> int:
    """Ends a game of Ola's of two moves, and returns its number."""
    thread = await room.start_match(size="9x9", start="empty")
    await room.play(thread, "E5", "E4")
    await room.use_cases.matches.resign(MatchId(1), UserId(room.maksim.id), room.clock(), IdempotencyKey(5))
    return 1


async def test_a_finished_game_that_is_opened_twice_is_one_board(room: Room, ola: Desk) -> None:
    number = await end_game(room)
    await ola.must("game", match=number)
    first = ola.board["board"]
    await ola.lay("E6")
    ola.board = {}
    await ola.must("game", match=number)
    assert (ola.board["board"], len(ola.board["turns"])) == (first, 3)


async def test_a_board_of_a_game_with_another_set_up_is_that_of_no_game(room: Room, ola: Desk) -> None:
    number = await end_game(room)
    await ola.must("game", match=number)
    first = ola.board["board"]
    await ola.must("set", rules="zagram", size="9x9", stones=[], areas=[], begins=0, version=1)
    ola.board = {}
    await ola.must("game", match=number)
    assert ola.board["board"] != first


async def test_a_browsers_board_of_a_game_is_kept_beside_ones_own(room: Room, ola: Desk) -> None:
    number = await end_game(room)
    await ola.must("game", match=number)
    kept = ola.board
    ola.board = {**kept, "board": None}
    await ola.must("keep")
    assert ola.board["board"] != kept["board"]


async def test_a_list_says_what_boards_have_come_from_and_shows_them(room: Room, ola: Desk) -> None:
    number = await end_game(room)
    await ola.must("game", match=number)
    await ola.must("import", text=RECORD, name="", rules=None)
    await ola.must("import", text="R....\n" + ".....\n" * 4, name="", rules="zagram", origin="puzzle")
    await ola.must("new", rules="zagram", size="10x10")
    listed = (await ola.must("list"))["boards"]
    assert [each["about"].partition(" · ")[2] for each in listed] == [
        "begun empty",
        "puzzle",
        "imported",
        "from game 1",
    ]
    assert listed[-1]["small"]["dots"] == [[4, 4], [4, 3]]
    assert {each["changed"] for each in listed} == {room.clock()}


async def test_a_list_says_how_many_boards_there_may_be(ola: Desk) -> None:
    assert (await ola.must("list"))["line"] == f"0 of {MAX_BOARDS} boards."


async def test_a_shelf_that_is_nearly_full_is_told_with_the_next_board(room: Room, ola: Desk) -> None:
    await ola.must("new", rules="zagram", size="10x10")
    board = await room.use_cases.own_boards.load(OwnBoardId(ola.board["board"]), UserId(room.ola.id))
    assert board.user is not None
    for _ in range(MAX_BOARDS - NEARLY_FULL - 2):
        await room.use_cases.own_boards.keep(board, UserId(room.ola.id))
    assert "line" not in await ola.must("last")
    assert "Hardly any more fit" in (await ola.must("new", rules="zagram", size="10x10"))["line"]


def tag_of(room: Room, number: int) -> str:
    """Returns the tag of the page of a game."""
    links = room.services.web_links
    assert links is not None
    return links.page(MatchId(number))[-16:]


async def test_a_visitor_opens_the_game_of_a_page_by_its_tag_alone(room: Room, visitor: Desk) -> None:
    number = await end_game(room)
    await switch_pages(room, on=True)
    assert await visitor.refused("game", match=number, tag="A" * 16)
    await visitor.must("game", match=number, tag=tag_of(room, number))
    assert (visitor.board["origin"], visitor.board["match"], len(visitor.board["turns"])) == ("game", 1, 2)


async def test_a_page_that_was_switched_off_opens_no_board(room: Room, visitor: Desk) -> None:
    number = await end_game(room)
    assert await visitor.refused("game", match=number, tag=tag_of(room, number))


@pytest.mark.parametrize(
    "what", ["last", "list", "keep", "delete", "weigh", "review", "play", "draft", "offer", "invite"]
)
async def test_visitors_have_no_account_to_ask_with(visitor: Desk, what: str) -> None:
    await visitor.must("new", rules="zagram", size="10x10")
    status, _ = await visitor.ask(what, turn=None, level=1, seat=0, id="a" * 12)
    assert status in (400, 401, 403)


async def test_a_stranger_reads_no_board(room: Room, ola: Desk, visit: Visits) -> None:
    await ola.must("new", rules="zagram", size="10x10")
    maksim = Desk((await AtHome.enter(room, room.maksim, visit())).visit)
    maksim.board = ola.board
    assert "no longer there" in await maksim.refused("load")


def made_up(**changes: Any) -> dict[str, Any]:
    """Returns a board as a browser may send it."""
    board = {"name": "x", "rules": "zagram", "options": {"size": "10x10"}, "note": "", "marks": []}
    return {**board, "next_id": 9, "turns": [], "removed": [], **changes}


def turn(number: int, parent: int | None = None, **changes: Any) -> dict[str, Any]:
    return {"id": number, "parent": parent, "seat": 0, "text": "A1", "note": "", "marks": [], **changes}


@pytest.mark.parametrize(
    "board",
    [
        made_up(turns=[turn(1, 5)]),
        made_up(turns=[turn(1), turn(1)]),
        made_up(turns=[turn(9)]),
        made_up(turns=[turn(1, seat=7)]),
        made_up(turns=[turn(1, text="javascript:alert(1)")]),
        made_up(turns=[turn(1, note="x" * 501)]),
        made_up(turns=[turn(k) for k in range(MAX_TURNS + 1)], next_id=MAX_TURNS + 2),
        made_up(marks=["label A1 <b>x"]),
        made_up(options={"size": "10x10", "start": "stones", "stones": "0:A1 1:A1"}),
        made_up(options={"size": "10x10", "start": "stones", "areas": "0:A1"}),
        made_up(options={"size": "1000x1000"}),
        made_up(options={"size": 5}),
        made_up(origin="<b>"),
        made_up(origin="game", match=-1),
        made_up(rules="dot-dash"),
        made_up(rules="<script>"),
        made_up(name="x" * 61),
        made_up(turns="x"),
        [],
        "board",
        -1,
        2**40,
    ],
)
async def test_a_made_up_board_is_refused(desk: Desk, board: Any) -> None:
    status, answer = await desk.visit.post("/analysis/do", {"do": "load", "board": board})
    assert 400 <= status < 500, answer


@pytest.mark.parametrize(
    "name", ["Партия\u00a05.sgf", "a\u202fb.sgf", "\U0001f468\u200d\U0001f469.sgf", "x" * 200 + ".sgf"]
)
async def test_a_file_has_any_name(desk: Desk, name: str) -> None:
    await desk.must("import", text=RECORD, name=name, rules=None)
    await desk.must("load")
    assert desk.board["name"]


async def test_a_name_that_nobody_sees_is_none(ola: Desk) -> None:
    await ola.must("new", rules="zagram", size="10x10")
    assert "name" in await ola.refused("rename", name="\u200d\u00ad\u200d")


async def test_a_board_that_the_rules_refuse_is_listed_without_a_picture(ola: Desk) -> None:
    await ola.must("keep", board=made_up(turns=[turn(1), turn(2, 1)]))
    (listed,) = (await ola.must("list"))["boards"]
    assert listed["small"] is None


async def test_a_visitor_goes_on_with_a_field_full_of_dots(visitor: Desk) -> None:
    places = [point_name(Point(x, y)) for x in range(60) for y in range(60)]
    stones = " ".join(f"{k % 2}:{place}" for k, place in enumerate(places[:-1]))
    options = {"size": "60x60", "start": "stones", "stones": stones}
    await visitor.must("load", board=made_up(options=options))
    await visitor.must("lay", text=places[-1], turn=None)


@pytest.mark.parametrize("what", ["sketch", "weigh", "review"])
async def test_what_is_asked_at_a_place_begins_no_game_on_the_event_loop(
    ola: Desk, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads, begin = set[int](), Match.begin

    def note(*asked: Any, **named: Any) -> Match:
        threads.add(threading.get_ident())
        return begin(*asked, **named)

    await ola.must("new", rules="zagram", size="10x10")
    last = await ola.lay("A1", "A10", "B1", "B10")
    monkeypatch.setattr(Match, "begin", note)
    await (reviewed(ola, last) if what == "review" else ola.must(what, turn=last, steps=["C1"]))
    assert threads
    assert threading.get_ident() not in threads  # a full field of 60x60 takes 0.3 s


async def test_a_note_is_text_alone(desk: Desk) -> None:
    await desk.must("new", rules="zagram", size="10x10")
    await desk.must("note", turn=None, note="javascript:<img src=x onerror=alert(1)>")
    assert desk.board["note"] == "javascript:<img src=x onerror=alert(1)>"


async def test_a_file_that_is_too_long_is_refused(desk: Desk) -> None:
    assert "KiB" in await desk.refused("import", text="(;" + " " * MAX_RECORD_BYTES, name="", rules=None)


async def test_a_body_that_is_too_long_is_refused(desk: Desk) -> None:
    status, _ = await desk.visit.post(
        "/analysis/do", {"do": "import", "text": "x" * 600_000, "name": "", "rules": None}
    )
    assert status == 413


async def test_a_page_of_elsewhere_is_refused(ola: Desk) -> None:
    ola.visit.origin = "https://evil.example"
    status, _ = await ola.ask("list")
    assert status == 403
