"""Hints, reviews and puzzles, over the stand-in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from loopback import Channel, Discord, Interaction, Message
from opponent.budget import Budget
from opponent.choice import Candidate, Choice
from opponent.levels import HARDEST
from opponent.pool import Busy
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChannelId, MatchId, SourceId, UserId
from rules.game import AnyPosition
from rules.registry import GAMES
from tests.bot.forging import click_on
from tests.bot.room import Room, private_words
from tests.clock import DAY, StoppedClock
from tests.opponent.quick import Inside

PRIZE = ("E5", "E4", "F5", "F4", "D4", "A7", "G4", "A6", "E3", "A5", "A1", "A4")
"""Instead of `A1` red could take two dots with F3."""


class Knowing(Inside):
    """Knows what was missed: F3 wins two points, and any other move nothing."""

    async def choose(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST) -> Choice:
        self.thoughts += 1
        turn = PRIZE[min(len(position.picture().stones), len(PRIZE) - 1)]
        if turn != "A1":
            return Choice(turn, 0.0, 0.5)
        return Choice("F3", 3.0, 0.9, ("F3", "B7"), (Candidate("F3", 9, 0.9, 3.0), Candidate("B2", 1, 0.5, 0.0)))


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock) -> AsyncIterator[Room]:
    room = Room(discord, url, clock)
    room.thinkers = Knowing
    await room.start()
    await room.client.tree.sync()
    yield room
    await room.stop()


async def played(room: Room, moves: Sequence[str]) -> Channel:
    """Where Ola and Максим have played these moves, in no time."""
    thread = await room.match(size="7x7")
    tables, players = room.services.tables, (room.ola, room.maksim)
    for number, move in enumerate(moves):
        player = UserId(players[number % 2].id)
        await tables.move(MatchId(1), player, move, room.clock(), SourceId(number + 1))
    return thread


async def missed(room: Room) -> Channel:
    """Where Ola has missed two dots, and then resigned."""
    thread = await played(room, PRIZE)
    await room.services.tables.resign(MatchId(1), UserId(room.ola.id), room.clock(), SourceId(99))
    return thread


async def told(asked: Interaction) -> Message:
    """The private message with a picture."""
    await asked.answered()
    messages: list[Message] = await asked.until(
        lambda: [message for message in asked.messages if message.ephemeral and message.attachments]
    )
    return messages[-1]


async def test_a_hint_names_a_move_and_shows_what_it_captures(room: Room) -> None:
    thread = await played(room, PRIZE[:10])
    hint = await told(room.ola.command(thread, "hint"))
    assert hint.content == "I would play **F3**. That captures 2 dots: F3."
    assert hint.attachments[0].description == "The board with F3 marked."


async def test_a_hint_is_for_whoever_is_to_move(room: Room) -> None:
    thread = await room.match(size="7x7")
    assert "Ola" in await private_words(room.maksim.command(thread, "hint"))
    assert "not playing in this game" in await private_words(room.kasia.command(thread, "hint"))


async def test_there_are_no_hints_in_a_rated_game(room: Room) -> None:
    terms = Terms(GAMES["zagram"], parse_control("1h"), Order.FIRST, rated=True)
    here, ola, maksim = ChannelId(room.channel.id), UserId(room.ola.id), UserId(room.maksim.id)
    offer = await room.services.tables.challenge(ola, maksim, None, here, terms, room.clock())
    await room.services.tables.accept(offer.id, maksim, room.clock())
    assert "there are no hints in it" in await private_words(room.ola.command(room.channel, "hint"))


async def test_there_are_no_hints_where_nothing_thinks(room: Room) -> None:
    room.thinkers = None
    await room.restart()
    thread = await room.match()
    assert "neither plays nor helps" in await private_words(room.ola.command(thread, "hint"))


async def test_whoever_asks_when_too_many_do_is_told_to_wait(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    async def busy(*_: object) -> Choice:
        raise Busy

    monkeypatch.setattr(Knowing, "choose", busy)
    thread = await room.match()
    assert "Try again in a minute" in await private_words(room.ola.command(thread, "hint"))


async def test_a_review_shows_the_turning_points_with_pictures_and_a_graph(room: Room) -> None:
    thread = await missed(room)
    review = await told(room.maksim.command(thread, "review"))
    assert "**Move 11:** Ola played A1. **F3** was better, by about 3 points." in review.text
    assert "That captures 2 dots: F3." in review.text
    assert [picture.description for picture in review.attachments] == [
        "A graph of the lead that each side could expect after each move.",
        "The board before move 11: A1 was played, F3 was better.",
    ]


async def test_a_review_is_made_once(room: Room) -> None:
    thread = await missed(room)
    computer = room.bot.coach.advisor()
    await told(room.maksim.command(thread, "review"))
    thinker = computer._thinker
    assert isinstance(thinker, Knowing)
    thoughts = thinker.thoughts
    await told(room.ola.command(thread, "review"))
    assert thinker.thoughts == thoughts


async def test_a_game_that_goes_on_is_not_reviewed(room: Room) -> None:
    thread = await room.match()
    assert "game" in await private_words(room.ola.command(thread, "review"))


async def posed(room: Room) -> Message:
    """Today's puzzle, as Kasia has asked for it."""
    await missed(room)
    words = await private_words(room.kasia.command(room.channel, "puzzle"))
    assert "Today's puzzle" in words
    return next(message for message in reversed(room.discord.messages(room.channel)) if message.attachments)


