"""Playing against the computer: the real client and real workers against the stand-in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from loopback import Channel, Discord, Message
from opponent.budget import Budget
from opponent.levels import level_of
from opponent.pool import Pool
from play.ids import MatchId, SourceId, UserId
from play.match.events import OfferKind
from play.match.match import Match
from rules.point import Seat
from tests.bot.room import Room, answering_board, private_message, private_words
from tests.bot.waiting import told
from tests.clock import MINUTE, StoppedClock
from tests.opponent.quick import GRIEF, Inside


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock) -> AsyncIterator[Room]:
    """The channel, with a computer that thinks a little."""
    room = Room(discord, url, clock)
    room.thinkers = Inside
    await room.start()
    await room.client.tree.sync()
    yield room
    await room.stop()


WHY = "The computer takes one only near the end of a game, and never while it leads."


async def begun(room: Room, **options: object) -> Channel:
    """Where Ola and the computer play; its first board stands."""
    card = await room.challenge(**{"computer": 3, **options})
    return await room.thread_of(card)


async def answered(room: Room, thread: Channel, version: int) -> Message:
    """The board of a version that the computer brought about."""
    board = await room.board(thread, version)
    assert "**Kropka** played" in board.content
    return board


async def match(room: Room, number: int = 1) -> Match:
    return await room.services.tables.board(MatchId(number))


async def test_a_challenge_to_the_computer_begins_at_once(room: Room) -> None:
    thread = await begun(room)
    card = room.discord.message(thread.id)
    assert card is not None
    assert "Accepted" in (await room.discord.until(lambda: said(room, thread.id, "Accepted")))
    assert "Computer: Learner" in card.content
    assert (await match(room)).players == (room.ola.id, room.discord.bot.id)


async def test_whoever_challenges_the_bot_by_its_name_plays_against_the_computer(room: Room) -> None:
    await begun(room, computer=None, opponent=room.discord.bot)
    assert (await match(room)).players == (room.ola.id, room.discord.bot.id)


async def test_the_computer_answers_every_move(room: Room) -> None:
    thread = await begun(room)
    for number, point in enumerate(("c3", "a1")):
        await answering_board(room.ola.command(thread, "move", point=point))
        await answered(room, thread, 2 * number + 2)
    assert [move.seat for move in (await match(room)).moves] == [0, 1, 0, 1]


async def test_a_game_against_the_computer_is_played_to_its_end(room: Room) -> None:
    thread = await begun(room)
    while (now := await match(room)).outcome is None:
        if now.to_act == 0:
            point = str(next(iter(now.position.moves())))
            await room.ola.command(thread, "move", point=point).answered()
    board = await room.board(thread, now.version)
    assert "the field is full" in board.content


async def test_the_computer_moves_first_if_it_is_asked_to(room: Room) -> None:
    thread = await begun(room, colour="last")
    await answered(room, thread, 1)


async def test_a_turn_of_the_computer_survives_a_restart(room: Room) -> None:
    thread = await begun(room)
    room.thinkers = None
    await room.restart()
    await answering_board(room.ola.command(thread, "move", point="c3"))
    assert (await match(room)).version == 1
    room.thinkers = Inside
    await room.restart()
    await answered(room, thread, 2)


async def test_an_offer_to_the_computer_is_answered(room: Room) -> None:
    thread = await begun(room)
    await room.ola.command(thread, "draw").answered()
    while not (now := await match(room)).events[1:]:
        pass
    assert now.events[1].seat == 1


async def test_the_computer_says_why_it_takes_no_draw(room: Room) -> None:
    thread = await begun(room, size="10x10", rated=True, computer=8)
    await room.ola.command(thread, "draw").answered()
    while not (now := await match(room)).events[1:]:
        pass
    assert now.outcome is None
    await room.discord.until(lambda: any(WHY in each.content for each in room.discord.messages(thread)))


async def test_a_rematch_with_the_computer_begins_at_once(room: Room) -> None:
    thread = await begun(room)
    await room.services.tables.resign(MatchId(1), UserId(room.ola.id), room.clock(), SourceId(5))
    await room.ola.command(thread, "rematch").answered()
    again = await match(room, 2)
    assert (again.channel, again.parent) == (thread.id, None)
    assert set(again.players) == {room.ola.id, room.discord.bot.id}


async def test_the_computer_takes_one_of_three_seats(room: Room) -> None:
    card = await room.challenge(rules="three", size="9x9", computer=1)
    await room.maksim.click(card, "Join").followed()
    thread = await room.thread_of(card)
    await answering_board(room.ola.command(thread, "move", point="e5"))
    while (now := await match(room)).to_act == now.players.index(room.discord.bot.id):
        pass
    assert len(now.players) == 3


async def test_whoever_wants_another_try_gets_it(room: Room) -> None:
    thread = await begun(room)
    await answering_board(room.ola.command(thread, "move", point="c3"))
    await answered(room, thread, 2)
    await room.ola.command(thread, "takeback").answered()
    while (now := await match(room)).version < 4:
        pass
    assert now.moves == ()


async def test_with_little_time_it_thinks_less(room: Room) -> None:
    await begun(room, clock="5m+10s")
    computer, now = room.bot.coach.advisor(), await match(room)
    assert await computer._hurried_budget(now, 3) is None
    await room.passes(5 * MINUTE - 10_000)
    assert await computer._hurried_budget(now, 3) == Budget(level_of(3).compiled.nodes, 500)


async def test_two_opponents_are_refused(room: Room) -> None:
    words = await private_words(room.ola.command(room.channel, "challenge", computer=2, opponent=room.maksim))
    assert "not both at once" in words


async def test_without_a_computer_it_cannot_be_challenged(room: Room) -> None:
    room.thinkers = None
    await room.restart()
    words = await private_words(room.ola.command(room.channel, "challenge", computer=2))
    assert "neither plays nor helps" in words


@pytest.mark.parametrize("word", ["die", "hang"])
async def test_the_game_goes_on_when_a_worker_comes_to_grief_in_the_middle(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    grief = tmp_path / "grief"
    monkeypatch.setenv(GRIEF, str(grief))
    room.thinkers = lambda: Pool(worker="tests.opponent.quick", limit=1.0)
    await room.restart()
    thread = await begun(room)
    await answering_board(room.ola.command(thread, "move", point="c3"))
    await answered(room, thread, 2)
    grief.write_text(word, encoding="ascii")
    await answering_board(room.ola.command(thread, "move", point="a1"))
    await answered(room, thread, 4)
    assert not grief.exists()


def said(room: Room, message: int, words: str) -> str:
    found = room.discord.message(message)
    return found.content if found and words in found.content else ""


async def test_a_rated_game_against_the_computer_says_so_and_grants_no_takeback(room: Room) -> None:
    thread = await begun(room, size="10x10", rated=True)
    card = room.discord.message(thread.id)
    assert card is not None
    assert "Rated: Dots against the computer, live" in card.content
    await room.ola.command(thread, "move", point="e5").answered()
    await answered(room, thread, 2)
    assert not await room.bot.coach.advisor().agrees(await match(room), Seat(1), OfferKind.TAKEBACK, 3)


async def test_a_rated_game_against_the_computer_rates_the_person_alone(room: Room) -> None:
    thread = await begun(room, size="10x10", rated=True)
    await room.ola.command(thread, "move", point="e5").answered()
    await answered(room, thread, 2)
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").answered()
    last = await told(room, thread, 3)
    assert "**Ola**: 1500?" in last.content
    assert last.content.count("📈") == 1
