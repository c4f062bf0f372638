"""The presses that a player needs for what they do most, counted on the buttons that Discord shows.

A count ends with the press that does it, or that shows what was asked for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from loopback import Channel, Message
from play.ids import GuildId, IdempotencyKey, MatchId, UserId
from tests.bot.room import Room, private_message
from tests.bot.waiting import version_message
from tests.old_puzzles import built_in_puzzle
from tests.opponent.quick import Inside

MOVES = ("e5", "e6", "f5", "f6", "g5", "g6")


@pytest.fixture
def run_options() -> dict[str, Any]:
    """Has the computer play."""
    return {"thinkers": Inside}


class Taps:
    """Ola's presses, one after the other, each on what the one before has shown."""

    def __init__(self, room: Room, shown: Message) -> None:
        self._room = room
        self.shown = shown
        self.count = 0

    async def press(self, label: str) -> None:
        """Presses a button by its label; what it shows her is pressed on next."""
        self.count += 1
        pressed = self._room.ola.click(self.shown, label)
        answer = await pressed.answered()
        self.shown = answer.message if answer.message and answer.kind != "deferred" else await pressed.followed()


async def practise(room: Room, size: str = "9x9") -> Channel:
    """Begins an unrated game over days against the computer; Ola is to move."""
    return await room.wait_for_thread(await room.challenge(computer=3, size=size, clock="3d"))


async def near(room: Room) -> int:
    thread = await practise(room)
    taps = Taps(room, room.boards(thread)[-1])
    await taps.press("Keypad near E5")
    await taps.press("13")
    await version_message(room, thread, 2)
    return taps.count


async def far(room: Room) -> int:
    """From the middle of 13x13 to B2, where a move is confirmed: a game over days against a person."""
    thread = await room.start_match(size="13x13", clock="3d", start="cross")
    taps = Taps(room, await room.wait_for_board(thread, 0))
    await taps.press("Elsewhere")
    await taps.press(_part_of(taps.shown, "B2"))
    await taps.press(_pad_of(taps.shown, "B2"))
    await taps.press("Play B2")
    await version_message(room, thread, 1)
    return taps.count


def _part_of(overview: Message, point: str) -> str:
    """Returns the letter of the part of a board that holds a crossing: that at the bottom left."""
    letters = [label for label in overview.labels if len(label) == 1]
    rows = int(len(letters) ** 0.5)
    assert point == "B2", "it is in the lowest row of parts, the first one"
    return letters[len(letters) - rows]


def _pad_of(keypad: Message, point: str) -> str:
    return next(str(part["label"]) for part in keypad.controls if f":go:{point}@" in str(part.get("custom_id")))


async def hint(room: Room) -> int:
    taps = Taps(room, room.boards(await practise(room))[-1])
    await taps.press("Hint")
    assert "I'd play" in taps.shown.text
    return taps.count


async def review(room: Room) -> int:
    thread = await room.start_match(size="9x9")
    await room.play(thread, *MOVES)
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(99))
    taps = Taps(room, await version_message(room, thread, len(MOVES) + 1))
    await taps.press("Review")
    return taps.count


async def puzzle(room: Room) -> int:
    await room.use_cases.puzzles.add(built_in_puzzle(GuildId(room.discord.guild.id), room.clock()))
    menu = await private_message(room.maksim.command(room.channel, "puzzle"))
    await room.maksim.click(menu, "This server's puzzle").answered()
    posted = await room.discord.until(
        lambda: next((each for each in room.discord.messages(room.channel) if "Puzzle of" in each.content), None)
    )
    taps = Taps(room, posted)
    await taps.press("Solve it")
    await taps.press(next(label for label in taps.shown.labels if label.isdigit()))
    await taps.press(next(label for label in taps.shown.labels if label.startswith("Play ")))
    return taps.count


async def in_more(room: Room, *labels: str) -> int:
    """Counts presses on *More* and on these buttons after it, in a game in which both have moved."""
    thread = await room.start_match(size="9x9")
    await room.play(thread, *MOVES)
    taps = Taps(room, room.boards(thread)[-1])
    await taps.press("More")
    for label in labels:
        await taps.press(label)
    return taps.count


async def resign(room: Room) -> int:
    return await in_more(room, "Resign", "Yes, resign")


async def take_back(room: Room) -> int:
    return await in_more(room, "Take back")


async def draw(room: Room) -> int:
    return await in_more(room, "Offer a draw")


async def undo(room: Room) -> int:
    thread = await practise(room)
    await room.ola.command(thread, "move", point="e5").answered()
    taps = Taps(room, await version_message(room, thread, 2))
    await taps.press("Undo")
    await version_message(room, thread, 3)
    return taps.count


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("way", "goal"),
    [(near, 2), (far, 4), (hint, 1), (review, 1), (puzzle, 3), (resign, 3), (take_back, 2), (draw, 2), (undo, 1)],
    ids=lambda each: getattr(each, "__name__", None),
)
async def test_what_players_do_most_takes_few_presses(
    room: Room, way: Callable[[Room], Awaitable[int]], goal: int
) -> None:
    assert await way(room) == goal
