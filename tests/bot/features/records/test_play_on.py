"""*Play on from here*: new games from positions of others, and of imported records."""

from __future__ import annotations

import pytest

from loopback import Channel, Message
from play.ids import MatchId
from play.match.match import Match
from play.records import sgf
from rules.dots import Dots
from tests.bot import forging
from tests.bot.features.records.test_imports import import_game
from tests.bot.features.records.test_replays import MOVES, play_game, replay
from tests.bot.room import Room, private_file, private_message, private_words
from tests.bot.waiting import version_message
from tests.opponent.quick import Inside

pytestmark = pytest.mark.usefixtures("no_confirmation")


async def asked(room: Room, panel: Message) -> Message:
    """Returns the question against whom, below a position that Ola sees."""
    return await private_message(room.ola.click(panel, "Play on from here"))


async def load(room: Room, number: int) -> Match:
    return await room.use_cases.matches.load(MatchId(number))


async def begin_with_maksim(room: Room, question: Message) -> tuple[Message, Channel]:
    """Challenges Максим, who accepts; returns the card, and the thread of the game."""
    known = {message.id for message in room.discord.messages(question.channel_id)}
    await room.ola.click(question, "Challenge a friend", [room.maksim]).answered()

    def posted() -> Message | None:
        there = room.discord.messages(question.channel_id)
        return next((each for each in there if each.id not in known and "Accept" in each.labels), None)

    card: Message = await room.discord.until(posted)
    await room.maksim.click(card, "Accept").followed()
    return card, await room.wait_for_thread(card)


@pytest.fixture
async def channel_game(room: Room) -> Message:
    """The panel of a finished game, in the channel."""
    thread = await play_game(room)
    resigning = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(resigning, "Yes, resign").followed()
    await version_message(room, thread, len(MOVES) + 1)
    return await private_message(room.ola.command(room.channel, "replay", game=1))


async def test_a_friend_plays_on_from_a_position_which_keeps_its_captures(room: Room, channel_game: Message) -> None:
    panel = await room.ola.click(channel_game, "◀").followed()
    question = await asked(room, panel)
    assert "Play on after move 7" in question.content
    assert "You play 🔵 blue, and it's your move." in question.content
    card, thread = await begin_with_maksim(room, question)
    assert "the position after move 7 of another game" in card.content
    assert "Change terms" not in card.labels
    begun = await load(room, 2)
    assert begun.players == (room.maksim.id, room.ola.id)
    assert (begun.version, begun.score, begun.to_act) == (0, (1.0, 0.0), 1)
    await room.play(thread, "a3")
    assert (await load(room, 2)).position.picture() == (await load(room, 1)).position.picture()
    assert room.discord.message(question) is None


async def test_sides_are_switched_before_anyone_is_asked(room: Room, channel_game: Message) -> None:
    question = await asked(room, channel_game)
    assert "You play 🔴 red, and it's your move." in question.content
    question = await room.ola.click(question, "Switch sides").followed()
    assert "You play 🔵 blue. Your opponent moves first." in question.content
    await begin_with_maksim(room, question)
    assert (await load(room, 2)).players == (room.maksim.id, room.ola.id)


async def test_the_computer_plays_on_at_once_and_takes_back_no_move_of_the_opening(room: Room) -> None:
    await room.stop()
    room.thinkers = Inside
    await room.start()
    await play_game(room, MOVES[:3])
    panel = await private_message(room.ola.command(room.channel, "replay", game=1))
    question = await asked(room, await room.ola.click(panel, "◀").followed())
    told = await private_message(room.ola.click(question, "Play the computer: choose a level", ["1"]))
    assert "Your move" in told.labels
    begun = await load(room, 2)
    assert begun.players == (room.ola.id, room.discord.bot.id)
    assert begun.game.opening is not None
    assert begun.game.opening.turns == ("E5", "E6")
    place = next(each for each in room.discord.threads if each.id == begun.channel)
    await room.ola.command(place, "move", point="b2").answered()
    await room.discord.until(lambda: len(room.boards(place)) > 1)
    await room.ola.command(place, "takeback").answered()
    await room.wait_for_outbox()
    after = await load(room, 2)
    assert (after.moves, after.position.picture()) == ((), begun.position.picture())


async def test_its_record_begins_there_and_is_played_on_from_again(room: Room, channel_game: Message) -> None:
    _, thread = await begin_with_maksim(room, await asked(room, channel_game))
    await room.play(thread, "b5")
    _, data = await private_file(room.ola.command(thread, "export game"))
    assert b"C[Played on from move 8 of game 1.]" in data
    first = (await load(room, 1)).game
    assert isinstance(first, Dots)
    start, *_ = sgf.read(data).replay(first)
    assert start.picture() == (await load(room, 1)).position.picture()
    panel = await private_message(import_game(room, data))
    question = await asked(room, panel)
    assert "Play on after move 1" in question.content
    assert [file.filename for file in question.attachments] == ["game.sgf"]
    await begin_with_maksim(room, question)
    again = await load(room, 3)
    assert again.game.opening is not None
    assert (len(again.game.opening.turns), again.game.opening.match) == (len(MOVES) + 1, 0)


async def test_an_imported_record_of_another_program_is_played_on_from(room: Room) -> None:
    question = await asked(room, await private_message(import_game(room)))
    await begin_with_maksim(room, question)
    assert (await load(room, 1)).score == (0.0, 1.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;GM[40]SZ[9];B[cc];B[dd];W[ee])", "a player moves out of turn at move 2"),
        ("(;GM[40]SZ[9];B[cc];W[ee];B[])", "The game is decided at that point"),
        ("(;GM[40]SZ[2];B[aa])", "from 5 to 60"),
    ],
)
async def test_a_record_that_cannot_be_played_on_says_why(room: Room, text: str, said: str) -> None:
    panel = await private_message(import_game(room, text))
    assert said in await private_words(room.ola.click(panel, "Play on from here"))


async def test_a_rated_game_is_not_played_on_from_while_it_runs(room: Room) -> None:
    thread = await room.start_match(size="15x15", start="cross", clock="3d", rated=True)
    await room.play(thread, "a1")
    panel = await replay(room, thread)
    assert "This game is rated and still running" in await private_words(room.ola.click(panel, "Play on from here"))


async def test_the_terms_of_such_a_challenge_stay(room: Room, channel_game: Message) -> None:
    question = await asked(room, channel_game)
    await room.ola.click(question, "Challenge anyone").answered()
    await room.discord.until(lambda: any("Accept" in each.labels for each in room.discord.messages(room.channel)))
    forged = forging.click(room, room.maksim, room.channel, "challenge:2:0:change")
    assert "its terms stay" in await private_words(forged)


async def test_a_game_elsewhere_is_not_played_on_from_by_others(room: Room) -> None:
    for custom_id in ("on:5:1", "on:5:1:0:anyone", "on:5:1:0:swap"):
        forged = forging.click(room, room.kasia, room.channel, custom_id)
        assert "This game no longer exists" in await private_words(forged), custom_id
