"""Games against the computer: the real client and real workers, with the stand-in for Discord."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.features.coach.computer import Computer
from loopback import Channel, Message
from opponent.choice import HARDEST, Budget, Choice, level_of
from opponent.pool import Pool
from play.ids import IdempotencyKey, MatchId, UserId
from play.match.events import OfferKind
from play.match.match import Match
from rules.game import AnyPosition, Seat
from tests.bot.room import Room, answering_board, private_message, private_words
from tests.bot.waiting import version_message
from tests.clock import MINUTE
from tests.opponent.quick import GRIEF, Inside

DECLINED = "The computer accepts a draw only near the end of a game, and never while it leads."


async def begin_match(room: Room, **options: object) -> Channel:
    """Begins a match of Ola and the computer; returns its thread, once its first board is posted."""
    card = await room.challenge(**{"computer": 3, **options})
    return await room.wait_for_thread(card)


async def computer_board(room: Room, thread: Channel, version: int) -> Message:
    """Returns the board of a version that the computer played."""
    board = await version_message(room, thread, version)
    assert "**Kropka** played" in board.content
    return board


class BudgetRecorder(Inside):
    """An engine that notes the budgets of its searches."""

    def __init__(self) -> None:
        super().__init__()
        self.budgets: list[Budget | None] = []

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        self.budgets.append(budget)
        return await super().choose(position, budget, seed, level, asker)


def computer_of(room: Room) -> Computer:
    assert room.bot.publishers.coach.computer is not None
    return room.bot.publishers.coach.computer


async def load_match(room: Room, number: int = 1) -> Match:
    return await room.use_cases.matches.load(MatchId(number))


async def wait_for_match(room: Room, ready: Callable[[Match], bool]) -> Match:
    """Returns the match once it is `ready`."""

    async def found() -> Match | None:
        match = await load_match(room)
        return match if ready(match) else None

    return await room.until(found)


async def test_a_challenge_to_the_computer_begins_at_once(room: Room) -> None:
    thread = await begin_match(room)
    card = room.discord.message(thread.id)
    assert card is not None
    assert "Learner" in card.content
    assert await room.discord.until(lambda: "Accepted" in getattr(room.discord.message(thread.id), "content", ""))
    assert (await load_match(room)).players == (room.ola.id, room.discord.bot.id)


async def test_a_challenge_to_the_bot_by_its_name_is_one_to_the_computer(room: Room) -> None:
    await begin_match(room, computer=None, opponent=room.discord.bot)
    assert (await load_match(room)).players == (room.ola.id, room.discord.bot.id)


async def test_the_computer_is_the_bots_account_also_where_its_application_has_another_number(room: Room) -> None:
    """Old applications have numbers of their own."""
    await room.stop()
    room.discord.world.application_id += 1
    await room.start()
    await begin_match(room, computer=None, opponent=room.discord.bot)
    assert (await load_match(room)).players == (room.ola.id, room.discord.bot.id)


async def test_the_computer_answers_every_move(room: Room) -> None:
    thread = await begin_match(room)
    for number, point in enumerate(("c3", "a1")):
        await answering_board(room.ola.command(thread, "move", point=point))
        await computer_board(room, thread, 2 * number + 2)
    assert [move.seat for move in (await load_match(room)).moves] == [0, 1, 0, 1]


async def test_a_game_against_the_computer_is_played_to_its_end(room: Room) -> None:
    thread = await begin_match(room)
    while (now := await wait_for_match(room, lambda match: match.outcome is not None or match.to_act == 0)).to_act == 0:
        await room.ola.command(thread, "move", point=str(next(iter(now.position.moves())))).answered()
    board = await version_message(room, thread, now.version)
    assert "the board is full" in board.content


async def test_the_computer_moves_first_if_it_is_asked_to(room: Room) -> None:
    thread = await begin_match(room, colour="last")
    await computer_board(room, thread, 1)


async def test_a_turn_of_the_computer_survives_a_restart(room: Room) -> None:
    thread = await begin_match(room)
    room.thinkers = None
    await room.restart()
    await answering_board(room.ola.command(thread, "move", point="c3"))
    assert (await load_match(room)).version == 1
    await version_message(room, thread, 1)  # a bot that stops at once leaves the board before as it is
    room.thinkers = Inside
    await room.restart()
    await computer_board(room, thread, 2)


async def test_an_offer_to_the_computer_is_answered(room: Room) -> None:
    thread = await begin_match(room)
    await room.ola.command(thread, "draw").answered()
    now = await wait_for_match(room, lambda match: match.version > 1)
    assert now.events[1].seat == 1


async def test_the_computer_says_why_it_takes_no_draw(room: Room) -> None:
    thread = await begin_match(room, size="10x10", rated=True, computer=8)
    await room.ola.command(thread, "draw").answered()
    now = await wait_for_match(room, lambda match: match.version > 1)
    assert now.outcome is None
    await room.discord.until(lambda: any(DECLINED in each.content for each in room.discord.messages(thread)))


@pytest.mark.parametrize(("rules", "counts_as"), [("dot-dash", 8), ("two-squares", 8), ("zagram", 14)])
async def test_the_strongest_level_counts_less_where_its_levels_lie_closer(
    room: Room, rules: str, counts_as: int
) -> None:
    await begin_match(room, rules=rules, size=None, start=None, rated=True, computer=14, colour="first")
    now, ola = await load_match(room), UserId(room.ola.id)
    turn = str(next(iter(now.position.moves())))
    await room.use_cases.matches.move(now.id, ola, turn, room.clock(), IdempotencyKey(5))
    await wait_for_match(room, lambda match: match.version > 1)
    await room.use_cases.matches.resign(now.id, ola, room.clock(), IdempotencyKey(6))
    async with room.services.store.read() as reader:
        (change,) = await reader.ratings.changes_of(now.id)
    assert change.level == counts_as


async def test_a_rematch_with_the_computer_begins_at_once(room: Room) -> None:
    thread = await begin_match(room)
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(5))
    await room.ola.command(thread, "rematch").answered()
    again = await load_match(room, 2)
    assert (again.channel, again.parent) == (thread.id, None)
    assert set(again.players) == {room.ola.id, room.discord.bot.id}


async def wait_for_name(room: Room, thread: Channel, name: str) -> None:
    """Waits until a thread has this name."""
    await room.discord.until(lambda: next(each for each in room.discord.threads if each.id == thread.id).name == name)


@pytest.mark.parametrize("options", [{"computer": 4}, {"computer": None, "opponent": "the bot"}])
async def test_the_thread_of_a_game_against_the_computer_has_its_number_and_level(
    room: Room, options: dict[str, object]
) -> None:
    opponent = {"opponent": room.discord.bot} if "opponent" in options else {}
    thread = await begin_match(room, **{**options, **opponent})
    assert thread.name == "#1 Ola – Kropka · Casual player · Zagram 5×5"


async def test_the_thread_of_a_rematch_with_the_computer_has_the_new_number_and_the_level(room: Room) -> None:
    thread = await begin_match(room)
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(5))
    await wait_for_name(room, thread, "🏁 #1 Ola – Kropka · Learner · Zagram 5×5")
    await room.ola.command(thread, "rematch").answered()
    await wait_for_name(room, thread, "#2 Kropka – Ola · Learner · Zagram 5×5")


async def test_the_thread_of_a_first_game_has_its_number_and_level(room: Room) -> None:
    room.ola.say(room.channel, f"<@{room.discord.bot.id}>")
    asked: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(room.channel) if "Play the computer" in each.labels), None)
    )
    await room.ola.click(asked, "Play the computer").answered()
    thread = await room.discord.until(lambda: next(iter(room.discord.threads), None))
    assert thread.name == "#1 Ola – Kropka · Newcomer · Zagram 9×9"


async def test_the_computer_takes_one_of_three_seats(room: Room) -> None:
    card = await room.challenge(rules="three", size="9x9", computer=1)
    await room.maksim.click(card, "Join").followed()
    thread = await room.wait_for_thread(card)
    await answering_board(room.ola.command(thread, "move", point="e5"))
    now = await wait_for_match(room, lambda match: match.to_act != match.players.index(UserId(room.discord.bot.id)))
    assert len(now.players) == 3


async def test_a_player_who_wants_another_try_gets_it(room: Room) -> None:
    thread = await begin_match(room)
    await answering_board(room.ola.command(thread, "move", point="c3"))
    await computer_board(room, thread, 2)
    await room.ola.command(thread, "takeback").answered()
    now = await wait_for_match(room, lambda match: match.version >= 3)
    assert now.moves == ()


@pytest.mark.parametrize("level", [3, 6])
async def test_with_little_time_it_thinks_less(room: Room, level: int) -> None:
    engine = BudgetRecorder()
    room.thinkers = lambda: engine
    await room.restart()
    await begin_match(room, clock="5m+10s")
    computer, now = computer_of(room), await load_match(room)
    await computer.choose_action(now, level)
    await room.pass_time(5 * MINUTE - 10_000)
    await computer.choose_action(now, level)
    assert engine.budgets == [None, Budget(level_of(level).compiled.nodes, 500, fresh=level == 3)]


async def test_two_opponents_are_refused(room: Room) -> None:
    words = await private_words(room.ola.command(room.channel, "challenge", computer=2, opponent=room.maksim))
    assert "and the computer at once" in words


async def test_without_a_computer_it_cannot_be_challenged(room: Room) -> None:
    room.thinkers = None
    await room.restart()
    words = await private_words(room.ola.command(room.channel, "challenge", computer=2))
    assert "has no computer player" in words


@pytest.mark.parametrize("word", ["die", "hang"])
async def test_the_game_goes_on_when_a_worker_dies_or_hangs(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    grief = tmp_path / "grief"
    monkeypatch.setenv(GRIEF, str(grief))
    room.thinkers = lambda: Pool(worker="tests.opponent.quick", limit=1.0)
    await room.restart()
    thread = await begin_match(room)
    await answering_board(room.ola.command(thread, "move", point="c3"))
    await computer_board(room, thread, 2)
    grief.write_text(word, encoding="ascii")
    await answering_board(room.ola.command(thread, "move", point="a1"))
    await computer_board(room, thread, 4)
    assert not grief.exists()


async def test_a_rated_game_against_the_computer_grants_no_takeback(room: Room) -> None:
    thread = await begin_match(room, size="10x10", rated=True)
    await room.ola.command(thread, "move", point="e5").answered()
    await computer_board(room, thread, 2)
    assert not await computer_of(room).agrees(await load_match(room), Seat(1), OfferKind.TAKEBACK, 3)


async def test_a_rated_game_against_the_computer_rates_the_player_alone(room: Room) -> None:
    thread = await begin_match(room, size="10x10", rated=True)
    await room.ola.command(thread, "move", point="e5").answered()
    await computer_board(room, thread, 2)
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").answered()
    last = await version_message(room, thread, 3)
    assert "**Ola**: 1500?" in last.content
    assert last.content.count("📈") == 1