async def test_a_puzzle_is_found_in_a_finished_game(room: Room) -> None:
    puzzle = await posed(room)
    assert "🔴 (red) is to move" in puzzle.content
    assert sorted(puzzle.labels) == ["A1", "B2", "F3"]


async def test_the_right_answer_is_shown_and_its_solver_named(room: Room) -> None:
    puzzle = await posed(room)
    answer = await told(room.kasia.click(puzzle, "F3"))
    assert answer.content == "✅ Right! That captures 2 dots: F3."
    shown = room.discord.message(puzzle.id)
    assert shown is not None
    assert "✅ Solved by Kasia Wiśniewska" in shown.content


async def test_a_wrong_answer_is_told_the_right_one_and_counts(room: Room) -> None:
    puzzle = await posed(room)
    answer = await told(room.kasia.click(puzzle, "B2"))
    assert "**F3** was the dot to find" in answer.content
    assert "the first answer counts" in await private_words(room.kasia.click(puzzle, "F3"))


async def test_who_has_played_the_game_knows_the_answer(room: Room) -> None:
    puzzle = await posed(room)
    assert "a game of your own" in await private_words(room.ola.click(puzzle, "F3"))


async def test_a_puzzle_of_another_place_is_neither_answered_nor_shown(room: Room) -> None:
    puzzle = await posed(room)
    await told(room.kasia.click(puzzle, "F3"))
    dm = room.maksim.open_dm()
    elsewhere = await room.maksim.command(dm, "leaderboard", everywhere=True).followed()
    words = await private_words(click_on(room, room.maksim, elsewhere, "puzzle:1:0"))
    assert "This puzzle is not known any more" in words
    now = room.discord.message(elsewhere)
    assert now is not None
    assert "Kasia" not in now.text


async def test_a_puzzle_outlives_the_process_and_is_posted_once_a_day(room: Room) -> None:
    puzzle = await posed(room)
    await room.restart()
    await told(room.kasia.click(puzzle, "F3"))
    words = await private_words(room.maksim.command(room.general, "puzzle"))
    assert str(puzzle.id) in words
    assert "1. Kasia Wiśniewska: 1 of 1" in words


async def test_a_day_without_a_good_position_has_no_puzzle(room: Room) -> None:
    assert "no puzzle today" in await private_words(room.kasia.command(room.channel, "puzzle"))
    await posed(room)
    await room.passes(DAY)
    assert "no puzzle today" in await private_words(room.kasia.command(room.channel, "puzzle"))
