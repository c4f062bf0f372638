"""Dots that others have placed since a player's last move: they are told and shown when there are several."""

from __future__ import annotations

from collections.abc import Callable

from loopback import Channel, Person
from play.ids import MatchId
from tests.bot.room import Room
from tests.web.visit import Board, Visit, link_for


async def open_for(room: Room, thread: Channel, visit: Callable[[], Visit], person: Person) -> Board:
    return await visit().open(await link_for(room, person, room.boards(thread)[-1]))


async def begin_three(room: Room) -> Channel:
    card = await room.challenge(rules="three", size="9x9", start="empty")
    for person in (room.maksim, room.kasia):
        await person.click(card, "Join").answered()
    return await room.wait_for_thread(card)


async def test_of_three_players_each_learns_what_both_others_have_placed(
    room: Room, visit: Callable[[], Visit]
) -> None:
    thread = await begin_three(room)
    match = await room.use_cases.matches.load(MatchId(1))
    people = {person.id: person for person in (room.ola, room.maksim, room.kasia)}
    first, second, third = (people[player] for player in match.players)
    for person, move in ((first, "E5"), (second, "D4"), (third, "F6")):
        await person.command(thread, "move", point=move).answered()
    board = await open_for(room, thread, visit, first)
    view = board.board["view"]
    assert view["since"] == [[3, 3], [5, 5]]
    names = [player["name"] for player in view["players"]]
    assert view["notes"][0] == f"Since your last move: {names[1]} D4, {names[2]} F6."
    assert (await open_for(room, thread, visit, third)).board["view"]["since"] == []


async def test_of_two_players_the_line_about_the_last_move_is_enough(room: Room, thread: Channel, board: Board) -> None:
    await room.play(thread, "E5", "E6")
    await board.version(2)
    assert board.board["view"]["since"] == []
    assert board.board["view"]["notes"] == []
