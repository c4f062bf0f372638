"""Games against the computer: one board tells a player's move and the reply to it, and calls nobody who looks at it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.features.match.delivery.old_boards import OldBoards
from bot.markup import spoken
from loopback import Channel, Discord, Message
from opponent.choice import HARDEST, Budget, Choice
from play.ids import MatchId, MessageId
from play.match.offers import TAKEBACK_GRACE
from play.match.outbox_entry import REPLY_MILLIS
from rules.game import AnyPosition
from tests.bot.features.match.entering import by_command, by_form, crash_inside
from tests.bot.panels import links
from tests.bot.room import Room, answering_board, private_message, private_words
from tests.bot.waiting import skip_confirmations, version_message
from tests.clock import HOUR, MINUTE, StoppedClock
from tests.opponent.quick import Inside
from use_cases.match_writer import ANSWERABLE_MILLIS
from use_cases.workers.outbox_relay import Reservation


class Gated(Inside):
    """An engine that thinks only while its gate is open; it plays D4, and then along the first row."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()
        self.open.set()

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        await self.open.wait()
        taken = {stone.point for stone in position.picture().stones}
        free = (str(move) for move in position.moves() if move.dot not in taken)
        move = min(free, key=lambda text: (int(text[1:]), text))
        return Choice(move, 0.0, 0.5, (move,))


@pytest.fixture
def engine() -> Gated:
    return Gated()


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, engine: Gated) -> AsyncIterator[Room]:
    room = Room(discord, url, clock)
    room.thinkers = lambda: engine
    await room.start()
    yield room
    engine.open.set()
    await room.stop()


async def begin(room: Room, **options: Any) -> Channel:
    """Begins a match of Ola and the computer; returns its thread, once its first board is posted."""
    return await room.wait_for_thread(await room.challenge(**{"computer": 3, "size": "9x9", **options}))


async def by_keypad(room: Room, thread: Channel, text: str) -> Any:
    """Ola's move by the keypad of the newest board."""
    board = room.boards(thread)[-1]
    keypad = await private_message(room.ola.click(board, board.labels[0]))
    point = next(part["custom_id"] for part in keypad.controls if f":go:{text.upper()}@" in part["custom_id"])
    return room.ola.click(keypad, point)


def ids(room: Room, thread: Channel) -> list[int]:
    """Returns the ids of the boards so far."""
    return [board.id for board in room.boards(thread)]


def tells_both(board: Message, own: str, reply: str) -> bool:
    """Returns whether a board tells Ola's move first, and then the computer's."""
    first, second, *_ = board.content.splitlines()
    return f"**Ola** played **{own}**" in first and f"**Kropka** played **{reply}**" in second


@pytest.mark.parametrize("way", [by_command, by_form, by_keypad])
async def test_the_answer_to_a_move_is_one_board_with_the_reply(room: Room, way: Any) -> None:
    thread = await begin(room)
    board = await answering_board(await way(room, thread, "e5"))
    assert tells_both(board, "E5", "D4")
    await version_message(room, thread, 2)
    assert ids(room, thread)[1:] == [board.id]


async def test_a_game_that_the_computer_begins_has_its_first_move_on_the_first_board(room: Room) -> None:
    thread = await begin(room, colour="last")
    (board,) = room.boards(thread)
    assert "The game begins" in board.content
    assert "**Kropka** played **D4**" in board.content
    assert board.mentions == (room.ola.id,)
    assert await room.version() == 1


async def test_where_the_first_move_takes_long_the_board_waits_no_longer_and_calls_nobody(
    room: Room, engine: Gated
) -> None:
    engine.open.clear()
    card = await room.challenge(computer=3, size="9x9", colour="last")
    await room.until(lambda: _match_there(room))
    room.clock.advance(REPLY_MILLIS)
    room.bot.workers.outbox.wake()
    thread = await room.wait_for_thread(card)
    (alone,) = room.boards(thread)
    assert alone.mentions == ()
    engine.open.set()
    reply = await version_message(room, thread, 1)
    assert ids(room, thread) == [alone.id, reply.id]


async def _match_there(room: Room) -> bool:
    async with room.services.store.read() as reader:
        return bool(await reader.matches.count_begun())


async def test_a_rematch_begins_at_once_and_says_so(room: Room) -> None:
    thread = await begin(room, clock="3d", colour="first")
    await room.cancel_match(room.ola, thread)
    last = await version_message(room, thread, 1)
    told = await private_message(room.ola.click(last, "Rematch"))
    assert "Your game has begun" in told.text
    board = room.boards(thread)[-1]
    assert links(told)["Go to the game"].endswith(f"/{board.id}")
    assert "Your move" in told.labels
    assert "**Kropka** played **D4**" in board.content
    cards = [message for message in room.discord.messages(thread) if "Accepted" in message.content]
    assert [card.content.count("\n") for card in cards] == [0]


