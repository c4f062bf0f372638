"""*My mistakes*: what a review has found comes back on the board."""

from __future__ import annotations

import pytest

from loopback import Message
from opponent.choice import HARDEST, Budget, Choice
from play.ids import UserId
from rules.game import AnyPosition
from tests.bot.features.coach.missed_capture import MOVES, MissedCaptureEngine, finish_match, pad, picture_answer
from tests.bot.room import Room, private_message
from tests.clock import DAY


class Engine(MissedCaptureEngine):
    """Knows the missed capture, and that after C2 instead of it nothing is lost."""

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        dots = {str(turn) for turn in map(str, position.moves())}
        if len(position.picture().stones) == len(MOVES) - 1 and "C2" not in dots:
            return Choice("B7", -3.0, 0.1)
        return await super().choose(position, budget, seed, level, asker)


@pytest.fixture
def engine() -> Engine:
    return Engine()


async def my_mistakes(room: Room) -> Message:
    """Opens *My mistakes* of Ola; returns the panel."""
    shown = await private_message(room.ola.command(room.general, "learn"))
    path = await room.ola.click(shown, "All lessons").followed()
    label = next(label for label in path.labels if label.startswith("My mistakes"))
    return await room.ola.click(path, label).followed()


async def reviewed(room: Room) -> None:
    thread = await finish_match(room)
    await picture_answer(room.ola.command(thread, "review"))


async def mistake(room: Room) -> Message:
    """Returns the board of Ola's mistake on the day after the game."""
    await reviewed(room)
    await room.pass_time(DAY)
    return await my_mistakes(room)


async def press(room: Room, shown: Message, choice: str) -> Message:
    return await room.ola.click(shown, choice).followed()


async def play(room: Room, shown: Message, dot: str) -> Message:
    """Chooses a dot of the keypad, looks at it and plays it."""
    return await press(room, await press(room, shown, pad(shown, dot)), f"Play {dot}")


async def test_before_a_game_the_panel_says_what_will_be_here(room: Room) -> None:
    assert "No mistakes here yet." in (await my_mistakes(room)).text


async def test_a_mistake_comes_back_on_the_next_day(room: Room) -> None:
    await reviewed(room)
    assert "Nothing for today. 1 mistake will come back later." in (await my_mistakes(room)).text
    await room.pass_time(DAY)
    shown = await my_mistakes(room)
    assert "**1 mistake to practise.**" in shown.text
    assert "You played A1 and lost about 3 points from here. What is better?" in shown.text
    assert len([label for label in shown.labels if label.isdigit()]) > 9


async def test_the_better_move_is_played_by_its_number_even_after_a_restart(room: Room) -> None:
    shown = await mistake(room)
    await room.restart()
    shown = await play(room, shown, "F3")
    assert "✅ Right, **F3** is better than A1. It captures 2 dots: E4, F4." in shown.text
    assert "It comes back in 3 days." in shown.text
    assert shown.labels == ["Whole game", "All lessons"]


async def test_a_move_as_good_counts_by_a_search(room: Room) -> None:
    shown = await play(room, await mistake(room), "C2")
    assert "✅ Right, **C2** is better than A1." in shown.text


async def test_a_wrong_move_is_answered_and_the_mistake_is_back_tomorrow(room: Room) -> None:
    shown = await mistake(room)
    shown = await play(room, shown, "B6")
    assert "❌ **B6** doesn't do it. The numbers show how" in shown.text
    assert shown.labels == ["Try again", "Show the solution"]
    shown = await play(room, await press(room, shown, "Try again"), "F3")
    assert "It comes back in 1 day." in shown.text
    assert "Nothing for today" in (await my_mistakes(room)).text
    await room.pass_time(DAY)
    assert "to practise" in (await my_mistakes(room)).text


async def test_who_is_shown_the_move_gets_it_back_tomorrow(room: Room) -> None:
    shown = await press(room, await mistake(room), "Show the solution")
    assert "**F3** is better than A1." in shown.text
    assert "It comes back in 1 day." in shown.text


async def test_who_does_not_confirm_moves_plays_with_one_tap(room: Room) -> None:
    await room.change_settings(room.ola, confirm_days=False)
    shown = await mistake(room)
    assert "✅ Right" in (await press(room, shown, pad(shown, "F3"))).text


async def test_the_board_is_moved_about_and_a_move_typed(room: Room) -> None:
    shown = await mistake(room)
    shown = await press(room, shown, "Elsewhere")
    assert "What is better?" in shown.text
    shown = await press(room, shown, "A")
    assert "What is better?" in shown.text
    form = (await room.ola.click(shown, "Type a move").answered()).modal
    assert form is not None
    told = await room.ola.submit(form, {"point": "f3"}).followed()
    assert "✅ Right, **F3** is better than A1." in told.text


async def test_nobody_answers_for_another_player(room: Room) -> None:
    await mistake(room)
    mistakes = room.use_cases.past_mistakes
    assert await mistakes.count_due(UserId(room.maksim.id), room.clock()) == 0
    assert await mistakes.count_due(UserId(room.ola.id), room.clock()) == 1
