"""A game with all that belongs to it, and the bot restarted between any two steps: old buttons still work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import pytest

from loopback import Channel, Message
from play.clock import parse_control
from play.ids import MatchId
from tests.bot.room import Room, answering_board, private_message
from tests.bot.waiting import version_message


@dataclass
class Evening:
    """A game of Ola and Максим: `shown` is the message whose buttons the next step presses."""

    room: Room
    shown: Message = field(init=False)
    card: Message = field(init=False)
    thread: Channel = field(init=False)


def content(evening: Evening) -> str:
    """Returns what the card says by now."""
    card = evening.room.discord.message(evening.card)
    assert card is not None
    return card.content


async def challenge(evening: Evening) -> None:
    room = evening.room
    evening.card = await room.challenge(
        opponent=room.maksim, rules="zagram-no-territory", size="9x9", start="cross", clock="3d"
    )


async def open_other_terms(evening: Evening) -> None:
    evening.shown = await private_message(evening.room.maksim.click(evening.card, "Change terms"))


async def choose_another_clock(evening: Evening) -> None:
    menu = next(part["custom_id"] for part in evening.shown.controls if part["custom_id"].endswith(":clock"))
    evening.shown = await evening.room.maksim.click(evening.shown, menu, ["1d"]).followed()


async def offer_other_terms(evening: Evening) -> None:
    save = next(part["custom_id"] for part in evening.shown.controls if part["custom_id"].endswith(":save"))
    offered = await evening.room.maksim.click(evening.shown, save).followed()
    assert "[Your offer]" in offered.text
    await evening.room.discord.until(lambda: "suggests other terms" in content(evening))


async def accept_them(evening: Evening) -> None:
    await evening.room.ola.click(evening.card, "Accept").followed()
    evening.thread = await evening.room.wait_for_thread(evening.card)
    evening.shown = await evening.room.wait_for_board(evening.thread, 0)
    match = await evening.room.use_cases.matches.load(MatchId(1))
    assert match.clock.control == parse_control("1d")


async def open_the_keypad(evening: Evening) -> None:
    evening.shown = await private_message(evening.room.ola.click(evening.shown, evening.shown.labels[0]))


async def pan(evening: Evening) -> None:
    evening.shown = await evening.room.ola.click(evening.shown, "➡️").followed()


async def preview(evening: Evening) -> None:
    number = next(label for label in evening.shown.labels if label.isdecimal())
    evening.shown = await evening.room.ola.click(evening.shown, number).followed()


async def play(evening: Evening) -> None:
    await answering_board(evening.room.ola.click(evening.shown, evening.shown.labels[0]))
    evening.shown = await evening.room.wait_for_board(evening.thread, 1)


async def look_ahead_to_a_stop(evening: Evening) -> None:
    more = await private_message(evening.room.maksim.click(evening.shown, "More"))
    evening.shown = await evening.room.maksim.click(more, "STOP").followed()


async def stop(evening: Evening) -> None:
    await evening.room.maksim.click(evening.shown, "Yes, STOP").followed()
    evening.shown = await version_message(evening.room, evening.thread, 2)


async def offer_a_draw(evening: Evening) -> None:
    more = await private_message(evening.room.ola.click(evening.shown, "More"))
    await evening.room.ola.click(more, "Offer a draw").followed()
    evening.shown = await version_message(evening.room, evening.thread, 3)


async def accept_the_draw(evening: Evening) -> None:
    await evening.room.maksim.click(evening.shown, "Accept draw (Максим)").answered()
    evening.shown = await version_message(evening.room, evening.thread, 4)


async def offer_a_rematch(evening: Evening) -> None:
    await private_message(evening.room.maksim.click(evening.shown, "Rematch"))
    evening.shown = evening.room.discord.messages(evening.thread)[-1]


async def accept_the_rematch(evening: Evening) -> None:
    await evening.room.ola.click(evening.shown, "Accept").followed()
    first = await version_message(evening.room, evening.thread, 0, match=2)
    assert "**Максим** moves first" in first.content


Step = Callable[[Evening], Awaitable[None]]

STEPS: tuple[Step, ...] = (
    challenge,
    open_other_terms,
    choose_another_clock,
    offer_other_terms,
    accept_them,
    open_the_keypad,
    pan,
    preview,
    play,
    look_ahead_to_a_stop,
    stop,
    offer_a_draw,
    accept_the_draw,
    offer_a_rematch,
    accept_the_rematch,
)


@pytest.mark.contest
@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(STEPS[:-1], id="each", marks=pytest.mark.smoke),
        *(pytest.param([step], id=step.__name__) for step in STEPS[:-1]),
    ],
)
async def test_the_bot_may_restart_after_any_step(room: Room, steps: Sequence[Step]) -> None:
    evening = Evening(room)
    for step in STEPS:
        await step(evening)
        if step in steps:
            await room.restart()
