"""Votes on the web board: a member of the side votes where a player plays, and others watch."""

from __future__ import annotations

from collections.abc import Callable

from loopback import Person
from tests.bot.features.settings.test_settings import open_settings
from tests.bot.panels import choose
from tests.bot.room import Room
from tests.bot.vote_games import begin_votes, count_votes, vote
from tests.clock import HOUR, MINUTE
from tests.web.test_rights import silence
from tests.web.visit import Board, Visit, link_for, signed_link


async def open_board(room: Room, visit: Callable[[], Visit], person: Person) -> Board:
    """Opens the newest board in a browser of a person."""
    return await visit().open(await link_for(room, person, room.boards(room.channel)[-1]))


async def test_a_member_votes_and_sees_the_tally(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    board = await open_board(room, visit, room.kasia)
    view = board.board["view"]
    assert view["line"].startswith("Vote on your side's move: voting closes")
    assert view["enter"] == "dot"
    assert not view["sheet"]
    assert (await board.attempt("E5"))["turn"] == "E5"
    done = await board.play("E5")
    assert done["is"] == "done"
    assert "Your vote: E5." in done["line"]
    assert "E5: 100% (1 vote)" in done["tally"]["line"]
    assert done["tally"]["picture"]["numbers"] == [{"point": [4, 4], "value": 100}]
    assert await room.version() == 0


async def test_a_member_without_a_role_that_may_play_only_watches(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    board = await open_board(room, visit, room.kasia)
    role = room.discord.make_role("Players")
    await choose(room.ola, await open_settings(room, room.ola, "server"), "server:roles", role)
    assert (await board.play("E5"))["is"] == "refused"
    assert await room.version() == 0


async def test_the_tally_is_hidden_before_ones_own_vote(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    await vote(room.ola, room.channel, "e5")
    board = await open_board(room, visit, room.kasia)
    refused = await board.ask("ask", version=0, action="votes")
    assert refused["is"] == "refused"
    assert "E5" not in refused["line"]
    await board.play("F6")
    asked = await board.ask("ask", version=0, action="votes")
    assert "E5: 50%" in asked["line"]


async def test_the_end_is_voted_about(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    board = await open_board(room, visit, room.kasia)
    assert {action["key"] for action in board.board["view"]["actions"]} == {"votes", "draw", "resign", "rules"}
    asked = await board.ask("ask", version=0, action="resign")
    assert "two thirds" in asked["line"]
    assert "resigning: 100%" in (await board.ask("act", version=0, action="resign"))["tally"]["line"]
    assert "a draw: 100%" in (await board.ask("act", version=0, action="draw"))["tally"]["line"]
    for action in ("abort", "takeback", "rematch"):
        assert (await board.ask("act", version=0, action=action))["is"] == "refused"
    assert (await board.ask("lay", after=0, turn=None, text="A1"))["is"] == "refused"
    assert await room.version() == 0


async def test_a_member_in_a_time_out_does_not_vote(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    board = await open_board(room, visit, room.kasia)
    await silence(room, room.kasia)
    await room.pass_time(MINUTE)  # in which Discord's last answer counts
    for refused in (await board.play("E5"), await board.ask("act", version=0, action="resign")):
        assert (refused["is"], refused["line"][:34]) == ("refused", "A moderator has put you in time-ou")
    later = visit()
    again = await later.live((await later.enter(await signed_link(room, room.kasia)))[1]["to"])
    await again.read()
    assert (await again.play("E5"))["is"] == "refused"
    room.discord.time_out(room.kasia, 0)
    await room.pass_time(MINUTE)
    assert (await board.play("E5"))["is"] == "done"


async def test_a_member_who_has_yet_to_accept_the_rules_does_not_vote(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    board = await open_board(room, visit, room.kasia)
    room.discord.screen(room.kasia)
    await room.pass_time(MINUTE)  # in which Discord's last answer counts
    refused = await board.play("E5")
    assert (refused["is"], refused["line"][:34]) == ("refused", "You haven't accepted this server's")
    room.discord.screen(room.kasia, on=False)
    await room.pass_time(MINUTE)
    assert (await board.play("E5"))["is"] == "done"


async def test_the_opponent_plays_and_a_newcomer_watches(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    opponent = await open_board(room, visit, room.maksim)
    assert opponent.board["view"]["you"] == 1
    assert opponent.board["view"]["line"].startswith("Kropka try-out votes on its move: voting closes")
    newcomer = await open_board(room, visit, room.discord.invite("Zosia"))
    assert newcomer.board["view"]["you"] is None
    assert (await newcomer.play("E5"))["is"] == "refused"


async def test_the_clock_of_a_side_is_that_of_its_vote(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    board = await open_board(room, visit, room.kasia)
    side, opponent = board.board["view"]["players"]
    assert (side["clock"]["ms"], side["clock"]["running"]) == (HOUR, True)
    assert opponent["clock"]["ms"] == 2 * HOUR
    await room.pass_time(MINUTE)
    assert room.bot.website is not None
    await room.bot.website.hub.poll()
    await room.bot.website.hub.send_clocks()
    clocks = (await board.until(**{"is": "clock"}))["players"]
    assert [each["clock"]["ms"] for each in clocks] == [HOUR - MINUTE, 2 * HOUR]


async def test_the_count_reaches_the_open_board(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    board = await open_board(room, visit, room.kasia)
    await board.play("E5")
    await vote(room.ola, room.channel, "e5")
    await count_votes(room)
    shown = await board.version(1)
    assert "2 votes of 2 were for E5." in shown["view"]["last"]
    assert shown["view"]["enter"] is None
    assert [action["key"] for action in shown["view"]["actions"]] == ["votes", "rules"]


async def test_votes_about_a_decided_turn_are_seen_by_all_but_the_opponent(
    room: Room, visit: Callable[[], Visit]
) -> None:
    await begin_votes(room)
    watching = await open_board(room, visit, room.discord.invite("Zosia"))
    assert [action["key"] for action in watching.board["view"]["actions"]] == ["rules"]
    assert (await watching.ask("ask", version=0, action="votes"))["is"] == "refused"
    await vote(room.ola, room.channel, "e5")
    await vote(room.kasia, room.channel, "f6")
    await count_votes(room)
    shown = await watching.version(1)
    assert [action["key"] for action in shown["view"]["actions"]] == ["votes", "rules"]
    voter = await open_board(room, visit, room.kasia)
    for board in (watching, voter):
        asked = await board.ask("ask", version=1, action="votes")
        assert "1 vote of 2 was for E5." in asked["line"]
        assert "F6: 50% (1 vote)" in asked["line"]
        assert {tuple(each["point"]): each["value"] for each in asked["picture"]["numbers"]} == {(4, 4): 50, (5, 5): 50}
        assert [4, 4] not in [stone["point"] for stone in asked["picture"]["stones"]]
        assert asked["sure"] == ""
    opponent = await open_board(room, visit, room.maksim)
    assert "votes" not in {action["key"] for action in opponent.board["view"]["actions"]}
    assert (await opponent.ask("ask", version=1, action="votes"))["is"] == "refused"


async def test_one_who_watches_asks_for_nothing_but_votes(room: Room, visit: Callable[[], Visit]) -> None:
    await begin_votes(room)
    watching = await open_board(room, visit, room.discord.invite("Zosia"))
    for action in ("resign", "abort", "draw"):
        refused = await watching.ask("ask", version=0, action=action)
        assert (refused["is"], "watch" in refused["line"]) == ("refused", True)