async def test_ten_moves_and_their_replies_are_ten_boards(room: Room) -> None:
    thread = await begin(room)
    for point in ("e5", *(f"{column}6" for column in "abcdefghi")):
        await answering_board(await by_command(room, thread, point))
    assert len(room.boards(thread)) == 11


async def test_a_move_by_a_reply_is_posted_with_the_reply_to_it(room: Room) -> None:
    thread = await begin(room)
    room.ola.say(thread, "e5", reply_to=room.boards(thread)[-1])
    board = await version_message(room, thread, 2)
    assert tells_both(board, "E5", "D4")
    assert ids(room, thread)[1:] == [board.id]


@pytest.mark.parametrize("way", [by_command, by_form, by_keypad])
async def test_where_nothing_is_at_stake_a_move_counts_at_once_whatever_the_clock(room: Room, way: Any) -> None:
    thread = await begin(room, clock="3d")
    assert tells_both(await answering_board(await way(room, thread, "e5")), "E5", "D4")


async def test_a_reply_counts_at_once_where_nothing_is_at_stake(room: Room) -> None:
    thread = await begin(room, clock="3d")
    room.ola.say(thread, "e5", reply_to=room.boards(thread)[-1])
    assert tells_both(await version_message(room, thread, 2), "E5", "D4")


async def test_a_rated_move_over_days_is_confirmed(room: Room) -> None:
    thread = await begin(room, clock="3d", rated=True, size="10x10", rules="zagram", start="cross")
    look = await private_message(room.ola.command(thread, "move", point="a1"))
    assert "Play A1" in look.labels
    assert await room.version() == 0


async def moves_of(room: Room) -> list[str]:
    return [move.text for move in (await room.use_cases.matches.load(MatchId(1))).moves]


async def test_undo_takes_back_the_move_and_the_reply_to_it(room: Room) -> None:
    thread = await begin(room, clock="3d")
    board = await answering_board(await by_command(room, thread, "e5"))
    assert "Undo" in board.labels
    await room.restart()
    assert "Your move was taken back" in await private_words(room.ola.click(board, "Undo"))
    undone = await version_message(room, thread, 3)
    assert await moves_of(room) == []
    assert "Undo" not in undone.labels
    assert tells_both(await answering_board(await by_command(room, thread, "e6")), "E6", "D4")


async def test_undo_works_while_the_computer_still_thinks(room: Room, engine: Gated) -> None:
    thread = await begin(room)
    engine.open.clear()
    alone = await answering_board(await by_command(room, thread, "e5"))
    await room.ola.click(alone, "Undo").answered()
    await version_message(room, thread, 2)
    engine.open.set()
    assert await moves_of(room) == []


async def test_undo_is_for_its_player_and_for_one_move_however_often_it_is_pressed(room: Room) -> None:
    thread = await begin(room)
    await answering_board(await by_command(room, thread, "e5"))
    board = await answering_board(await by_command(room, thread, "e6"))
    assert "aren't playing" in await private_words(room.kasia.click(board, "Undo"))
    for click in [room.ola.click(board, "Undo") for _ in range(10)]:
        await click.answered()
    await version_message(room, thread, 5)
    assert await moves_of(room) == ["E5", "D4"]


async def test_after_ten_seconds_undo_asks_the_computer_which_agrees(room: Room) -> None:
    thread = await begin(room)
    board = await answering_board(await by_command(room, thread, "e5"))
    await room.pass_time(MINUTE)
    await room.ola.click(board, "Undo").answered()
    await version_message(room, thread, 4)
    assert await moves_of(room) == []


async def test_a_board_that_is_shown_later_has_no_undo(room: Room) -> None:
    thread = await begin(room)
    await answering_board(await by_command(room, thread, "e5"))
    await room.pass_time(MINUTE)
    assert "Undo" not in (await private_message(room.ola.command(thread, "board"))).labels


