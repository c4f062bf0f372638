"""Moves on the web board, and the other player in Discord."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loopback import Channel
from play.ids import UserId
from rules.dots.position import picture
from tests.bot.room import Room
from tests.loop_calls import calls_on_loop
from tests.web.games_at_home import begin_games
from tests.web.visit import Board, Visit, link_for


async def test_a_board_shows_the_game_as_its_player_sees_it(board: Board) -> None:
    view, picture = board.board["view"], board.board["picture"]
    assert (picture["width"], picture["height"]) == (9, 9)
    assert view["you"] == 0
    assert view["to_act"] == [0]
    assert view["line"] == "It's your turn."
    assert [player["name"] for player in view["players"]] == ["Ola", "Максим"]
    assert [player["clock"]["running"] for player in view["players"]] == [True, False]


async def test_a_tap_lays_a_ghost_and_plays_nothing(room: Room, board: Board) -> None:
    ghost = await board.attempt("K3")
    assert ghost["is"] == "refused"
    ghost = await board.attempt("E5")
    assert ghost["turn"] == "E5"
    assert ghost["picture"]["ghost"] == {"point": [4, 4], "seat": 0}
    assert ghost["line"] == "It captures nothing."
    assert await room.version() == 0


async def test_a_move_on_the_web_is_posted_in_discord(room: Room, thread: Channel, board: Board) -> None:
    done = await board.play("E5")
    assert (done["is"], done["version"]) == ("done", 1)
    posted = await room.wait_for_board(thread, 1)
    assert "**Ola** played **E5**" in posted.content
    shown = await board.version(1)
    assert shown["view"]["last"] == "Ola played E5."
    assert shown["view"]["line"] == "It's Максим's turn."


async def test_who_moves_again_is_told_so(room: Room, visit: Callable[[], Visit]) -> None:
    thread = await room.start_match(size="9x9", options="extra move")
    await room.play(thread, "E6", "E5", "D5", "A9", "F5", "B9", "E4")
    board = await visit().open(await link_for(room, room.ola, room.boards(thread)[-1]))
    assert board.board["view"]["line"] == "You move again."


async def test_a_move_in_discord_appears_on_the_web(room: Room, thread: Channel, board: Board) -> None:
    await room.play(thread, "e5", "d4")
    shown = await board.version(2)
    assert [stone["point"] for stone in shown["picture"]["stones"]] == [[4, 4], [3, 3]] or len(
        shown["picture"]["stones"]
    ) == 2
    assert shown["view"]["to_act"] == [0]


@pytest.mark.parametrize("typed", ["1. e\u00a05", "**Е\u30005**", "\u2068e\u200b\u00ad5\u2069"])
async def test_a_typed_move_may_have_signs_that_nobody_sees(room: Room, board: Board, typed: str) -> None:
    assert (await board.play(typed))["is"] == "done"
    assert "**E5**" in (await room.wait_for_board(room.discord.threads[-1], 1)).content


async def test_what_is_typed_and_no_move_is_told_about_the_move(board: Board) -> None:
    for typed in ("17 or 18", "E\u00a0", "\u200b", "1½", "E1 2", "", "K" * 2001, "\x00"):
        refused = await board.play(typed)
        assert (refused["is"], "isn't a crossing" in refused["line"]) == ("refused", True), (typed, refused)
    assert (await board.play(5))["line"] == "That isn't possible here. Reload the page."  # type: ignore[arg-type]


async def test_the_same_key_plays_once(room: Room, board: Board) -> None:
    first = await board.play("E5", id="0123456789")
    again = await board.play("E5", id="0123456789", version=0)
    assert (first["version"], again["version"]) == (1, 1)
    assert again["is"] == "done"
    assert await room.version() == 1


async def test_a_turn_of_an_older_version_is_refused(room: Room, thread: Channel, board: Board) -> None:
    await room.play(thread, "e5", "d4")
    refused = await board.play("A1", version=0)
    assert refused["is"] == "refused"
    assert "moved on" in refused["line"]
    assert await room.version() == 2


async def test_both_players_may_sit_in_one_browser(room: Room, thread: Channel, visit: Callable[[], Visit]) -> None:
    browser, message = visit(), room.boards(thread)[-1]
    ola = await browser.open(await link_for(room, room.ola, message))
    maksim = await browser.open(await link_for(room, room.maksim, message))
    assert (ola.board["view"]["you"], maksim.board["view"]["you"]) == (0, 1)
    await ola.play("E5")
    await maksim.version(1)
    await maksim.play("D4")
    assert (await ola.version(2))["view"]["to_act"] == [0]


async def test_a_move_in_a_game_over_days_leads_on_to_the_next_game(
    room: Room, thread: Channel, board: Board, visit: Callable[[], Visit]
) -> None:
    slow = await room.start_match(size="9x9", start="empty", clock="3d")
    ola = await visit().open(await link_for(room, room.ola, room.boards(slow)[-1]))
    assert (await ola.play("E5"))["next"] == {"match": 1, "label": "Next game (1)", "opens": False}
    assert "next" not in await board.play("E5")  # it is live
    await room.play(slow, "d4")
    await ola.version(2)
    assert "next" not in await ola.play("A1", version=2)  # no other game waits


async def test_no_other_game_is_offered_before_the_computer_has_answered(
    room: Room, visit: Callable[[], Visit]
) -> None:
    links, user = room.services.web_links, UserId(room.ola.id)
    assert links is not None, "there is a site"
    game, _ = [
        *await begin_games(room, room.ola, room.discord.bot, 1),
        *await begin_games(room, room.ola, room.maksim, 1),
    ]
    key = await room.services.web_sessions.link_key(user)
    board = await visit().open(links.make(user, game, room.clock(), key=key, seen=None))
    assert "next" not in await board.play("E5")


async def test_resigning_is_asked_first(room: Room, thread: Channel, board: Board) -> None:
    await room.play(thread, "e5", "d4")
    await board.version(2)
    (resign,) = [each for each in board.board["view"]["actions"] if each["key"] == "resign"]
    assert resign == {"key": "resign", "label": "Resign", "style": "danger", "ask": True}
    asked = await board.ask("ask", version=2, action="resign")
    assert asked["line"].startswith("Resign against Максим?")
    assert asked["sure"]
    done = await board.ask("act", version=2, action="resign")
    assert done["is"] == "done"
    shown = await board.version(3)
    assert shown["view"]["over"]
    assert "Максим" in shown["view"]["line"]


async def test_a_draw_is_offered_and_accepted(room: Room, thread: Channel, visit: Callable[[], Visit]) -> None:
    browser, message = visit(), room.boards(thread)[-1]
    ola = await browser.open(await link_for(room, room.ola, message))
    maksim = await browser.open(await link_for(room, room.maksim, message))
    await ola.ask("act", version=0, action="draw")
    (offer,) = (await maksim.version(1))["view"]["offers"]
    assert [each["key"] for each in offer["actions"]] == ["agree:draw", "disagree:draw"]
    await maksim.ask("act", version=1, action="agree:draw")
    assert (await ola.version(2))["view"]["over"]


async def test_an_offer_is_taken_back_by_the_player_who_made_it(room: Room, thread: Channel, board: Board) -> None:
    await board.ask("act", version=0, action="draw")
    (offer,) = (await board.version(1))["view"]["offers"]
    assert [each["label"] for each in offer["actions"]] == ["Take back draw offer"]
    await board.ask("act", version=1, action="disagree:draw")
    assert (await board.version(2))["view"]["offers"] == []


async def test_the_board_is_described_in_words(room: Room, thread: Channel, board: Board) -> None:
    await room.play(thread, "e5", "d4")
    await board.version(2)
    assert (await board.ask("describe", what="at E5"))["line"] == "E5: Ola."
    assert (await board.ask("describe", what="at A1"))["line"] == "A1 is free."
    assert (await board.ask("describe", what="at\u00a0\u200bA1"))["line"] == "A1 is free."
    assert (await board.ask("describe", what="row 5"))["line"] == "Row 5. Dots of red: E5."
    for what in ("column D", "row D", "column d", "column 4"):
        assert (await board.ask("describe", what=what))["line"] == "Column D. Dots of blue: D4."
    assert (await board.ask("describe", what="column А"))["line"] == "Column A. It's empty."  # typed in Cyrillic
    assert (await board.ask("describe", what="last"))["line"] == "Максим played D4."
    assert "Ola 0" in (await board.ask("describe", what="score"))["line"]


async def test_a_place_that_is_not_there_is_explained_as_often_as_it_is_asked_for(
    thread: Channel, board: Board
) -> None:
    for what in ("row ZZ", "column 10", "row 0", "at K12", "at nowhere", "row"):
        answer = await board.ask("describe", what=what)
        assert answer["is"] == "refused"
        assert "Reload" not in answer["line"]
    for _ in range(10):
        await board.ask("describe", what="column ZZ")
    assert (await board.ask("describe", what="score"))["is"] == "text"


async def test_no_board_is_worked_out_on_the_event_loop(
    room: Room, thread: Channel, visit: Callable[[], Visit]
) -> None:
    await room.play(thread, "E5", "E6")
    link = await link_for(room, room.ola, room.boards(thread)[-1])
    picture.cache_clear()  # else it is there from the board in Discord
    with calls_on_loop() as calls:
        opened = await visit().open(link)
        for what in ("board", "row 5", "at E5"):
            assert (await opened.ask("describe", what=what))["is"] == "text"
    assert not {"picture", "describe", "name_dots", "picture_json"} & calls.keys()