async def test_undo_goes_from_the_board_after_ten_seconds(room: Room) -> None:
    thread = await begin(room)
    passed = asyncio.Event()
    naps = list[float]()

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        await passed.wait()

    services = room.services
    renderer = room.bot.publishers.boards
    old = OldBoards(services.store, renderer, services.locales, services.channels, nap)
    board = await answering_board(await by_command(room, thread, "e5"))
    match = await room.use_cases.matches.load(MatchId(1))
    old.note_posted((await renderer.render(match, spoken().of())).view, MessageId(board.id))
    await asyncio.sleep(0)
    assert naps == [pytest.approx(TAKEBACK_GRACE / 1000, abs=0.1)]
    passed.set()
    await room.discord.until(lambda: "Undo" not in room.boards(thread)[-1].labels)
    assert room.boards(thread)[-1].labels == [label for label in board.labels if label != "Undo"]
    await old.close()


@pytest.mark.parametrize("options", [{"rated": True, "size": "10x10", "start": "cross"}, {"rules": "three"}])
async def test_a_game_with_others_or_for_points_has_neither_undo_nor_hint_below_its_board(
    room: Room, options: dict[str, Any]
) -> None:
    if "rules" in options:
        card = await room.challenge(computer=1, size="9x9", **options)
        await room.maksim.click(card, "Join").followed()
        thread = await room.wait_for_thread(card)
    else:
        thread = await begin(room, **options)
    assert not {"Undo", "Hint"} & set(room.boards(thread)[-1].labels)


async def test_the_alt_text_of_practice_names_what_could_be_captured(room: Room) -> None:
    thread = await begin(room)
    for point in ("e5", "d5", "c4", "e4"):
        board = await answering_board(await by_command(room, thread, point))
    assert "Ola could capture 1 dot with D3." in (board.attachments[0].description or "")


async def test_a_confirmed_move_is_answered_with_the_reply(room: Room) -> None:
    thread = await begin(room, clock="3d")
    await room.change_settings(room.ola, confirm_live=True)
    look = await private_message(room.ola.command(thread, "move", point="e5"))
    assert tells_both(await answering_board(room.ola.click(look, "Play E5")), "E5", "D4")


async def test_what_the_own_move_captured_is_told_before_the_reply(room: Room) -> None:
    thread = await begin(room)
    for point in ("e5", "d5", "c4", "e4"):
        await answering_board(await by_command(room, thread, point))
    board = await answering_board(await by_command(room, thread, "d3"))
    first, second, score, *_ = board.content.splitlines()
    assert first.endswith("played **D3** and captured 1 dot.")
    assert second.endswith("played **D1**.")
    assert "**Ola** 1 ·" in score
    assert (board.attachments[0].description or "").startswith("Ola played D3 and captured 1 dot. Kropka played D1.")


async def test_a_move_whose_reply_takes_long_is_shown_alone_and_the_reply_after_it(room: Room, engine: Gated) -> None:
    thread = await begin(room)
    engine.open.clear()
    click = await by_command(room, thread, "e5")
    alone = await answering_board(click)
    assert "**Ola** played **E5**" in alone.content
    assert "played **D4**" not in alone.content
    engine.open.set()
    reply = await version_message(room, thread, 2)
    assert "**Ola** played" not in reply.content
    assert ids(room, thread)[1:] == [alone.id, reply.id]


async def test_a_text_move_whose_reply_takes_long_is_posted_alone(room: Room, engine: Gated) -> None:
    thread = await begin(room)
    engine.open.clear()
    room.ola.say(thread, "e5", reply_to=room.boards(thread)[-1])
    await room.until(room.version)
    room.clock.advance(REPLY_MILLIS)
    room.bot.workers.outbox.wake()
    alone = await version_message(room, thread, 1)
    engine.open.set()
    reply = await version_message(room, thread, 2)
    assert ids(room, thread)[1:] == [alone.id, reply.id]


async def test_an_answer_that_was_acknowledged_before_is_posted_once_with_the_reply(room: Room) -> None:
    room.answer_seconds = 0.0
    await room.restart()
    thread = await begin(room)
    move = await by_command(room, thread, "e5")
    board = await version_message(room, thread, 2)
    assert tells_both(board, "E5", "D4")
    assert "You played **E5**" in await private_words(move)
    assert ids(room, thread)[1:] == [board.id]


async def test_a_crash_before_the_reply_loses_neither_move(
    room: Room, engine: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await begin(room)
    engine.open.clear()
    await crash_inside(room, monkeypatch, thread, Reservation, "wait_for_reply", ANSWERABLE_MILLIS)
    alone = await version_message(room, thread, 1)
    assert "**Ola** played **E5**" in alone.content
    engine.open.set()
    reply = await version_message(room, thread, 2)
    assert ids(room, thread)[1:] == [alone.id, reply.id]


async def test_a_crash_before_the_answer_posts_both_moves_in_one_board(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await begin(room)
    await crash_inside(room, monkeypatch, thread, room.services.boards.publisher, "_send_answer", ANSWERABLE_MILLIS)
    board = await version_message(room, thread, 2)
    assert tells_both(board, "E5", "D4")
    assert ids(room, thread)[1:] == [board.id]


async def test_a_crash_after_the_answer_posts_nothing_twice(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    thread = await begin(room)
    await crash_inside(room, monkeypatch, thread, Reservation, "deliver", ANSWERABLE_MILLIS)
    board = await version_message(room, thread, 2)
    assert tells_both(board, "E5", "D4")
    assert ids(room, thread)[1:] == [board.id]
    async with room.services.store.read() as reader:
        assert (await reader.matches.open_of(room.ola.id))[0].board == board.id  # type: ignore[arg-type]


async def test_a_crash_after_an_answer_without_the_reply_posts_the_reply_alone(
    room: Room, engine: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await begin(room)
    engine.open.clear()
    monkeypatch.setattr(engine.open, "clear", lambda: None)
    with monkeypatch.context() as patch:
        patch.setattr(Reservation, "wait_for_reply", _none)
        await crash_inside(room, patch, thread, Reservation, "deliver", ANSWERABLE_MILLIS)
    engine.open.set()
    reply = await version_message(room, thread, 2)
    assert "**Ola** played" not in reply.content
    assert len(room.boards(thread)) == 3


async def _none(*_: object) -> None: ...


async def test_a_player_who_has_just_moved_is_not_called_by_the_reply(room: Room, engine: Gated) -> None:
    thread = await begin(room, clock="3d")
    await skip_confirmations(room)
    board = await answering_board(await by_command(room, thread, "e5"))
    assert board.mentions == ()
    engine.open.clear()
    await answering_board(await by_command(room, thread, "e6"))
    await room.pass_time(MINUTE // 2)
    engine.open.set()
    assert (await version_message(room, thread, 4)).mentions == ()


async def test_a_player_who_has_gone_since_is_called_by_the_reply(room: Room, engine: Gated) -> None:
    thread = await begin(room, clock="3d")
    await skip_confirmations(room)
    engine.open.clear()
    await answering_board(await by_command(room, thread, "e5"))
    await room.pass_time(HOUR)
    engine.open.set()
    assert (await version_message(room, thread, 2)).mentions == (room.ola.id,)


async def test_a_turn_taken_back_before_the_reply_is_told_by_itself(room: Room, engine: Gated) -> None:
    thread = await begin(room)
    engine.open.clear()
    await answering_board(await by_command(room, thread, "e5"))
    await room.ola.command(thread, "takeback").answered()
    await version_message(room, thread, 2)
    engine.open.set()
    assert [move.text for move in (await room.use_cases.matches.load(MatchId(1))).moves] == []
    assert tells_both(await answering_board(await by_command(room, thread, "e6")), "E6", "D4")


async def test_with_a_second_player_before_the_first_each_move_has_its_board(room: Room) -> None:
    card = await room.challenge(rules="three", size="9x9", computer=1)
    await room.maksim.click(card, "Join").followed()
    thread = await room.wait_for_thread(card)
    known = len(room.boards(thread))
    players = {room.ola.id: room.ola, room.maksim.id: room.maksim}
    for point in ("e5", "e6"):
        now = await room.use_cases.matches.load(MatchId(1))
        while now.players[now.to_act or 0] not in players:
            now = await room.use_cases.matches.load(MatchId(1))
        await players[now.players[now.to_act or 0]].command(thread, "move", point=point).answered()
    await room.wait_for_outbox()
    boards = room.boards(thread)[known:]
    assert len(boards) == await room.version() - (known - 1)
    assert all(board.content.count(" played ") <= 1 for board in boards)


async def test_in_a_blitz_game_the_next_turn_begins_with_the_reply(room: Room) -> None:
    thread = await begin(room, clock="20s random")
    board = await answering_board(await by_command(room, thread, "e5"))
    now = await room.use_cases.matches.load(MatchId(1))
    assert now.clock.deadline == now.events[-1].at + 20_000
    assert f"<t:{now.clock.deadline // 1000}:R>" in board.content


async def test_thirty_clicks_at_once_make_one_move_and_one_board(room: Room) -> None:
    thread = await begin(room)
    clicks = [room.ola.command(thread, "move", point="e5") for _ in range(25)]
    for click in clicks:
        await click.answered()
    await version_message(room, thread, 2)
    assert await room.version() == 2
    assert len(room.boards(thread)) == 2
